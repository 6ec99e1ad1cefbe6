// Package find answers "which tool do I use for this?": it ranks the registered
// tools, the metrics and the models of a project against a question in plain words,
// and recommends the call to make next.
//
// [Finder.Find] does all of it. The tools are ranked by BM25 over names, tags,
// summaries and domains; the index is built by the first question, and anew by the
// first question after the registered tools have changed. Metrics come from package
// route, models from a [Models] index. The same state always gives the same answer.
package find
