// Package read loads a file into a table with the reader for its kind.
package read

import (
	"context"
	"path"
	"strings"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/arrow"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/csv"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/input"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/jsonl"
)

// What Load takes and returns, as the readers know it.
type (
	Source  = input.Source
	Options = input.Options
	Result  = input.Result
	Error   = input.Error
)

// Load reads src with the reader that the extension of its name chooses, in any
// case. Mistakes in the file or in opt.Types are [*Error]; what does not fit into
// opt.Lease is a [*mem.ExceededError]; the end of ctx is its cause. After an error
// the owner of opt.Lease closes it.
func Load(ctx context.Context, src Source, opt Options) (*Result, error) {
	switch ext := strings.ToLower(path.Ext(src.Name)); ext {
	case ".csv", ".tsv":
		return csv.Read(ctx, src, ext == ".tsv", opt)
	case ".jsonl", ".ndjson":
		return jsonl.Read(ctx, src, opt)
	case ".arrow", ".feather", ".ipc":
		return arrow.Read(ctx, src, opt)
	}
	return nil, Unreadable(src.Name)
}

// Unreadable is the refusal of a file by its extension.
func Unreadable(name string) error {
	what := "'" + path.Ext(name) + "'"
	switch strings.ToLower(path.Ext(name)) {
	case "":
		what = "a file without an extension"
	case ".gz", ".zst":
		return input.Errorf("Vectro does not unpack '%s'; unpack it first. It reads %s.", name, formats)
	}
	return input.Errorf("Vectro cannot read %s. It reads %s.", what, formats)
}

const formats = ".csv, .tsv, .jsonl, .ndjson, .arrow, .feather, .ipc and .vectro"

// Extension reports whether Load knows the extension of name.
func Extension(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".csv", ".tsv", ".jsonl", ".ndjson", ".arrow", ".feather", ".ipc":
		return true
	}
	return false
}
