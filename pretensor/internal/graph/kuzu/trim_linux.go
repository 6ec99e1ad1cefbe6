package kuzu

// #include <malloc.h>
//
// static void trim(void) {
// #ifdef __GLIBC__
// 	malloc_trim(0);
// #endif
// }
import "C"

// trim gives memory that the engine has freed back to the system, which its allocator
// would keep: after a large load that is more than all the rest.
func trim() { C.trim() }
