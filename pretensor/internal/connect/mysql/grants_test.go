package mysql

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/connecttest"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

func TestIntrospect_Grants(t *testing.T) {
	s := newServer(t)
	s.do(t, "CREATE TABLE a (x INT, y INT); CREATE TABLE b (x INT)")
	p := s.Database
	s.user(t, "table", "SELECT, INSERT ON "+p+".a", "SELECT (x) ON "+p+".b", "UPDATE (y, x) ON "+p+".a")
	s.user(t, "schema", "SELECT ON "+p+".*", "CREATE ON "+p+".*")
	s.user(t, "pattern", "DELETE ON `"+strings.ReplaceAll(p[:len(p)-1], "_", `\_`)+"_`.*")
	s.user(t, "other", "SELECT ON `other%`.*")
	s.user(t, "global", "SELECT ON *.*")
	self := s.user(t, "member")
	for _, role := range []string{"reader", "boss"} {
		s.do(t, "CREATE ROLE "+p+role)
		t.Cleanup(func() { s.do(t, "DROP ROLE "+p+role) })
	}
	s.do(t, fmt.Sprintf("GRANT SELECT ON %s.b TO %[1]sreader; GRANT %[1]sreader TO %[1]sboss; GRANT %[1]sboss TO '%[1]smember'@'%%'", p))

	check := func(db *model.Database, wantGrants map[string][]string, wantRoles map[string]model.Role) {
		t.Helper()
		grants := map[string][]string{}
		for _, tab := range db.Tables {
			for _, g := range tab.Grants {
				if name, ok := strings.CutPrefix(g.Grantee, p); ok {
					grants[name] = append(grants[name], strings.TrimSpace(fmt.Sprint(tab.Name, " ", g.Privilege, " ", strings.Join(g.Columns, ","))))
				}
			}
		}
		if diff := cmp.Diff(wantGrants, grants); diff != "" {
			t.Errorf("grants (-want +got):\n%s", diff)
		}
		roles := map[string]model.Role{}
		for _, r := range db.Roles {
			if name, ok := strings.CutPrefix(r.Name, p); ok {
				r.Name = ""
				roles[name] = r
			}
		}
		if diff := cmp.Diff(wantRoles, roles); diff != "" {
			t.Errorf("roles (-want +got):\n%s", diff)
		}
	}
	db := introspect(t, s.DSN, connect.Options{Grants: true})
	in := []string{p}
	check(db, map[string][]string{
		"table@%": {"a INSERT", "a SELECT", "a UPDATE x,y", "b SELECT x"}, "schema@%": {"a SELECT", "b SELECT"}, "pattern@%": {"a DELETE", "b DELETE"},
		"global@%": {"a SELECT", "b SELECT"}, "reader": {"b SELECT"}, "boss": {"b SELECT"}, // the server counts what a role has by another
	}, map[string]model.Role{
		"table@%": {Schemas: in}, "schema@%": {Schemas: in}, "pattern@%": {Schemas: in}, "other@%": {}, "global@%": {Schemas: in},
		"reader": {Schemas: in}, "boss": {Schemas: in, MemberOf: []string{p + "reader"}}, "member@%": {MemberOf: []string{p + "boss"}},
	})
	if i := slices.IndexFunc(db.Roles, func(r model.Role) bool { return r.Name == "root@localhost" }); i < 0 || !db.Roles[i].Superuser {
		t.Error("root@localhost is no superuser")
	}
	if db = introspect(t, s.DSN, connect.Options{}); len(db.Roles) > 0 || len(connecttest.Table(t, db, "", "a").Grants) > 0 {
		t.Error("grants were read without being asked for")
	}
	// Whoever may not read the server's own tables sees itself.
	s.do(t, "GRANT SELECT ON "+p+".a TO '"+self.User+"'@'%'")
	check(introspect(t, self, connect.Options{Grants: true}), map[string][]string{"member@%": {"a SELECT"}}, map[string]model.Role{
		"member@%": {Schemas: in, MemberOf: []string{p + "boss"}}, "boss": {MemberOf: []string{p + "reader"}},
	})
}

func TestAccount(t *testing.T) {
	for in, want := range map[string]string{
		"'ann'@'%'": "ann@%", "'role'@''": "role", "'o'brien'@'10.0.%'": "o'brien@10.0.%", "'a'@'b'@'c'": "a'@'b@c", "boss": "boss", "ann@%": "ann@%",
	} {
		if got := account(in); got != want {
			t.Errorf("account(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestLike(t *testing.T) {
	tests := []struct {
		pattern, name string
		want          bool
	}{
		{"shop", "shop", true}, {"shop", "shop2", false}, {"sh%", "shop", true}, {"%", "", true}, {"_", "", false}, {"sh_p", "shop", true},
		{`sh\_p`, "shop", false}, {`sh\_p`, "sh_p", true}, {"%op", "shop", true}, {"s%%%%%%%%%%%%%%%%%%%%%%%x", strings.Repeat("s", 64), false}, {`a\`, `a\`, true},
	}
	for _, test := range tests {
		if got := like(test.pattern, test.name); got != test.want {
			t.Errorf("like(%q, %q) = %v", test.pattern, test.name, got)
		}
	}
}
