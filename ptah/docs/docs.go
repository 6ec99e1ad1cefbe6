// Package docs holds ptah's documentation, which search_docs searches.
package docs

import "embed"

// Files are the pages, by their paths: operate/configuration.md.
//
//go:embed declare explain operate reference start
var Files embed.FS
