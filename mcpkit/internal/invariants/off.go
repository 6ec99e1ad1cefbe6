//go:build !invariants && !race

package invariants

// Enabled is false in this build.
const Enabled = false
