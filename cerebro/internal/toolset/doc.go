// Package toolset knows the tools: what each is for, how careful a client must be
// with it, which of them a client is shown, and whether their descriptions hold up.
//
// [Static] is the table of the tools that are part of the program; a tool registers
// with what stands there. [Registry] holds the tools that are registered, [Surface]
// decides which of them are advertised, [Switches] which are registered at all, and
// [Lint] says what is wrong with them.
package toolset
