package pgtype

import "strings"

// Contexts of a cast, the stricter first.
const (
	implicit   = 'i'
	assignment = 'a'
	explicit   = 'e'
)

func allows(context, cast byte) bool {
	return context == cast || cast == implicit || context == explicit
}

func (t *Type) is(name string) bool { return t != nil && t.kind != 'd' && t.key == name }

// polymorphic reports whether a parameter's type stands for that of the argument.
func (t *Type) polymorphic() bool {
	return t != nil && t.kind == 'p' && strings.HasPrefix(t.key, "any") && t.key != "any"
}

// castable reports whether there is a cast in a context, or the types are one.
func (c *catalog) castable(from, to *Type, context byte) bool {
	from, to = from.plain(), to.plain()
	if from == to || from == nil || to == nil {
		return true
	}
	if how, ok := c.casts[cast{from, to}]; ok {
		return allows(context, how)
	}
	if from.elem != nil && to.elem != nil && c.castable(from.elem, to.elem, context) {
		return true
	}
	// Through the text of the value.
	return context != implicit && to.category == 'S' || context == explicit && from.category == 'S'
}

// coercible reports whether a value of a type can become one of another.
func (c *catalog) coercible(from, to *Type, context byte) bool {
	switch {
	case from == nil || to == nil || from == to || to.is("any") || from.is("unknown") || to.polymorphic():
		return true
	case c.castable(from, to, context):
		return true
	}
	return rowLike(from) && rowLike(to)
}

// rowLike types are rows and arrays of rows; which of them become which others, through
// inheritance or field by field, is not looked at.
func rowLike(t *Type) bool {
	t = t.plain()
	if t.elem != nil {
		t = t.elem.plain()
	}
	return t.kind == 'c' || t.is("record")
}

// common is the type that values of several types are brought to in CASE, UNION and the
// like. If there is none, clash is the type that does not go with it. A nil type and no
// clash is Undecided.
func (c *catalog) common(types []*Type) (t, clash *Type) {
	same := true
	for _, x := range types {
		if x == nil {
			return nil, nil
		}
		same = same && x == types[0]
	}
	if same && len(types) > 0 && !types[0].is("unknown") {
		return types[0], nil
	}
	for _, x := range types {
		x = x.plain()
		switch {
		case x.is("unknown") || x == t:
		case t == nil:
			t = x
		case x.category != t.category:
			return t, x
		case !t.preferred && c.coercible(t, x, implicit) && !c.coercible(x, t, implicit):
			t = x
		}
	}
	if t == nil {
		t = c.types["text"]
	}
	return t, nil
}

// bind finds out what the polymorphic parameters of a function stand for. ok is false if
// the arguments do not agree. bound has the types by the names of the parameters' types;
// those that nothing decides are not in it.
func (c *catalog) bind(params, args []*Type) (bound map[string]*Type, ok bool) {
	var elem, array, rng, multi *Type // of anyelement and its kin
	var kin []*Type                   // of anycompatible and its kin
	var kinRange, kinMulti *Type
	var nonArray, enum, kinNonArray, compatible bool
	set := func(to **Type, t *Type) bool {
		if *to == nil {
			*to = t
		}
		return *to == t
	}
	for i, p := range params {
		if !p.polymorphic() {
			continue
		}
		a := args[i]
		compatible = compatible || strings.HasPrefix(p.key, "anycompatible")
		nonArray = nonArray || p.key == "anynonarray"
		enum = enum || p.key == "anyenum"
		kinNonArray = kinNonArray || p.key == "anycompatiblenonarray"
		if a.is("unknown") {
			continue
		}
		flat := a.plain()
		fits := true
		switch p.key {
		case "anyelement", "anynonarray", "anyenum":
			fits = set(&elem, a)
		case "anyarray":
			fits = flat.elem != nil && set(&array, flat)
		case "anyrange":
			fits = flat.kind == 'r' && set(&rng, flat)
		case "anymultirange":
			fits = flat.kind == 'm' && set(&multi, flat)
		case "anycompatible", "anycompatiblenonarray":
			kin = append(kin, a)
		case "anycompatiblearray":
			if fits = flat.elem != nil; fits {
				kin = append(kin, flat.elem)
			}
		case "anycompatiblerange":
			if fits = flat.kind == 'r' && set(&kinRange, flat); fits {
				kin = append(kin, flat.part)
			}
		case "anycompatiblemultirange":
			if fits = flat.kind == 'm' && set(&kinMulti, flat); fits && flat.part != nil {
				kin = append(kin, flat.part.part)
			}
		}
		if !fits {
			return nil, false
		}
	}
	if multi != nil && multi.part != nil && !set(&rng, multi.part) {
		return nil, false
	}
	if array != nil && !set(&elem, array.elem) || rng != nil && rng.part != nil && !set(&elem, rng.part) {
		return nil, false
	}
	if elem != nil && (nonArray && elem.plain().elem != nil || enum && elem.kind != 'e') {
		return nil, false
	}
	bound = map[string]*Type{}
	put := func(t *Type, names ...string) {
		for _, n := range names {
			if t != nil {
				bound[n] = t
			}
		}
	}
	put(elem, "anyelement", "anynonarray", "anyenum")
	if array == nil && elem != nil {
		array = elem.array
	}
	put(array, "anyarray")
	put(rng, "anyrange")
	put(multi, "anymultirange")
	if compatible {
		t, clash := c.common(kin)
		if clash != nil || t != nil && kinNonArray && t.plain().elem != nil {
			return nil, false
		}
		for _, k := range kin {
			if !c.coercible(k, t, implicit) {
				return nil, false
			}
		}
		if kinRange != nil && kinRange.part != t {
			return nil, false
		}
		put(t, "anycompatible", "anycompatiblenonarray")
		if t != nil {
			put(ArrayOf(t), "anycompatiblearray")
		}
		put(kinRange, "anycompatiblerange")
		put(kinMulti, "anycompatiblemultirange")
	}
	return bound, true
}
