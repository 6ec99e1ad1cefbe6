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

// readers has the reader for every extension, in lower case.
var readers = map[string]func(context.Context, input.Source, input.Options) (*input.Result, error){
	".csv": func(ctx context.Context, src input.Source, opt input.Options) (*input.Result, error) {
		return csv.Read(ctx, src, false, opt)
	},
	".tsv": func(ctx context.Context, src input.Source, opt input.Options) (*input.Result, error) {
		return csv.Read(ctx, src, true, opt)
	},
	".jsonl":   jsonl.Read,
	".ndjson":  jsonl.Read,
	".arrow":   arrow.Read,
	".feather": arrow.Read,
	".ipc":     arrow.Read,
}

// Check returns the refusal of a file whose extension Load does not know, or nil.
func Check(name string) error {
	ext := strings.ToLower(path.Ext(name))
	if readers[ext] != nil {
		return nil
	}
	const formats = "It reads .csv, .tsv, .jsonl, .ndjson, .arrow, .feather and .ipc."
	switch ext {
	case ".vectro":
		return input.Errorf("'%s' is a dataset, which this version cannot open; load the file it was made from.", name)
	case "":
		return input.Errorf("Vectro cannot read '%s', which has no extension. %s", name, formats)
	case ".gz", ".zst":
		return input.Errorf("Vectro cannot read '%s'; unpack '%s' first. %s", path.Ext(name), name, formats)
	}
	return input.Errorf("Vectro cannot read '%s'. %s", path.Ext(name), formats)
}

// Load reads src with the reader that the extension of its name chooses, in any
// case. Mistakes in the file or in opt.Types are an [*input.Error]; what does not fit
// into opt.Lease is a *mem.ExceededError; the end of ctx is its cause. After an
// error the owner of opt.Lease closes it.
func Load(ctx context.Context, src input.Source, opt input.Options) (*input.Result, error) {
	if err := Check(src.Name); err != nil {
		return nil, err
	}
	return readers[strings.ToLower(path.Ext(src.Name))](ctx, src, opt)
}
