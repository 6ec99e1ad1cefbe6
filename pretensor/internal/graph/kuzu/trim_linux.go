package kuzu

// #include <malloc.h>
//
// static void trim(void) {
// #ifdef __GLIBC__
// 	malloc_trim(0);
// #endif
// }
//
// static void oneArena(void) {
// #ifdef __GLIBC__
// 	mallopt(M_ARENA_MAX, 1);
// #endif
// }
import "C"

// trim gives memory that the engine has freed back to the system, which its allocator
// would keep: after a large load that is more than all the rest.
func trim() { C.trim() }

// oneArena keeps threads that the allocator has not seen yet from getting an arena each,
// which holds what they freed where the others cannot use it. It holds for the process.
func oneArena() { C.oneArena() }
