// Package cerebro is the root of the semantic-layer server: it will answer
// business questions from governed metrics. The server is not part of this tree yet.
package cerebro
