package mcpkit

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// warner adds a tool that raises the warnings it is told.
func warner(s *Server) {
	type args struct {
		Raise []string `json:"raise,omitempty" jsonschema:"category, message and object, in turn"`
		Fail  bool     `json:"fail,omitempty" jsonschema:"fail"`
		Limit int      `json:"limit,omitempty" jsonschema:"a limit" minimum:"1" maximum:"5"`
		K     int      `json:"k,omitempty" jsonschema:"another" minimum:"1" maximum:"5"`
	}
	type result struct {
		Warnings []string `json:"warnings" jsonschema:"what was collected"`
	}
	Add(s, Tool[args, result]{Name: "warn", Description: "Warns.", OutOfRange: Clamp, Handle: func(ctx context.Context, in args) (result, error) {
		for w := range slices.Chunk(in.Raise, 3) {
			Warn(ctx, Warning{w[0], w[1], w[2]})
		}
		if in.Fail {
			return result{}, Errorf(Conflict, "no")
		}
		var list []string
		for _, w := range Warnings(ctx) {
			list = append(list, fmt.Sprintf("%s/%s", w.Category, w.Object))
		}
		return result{list}, nil
	}})
}

const raised = `{"raise":["slow","1 scan","a","null","nulls were left out","","slow","2 scans\nof rows","b"]}`

func TestWarn_GroupsByCategoryAfterTheAnswer(t *testing.T) {
	s := New(Info{Name: "test"}, &Options{WarningsKey: "test.example/warnings"})
	warner(s)
	a := connect(t, s).call("warn", raised)
	if len(a.Content) != 2 || a.Content[1].Text != "warning: 2 scans of rows\nwarning: nulls were left out" {
		t.Errorf("content = %+v", a.Content)
	}
	want := `[{"category":"slow","count":2,"message":"2 scans\nof rows","objects":["a","b"]},{"category":"null","count":1,"message":"nulls were left out","objects":[]}]`
	if got := string(a.Meta["test.example/warnings"]); got != want {
		t.Errorf("meta = %s\nwant   %s", got, want)
	}
}

func TestWarn_CallWithoutWarningsCarriesNone(t *testing.T) {
	s := New(Info{Name: "test"}, nil)
	warner(s)
	if a := connect(t, s).call("warn", `{}`); len(a.Content) != 1 || a.Meta != nil {
		t.Errorf("answer = %+v", a)
	}
}

func TestWarn_InResultAddsNothing(t *testing.T) {
	s := New(Info{Name: "test"}, &Options{WarningsIn: InResult})
	warner(s)
	a := connect(t, s).call("warn", `{"raise":["slow","m","a"],"limit":9}`)
	if len(a.Content) != 1 || a.Meta != nil || a.text(t) != `{"warnings":["clamped/limit","slow/a"]}` {
		t.Errorf("answer = %+v", a)
	}
}

func TestWarn_ErrorStaysOneTextBlock(t *testing.T) {
	s := New(Info{Name: "test"}, nil)
	warner(s)
	a := connect(t, s).call("warn", `{"raise":["slow","m","a"],"fail":true}`)
	if !a.IsError || len(a.Content) != 1 || a.Meta["test/warnings"] == nil || a.Meta["test/error"] == nil {
		t.Errorf("answer = %+v", a)
	}
}

func TestWarn_AfterTheTextOfAnErrorWhereAsked(t *testing.T) {
	s := New(Info{Name: "test"}, &Options{WarningsIn: InErrorToo})
	warner(s)
	a := connect(t, s).call("warn", `{"raise":["slow","1 scan","a"],"fail":true}`)
	if !a.IsError || len(a.Content) != 2 || a.Content[0].Text != "no" || a.Content[1].Text != "warning: 1 scan" || a.Meta["test/warnings"] == nil {
		t.Errorf("answer = %+v", a)
	}
}

func TestWarn_ClampedNumbersAreOneCategory(t *testing.T) {
	s := New(Info{Name: "test"}, nil)
	warner(s)
	a := connect(t, s).call("warn", `{"limit":9,"k":-1}`)
	want := `[{"category":"clamped","count":2,"message":"limit 9 is out of range and was taken as 5; k -1 is out of range and was taken as 1","objects":["limit","k"]}]`
	if got := string(a.Meta["test/warnings"]); got != want {
		t.Errorf("meta = %s\nwant   %s", got, want)
	}
}

func TestWarn_CallsAreIndependent(t *testing.T) {
	s := New(Info{Name: "test"}, nil)
	warner(s)
	c := connect(t, s)
	ids := map[string]string{}
	for i := range 20 {
		name := fmt.Sprintf("o%d", i)
		ids[c.start("tools/call", `{"name":"warn","arguments":{"raise":["c","m","`+name+`"]}}`)] = name
	}
	for range ids {
		r := c.read()
		var groups []warningGroup
		if err := json.Unmarshal(parseAnswer(t, r.Result).Meta["test/warnings"], &groups); err != nil {
			t.Fatal(err)
		}
		if len(groups) != 1 || !slices.Equal(groups[0].Objects, []string{ids[string(r.ID)]}) {
			t.Errorf("call %s got %+v", r.ID, groups)
		}
	}
}

func TestWarn_FromManyGoroutinesAndTooLate(t *testing.T) {
	c := &call{}
	ctx := context.WithValue(context.Background(), callKey{}, c)
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() { Warn(ctx, Warning{"c", "m", fmt.Sprint(i)}) })
	}
	wg.Wait()
	if got, _ := c.finish(); len(got) != 50 {
		t.Errorf("%d of 50 warnings arrived", len(got))
	}
	Warn(ctx, Warning{"c", "late", ""})
	SetMeta(ctx, "late", 1)
	if got := Warnings(ctx); len(got) != 50 || c.meta != nil {
		t.Errorf("what came after the return was kept")
	}
	Warn(context.Background(), Warning{"c", "nowhere", ""}) // must not panic
	SetMeta(context.Background(), "nowhere", 1)
	if Warnings(context.Background()) != nil || Request(context.Background()) != nil {
		t.Error("there are warnings outside of a call")
	}
}

func TestWarnClamped_ManyAreNotAllNamed(t *testing.T) {
	type args struct {
		Sizes []int `json:"sizes" jsonschema:"sizes"`
	}
	s := New(Info{Name: "test"}, nil)
	Add(s, Tool[args, struct{}]{
		Name: "do", Description: "Does.", OutOfRange: Clamp,
		Refine: func(in, _ *jsonschema.Schema) { in.Properties["sizes"].Items.Minimum = ptr(0.0) },
		Handle: func(context.Context, args) (struct{}, error) { return struct{}{}, nil },
	})
	a := connect(t, s).call("do", `{"sizes":[`+strings.Repeat("-1,", 999)+`-1]}`)
	if len(a.Content) != 2 || len(a.Content[1].Text) > 1500 {
		t.Fatalf("got %.2000v", a.Content)
	}
	contains(t, a.Content[1].Text, "sizes[19] -1 is out of range", "and 980 more")
	contains(t, string(a.Meta["test/warnings"]), `"count":1000`, `"sizes[999]"`)
}
