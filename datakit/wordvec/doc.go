// Package wordvec turns short texts, such as a table with its columns or a
// question about it, into vectors whose cosine says how alike they are in
// meaning.
//
// A [Provider] makes the vectors. [Builtin] is one without files or network: it
// averages English word vectors that are part of the program. [HTTP] asks an
// endpoint that speaks the OpenAI embeddings protocol. Vectors of different
// models mean nothing to each other, so an [Index] holds those of one model and
// refuses others.
//
// The package keeps nothing on disk beyond the cache that an HTTP provider is
// told to keep.
package wordvec
