package tools

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/mcpkit/mcptest"
	"github.com/quartet-mcp/quartet/ptah/internal/code"
)

// budget is what the definitions may cost every conversation, in bytes of JSON without
// the output schemas.
const budget = 7 << 10

func definitions() *mcpkit.Server {
	sv := &Service{}
	server := mcpkit.New(mcpkit.Info{Name: "ptah", Version: "test"}, sv.Options())
	Register(server, sv)
	return server
}

func TestDefinitions(t *testing.T) {
	mcptest.Snapshot(t, definitions().SDK(), "../../testdata/tools", budget)
}

// The contract version changes whenever what a client sees of the tools, or the codes of
// failures, does. The recorded digest is only rewritten (-update) for another version.
func TestContractVersion(t *testing.T) {
	if !regexp.MustCompile(`^20\d\d-[01]\d-[0-3]\d(\.\d+)?$`).MatchString(ContractVersion) {
		t.Errorf("%q is no date", ContractVersion)
	}
	h := sha256.New()
	encode := json.NewEncoder(h)
	for _, tool := range definitions().Tools() {
		if err := encode.Encode(tool); err != nil {
			t.Fatal(err)
		}
	}
	if err := encode.Encode(code.All()); err != nil {
		t.Fatal(err)
	}
	const record = "../../testdata/contract.txt"
	now := fmt.Sprintf("%s %x\n", ContractVersion, h.Sum(nil))
	was, err := os.ReadFile(record)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	if string(was) == now {
		return
	}
	if mcptest.Updating(t) && !strings.HasPrefix(string(was), ContractVersion+" ") {
		if err := os.WriteFile(record, []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("the contract is another one than that of %.40q; give it a new ContractVersion and run with -update", was)
}

// The names and their order, the arguments and the hints are promises of the product
// page; they are repeated here so that an updated snapshot cannot change them unseen.
func TestDefinitions_PagePromises(t *testing.T) {
	type promise struct {
		Name      string
		Arguments string // optional ones in brackets
		OpenWorld bool
	}
	want := []promise{
		{Name: "describe_session"},
		{Name: "validate_schema", Arguments: "dialect source"},
		{Name: "render_schema", Arguments: "dialect source"},
		{Name: "schema_lineage", Arguments: "dialect source"},
		{Name: "search_docs", Arguments: "[limit] query"},
		{Name: "read_database", Arguments: "[schemas] [target]", OpenWorld: true},
	}
	var got []promise
	var names []string
	for _, tool := range definitions().Tools() {
		var in jsonschema.Schema
		if err := json.Unmarshal(tool.InputSchema.(json.RawMessage), &in); err != nil {
			t.Fatal(err)
		}
		var arguments []string
		for _, name := range slices.Sorted(maps.Keys(in.Properties)) {
			if !slices.Contains(in.Required, name) {
				name = "[" + name + "]"
			}
			arguments = append(arguments, name)
		}
		slices.Sort(arguments)
		got = append(got, promise{tool.Name, strings.Join(arguments, " "), *tool.Annotations.OpenWorldHint})
		names = append(names, tool.Name)
		if a := tool.Annotations; !a.ReadOnlyHint || *a.DestructiveHint || !a.IdempotentHint {
			t.Errorf("%s: read only %v, destructive %v, idempotent %v", tool.Name, a.ReadOnlyHint, *a.DestructiveHint, a.IdempotentHint)
		}
		if tool.Title == "" || tool.OutputSchema == nil {
			t.Errorf("%s has no title or no output schema", tool.Name)
		}
	}
	for i := range want {
		sorted := strings.Fields(want[i].Arguments)
		slices.Sort(sorted)
		want[i].Arguments = strings.Join(sorted, " ")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tools, -page +server\n%s", diff)
	}
	if diff := cmp.Diff(names, Names); diff != "" {
		t.Errorf("Names, -server +Names\n%s", diff)
	}
}

func TestDiagnose(t *testing.T) {
	for _, c := range []struct {
		err   *mcpkit.Error
		code  code.Code
		retry bool
		hint  string
	}{
		{&mcpkit.Error{Kind: mcpkit.InvalidArgument, Code: "unknown_argument", Message: "m", Fix: "its arguments are 'a'"}, code.InvalidRequest, false, "Its arguments are 'a'"},
		{&mcpkit.Error{Kind: mcpkit.InvalidArgument, Code: "wrong_type", Message: "m"}, code.InvalidRequest, false, ""},
		{&mcpkit.Error{Kind: mcpkit.Internal, Message: "m"}, code.Internal, false, ""},
		{&mcpkit.Error{Kind: mcpkit.TooLarge, Code: "result_too_large", Message: "m"}, code.Internal, false, ""},
		{&mcpkit.Error{Kind: mcpkit.Unavailable, Code: string(code.DatabaseUnreachable), Message: "m", Fix: "validate_schema lists them"}, code.DatabaseUnreachable, true, "validate_schema lists them"},
	} {
		d := diagnose(c.err)
		if d.Code != c.code || d.Retryable != c.retry || d.Hint != c.hint || d.Actor != c.code.Actor() {
			t.Errorf("%+v: %+v", c.err, d)
		}
	}
	if d := diagnose(&mcpkit.Error{Message: strings.Repeat("x", 3000) + "\n"}); len([]rune(d.Message)) > maxMessage {
		t.Errorf("a message of %d characters", len([]rune(d.Message)))
	}
}
