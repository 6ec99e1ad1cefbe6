package finding

import "testing"

// TestReport_Hidden: names that hide or rearrange what is around them do so in no text for
// readers, and are exact where programs read them.
func TestReport_Hidden(t *testing.T) {
	const name = "a\u202eb\x1b[31m\nc"
	var r Report
	r.Problem(Problem{Rule: "TBL001", Object: name, Path: name, Message: "table " + name + " has no columns"})
	r.Warn(UnknownType, "type %s", name)
	p := r.Problems()[0]
	if p.Object != name || p.Path != name {
		t.Errorf("object %q and path %q, want %q", p.Object, p.Path, name)
	}
	if want := "table ab[31m c has no columns"; p.Message != want {
		t.Errorf("message %q, want %q", p.Message, want)
	}
	if want := "ab[31m c: table ab[31m c has no columns (TBL001)"; p.String() != want {
		t.Errorf("line %q, want %q", p.String(), want)
	}
	if got, want := r.Warnings()[0].Objects[0], "type ab[31m c"; got != want {
		t.Errorf("warning %q, want %q", got, want)
	}
}
