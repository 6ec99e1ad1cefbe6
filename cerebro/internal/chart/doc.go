// Package chart makes ECharts options of query results.
//
// [Build] checks that a result has the shape that a type of chart needs, and gives
// its option: a pure function of data and wishes, with the same bytes every time.
// Options hold data alone, no functions; how numbers are written is named as a
// preset that the page's script knows. What does not fit is an error that says which
// columns there are; what was folded, cut or sampled is said as a warning.
package chart
