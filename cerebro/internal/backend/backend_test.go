package backend

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"
)

func TestClean(t *testing.T) {
	for _, c := range [][2]string{
		{"  plain text\n", "plain text"},
		{"IO Error: cannot open \"/srv/me/x/demo.duckdb\": no", `IO Error: cannot open "(file)": no`},
		{`cannot open C:\users\me\x.db`, "cannot open (file)"},
		{"dial tcp 10.1.2.3:8443: refused", "dial tcp (host): refused"},
		{"dial tcp [::1]:9000: refused", "dial tcp (host): refused"},
		{"connecting to db.internal.example:9440 failed", "connecting to (host) failed"},
		{"Unknown table. (version 26.7.2.1 (official build))", "Unknown table."},
		{"Bad. Stack trace:\n\n0. a\n1. b", "Bad"},
		{"a / b and a/b and 1/2", "a / b and a/b and 1/2"},
		{"LINE 1: SELECT a\n         ^", "LINE 1: SELECT a\n         ^"},
		{"at 12:30 and x::DATE", "at 12:30 and x::DATE"},
		{"a\x00\x1bb\xff", "ab\uFFFD"},
		{strings.Repeat("ä", 3000), strings.Repeat("ä", 1999) + "…"},
	} {
		if got := Clean(c[0]); got != c[1] {
			t.Errorf("Clean(%q) = %q, want %q", c[0], got, c[1])
		}
	}
}

func TestAsError(t *testing.T) {
	own := &Error{Code: NotFound, Message: "x"}
	for _, c := range []struct {
		err  error
		code Code
	}{
		{errors.Join(errors.New("y"), own), NotFound}, {context.Canceled, Cancelled}, {context.DeadlineExceeded, Timeout}, {errors.New("z"), Failed},
	} {
		if got := AsError(c.err); got.Code != c.code {
			t.Errorf("%v is %s", c.err, got.Code)
		}
	}
	if AsError(nil) != nil {
		t.Error("no error is one")
	}
}

func TestCells(t *testing.T) {
	var c Cells
	for _, x := range []struct {
		cell any
		want string
	}{
		{c.Int(1 << 53), `9007199254740992`}, {c.Int(1<<53 + 1), `"9007199254740993"`}, {c.Int(-1<<53 - 1), `"-9007199254740993"`},
		{c.Uint(math.MaxUint64), `"18446744073709551615"`}, {c.Big(big.NewInt(7)), `7`},
		{c.Float(math.Copysign(0, -1)), `0`}, {c.Float(1e300), `1e+300`}, {c.Float32(0.1), `0.1`},
		{c.Decimal(big.NewInt(-5), 2), `"-0.05"`}, {c.Decimal(big.NewInt(5), 0), `"5"`}, {c.Decimal(big.NewInt(0), 2), `"0.00"`}, {c.Decimal(big.NewInt(123), 3), `"0.123"`},
		{c.Date(time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)), `"2024-02-29"`},
		{c.Timestamp(time.Date(2024, 2, 29, 1, 0, 0, 0, time.FixedZone("", 3600))), `"2024-02-29T00:00:00Z"`},
		{c.Bytes([]byte{0, 255}), `"0x00ff"`}, {c.Text("a\xffb"), "\"a\uFFFDb\""},
		{c.Nested(Object{{"b", int64(1)}, {"a", []any{nil, "<"}}}), `{"b":1,"a":[null,"\u003c"]}`},
	} {
		if got, err := json.Marshal(x.cell); err != nil || string(got) != x.want {
			t.Errorf("got %s, %v, want %s", got, err, x.want)
		}
	}
	if w := c.Warnings(); w != nil {
		t.Errorf("warns %v", w)
	}
	c.Float(math.NaN())
	if s := c.Text(strings.Repeat("é", 5000)).(string); len([]rune(s)) != MaxCell {
		t.Errorf("%d characters", len([]rune(s)))
	}
	if w := strings.Join(c.Warnings(), " "); w != "cell_truncated non_finite_value" {
		t.Errorf("warns %s", w)
	}
}
