package tools

import (
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// brief replaces the schema of the objects at a path of a result by an object of any
// shape whose description lists their fields. Strict clients take at most 100
// properties and five levels in one schema, and every conversation pays for them.
// In the path [] stands for the items of a list.
func brief(out *jsonschema.Schema, path string) {
	at := out
	for step := range strings.SplitSeq(path, ".") {
		name, list := strings.CutSuffix(step, "[]")
		at = object(at.Properties[name])
		if list {
			at = object(at.Items)
		}
	}
	var fields []string
	for _, name := range at.PropertyOrder {
		if at.Properties[name] != nil && !slices.Contains(fields, name) {
			fields = append(fields, name)
		}
	}
	description := at.Description
	if description != "" {
		description += ": "
	}
	*at = jsonschema.Schema{Type: "object", Description: description + strings.Join(fields, ", ")}
}

// object is the branch of a schema that is not null.
func object(s *jsonschema.Schema) *jsonschema.Schema {
	for _, branch := range s.AnyOf {
		if branch.Type != "null" {
			return branch
		}
	}
	return s
}
