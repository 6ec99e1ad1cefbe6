// Package wire holds JSON-RPC messages against the JSON Schema of the Model
// Context Protocol revision that they belong to.
//
// The schemas are those that the protocol publishes, one file per revision, and
// embedded. The generic union types of a schema accept nearly anything, so each
// message is held to its own type: a request or notification to the one of its
// method, a result to the result type of the method that it answers.
package wire

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/quartet-mcp/quartet/mcpkit/mcptest"
)

//go:embed schema
var files embed.FS

// Versions lists the revisions that have a schema, oldest first.
var Versions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

// Check judges one message; it is a [mcptest.Check] and may be called from many
// goroutines. A version without a schema, as a client may ask for, is judged by
// the newest of its era.
//
// One thing is let through that the schemas do not know: an error answer to a
// line whose id could not be read carries id null, as JSON-RPC wants it.
func Check(m mcptest.Message) error {
	r, err := revisionOf(m.Version)
	if err != nil {
		return err
	}
	return r.check(m)
}

// revision is the schema of one revision, with what has been resolved of it.
type revision struct {
	version string
	defs    map[string]*jsonschema.Schema
	keyword string // where the schema keeps its types: $defs or definitions

	mu       sync.Mutex
	resolved map[string]*jsonschema.Resolved
}

var revisions struct {
	sync.Mutex
	loaded map[string]*revision
}

func revisionOf(version string) (*revision, error) {
	if !slices.Contains(Versions, version) {
		newest := mcptest.LegacyVersion
		if mcptest.Modern(version) {
			newest = mcptest.ModernVersion
		}
		version = newest
	}
	revisions.Lock()
	defer revisions.Unlock()
	if r := revisions.loaded[version]; r != nil {
		return r, nil
	}
	data, err := files.ReadFile("schema/" + version + ".json")
	if err != nil {
		return nil, err
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(data, &schema); err != nil {
		return nil, fmt.Errorf("schema of %s: %w", version, err)
	}
	r := &revision{version: version, defs: schema.Defs, keyword: "$defs", resolved: map[string]*jsonschema.Resolved{}}
	if schema.Defs == nil {
		r.defs, r.keyword = schema.Definitions, "definitions"
	}
	if revisions.loaded == nil {
		revisions.loaded = map[string]*revision{}
	}
	revisions.loaded[version] = r
	return r, nil
}

func (r *revision) check(m mcptest.Message) error {
	var message map[string]any
	if err := json.Unmarshal(m.Raw, &message); err != nil {
		return fmt.Errorf("no JSON object: %w", err)
	}
	_, hasID := message["id"]
	switch {
	case message["method"] != nil && hasID:
		return r.call(m, message, "Request", "JSONRPCRequest")
	case message["method"] != nil:
		return r.call(m, message, "Notification", "JSONRPCNotification")
	case message["error"] != nil:
		return r.failure(message)
	case message["result"] != nil:
		return r.result(m, message)
	}
	return errors.New("neither a request nor a notification nor an answer")
}

// call checks a request or a notification.
func (r *revision) call(m mcptest.Message, message map[string]any, kind, envelope string) error {
	if err := r.validate(envelope, message); err != nil {
		return err
	}
	side := "Client"
	if m.FromServer {
		side = "Server"
	}
	name, err := r.typeOf(side+kind, m.Method)
	if err != nil {
		return err
	}
	return r.validate(name, message)
}

// failure checks an error answer.
func (r *revision) failure(message map[string]any) error {
	envelope := "JSONRPCErrorResponse"
	if r.defs[envelope] == nil {
		envelope = "JSONRPCError"
	}
	if id, ok := message["id"]; ok && id == nil {
		code, _ := message["error"].(map[string]any)["code"].(float64)
		if code != -32700 && code != -32600 {
			return fmt.Errorf("id null with code %v; only -32700 and -32600 may leave the id open", code)
		}
		message["id"] = 0
	}
	return r.validate(envelope, message)
}

// result checks a result against the type that belongs to the method.
func (r *revision) result(m mcptest.Message, message map[string]any) error {
	envelope := "JSONRPCResultResponse"
	if r.defs[envelope] == nil {
		envelope = "JSONRPCResponse"
	}
	if err := r.validate(envelope, message); err != nil {
		return err
	}
	request, err := r.typeOf("ClientRequest", m.Method)
	if err != nil {
		return fmt.Errorf("a result, but %w", err)
	}
	name := strings.TrimSuffix(request, "Request") + "Result"
	if r.defs[name] == nil {
		name = "EmptyResult"
	}
	if result, ok := message["result"].(map[string]any); ok && result["resultType"] == "input_required" {
		name = "InputRequiredResult"
	}
	return r.validate(name, message["result"])
}

// typeOf finds the member of a union type that has the method.
func (r *revision) typeOf(union, method string) (string, error) {
	s := r.defs[union]
	if s == nil {
		return "", fmt.Errorf("%s has no %s", r.version, union)
	}
	if isMethod(s, method) { // a union of one
		return union, nil
	}
	for _, branch := range s.AnyOf {
		name := branch.Ref[strings.LastIndexByte(branch.Ref, '/')+1:]
		if d := r.defs[name]; d != nil && isMethod(d, method) {
			return name, nil
		}
	}
	return "", fmt.Errorf("%s has no %s with the method %q", r.version, union, method)
}

func isMethod(s *jsonschema.Schema, method string) bool {
	p := s.Properties["method"]
	return p != nil && p.Const != nil && *p.Const == method
}

func (r *revision) validate(name string, value any) error {
	resolved, err := r.resolve(name)
	if err != nil {
		return err
	}
	if err := resolved.Validate(value); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func (r *revision) resolve(name string) (*jsonschema.Resolved, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.resolved[name]; s != nil {
		return s, nil
	}
	if r.defs[name] == nil {
		return nil, fmt.Errorf("%s has no type %s", r.version, name)
	}
	root := &jsonschema.Schema{Ref: "#/" + r.keyword + "/" + name}
	if r.keyword == "$defs" {
		root.Defs = r.defs
	} else {
		root.Schema, root.Definitions = "http://json-schema.org/draft-07/schema#", r.defs
	}
	s, err := root.Resolve(nil)
	if err != nil {
		return nil, fmt.Errorf("schema of %s, type %s: %w", r.version, name, err)
	}
	r.resolved[name] = s
	return s, nil
}
