// Package route decides which approved metrics a question is about, and whether
// they cover it. It is the one routing core: find and the preflight both ask it,
// so that they never differ.
//
// [New] prepares an [Index] of a semantic layer, and [Index.Route] scores every
// metric against a question: a base for equal and similar names, weights of the
// words that match, and bonuses for approval and module. A metric is accepted when
// the evidence is strong enough; what is only near is given apart and never steers
// the route. [ModeOf] tells from a question whether a chart or a report is wanted.
package route
