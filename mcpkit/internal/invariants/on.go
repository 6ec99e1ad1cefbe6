//go:build invariants || race

package invariants

// Enabled is true in this build.
const Enabled = true
