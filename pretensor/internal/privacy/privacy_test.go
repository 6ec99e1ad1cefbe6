package privacy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"pgregory.net/rapid"
)

func TestLooksLike(t *testing.T) {
	for kind, values := range map[string][]string{
		Email: {"anna@example.org", "Anna <a.b+c@mail.example.co.uk>", "x@y.z", "müller@köln.de"},
		URL:   {"https://example.org", "see http://a.b/c?d", "www.example.org", "postgresql://u@h/d", "s3://bucket/x", "mailto:x"},
		Card: {"4111111111111111", "4111 1111 1111 1111", "4111-1111-1111-1111", "5500005555555559", "378282246310005", "card 4012888888881881 ok",
			"6011.0009.9013.9424"},
		Phone: {"+49 30 1234567", "+14155550123", "(415) 555-0123", "415-555-0123", "555-0123", "0049 30 123456", "030/1234567", "call 030 1234 567 now", "123-45-6789"},
		Token: {"sk_live_abcdefgh12345678", "ghp_abcdEFGH12345678", "AKIAIOSFODNN7EXAMPLE", "eyJhbGciOiJIUzI1NiJ9", "Bearer abcdefghijk", "9f86d081884c7d659a2feaa0c55ad015",
			"123e4567-e89b-12d3-a456-426614174000", "aB3dE5fG7hI9jK1lM3nO", "-----BEGIN KEY", "$2b$12$abcdefghijklmnopqrstuv", "xoxb-123-abc", "x9Kq2LmZ8vB4nT6wR1yP"},
		Digits: {"123456789", "ref 100123456789012346"},
		"": {"", "active", "Pending", "DE", "New York", "2024-01-31", "31.12.2024", "2024-01-31 10:20:30", "12:30", "10:20:30.123456", "3.14159265", "-12345.678", "1234567", "20240131",
			"v1.2.3", "ISO-8601", "NORTH_AMERICA_REGION_EAST", "WaitingForCustomerConfirmation", "application/vnd.ms-excel", "a@b", "user@", "size 12-14", "2023-2024", "10.0.0.1",
			"internationalization_status_2", "en_US.UTF-8", "1,000,000", "INV-2024-17", "order #1234", "Straße 12", "4111111"},
	} {
		for _, v := range values {
			if got := LooksLike(v); got != kind {
				t.Errorf("LooksLike(%q) = %q, want %q", v, got, kind)
			}
		}
	}
	if LooksLike("4111111111111112") == Card {
		t.Error("a wrong check digit makes no card")
	}
}

func TestSensitiveName(t *testing.T) {
	for _, word := range sensitive {
		for _, name := range []string{word, strings.ToUpper(word), "customer_" + word + "_2", strings.ReplaceAll(word, "_", ""), strings.ReplaceAll(word, "_", "-")} {
			if !SensitiveName(name) {
				t.Errorf("SensitiveName(%q) = false", name)
			}
		}
	}
	for _, name := range []string{"firstName", "LastName", "First Name", "social.security", "shipping", "description"} {
		if !SensitiveName(name) {
			t.Errorf("SensitiveName(%q) = false", name)
		}
	}
	for _, name := range []string{"", "status", "amount", "created_at", "order_no", "first", "name", "kind", "color"} {
		if SensitiveName(name) {
			t.Errorf("SensitiveName(%q) = true", name)
		}
	}
}

func num[T any](v T) *T { return &v }

// full are statistics with everything, around the given values.
func full(distinct int64, values ...string) *model.Stats {
	return &model.Stats{NullFraction: num(0.5), Distinct: num(distinct), Correlation: num(0.9), Min: values[0], Max: values[len(values)-1],
		Common: values, Histogram: values, Source: "catalog"}
}

// counts are what is left of full for a column of which no value may be kept.
func counts(distinct int64) *model.Stats {
	return &model.Stats{NullFraction: num(0.5), Distinct: num(distinct), Correlation: num(0.9), Source: "catalog"}
}

func apply(c model.Column, mode connect.StatsMode, sampleValues bool) *model.Stats {
	db := &model.Database{Dialect: "postgresql", Tables: []model.Table{{Name: "t", Columns: []model.Column{c}}}}
	Apply(db, mode, sampleValues)
	return db.Tables[0].Columns[0].Stats
}

func TestApply_EachKind(t *testing.T) {
	numbers, dates, words := []string{"1", "2.5", "-3"}, []string{"2024-01-01", "2024-06-01 10:00:00+02"}, []string{"new", "paid"}
	with := func(s *model.Stats, change func(*model.Stats)) *model.Stats { change(s); return s }
	names := func(c model.Column) model.Column { c.Name = "email"; return c }
	number, date, word := model.Column{Name: "amount", Type: "numeric(10,2)"}, model.Column{Name: "day", Type: "date"}, model.Column{Name: "status", Type: "text"}
	stats := func(c model.Column, s *model.Stats) model.Column { c.Stats = s; return c }
	few := func(c model.Column, values []string) model.Column { return stats(c, full(3, values...)) }
	onlyCounts := &model.Stats{NullFraction: num(0.5), Distinct: num[int64](3), Source: "catalog"}
	for name, c := range map[string]struct {
		column model.Column
		mode   connect.StatsMode
		sample bool
		want   *model.Stats
	}{
		"nothing known":         {column: word, want: nil},
		"mode none":             {column: few(number, numbers), mode: connect.StatsNone, want: nil},
		"none beats sampling":   {column: few(word, words), mode: connect.StatsNone, sample: true, want: nil},
		"number":                {column: few(number, numbers), want: full(3, numbers...)},
		"number, sample mode":   {column: few(number, numbers), mode: connect.StatsSample, want: full(3, numbers...)},
		"number, many distinct": {column: stats(number, full(51, numbers...)), want: with(full(51, numbers...), func(s *model.Stats) { s.Common = nil })},
		"number, 50 distinct":   {column: stats(number, full(50, numbers...)), want: full(50, numbers...)},
		"number, distinct unknown": {
			column: stats(number, with(full(3, numbers...), func(s *model.Stats) { s.Distinct = nil })),
			want:   with(full(3, numbers...), func(s *model.Stats) { s.Distinct, s.Common = nil, nil })},
		"number that holds texts":     {column: few(number, []string{"1", "secret text"}), want: with(counts(3), func(s *model.Stats) { s.Min = "1" })},
		"date":                        {column: few(date, dates), want: with(full(3, dates...), func(s *model.Stats) { s.Common = nil })},
		"date that holds texts":       {column: few(date, []string{"Anna", "2024-01-01"}), want: with(counts(3), func(s *model.Stats) { s.Max = "2024-01-01" })},
		"interval":                    {column: few(model.Column{Name: "wait", Type: "interval"}, []string{"1 day 02:03:04", "3 mons"}), want: with(full(3, "1 day 02:03:04", "3 mons"), func(s *model.Stats) { s.Common = nil })},
		"boolean":                     {column: few(model.Column{Name: "done", Type: "boolean"}, []string{"t", "f"}), want: with(counts(3), func(s *model.Stats) { s.Common = []string{"t", "f"} })},
		"text":                        {column: few(word, words), want: counts(3)},
		"text, sampled":               {column: few(word, words), sample: true, want: with(counts(3), func(s *model.Stats) { s.Common = words })},
		"text, many distinct":         {column: stats(word, full(51, words...)), sample: true, want: counts(51)},
		"text, one e-mail":            {column: few(word, []string{"new", "anna@example.org"}), sample: true, want: counts(3)},
		"text, 64 characters":         {column: few(word, []string{strings.Repeat("ö ", 32)}), sample: true, want: with(counts(3), func(s *model.Stats) { s.Common = []string{strings.Repeat("ö ", 32)} })},
		"text, 65 characters":         {column: few(word, []string{"new", strings.Repeat("ö", 65)}), sample: true, want: counts(3)},
		"text, sensitive name":        {column: names(few(word, words)), sample: true, want: onlyCounts},
		"number, sensitive name":      {column: names(few(number, numbers)), sample: true, want: onlyCounts},
		"field of a sensitive struct": {column: few(model.Column{Name: "city", Parent: "home_address", Type: "text"}, words), sample: true, want: onlyCounts},
		"enum":                        {column: few(model.Column{Name: "mood", Type: "mood", Enum: []string{"ok"}}, words), sample: true, want: with(counts(3), func(s *model.Stats) { s.Common = words })},
		"enum, not sampled":           {column: few(model.Column{Name: "mood", Type: "mood", Enum: []string{"ok"}}, words), want: counts(3)},
		"array of numbers":            {column: few(model.Column{Name: "n", Type: "int[]", Array: true}, []string{"{1,2}"}), sample: true, want: counts(3)},
		"uuid":                        {column: few(model.Column{Name: "id", Type: "uuid"}, []string{"123e4567-e89b-12d3-a456-426614174000"}), sample: true, want: counts(3)},
		"json":                        {column: few(model.Column{Name: "doc", Type: "jsonb"}, []string{`{"a":1}`}), sample: true, want: counts(3)},
		"binary":                      {column: few(model.Column{Name: "raw", Type: "bytea"}, []string{`\x00`}), sample: true, want: counts(3)},
		"network":                     {column: few(model.Column{Name: "net", Type: "inet"}, []string{"10.0.0.1"}), sample: true, want: counts(3)},
		"domain over text":            {column: few(model.Column{Name: "code", Type: "code", Base: "text"}, words), sample: true, want: with(counts(3), func(s *model.Stats) { s.Common = words })},
		"sampled in catalog mode":     {column: stats(number, with(full(3, numbers...), func(s *model.Stats) { s.Source = "sample" })), want: nil},
		"sampled in sample mode": {column: stats(number, with(full(3, numbers...), func(s *model.Stats) { s.Source = "sample" })), mode: connect.StatsSample,
			want: with(full(3, numbers...), func(s *model.Stats) { s.Source = "sample" })},
		"only values that may not stay": {column: stats(word, &model.Stats{Min: "a", Max: "z", Source: "catalog"}), want: nil},
	} {
		if diff := cmp.Diff(c.want, apply(c.column, c.mode, c.sample)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestApply_CutsLists(t *testing.T) {
	var many []string
	for i := range 101 {
		many = append(many, fmt.Sprint(i))
	}
	in := full(50, many...)
	got := apply(model.Column{Name: "n", Type: "int", Stats: in}, "", false)
	if want := []string{"0", "10", "20", "30", "40", "50", "60", "70", "80", "90", "100"}; !cmp.Equal(got.Histogram, want) {
		t.Errorf("histogram %v, want %v", got.Histogram, want)
	}
	if !cmp.Equal(got.Common, many[:20]) {
		t.Errorf("common values %v, want the first 20", got.Common)
	}
	if len(in.Histogram) != 101 || len(in.Common) != 101 {
		t.Error("the lists that were given have changed")
	}
}

func TestApply_TableFigures(t *testing.T) {
	db := func() *model.Database {
		return &model.Database{Tables: []model.Table{{Rows: num[int64](5), RowsSource: model.CountStat, Usage: &model.Usage{Inserts: 1}, Bytes: num[int64](8192)}}}
	}
	kept, gone := db(), db()
	Apply(kept, "", false)
	if diff := cmp.Diff(db(), kept); diff != "" {
		t.Error(diff)
	}
	Apply(gone, connect.StatsNone, true)
	if diff := cmp.Diff(&model.Database{Tables: []model.Table{{}}}, gone); diff != "" {
		t.Error(diff)
	}
}

func TestApply_NoForbiddenValueSurvives(t *testing.T) {
	spellings := []string{"int", "numeric", "text", "varchar(10)", "uuid", "jsonb", "bytea", "inet", "date", "timestamptz", "boolean", "mood", "int[]"}
	rapid.Check(t, func(t *rapid.T) {
		const secret = "geheim"
		value := rapid.SampledFrom([]string{secret, "12", "2024-01-01", "t", "x" + secret + "@example.org", ""})
		values := rapid.SliceOfN(value, 0, 30)
		c := model.Column{Name: rapid.SampledFrom([]string{"a", "email", "PhoneNo", "n"}).Draw(t, "name"), Type: rapid.SampledFrom(spellings).Draw(t, "type"),
			Stats: &model.Stats{Distinct: num(rapid.Int64Range(-1, 100).Draw(t, "distinct")), Min: value.Draw(t, "min"), Max: value.Draw(t, "max"),
				Common: values.Draw(t, "common"), Histogram: values.Draw(t, "histogram"), Source: rapid.SampledFrom([]string{"catalog", "sample"}).Draw(t, "source")}}
		db := &model.Database{Dialect: "postgresql", Tables: []model.Table{{Columns: []model.Column{c}}}}
		mode := rapid.SampledFrom([]connect.StatsMode{"", connect.StatsNone, connect.StatsCatalog, connect.StatsSample}).Draw(t, "mode")
		Apply(db, mode, false)
		s := db.Tables[0].Columns[0].Stats
		if s == nil {
			return
		}
		if text := fmt.Sprintf("%+v", *s); strings.Contains(text, secret) {
			t.Fatalf("%s %s keeps %s", c.Name, c.Type, text)
		}
		if SensitiveName(c.Name) && (s.Min != "" || s.Max != "" || s.Common != nil || s.Histogram != nil || s.Correlation != nil) {
			t.Fatalf("values of %s are kept", c.Name)
		}
		// Twice is the same as once.
		before := *s
		Apply(db, mode, false)
		if diff := cmp.Diff(&before, db.Tables[0].Columns[0].Stats); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestApply_ShortensDefaults(t *testing.T) {
	db := &model.Database{Tables: []model.Table{{Columns: []model.Column{{Default: "'" + strings.Repeat("x", 81) + "'::text"}}}}}
	Apply(db, "", false)
	if got := db.Tables[0].Columns[0].Default; len(got) > 90 || !strings.HasSuffix(got, "…'::text") {
		t.Errorf("default %s", got)
	}
}

func FuzzLooksLike_Embedded(f *testing.F) {
	f.Add("ref ", " ok")
	f.Add("0", "9")
	f.Add("+", "-")
	f.Fuzz(func(t *testing.T, before, after string) {
		for _, v := range []string{"anna@example.org", "https://example.org/x", "123e4567-e89b-12d3-a456-426614174000"} {
			if LooksLike(before+" "+v+" "+after) == "" {
				t.Fatalf("%q between %q and %q is not seen", v, before, after)
			}
		}
	})
}
