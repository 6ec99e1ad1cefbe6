package visibility

import (
	"strings"
	"testing"
)

// finder finds tables' names, columns' names, and knows visible ones.
func finder(tables, columns, visible string) *words {
	hidden, seen := map[string]secrecy{}, map[string]struct{}{}
	split := func(names string) []string { return strings.FieldsFunc(names, func(r rune) bool { return r == '|' }) }
	for _, n := range split(columns) {
		hidden[fold(n)] = whole
	}
	for _, n := range split(tables) {
		hidden[fold(n)] = anywhere
	}
	for _, n := range split(visible) {
		seen[fold(n)] = struct{}{}
	}
	return newWords(hidden, seen)
}

func TestWords_Scrub(t *testing.T) {
	const (
		tables  = "payroll|hr|Order Details|a.b|t1|Größe|顧客|_tmp|shared"
		columns = "ssn|salary|net|customerIban|x"
		visible = "ssn_type|payroll_year|net|shared|Hr Order Details View"
	)
	w := finder(tables, columns, visible)
	for text, want := range map[string]string{
		"":                                        "",
		"nothing of that kind":                    "nothing of that kind",
		"the payroll":                             "the [hidden]",
		"PAYROLL, Payrolls and prepayrolled":      "[hidden], [hidden] and [hidden]",
		"payroll payroll":                         "[hidden] [hidden]",
		"payroll_2024_idx":                        "[hidden]",
		"by payroll_year":                         "by payroll_year",
		"by payroll_years":                        "by [hidden]",
		"old_payroll_year":                        "old_payroll_year", // what is visible is in it
		"hr.people.name, see hr":                  "[hidden], see [hidden]",
		`"hr"."people"."name".`:                   `"[hidden]".`,
		"[hr].[people]":                           "[[hidden]]",
		"three chrome hrs":                        "three chrome [hidden]", // short names are words
		"public.payroll.salary":                   "public.[hidden]",
		"of payroll. Then":                        "of [hidden]. Then",
		"ssn, SSN, ssns; assn":                    "[hidden], [hidden], [hidden]; assn",
		"idx_orders_ssn, orderSsn, ssnHash, SSN2": "[hidden], [hidden], [hidden], [hidden]",
		"ssn_type":                                "ssn_type",
		"salaryman":                               "salaryman",
		"salary.x":                                "[hidden].[hidden]",
		"net pay":                                 "net pay", // no secret
		"is shared":                               "is shared",
		"customeriban, CustomerIban":              "[hidden], [hidden]",
		"see order details":                       "see [hidden]",
		"see order  details":                      "see order  details",
		"the hr order details view":               "the hr order details view",
		"a.b, a.bc, xa.b":                         "[hidden], a.bc, xa.b",
		"t1 and t12":                              "[hidden] and t12",
		"die GRÖSSE, größe":                       "die GRÖSSE, [hidden]",
		"Übergrößenträger":                        "[hidden]",
		"顧客の住所":                                   "[hidden]の住所",
		"in _tmp or x_tmp":                        "in [hidden] or [hidden]",
		"bad \xff\xff payroll":                    "bad ? [hidden]",
		"max_x, x, xs":                            "[hidden], [hidden], [hidden]",
	} {
		if got := w.scrub(text); got != want {
			t.Errorf("scrub(%q) = %q, want %q", text, got, want)
		}
		if got := w.has(text); got != (want != text) {
			t.Errorf("has(%q) = %v", text, got)
		}
	}
	if none := finder("", "", "a"); none.scrub("a b") != "a b" || none.has("a") {
		t.Error("something is hidden")
	}
}

// Long texts of nothing but names take time in proportion to them.
func TestWords_Hostile(t *testing.T) {
	w := finder("aaaa|bbbb", "a_a|b", strings.Repeat("bbbb_", 40)+"|b_b|a b")
	for _, unit := range []string{"a", "aaaa", "a_", "bbbb_", "b b ", "aaaa.", "bB"} {
		text := strings.Repeat(unit, 100_000/len(unit))
		if got := w.scrub(text); strings.Contains(strings.ToLower(got), "aaaa") {
			t.Errorf("%q is left of many %q", got[:min(len(got), 80)], unit)
		}
	}
}

// What scrub leaves holds nothing any more.
func FuzzScrub(f *testing.F) {
	f.Add("see the payroll_ssn of Order Details", "payroll|Order Details", "ssn", "ssn_type")
	f.Add("aXa.aé顧客", "a|顧", "X|é", "ax")
	f.Fuzz(func(t *testing.T, text, tables, columns, visible string) {
		w := finder(tables, columns, visible)
		if w.hidden["hidden"] != 0 {
			return
		}
		got := w.scrub(text)
		if (got != text) != w.has(text) {
			t.Fatalf("has(%q) = %v, scrub gives %q", text, w.has(text), got)
		}
	})
}
