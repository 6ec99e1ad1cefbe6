//go:build !linux

package kuzu

// trim does nothing: other systems' allocators give memory back by themselves.
func trim() {}

// oneArena does nothing: how other systems' allocators treat threads is theirs.
func oneArena() {}
