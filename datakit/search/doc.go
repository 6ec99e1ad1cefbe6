// Package search ranks small documents with named fields, such as the tables of
// a database, the tools of a server or the passages of a manual, by how well
// their words fit a question in plain words.
//
// [Index] holds documents and answers questions; [Config] says which fields they
// have and how words are compared; [Fuse] merges rankings of different origin.
// Package [github.com/quartet-mcp/quartet/datakit/search/analysis] splits text
// into words.
//
// Posting lists, term dictionaries and their automata are bleve's, in a scorch
// index in memory. The score is computed here, as BM25F with k1 1.2 and b 0.75:
//
//	idf(t)      = ln(1 + (N − df + 0.5) / (df + 0.5))
//	tf(t, d)    = Σ over fields f of boost(f) · count(t, d, f) / (1 − b + b · length(d, f) / average length(f))
//	score(t, d) = idf(t) · tf · (k1 + 1) / (k1 + tf)
//
// which for one field is BM25 as published. bleve's own scorer is not used: in
// version 2.6 it takes the square root of the count, counts distinct terms of
// the dictionary in place of words when it averages lengths, so that scores
// depend on how the documents were batched, and multiplies by factors of the
// whole query. Here the same documents and question give the same scores,
// whatever the order in which the documents came.
//
// Scores are comparable within one answer only.
package search
