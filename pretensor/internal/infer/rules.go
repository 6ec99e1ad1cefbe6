package infer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/names"
	"github.com/quartet-mcp/quartet/pretensor/internal/types"
)

// Base confidences of the kinds.
const (
	baseDBT       = 0.95
	baseNameID    = 0.85
	basePKName    = 0.80
	baseView      = 0.75
	baseCode      = 0.70
	baseRole      = 0.60
	basePrefix    = 0.55
	baseComposite = 0.55
	baseSelf      = 0.50
	baseSameName  = 0.25
	stepCode      = 0.05 // per further location
	maxCode       = 0.90
	lessSure      = 0.10 // one of several that fit was taken
)

// Limits of the rules.
const (
	minAbbrev     = 3 // letters of an abbreviation
	maxAbbrev     = 8 // tables that it may stand for; beyond, it says nothing
	minGluedKey   = 8 // letters of a key's name at the end of a name without separators
	maxPKTables   = 3 // tables whose key has one name
	samePerPair   = 3 // same_name joins from one table to another
	crowded       = 25
	crowdedUnique = 8
)

// idTokens end a name that identifies something.
var idTokens = map[string]bool{"id": true, "fk": true, "key": true, "sk": true}

// idStem returns the stem of what an identifier names: customer of customer_id. A
// name without separators counts too (customerid).
func idStem(tokens []string) (string, bool) {
	rest, ok := idRest(tokens)
	if !ok {
		return "", false
	}
	return names.Stem(rest), true
}

// idRest returns an identifier's tokens without its end.
func idRest(tokens []string) ([]string, bool) {
	last := len(tokens) - 1
	if last < 0 {
		return nil, false
	}
	if idTokens[tokens[last]] {
		return tokens[:last], last > 0
	}
	for _, end := range []string{"id", "key", "fk", "sk"} {
		if rest := strings.TrimSuffix(tokens[last], end); rest != tokens[last] && len(rest) >= minAbbrev {
			return append(slices.Clone(tokens[:last]), rest), true
		}
	}
	return nil, false
}

// idLike reports whether a unique column that is not the primary key is made to be
// referred to: it ends like an identifier or a number.
func idLike(tokens []string) bool {
	if _, ok := idRest(tokens); ok {
		return true
	}
	if len(tokens) < 2 {
		return false
	}
	switch tokens[len(tokens)-1] {
	case "no", "nr", "num", "number", "ref", "uuid", "guid", "sku":
		return true
	}
	return false
}

// idStemOnly reports whether a name is that of a standard number.
func idStemOnly(tokens []string) bool {
	switch strings.Join(tokens, "") {
	case "isbn", "sku", "ean", "gtin", "vin", "iban", "imei":
		return true
	}
	return false
}

// given adds the joins that others have seen.
func (w *work) given() {
	for _, p := range w.in.Relationships {
		if a, b, ok := w.pair(p); ok {
			w.add(guess{source: a, target: b, kind: DBTRelationship, origin: DBT, base: baseDBT, why: fmt.Sprintf("a dbt test relates %s to %s", w.title(a), w.title(b))})
		}
	}
	for _, p := range w.in.ViewJoins {
		w.usage(p, UsageView, baseView, "a view joins %s with %s")
	}
	for _, p := range w.in.CodeJoins {
		n := max(1, p.Locations)
		w.usage(p, UsageCode, min(maxCode, baseCode+stepCode*float64(n-1)), fmt.Sprintf("code joins %%s with %%s in %d places", n))
	}
}

// usage adds a join without a direction: it leads to the side that is unique.
func (w *work) usage(p Pair, kind Kind, base float64, text string) {
	a, b, ok := w.pair(p)
	if !ok || a.Table == b.Table {
		return
	}
	if w.parent(a, b) == a {
		a, b = b, a
	}
	w.add(guess{source: a, target: b, kind: kind, origin: UsageJoin, base: base, why: fmt.Sprintf(text, w.title(a), w.title(b))})
}

func (w *work) pair(p Pair) (a, b Ref, ok bool) {
	a, okA := w.ref(p.SchemaA, p.TableA, p.ColumnA)
	b, okB := w.ref(p.SchemaB, p.TableB, p.ColumnB)
	return a, b, okA && okB
}

func (w *work) ref(schema, name, col string) (Ref, bool) {
	t, ok := w.byName[[2]string{schema, name}]
	if !ok {
		return Ref{}, false
	}
	c := w.tables[t].find(col)
	return Ref{t, c}, c >= 0
}

// parent tells which of two columns is referred to: the unique one, that which is
// or names its own table's key, that of the shorter table name, the later one.
func (w *work) parent(a, b Ref) Ref {
	score := func(r Ref) int {
		n := 0
		if w.at(r).unique {
			n += 2
		}
		if w.at(r).home || w.tables[r.Table].key == r.Column {
			n++
		}
		return n
	}
	if c := cmp.Or(cmp.Compare(score(a), score(b)), cmp.Compare(len(w.tables[b.Table].Name), len(w.tables[a.Table].Name)),
		cmp.Compare(w.rank[a.Table], w.rank[b.Table])); c > 0 {
		return a
	}
	return b
}

// column adds what the name of one column says of where it leads.
func (w *work) column(src Ref) {
	c := w.at(src)
	if c.field || c.home || len(c.tokens) == 0 {
		return // what has the key of this table refers to it, not the other way round
	}
	byName := w.nameID(src)
	if w.pkName(src) || byName {
		return
	}
	_ = w.roleSuffix(src) || w.selfReference(src) || w.actor(src) || w.shortened(src) || w.prefixAbbrev(src)
}

// heuristic is add for the rules of this file.
func (w *work) heuristic(src, dst Ref, kind Kind, base float64, why string) bool {
	return w.add(guess{source: src, target: dst, kind: kind, origin: Heuristic, base: base, why: why})
}

// nameID: the column names a table, customer_id → customers.
func (w *work) nameID(src Ref) bool {
	rest, ok := idRest(w.at(src).tokens)
	if !ok {
		return false
	}
	t := w.named(src.Table, rest)
	if t < 0 {
		return false
	}
	dst := Ref{t, w.tables[t].key}
	return w.heuristic(src, dst, NameID, baseNameID, fmt.Sprintf("%s names table %s", w.title(src), w.tables[t].QualifiedName()))
}

// named finds the one other table that tokens name and that has a key: of several
// the one in the same schema, then that with exactly the name, then the shortest
// name. It returns -1 if none or more than one is left.
func (w *work) named(from int, tokens []string) int {
	exact := strings.Join(tokens, "")
	src := &w.tables[from]
	best, bestAt, tie := -1, [3]int{}, false
	for _, t := range w.byStem[names.Stem(tokens)] {
		dst := &w.tables[t]
		if t == from || dst.key < 0 {
			continue
		}
		at := [3]int{1, 1, len(dst.Name)}
		if dst.Schema == src.Schema {
			at[0] = 0
		}
		if dst.whole == exact {
			at[1] = 0
		}
		switch c := slices.Compare(at[:], bestAt[:]); {
		case best < 0 || c < 0:
			best, bestAt, tie = t, at, false
		case c == 0:
			tie = true
		}
	}
	if tie {
		return -1
	}
	return best
}

// pkName: the column has the name of another table's key.
func (w *work) pkName(src Ref) bool {
	dst, less, ok := w.keyed(src, w.at(src).normal)
	if !ok {
		return false
	}
	why := fmt.Sprintf("%s has the name of the key %s", w.title(src), w.title(dst))
	if less > 0 {
		why += ", whose table it names"
	}
	return w.heuristic(src, dst, PKName, basePKName-less, why)
}

// keyed finds the key with a name: that of exactly one other table, or of the one
// of two or three that the name speaks of, which is less sure.
func (w *work) keyed(src Ref, normal string) (dst Ref, less float64, ok bool) {
	if boring[normal] || generic[normal] || idTokens[normal] {
		return dst, 0, false
	}
	keys := w.byKey[normal]
	var found []Ref
	for _, r := range keys {
		if r.Table != src.Table && !w.at(r).satellite {
			found = append(found, r)
		}
		if len(found) > maxPKTables {
			return dst, 0, false
		}
	}
	switch len(found) {
	case 0:
		return dst, 0, false
	case 1:
		if w.at(src).unique && w.at(src).normal == normal && w.parent(src, found[0]) == src {
			return dst, 0, false // two tables with one key: only one refers to the other
		}
		return found[0], 0, true
	}
	var named []Ref
	for _, r := range found {
		if strings.Contains(normal, w.tables[r.Table].stem) {
			named = append(named, r)
		}
	}
	if len(named) != 1 {
		return dst, 0, false
	}
	return named[0], lessSure, true
}

// roleSuffix: without one or two leading tokens the column names a table or has
// the name of a key: billing_address_id, shiptoaddressid.
func (w *work) roleSuffix(src Ref) bool {
	tokens := w.at(src).tokens
	first := 0 // the own table's name before a role is none itself: visit_type_concept_id of visits
	if own := w.tables[src.Table].stem; len(tokens) > 3 {
		for i := 1; i <= len(tokens)-3 && first == 0; i++ {
			if names.Stem(tokens[:i]) == own {
				first = i
			}
		}
	}
	for drop := 1; drop <= first+2 && drop < len(tokens); drop++ {
		role, rest := strings.Join(tokens[:drop], " "), tokens[drop:]
		if stem, ok := idRest(rest); ok {
			if names.Stem(stem) == w.tables[src.Table].stem && w.self(src, role+" is a role before the table's own name") {
				return true
			}
			if t := w.named(src.Table, stem); t >= 0 {
				dst := Ref{t, w.tables[t].key}
				return w.heuristic(src, dst, RoleSuffix, baseRole, fmt.Sprintf("%s names table %s in the role %s", w.title(src), w.tables[t].QualifiedName(), role))
			}
		}
		if dst, less, ok := w.keyed(src, strings.Join(rest, "")); ok {
			return w.heuristic(src, dst, RoleSuffix, baseRole-less, fmt.Sprintf("%s has the name of the key %s in the role %s", w.title(src), w.title(dst), role))
		}
	}
	if len(tokens) > 1 {
		return false
	}
	for at := 1; at+minGluedKey <= len(tokens[0]); at++ {
		role, rest := tokens[0][:at], tokens[0][at:]
		if own := w.tables[src.Table].key; own >= 0 && w.at(Ref{src.Table, own}).normal == rest && w.self(src, role+" is a role before the table's own key") {
			return true
		}
		if dst, less, ok := w.keyed(src, rest); ok {
			return w.heuristic(src, dst, RoleSuffix, baseRole-less, fmt.Sprintf("%s ends in the name of the key %s", w.title(src), w.title(dst)))
		}
	}
	return false
}

// kin are what a row can be to another row of its table.
var kin = map[string]bool{
	"parent": true, "manager": true, "supervisor": true, "superior": true, "boss": true, "root": true, "ancestor": true,
	"previous": true, "prev": true, "predecessor": true, "next": true, "successor": true, "original": true, "master": true,
	"leader": true, "lead": true, "mentor": true, "sponsor": true,
}

// kinPhrases are names of such a column without an identifier's end.
var kinPhrases = map[string]bool{
	"reportsto": true, "reportto": true, "managedby": true, "supervisedby": true, "parent": true, "childof": true,
	"duplicateof": true, "replacedby": true, "supersededby": true, "mergedinto": true, "replyto": true, "inreplyto": true,
}

// selfReference: parent_id, manager_id, reports_to of a table with a key.
func (w *work) selfReference(src Ref) bool {
	c := w.at(src)
	rest, ok := idRest(c.tokens)
	if ok && w.polymorphic(src, rest) {
		return false
	}
	if ok && len(rest) == 1 && kin[rest[0]] || kinPhrases[c.normal] || ok && kinPhrases[strings.Join(rest, "")] {
		return w.self(src, w.title(src)+" is a row's relation to another of its table")
	}
	return false
}

// polymorphic reports whether a column beside this one says which table it is
// about: owner_type beside owner_id.
func (w *work) polymorphic(src Ref, rest []string) bool {
	kind := strings.Join(rest, "") + "type"
	return slices.ContainsFunc(w.tables[src.Table].columns, func(c column) bool { return c.normal == kind && c.family != types.Numeric })
}

// self adds a reference to the own table's key, if both have one type family.
func (w *work) self(src Ref, why string) bool {
	dst := Ref{src.Table, w.tables[src.Table].key}
	if dst.Column < 0 || w.at(src).family != w.at(dst).family {
		return false
	}
	return w.heuristic(src, dst, SelfReference, baseSelf, why)
}

// actors are roles that a user has; users are the tables that hold them, by preference.
var (
	actors = map[string]bool{
		"creator": true, "author": true, "owner": true, "updater": true, "editor": true, "approver": true, "reviewer": true,
		"assignee": true, "sender": true, "recipient": true, "receiver": true, "uploader": true, "requester": true, "requestor": true,
		"reporter": true, "initiator": true, "modifier": true, "deleter": true, "follower": true, "invitee": true, "inviter": true,
		"purchaser": true, "redeemer": true, "submitter": true, "moderator": true, "publisher": true,
	}
	users = []string{"user", "employee", "staff"}
)

// actor: created_by, creator_id lead to the table of users.
func (w *work) actor(src Ref) bool {
	tokens := w.at(src).tokens
	last := len(tokens) - 1
	if idTokens[tokens[last]] && last > 0 {
		last--
	}
	by := last > 0 && tokens[last] == "by" && strings.HasSuffix(tokens[last-1], "ed")
	if !by && (last == len(tokens)-1 || !actors[tokens[last]]) {
		return false
	}
	if w.polymorphic(src, tokens[:last+1]) {
		return false
	}
	for _, stem := range users {
		if stem == w.tables[src.Table].stem {
			return w.self(src, w.title(src)+" is a role of its own table")
		}
		if t := w.named(src.Table, []string{stem}); t >= 0 {
			dst := Ref{t, w.tables[t].key}
			return w.heuristic(src, dst, RoleSuffix, baseRole, fmt.Sprintf("%s is a role of table %s", w.title(src), w.tables[t].QualifiedName()))
		}
	}
	return false
}

// shortened: the column names a table short of the words that the table shares
// with its own: topic_id of forum_posts → forum_topics, previous_version_id of
// tag_versions → tag_versions.
func (w *work) shortened(src Ref) bool {
	rest, ok := idRest(w.at(src).tokens)
	if !ok {
		return false
	}
	own := &w.tables[src.Table]
	for drop := 0; drop < len(rest) && drop <= 1; drop++ {
		for n := len(own.tokens); n > 0; n-- {
			full := slices.Concat(own.tokens[:n], rest[drop:])
			if n == len(own.tokens) {
				full[n-1] = names.Singular(full[n-1])
			}
			if names.Stem(full) == own.stem && drop > 0 && w.self(src, rest[0]+" is a role before the table's own short name") {
				return true
			}
			if t := w.named(src.Table, full); t >= 0 {
				return w.heuristic(src, Ref{t, w.tables[t].key}, PrefixAbbrev, basePrefix,
					fmt.Sprintf("%s names table %s but for words of its own table", w.title(src), w.tables[t].QualifiedName()))
			}
		}
	}
	return false
}

// prefixAbbrev: the column names the beginning of a table's name, cust_id.
func (w *work) prefixAbbrev(src Ref) bool {
	rest, ok := idRest(w.at(src).tokens)
	if !ok {
		return false
	}
	short := strings.Join(rest, "")
	if len(short) < minAbbrev {
		return false
	}
	var found []int
	for _, t := range w.abbreviated(short) {
		if t != src.Table && w.tables[t].key >= 0 {
			found = append(found, t)
		}
	}
	if len(found) == 0 {
		return false
	}
	base := basePrefix
	if len(found) > 1 {
		base -= lessSure
		if len(w.tables[found[0]].stem) == len(w.tables[found[1]].stem) {
			return false
		}
	}
	t := found[0]
	return w.heuristic(src, Ref{t, w.tables[t].key}, PrefixAbbrev, base, fmt.Sprintf("%s abbreviates table %s", w.title(src), w.tables[t].QualifiedName()))
}

// abbreviated returns the tables whose stem begins with a text, the shortest
// first; none if there are many.
func (w *work) abbreviated(short string) []int {
	if tables, ok := w.abbrevs[short]; ok {
		return tables
	}
	var tables []int
	from, _ := slices.BinarySearch(w.stems, short)
	for i := from; i < len(w.stems) && strings.HasPrefix(w.stems[i], short); i++ {
		tables = append(tables, w.byStem[w.stems[i]]...)
		if len(tables) > maxAbbrev {
			tables = nil
			break
		}
	}
	slices.SortStableFunc(tables, func(a, b int) int {
		return cmp.Or(cmp.Compare(len(w.tables[a].stem), len(w.tables[b].stem)), cmp.Compare(w.rank[a], w.rank[b]))
	})
	w.abbrevs[short] = tables
	return tables
}
