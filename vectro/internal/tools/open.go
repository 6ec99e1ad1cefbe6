package tools

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/mem"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read"
)

// open opens a file of the data folder for load_file. Messages show the path as
// it was given, never where the folder is.
func (sv *Service) open(name string) (f *os.File, size int64, err error) {
	f, err = sv.Root.Open(name)
	if err != nil {
		return nil, 0, pathError(name, err)
	}
	info, err := f.Stat()
	if err == nil {
		size = info.Size()
		err = sv.checkFile(name, size)
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, size, nil
}

func (sv *Service) checkFile(name string, size int64) error {
	if err := read.Check(name); err != nil {
		return err
	}
	if size > sv.MaxFile {
		return &mcpkit.Error{Kind: mcpkit.TooLarge, Code: "file_too_large", Field: "path", Message: fmt.Sprintf(
			"'%s' has %s; load_file reads up to %s.", mcpkit.Untrusted(name), mem.Size(size), mem.Size(sv.MaxFile))}
	}
	return nil
}

// pathError words a refusal of [mcpkit.Root] as vectro does.
func pathError(name string, err error) error {
	var e *mcpkit.Error
	if !errors.As(err, &e) {
		return err
	}
	const inside = "give a path inside it."
	shown := mcpkit.Untrusted(name)
	out := *e
	out.Field, out.Fix = "path", ""
	switch e.Code {
	case "no_such_file":
		out.Message = fmt.Sprintf("There is no file '%s' in the data folder", shown)
		if near, ok := e.Data["candidates"].([]string); ok && len(near) > 0 {
			out.Message += fmt.Sprintf("; did you mean '%s'?", mcpkit.Untrusted(near[0]))
		} else if files, ok := e.Data["files"].([]string); ok {
			list := make([]string, len(files))
			for i, f := range files {
				list[i] = fmt.Sprintf("'%s'", mcpkit.Untrusted(f))
			}
			out.Message += "; its folder has " + strings.Join(list, ", ")
			if more, ok := e.Data["more"].(int); ok {
				out.Message += fmt.Sprintf(" and %d more", more)
			}
			out.Message += "."
		} else {
			out.Message += "."
		}
	case "parent_path", "absolute_path":
		out.Message = fmt.Sprintf("'%s' leaves the data folder; %s", shown, inside)
	case "address_path":
		out.Message = fmt.Sprintf("'%s' is an address, not a file of the data folder; %s", shown, inside)
	case "backslash_path":
		out.Message = fmt.Sprintf("'%s' has a backslash; separate folders with / and %s", shown, inside)
	case "empty_path":
		out.Message = "path is empty; name a file of the data folder."
	default:
		out.Message = e.Message + "."
	}
	return &out
}
