package mcpkit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
)

type queryArgs struct {
	Table   string            `json:"table" jsonschema:"a loaded table" minLength:"1" maxLength:"20"`
	Filter  string            `json:"filter,omitempty" jsonschema:"which rows"`
	GroupBy Strings           `json:"group_by,omitempty" jsonschema:"columns to group by"`
	Types   map[string]string `json:"types,omitempty" jsonschema:"column kinds" `
	Limit   int               `json:"limit,omitempty" jsonschema:"rows to return" default:"50" minimum:"0" maximum:"500"`
	Order   string            `json:"order,omitempty" jsonschema:"the order" enum:"asc,desc"`
	Like    *likeArgs         `json:"like,omitempty" jsonschema:"the row to compare with"`
	Vector  []float64         `json:"vector,omitempty" jsonschema:"an embedding"`
	Seed    *uint64           `json:"seed,omitempty" jsonschema:"the seed"`
	Exact   bool              `json:"exact,omitempty" jsonschema:"no index"`
	ID      int64             `json:"id,omitempty" jsonschema:"a row"`
	Small   int8              `json:"small,omitempty" jsonschema:"a small number"`
	Ratio   float64           `json:"ratio,omitempty" jsonschema:"a share"`
}

type likeArgs struct {
	Column string `json:"column" jsonschema:"the column"`
	Value  any    `json:"value" jsonschema:"the value"`
}

type queryResult struct {
	Args queryArgs `json:"args" jsonschema:"what arrived"`
}

// echoServer has one tool that returns its arguments.
func echoServer(r OutOfRange, opts *Options) *Server {
	s := New(Info{Name: "test", Version: "1"}, opts)
	Add(s, Tool[queryArgs, queryResult]{
		Name: "query", Description: "Returns its arguments.", OutOfRange: r,
		Refine: func(_, out *jsonschema.Schema) {
			*out = jsonschema.Schema{Type: "object"}
		},
		Handle: func(_ context.Context, in queryArgs) (queryResult, error) { return queryResult{in}, nil },
	})
	return s
}

func TestCall_TextAndStructuredContentAreTheSameBytes(t *testing.T) {
	type result struct {
		B    string         `json:"b" jsonschema:"text"`
		A    int64          `json:"a" jsonschema:"number"`
		List []string       `json:"list" jsonschema:"list"`
		Map  map[string]int `json:"map" jsonschema:"map"`
	}
	s := New(Info{Name: "test"}, nil)
	Add(s, Tool[struct{}, result]{Name: "get", Description: "Gets.", Handle: func(context.Context, struct{}) (result, error) {
		return result{B: "a<b & \"c\"", A: math.MaxInt64, Map: map[string]int{"z": 1, "a": 2}}, nil
	}})
	a := connect(t, s).call("get", `{}`)
	want := `{"b":"a<b & \"c\"","a":9223372036854775807,"list":[],"map":{"a":2,"z":1}}`
	if got := a.text(t); got != want {
		t.Errorf("text = %s\nwant   %s", got, want)
	}
	var got, text any
	if err := json.Unmarshal(a.Structured, &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(want), &text); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text, got); diff != "" {
		t.Errorf("structured content differs from the text: %s", diff)
	}
	if !strings.Contains(string(a.Structured), "9223372036854775807") {
		t.Errorf("structured content lost digits: %s", a.Structured)
	}
	if len(a.Content) != 1 || a.IsError || a.Meta != nil {
		t.Errorf("a plain answer has more than one text block: %+v", a)
	}
}

func TestCall_IntegersTravelExactlyInBothDirections(t *testing.T) {
	c := connect(t, echoServer(Refuse, nil))
	for _, id := range []string{"9007199254740993", "-9007199254740993", "9223372036854775807", "-9223372036854775808"} {
		a := c.call("query", `{"table":"t","id":`+id+`}`)
		if !strings.Contains(string(a.Structured), `"id":`+id+`}`) || !strings.Contains(a.text(t), `"id":`+id+`}`) {
			t.Errorf("id %s came back as %s", id, a.Structured)
		}
	}
	a := c.call("query", `{"table":"t","seed":18446744073709551615}`)
	if !strings.Contains(string(a.Structured), `"seed":18446744073709551615`) {
		t.Errorf("the largest uint64 came back as %s", a.Structured)
	}
	a = c.call("query", `{"table":"t","like":{"column":"id","value":9007199254740993}}`)
	if !strings.Contains(string(a.Structured), `"value":9007199254740993`) {
		t.Errorf("an integer in a value of any type came back as %s", a.Structured)
	}
}

func TestCall_ErrorIsOneTextBlockWithoutStructuredContent(t *testing.T) {
	s := New(Info{Name: "shop"}, nil)
	Add(s, Tool[struct{}, struct{}]{Name: "fail", Description: "Fails.", Handle: func(context.Context, struct{}) (struct{}, error) {
		return struct{}{}, fmt.Errorf("looking: %w", &Error{
			Kind: NotFound, Code: "no_table", Field: "table", Message: `there is no table "ordrs"`, Fix: `did you mean "orders"?`,
			Data: map[string]any{"candidates": []string{"orders"}, "code": "ignored", "n": int64(9007199254740993)},
		})
	}})
	a := connect(t, s).call("fail", `{}`)
	if !a.IsError || len(a.Content) != 1 || a.Structured != nil {
		t.Fatalf("answer = %+v", a)
	}
	if got, want := a.text(t), `there is no table "ordrs"; did you mean "orders"?`; got != want {
		t.Errorf("text = %q, want %q", got, want)
	}
	want := `{"code":"no_table","field":"table","hint":"did you mean \"orders\"?","candidates":["orders"],"n":9007199254740993}`
	if got := string(a.Meta["shop/error"]); got != want {
		t.Errorf("machine form = %s\nwant           %s", got, want)
	}
}

func TestCall_ErrorTextAndKeysAreTheProducts(t *testing.T) {
	s := New(Info{Name: "shop"}, &Options{
		ErrorKey: "shop.example/diagnostic",
		ErrorText: func(_ context.Context, tool string, e *Error) string {
			return fmt.Sprintf("%s/%s/%s", tool, e.Kind, e.Code)
		},
	})
	Add(s, Tool[queryArgs, struct{}]{Name: "q", Description: "Q.", Handle: func(context.Context, queryArgs) (struct{}, error) {
		return struct{}{}, Errorf(Conflict, "busy")
	}})
	c := connect(t, s)
	a := c.call("q", `{"table":"t"}`)
	if got := a.text(t); got != "q/conflict/" {
		t.Errorf("text = %q", got)
	}
	if got := string(a.Meta["shop.example/diagnostic"]); got != `{"code":"conflict"}` {
		t.Errorf("machine form = %s", got)
	}
	if got := c.call("q", `{}`).text(t); got != "q/invalid_argument/missing_argument" {
		t.Errorf("mcpkit's own error was rendered as %q", got)
	}
}

// A product may state the whole machine-readable form; it is the text too.
func TestCall_ErrorValue(t *testing.T) {
	type value struct {
		Error      string   `json:"error"`
		Code       string   `json:"code"`
		Candidates []string `json:"candidates"`
	}
	s := New(Info{Name: "shop"}, &Options{ErrorValue: func(_ context.Context, tool string, e *Error) any {
		return value{Error: tool + ": " + e.Message, Code: string(e.Kind)}
	}})
	Add(s, Tool[queryArgs, struct{}]{Name: "q", Description: "Q.", Handle: func(context.Context, queryArgs) (struct{}, error) {
		panic("never <seen>")
	}})
	c := connect(t, s)
	a := c.call("q", `{}`)
	want := `{"error":"q: q needs the argument 'table'","code":"invalid_argument","candidates":[]}`
	if got := string(a.Meta["shop/error"]); got != want || a.text(t) != want {
		t.Errorf("machine form = %s\ntext = %s\nwant %s", got, a.text(t), want)
	}
	if got := c.call("q", `{"table":"t"}`).text(t); !strings.Contains(got, `"code":"internal"`) {
		t.Errorf("a panic is %s", got)
	}
}

func TestCall_UnknownGoErrorShowsAReferenceAndLogsTheDetail(t *testing.T) {
	logger, log := logTo()
	s := New(Info{Name: "test"}, &Options{Logger: logger})
	Add(s, Tool[struct{}, struct{}]{Name: "fail", Description: "Fails.", Handle: func(context.Context, struct{}) (struct{}, error) {
		return struct{}{}, errors.New("password=hunter2")
	}})
	a := connect(t, s).call("fail", `{}`)
	if strings.Contains(a.text(t), "hunter2") || !a.IsError {
		t.Errorf("text = %q", a.text(t))
	}
	var machine struct{ Code, Reference string }
	if err := json.Unmarshal(a.Meta["test/error"], &machine); err != nil {
		t.Fatal(err)
	}
	if machine.Code != "internal" || len(machine.Reference) < 8 {
		t.Errorf("machine form = %+v", machine)
	}
	contains(t, a.text(t), machine.Reference)
	contains(t, log.String(), machine.Reference, "password=hunter2")
}

// rude is a result and an error that misbehaves where it is told to.
type rude struct {
	at string
	do func()
}

func (r rude) when(at string) {
	if r.at == at {
		r.do()
	}
}

func (r rude) Finish(time.Duration)         { r.when("Finish") }
func (r rude) ToolText() string             { r.when("ToolText"); return strings.Repeat("x", 50_000) }
func (r rude) RowCount() int                { r.when("RowCount"); return 1 }
func (r rude) CutRows(int)                  { r.when("CutRows") }
func (r rude) MarshalJSON() ([]byte, error) { r.when("MarshalJSON"); return []byte("{}"), nil }
func (r rude) Error() string                { r.when("Error"); return "rude" }
func (r rude) Unwrap() error                { r.when("Unwrap"); return nil }

func (rude) JSONSchema() *jsonschema.Schema { return &jsonschema.Schema{Type: "object"} }

func TestCall_PanicEndsThatCallAlone(t *testing.T) {
	logger, log := logTo()
	s := New(Info{Name: "test"}, &Options{Logger: logger})
	places := []string{"handle", "Finish", "ToolText", "RowCount", "CutRows", "MarshalJSON", "Error", "Unwrap"}
	ways := []struct {
		name string
		do   func()
	}{
		{"text", func() { panic("secret state") }},
		{"error", func() { panic(errors.New("secret state")) }},
		{"nil", func() { panic(nil) }},
		{"rude_error", func() { panic(rude{"Error", func() { panic("secret state") }}) }},
		{"nil_pointer", func() { var e *Error; _ = e.Message }},
		{"goexit", runtime.Goexit},
	}
	var tools []string
	for _, place := range places {
		for _, way := range ways {
			tools = append(tools, strings.ToLower(place)+"_"+way.name)
			Add(s, Tool[struct{}, rude]{Name: tools[len(tools)-1], Description: "Misbehaves.", Handle: func(context.Context, struct{}) (rude, error) {
				r := rude{place, way.do}
				if r.when("handle"); place == "Error" || place == "Unwrap" {
					return r, r
				}
				return r, nil
			}})
		}
	}
	c := connect(t, s)
	for _, tool := range tools {
		a := c.call(tool, `{}`)
		if !a.IsError || strings.Contains(a.text(t), "secret") {
			t.Errorf("%s: %+v", tool, a)
		}
		contains(t, a.text(t), tool+" hit an internal fault", "reference ")
	}
	contains(t, log.String(), "secret state", "tool_test.go", "runtime.Goexit in a tool")
	if r := c.request("ping", `{}`); r.Error != nil {
		t.Errorf("the server did not survive: %+v", r.Error)
	}
}

func TestCall_UnencodableResultIsAnErrorOfThatCall(t *testing.T) {
	type result struct {
		X float64 `json:"x" jsonschema:"a number"`
	}
	s := New(Info{Name: "test"}, nil)
	Add(s, Tool[struct{}, result]{Name: "nan", Description: "NaN.", Handle: func(context.Context, struct{}) (result, error) {
		return result{math.NaN()}, nil
	}})
	Add(s, Tool[struct{}, *result]{Name: "nothing", Description: "Nil.", Handle: func(context.Context, struct{}) (*result, error) {
		return nil, nil
	}})
	c := connect(t, s)
	for _, tool := range []string{"nan", "nothing"} {
		if a := c.call(tool, `{}`); !a.IsError || string(a.Meta["test/error"])[:18] != `{"code":"internal"` {
			t.Errorf("%s: %+v", tool, a)
		}
	}
}

type timedResult struct {
	Rows []int   `json:"rows" jsonschema:"rows"`
	MS   float64 `json:"ms" jsonschema:"milliseconds"`
}

func (r *timedResult) Finish(elapsed time.Duration) { r.MS = float64(elapsed.Milliseconds()) }

func TestCall_FinishIsToldTheTimeSinceTheRequestWasRead(t *testing.T) {
	s := New(Info{Name: "test"}, nil)
	Add(s, Tool[struct{}, timedResult]{Name: "wait", Description: "Waits.", Handle: func(context.Context, struct{}) (timedResult, error) {
		time.Sleep(3 * time.Millisecond) // the one thing under test is that time passes
		return timedResult{}, nil
	}})
	var got struct{ MS float64 }
	a := connect(t, s).call("wait", `{}`)
	if err := json.Unmarshal(a.Structured, &got); err != nil {
		t.Fatal(err)
	}
	if got.MS < 3 || !strings.HasPrefix(a.text(t), `{"rows":[],"ms":`) {
		t.Errorf("answer = %s", a.text(t))
	}
}

type markdownResult struct {
	Name string `json:"name" jsonschema:"a name"`
}

func (r markdownResult) ToolText() string { return "# " + r.Name }

func TestCall_TexterReplacesTheTextAndNothingElse(t *testing.T) {
	s := New(Info{Name: "test"}, nil)
	Add(s, Tool[struct{}, markdownResult]{Name: "doc", Description: "Documents.", Handle: func(context.Context, struct{}) (markdownResult, error) {
		return markdownResult{"x"}, nil
	}})
	a := connect(t, s).call("doc", `{}`)
	if a.text(t) != "# x" || string(a.Structured) != `{"name":"x"}` {
		t.Errorf("text %q, structured %s", a.text(t), a.Structured)
	}
}

type rowsResult struct {
	Returned int      `json:"returned" jsonschema:"rows that came back"`
	Total    int      `json:"total" jsonschema:"rows there are"`
	Hint     string   `json:"hint,omitempty" jsonschema:"how to narrow"`
	Rows     []string `json:"rows" jsonschema:"the rows"`
}

func (r *rowsResult) RowCount() int { return len(r.Rows) }
func (r *rowsResult) CutRows(n int) {
	r.Rows, r.Returned, r.Hint = r.Rows[:n], n, "use a filter"
}

func TestCall_LongResultIsCutByRows(t *testing.T) {
	rows := func(n, size int) []string {
		list := make([]string, n)
		for i := range list {
			list[i] = strings.Repeat("é", size)
		}
		return list
	}
	type args struct {
		N    int `json:"n" jsonschema:"rows"`
		Size int `json:"size" jsonschema:"characters of each"`
	}
	s := New(Info{Name: "test"}, &Options{Limits: Limits{Result: 1000}})
	Add(s, Tool[args, rowsResult]{Name: "list", Description: "Lists.", Handle: func(_ context.Context, in args) (rowsResult, error) {
		return rowsResult{Returned: in.N, Total: in.N, Rows: rows(in.N, in.Size)}, nil
	}})
	c := connect(t, s)
	tests := []struct {
		name    string
		args    string
		min     int
		max     int
		isError bool
	}{
		{"short enough", `{"n":9,"size":100}`, 9, 9, false},
		{"cut", `{"n":100,"size":100}`, 7, 9, false},
		{"many small rows", `{"n":5000,"size":1}`, 200, 249, false},
		{"one row is too long: none is left", `{"n":3,"size":2000}`, 0, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := c.call("list", tt.args)
			var got rowsResult
			if err := json.Unmarshal([]byte(a.text(t)), &got); err != nil {
				t.Fatal(err)
			}
			if n := len(got.Rows); n < tt.min || n > tt.max || n != got.Returned {
				t.Errorf("%d rows (returned %d), want %d to %d", n, got.Returned, tt.min, tt.max)
			}
			if n := len([]rune(a.text(t))); n > 1000 {
				t.Errorf("the answer has %d characters", n)
			}
		})
	}
}

func TestCall_LongResultThatCannotBeCutIsAnError(t *testing.T) {
	s := New(Info{Name: "test"}, &Options{Limits: Limits{Result: 100}})
	Add(s, Tool[struct{}, markdownResult]{Name: "doc", Description: "Documents.", Handle: func(context.Context, struct{}) (markdownResult, error) {
		return markdownResult{strings.Repeat("x", 101)}, nil
	}})
	a := connect(t, s).call("doc", `{}`)
	if !a.IsError || a.text(t) != "the result of doc has 112 characters, at most 100 are sent; ask for less" {
		t.Errorf("answer = %+v", a)
	}
}

func TestCall_RowsOfAnyShapeFitThePublishedSchema(t *testing.T) {
	type result struct {
		Rows  []map[string]any  `json:"rows" jsonschema:"rows"`
		Raw   []json.RawMessage `json:"raw" jsonschema:"rows made by hand"`
		Cells []any             `json:"cells" jsonschema:"cells"`
		Min   *float64          `json:"min" jsonschema:"least, null when there is none"`
	}
	s := New(Info{Name: "test"}, nil)
	Add(s, Tool[struct{}, result]{Name: "rows", Description: "Rows.", Handle: func(context.Context, struct{}) (result, error) {
		return result{
			Rows:  []map[string]any{{"a": nil, "b": []string(nil)}, nil},
			Raw:   []json.RawMessage{json.RawMessage(`{"z":1,"a":9007199254740993}`)},
			Cells: []any{"a", 1.5, true, nil, int64(9007199254740993), map[string]any{}, []any{1}, json.Number("123456789012345678901234567890")},
		}, nil
	}})
	a := connect(t, s).call("rows", `{}`)
	want := `{"rows":[{"a":null,"b":[]},{}],"raw":[{"z":1,"a":9007199254740993}],"cells":["a",1.5,true,null,9007199254740993,{},[1],123456789012345678901234567890],"min":null}`
	if a.IsError || a.text(t) != want {
		t.Errorf("answer = %s\nwant     %s", a.text(t), want)
	}
	if string(a.Structured) != want {
		t.Errorf("structured = %s", a.Structured)
	}
}

func TestCall_ResultThatDoesNotFitItsSchemaIsFound(t *testing.T) {
	type result struct {
		State string `json:"state" jsonschema:"the state" enum:"on,off"`
	}
	s := New(Info{Name: "test"}, nil)
	Add(s, Tool[struct{}, result]{Name: "state", Description: "State.", Handle: func(context.Context, struct{}) (result, error) {
		return result{"half"}, nil
	}})
	if a := connect(t, s).call("state", `{}`); !a.IsError {
		t.Errorf("answer = %+v", a)
	}
}

func TestCall_SetMetaReachesResultsAndErrors(t *testing.T) {
	type args struct {
		Fail bool `json:"fail,omitempty" jsonschema:"fail"`
	}
	s := New(Info{Name: "test"}, nil)
	Add(s, Tool[args, struct{}]{Name: "do", Description: "Does.", Handle: func(ctx context.Context, in args) (struct{}, error) {
		SetMeta(ctx, "test/result", map[string]any{"rows": []int(nil)})
		SetMeta(ctx, "test/error", "cannot replace the error")
		if in.Fail {
			return struct{}{}, Errorf(Conflict, "no")
		}
		return struct{}{}, nil
	}})
	c := connect(t, s)
	if got := string(c.call("do", `{}`).Meta["test/result"]); got != `{"rows":[]}` {
		t.Errorf("meta of a result = %s", got)
	}
	a := c.call("do", `{"fail":true}`)
	if got := string(a.Meta["test/result"]); got != `{"rows":[]}` {
		t.Errorf("meta of an error = %s", got)
	}
	if got := string(a.Meta["test/error"]); got != `{"code":"conflict"}` {
		t.Errorf("machine form = %s", got)
	}
}

func TestLimits_ParallelBoundsTheCallsAtOnce(t *testing.T) {
	const calls = 6
	started := make(chan int, calls)
	proceed := make(chan struct{})
	type args struct {
		N int `json:"n" jsonschema:"number of the call"`
	}
	s := New(Info{Name: "test"}, &Options{Limits: Limits{Parallel: 2}})
	Add(s, Tool[args, struct{}]{Name: "wait", Description: "Waits.", Handle: func(_ context.Context, in args) (struct{}, error) {
		started <- in.N
		<-proceed
		return struct{}{}, nil
	}})
	c := connect(t, s)
	go func() {
		for i := range calls {
			c.start("tools/call", fmt.Sprintf(`{"name":"wait","arguments":{"n":%d}}`, i))
		}
	}()
	for range 2 {
		<-started
	}
	select {
	case n := <-started:
		t.Errorf("call %d runs as the third of two", n)
	default:
	}
	close(proceed)
	for range calls {
		if r := c.read(); r.Error != nil {
			t.Errorf("answer: %+v", r.Error)
		}
	}
	if len(started) != calls-2 {
		t.Errorf("%d of %d waiting calls ran", len(started), calls-2)
	}
}

func TestAcquire_IsFairAndEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(Info{Name: "test"}, &Options{Limits: Limits{Parallel: 1}})
		release, err := s.acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := s.acquire(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("a cancelled wait ended with %v", err)
		}
		var order []int
		for i := range 100 {
			go func() {
				release, err := s.acquire(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				order = append(order, i) // guarded by the one slot
				release()
			}()
			synctest.Wait() // it waits behind those before
		}
		if len(order) > 0 {
			t.Errorf("%d calls ran while the slot was taken", len(order))
		}
		release()
		synctest.Wait()
		if len(order) != 100 || !slices.IsSorted(order) {
			t.Errorf("the slot was given in the order %v, want that of arrival", order)
		}
	})
}

func TestLimits_CallEndsTheContextAndSaysSo(t *testing.T) {
	for _, ended := range []func(context.Context) error{context.Context.Err, context.Cause} {
		s := New(Info{Name: "test"}, &Options{Limits: Limits{Call: time.Millisecond}})
		Add(s, Tool[struct{}, struct{}]{Name: "wait", Description: "Waits.", Handle: func(ctx context.Context, _ struct{}) (struct{}, error) {
			<-ctx.Done()
			return struct{}{}, fmt.Errorf("scanning: %w", ended(ctx))
		}})
		a := connect(t, s).call("wait", `{}`)
		if got, want := a.text(t), "wait was stopped after 1ms, the limit for one call; ask for less at a time"; got != want {
			t.Errorf("text = %q, want %q", got, want)
		}
		if got := string(a.Meta["test/error"]); got != `{"code":"timeout","hint":"ask for less at a time"}` {
			t.Errorf("machine form = %s", got)
		}
	}
}

func TestCall_CancellationEndsTheContext(t *testing.T) {
	running, ended := make(chan struct{}), make(chan error, 1)
	s := New(Info{Name: "test"}, nil)
	Add(s, Tool[struct{}, struct{}]{Name: "wait", Description: "Waits.", Handle: func(ctx context.Context, _ struct{}) (struct{}, error) {
		close(running)
		<-ctx.Done()
		ended <- ctx.Err()
		return struct{}{}, ctx.Err()
	}})
	c := connect(t, s)
	id := c.start("tools/call", `{"name":"wait","arguments":{}}`)
	<-running
	c.notify("notifications/cancelled", `{"requestId":`+id+`}`)
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the context ended with %v", err)
	}
}

func TestAdd_RefusesWhatCannotWork(t *testing.T) {
	type named struct {
		A string `json:"a" jsonschema:"a"`
	}
	type undescribed struct {
		A string `json:"a"`
	}
	type badTag struct {
		A int `json:"a" jsonschema:"a" default:"ten"`
	}
	type badDefault struct {
		A int `json:"a" jsonschema:"a" default:"7" maximum:"5"`
	}
	type badPointerDefault struct {
		A *int `json:"a" jsonschema:"a" default:"7" maximum:"5"`
	}
	type cyclic struct {
		Next *cyclic `json:"next" jsonschema:"next"`
	}
	ok := func(context.Context, named) (struct{}, error) { return struct{}{}, nil }
	good := Tool[named, struct{}]{Name: "good", Description: "Good.", Handle: ok}
	with := func(edit func(*Tool[named, struct{}])) func(s *Server) {
		return func(s *Server) {
			tool := good
			edit(&tool)
			Add(s, tool)
		}
	}
	tests := []struct {
		name string
		add  func(s *Server)
		want string
	}{
		{"upper case", with(func(t *Tool[named, struct{}]) { t.Name = "Good" }), "does not match"},
		{"empty name", with(func(t *Tool[named, struct{}]) { t.Name = "" }), "does not match"},
		{"long name", with(func(t *Tool[named, struct{}]) { t.Name = strings.Repeat("a", 41) }), "does not match"},
		{"duplicate", func(s *Server) { Add(s, good); Add(s, good) }, "added twice"},
		{"no description", with(func(t *Tool[named, struct{}]) { t.Description = " " }), "no description"},
		{"long description", with(func(t *Tool[named, struct{}]) { t.Description = strings.Repeat("ä", 701) }), "701 characters"},
		{"no handler", with(func(t *Tool[named, struct{}]) { t.Handle = nil }), "no handler"},
		{"bad OutOfRange", with(func(t *Tool[named, struct{}]) { t.OutOfRange = 9 }), "OutOfRange 9"},
		{"refined out of the subset", with(func(t *Tool[named, struct{}]) {
			t.Refine = func(in, _ *jsonschema.Schema) { in.Properties["a"].Types = []string{"string", "null"} }
		}), "/properties/a: a list of types is not portable"},
		{"property without a description", func(s *Server) {
			Add(s, Tool[undescribed, struct{}]{Name: "x", Description: "X.", Handle: func(context.Context, undescribed) (struct{}, error) { return struct{}{}, nil }})
		}, "/properties/a: the property has no description"},
		{"result property without a description", func(s *Server) {
			Add(s, Tool[struct{}, undescribed]{Name: "x", Description: "X.", Handle: func(context.Context, struct{}) (undescribed, error) { return undescribed{}, nil }})
		}, "output schema"},
		{"tag that is no JSON", func(s *Server) {
			Add(s, Tool[badTag, struct{}]{Name: "x", Description: "X.", Handle: func(context.Context, badTag) (struct{}, error) { return struct{}{}, nil }})
		}, `the tag default:"ten" is not JSON`},
		{"default outside its own range", func(s *Server) {
			Add(s, Tool[badDefault, struct{}]{Name: "x", Description: "X.", Handle: func(context.Context, badDefault) (struct{}, error) { return struct{}{}, nil }})
		}, "the default of a: a must be at most 5, got 7"},
		{"default of a pointer outside its own range", func(s *Server) {
			Add(s, Tool[badPointerDefault, struct{}]{Name: "x", Description: "X.", Handle: func(context.Context, badPointerDefault) (struct{}, error) { return struct{}{}, nil }})
		}, "the input schema"},
		{"type that contains itself", func(s *Server) {
			Add(s, Tool[struct{}, cyclic]{Name: "x", Description: "X.", Handle: func(context.Context, struct{}) (cyclic, error) { return cyclic{}, nil }})
		}, "cycle"},
		{"arguments that are no struct", func(s *Server) {
			Add(s, Tool[map[string]any, struct{}]{Name: "x", Description: "X.", Handle: func(context.Context, map[string]any) (struct{}, error) { return struct{}{}, nil }})
		}, "not a struct"},
		{"result that is no object", func(s *Server) {
			Add(s, Tool[struct{}, []string]{Name: "x", Description: "X.", Handle: func(context.Context, struct{}) ([]string, error) { return nil, nil }})
		}, "the type at the root must be object"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			contains(t, mustPanic(t, func() { tt.add(New(Info{Name: "test"}, nil)) }), tt.want)
		})
	}
	Add(New(Info{Name: "test"}, nil), good) // the twin: nothing above is refused by accident
}

func TestLimits_Defaults(t *testing.T) {
	got := New(Info{Name: "test"}, &Options{Limits: Limits{Rows: 7, Call: time.Second}}).Limits()
	want := Limits{Line: 16 << 20, Result: 48_000, Rows: 7, Parallel: 8, Call: time.Second, Drain: 5 * time.Second}
	if got != want {
		t.Errorf("limits = %+v, want %+v", got, want)
	}
}

// stubborn is a result that does not get shorter.
type stubborn struct {
	Text string `json:"text" jsonschema:"a text"`
}

func (stubborn) RowCount() int { return 3 }
func (stubborn) CutRows(int)   {}

func TestCall_CutterThatDoesNotCutIsAFault(t *testing.T) {
	s := New(Info{Name: "test"}, &Options{Limits: Limits{Result: 10}})
	Add(s, Tool[struct{}, stubborn]{Name: "long", Description: "Long.", Handle: func(context.Context, struct{}) (stubborn, error) {
		return stubborn{"a long text"}, nil
	}})
	a := connect(t, s).call("long", `{}`)
	if !a.IsError || !strings.Contains(string(a.Meta["test/error"]), `"internal"`) {
		t.Errorf("answer = %+v", a)
	}
}

func TestCall_CancelledWhileItWaits(t *testing.T) {
	running, proceed := make(chan struct{}), make(chan struct{})
	s := New(Info{Name: "test"}, &Options{Limits: Limits{Parallel: 1}})
	Add(s, Tool[struct{}, struct{}]{Name: "wait", Description: "Waits.", Handle: func(context.Context, struct{}) (struct{}, error) {
		running <- struct{}{}
		<-proceed
		return struct{}{}, nil
	}})
	c := connect(t, s)
	first := c.start("tools/call", `{"name":"wait","arguments":{}}`)
	<-running
	second := c.start("tools/call", `{"name":"wait","arguments":{}}`)
	c.notify("notifications/cancelled", `{"requestId":`+second+`}`)
	if r := c.await(second); r.Error == nil {
		contains(t, parseAnswer(t, r.Result).text(t), "wait was cancelled")
	}
	close(proceed)
	if r := c.await(first); r.Error != nil {
		t.Errorf("the running call: %+v", r.Error)
	}
}
