package policy

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Rule sets the verdict of a capability in one scope, or in all of them.
type Rule struct {
	Capability Capability
	Scope      string // empty: every scope
	Verdict    Verdict
}

// String returns the rule as a line of a file.
func (r Rule) String() string { return name(r.Capability, r.Scope) + " " + string(r.Verdict) }

// covers reports whether the rule says something of a row.
func (r Rule) covers(row Row) bool {
	return r.Capability == row.Capability && (r.Scope == "" || r.Scope == row.Scope)
}

// check reports why a rule cannot be one. A rule is never skipped: a "deny" that is
// misspelt would then protect nothing.
func (r Rule) check() error {
	all := definitions()
	i := slices.IndexFunc(all, func(d definition) bool { return d.capability == r.Capability })
	if i < 0 {
		return fmt.Errorf("unknown capability %.80q", string(r.Capability))
	}
	d := all[i]
	if r.Scope != "" && !slices.Contains(d.scopes, r.Scope) {
		if d.scopes[0] == "" {
			return fmt.Errorf("%s has no scopes, but the rule is for %.80q", d.capability, r.Scope)
		}
		return fmt.Errorf("%.80q is no scope of %s; its scopes are %s", r.Scope, d.capability, strings.Join(d.scopes, ", "))
	}
	if _, err := ParseVerdict(string(r.Verdict)); err != nil {
		return err
	}
	if d.hard && r.Verdict != Deny {
		return fmt.Errorf("%s is always denied and cannot be granted", d.capability)
	}
	return nil
}

// maxFile bounds a file of rules: all that can be said has some 60 lines.
const maxFile = 64 << 10

// Parse reads a file of rules: one to a line, "capability[:scope] verdict" with exactly
// one space; lines that are blank or begin with # say nothing. The error names the line.
func Parse(text []byte) ([]Rule, error) {
	if len(text) > maxFile {
		return nil, fmt.Errorf("longer than %d bytes", maxFile)
	}
	if !utf8.Valid(text) {
		return nil, errors.New("not UTF-8")
	}
	var rules []Rule
	n := 0
	for line := range bytes.Lines(text) {
		n++
		rule := strings.TrimSuffix(strings.TrimSuffix(string(line), "\n"), "\r")
		if strings.TrimSpace(rule) == "" || strings.HasPrefix(rule, "#") {
			continue
		}
		r, err := parseRule(rule)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		rules = append(rules, r)
	}
	return rules, nil
}

func parseRule(line string) (Rule, error) {
	subject, verdict, ok := strings.Cut(line, " ")
	if !ok || subject == "" || verdict == "" || strings.ContainsAny(verdict, " \t") {
		return Rule{}, fmt.Errorf("%.80q is no rule; write \"capability verdict\" or \"capability:scope verdict\" with one space", line)
	}
	capability, scope, scoped := strings.Cut(subject, ":")
	if scoped && scope == "" {
		return Rule{}, fmt.Errorf("%.80q has no scope after its colon", line)
	}
	r := Rule{Capability(capability), scope, Verdict(verdict)}
	return r, r.check()
}
