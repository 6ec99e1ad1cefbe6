package validate

import (
	"context"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestValidate_PostgresTypes holds what is said of types against the server. A case has
// the rule and what the message says in its name.
func TestValidate_PostgresTypes(t *testing.T) {
	a, err := txtar.ParseFile("testdata/types.txtar")
	if err != nil {
		t.Fatal(err)
	}
	e := engines[0]
	db := e.open(t)
	for _, f := range a.Files {
		want, message, _ := strings.Cut(f.Name, ": ")
		t.Run(f.Name, func(t *testing.T) {
			ctx := context.Background()
			if _, err := db.ExecContext(ctx, e.reset); err != nil {
				t.Fatal(err)
			}
			text := string(f.Data)
			_, refused := db.ExecContext(ctx, text)
			if (refused != nil) != (want != "ok") {
				t.Errorf("the server says %v", refused)
			}
			schema, rep := load(text, pg)
			Validate(ctx, schema, pg, "", rep)
			problems := rep.Problems()
			switch {
			case want == "ok" && len(problems) > 0:
				t.Errorf("%v", problems)
			case want != "ok" && (len(problems) != 1 || string(problems[0].Rule) != want || !strings.HasSuffix(problems[0].Message, message)):
				t.Errorf("got %v; the server says %v", problems, refused)
			}
		})
	}
}
