// Package raw makes the rows of the demo project's source tables: what the
// systems of an invented online grocer would have written in two years.
//
// The rows are the same on every machine and in every run. They come from
// generators with fixed seeds, in whole numbers only, because the last digits of
// floating point differ between processors; no clock and no time zone database
// is asked. Money is in cents and times are UTC, as such systems keep them.
package raw

import "embed"

// Sources is the text that the rows come from: while it is the same, so are they.
//
//go:embed *.go
var Sources embed.FS
