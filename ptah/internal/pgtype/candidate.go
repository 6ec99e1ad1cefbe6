package pgtype

// candidate is an operator or a function that may be meant.
type candidate struct {
	params []*Type // one for each argument
	result *Type
	fn     *Function
}

// verdict says how a choice of candidates went.
type verdict uint8

const (
	chosen    verdict = iota
	none              // none fits
	ambiguous         // several do, and none of them better
	undecided         // an argument's type is not known
)

// choose picks the candidate that the arguments mean: the manual's 10.2 and 10.3.
func (c *catalog) choose(list []candidate, args []*Type) (candidate, verdict) {
	for _, a := range args {
		if a == nil {
			return candidate{result: c.agreed(list, args)}, undecided
		}
	}
	for _, x := range list {
		if equal(x.params, args) {
			return x, chosen
		}
	}
	var fitting []candidate
	for _, x := range list {
		if c.fits(x, args) {
			fitting = append(fitting, x)
		}
	}
	switch len(fitting) {
	case 0:
		return candidate{}, none
	case 1:
		return fitting[0], chosen
	}
	for _, x := range fitting {
		for _, p := range x.params {
			if p == nil {
				return candidate{}, undecided
			}
		}
	}
	return c.best(fitting, args)
}

func equal(a, b []*Type) bool {
	for i := range a {
		if a[i] == nil || a[i] != b[i] {
			return false
		}
	}
	return true
}

func (c *catalog) fits(x candidate, args []*Type) bool {
	poly := false
	for i, p := range x.params {
		if args[i] == nil {
			continue
		}
		poly = poly || p.polymorphic()
		if !c.coercible(args[i], p, implicit) {
			return false
		}
	}
	if !poly {
		return true
	}
	for _, a := range args {
		if a == nil {
			return true
		}
	}
	_, ok := c.bind(x.params, args)
	return ok
}

// agreed is the result of all candidates that the known arguments leave, if it is one.
func (c *catalog) agreed(list []candidate, args []*Type) (result *Type) {
	for _, x := range list {
		switch {
		case !c.fits(x, args):
		case x.result == nil || x.result.kind == 'p' || result != nil && result != x.result:
			return nil
		default:
			result = x.result
		}
	}
	return result
}

// best narrows several candidates down.
func (c *catalog) best(list []candidate, args []*Type) (candidate, verdict) {
	base := make([]*Type, len(args))
	unknowns := 0
	for i, a := range args {
		base[i] = a.plain()
		if a.is("unknown") {
			unknowns++
		}
	}
	list = most(list, func(x candidate) (n int) {
		for i, p := range x.params {
			if !base[i].is("unknown") && p == base[i] {
				n++
			}
		}
		return n
	})
	if len(list) == 1 {
		return list[0], chosen
	}
	list = most(list, func(x candidate) (n int) {
		for i, p := range x.params {
			if !base[i].is("unknown") && (p == base[i] || p.preferred && p.category == base[i].category) {
				n++
			}
		}
		return n
	})
	if len(list) == 1 {
		return list[0], chosen
	}
	if unknowns == 0 {
		return candidate{}, ambiguous
	}
	if left := ofCategories(list, base); len(left) > 0 {
		list = left
	}
	if len(list) == 1 {
		return list[0], chosen
	}
	// Take the unknown ones for what the known ones are.
	var known *Type
	for _, b := range base {
		switch {
		case b.is("unknown"):
		case known == nil:
			known = b
		case known != b:
			return candidate{}, ambiguous
		}
	}
	if known == nil {
		return candidate{}, ambiguous
	}
	same := make([]*Type, len(args))
	for i := range same {
		same[i] = known
	}
	var left []candidate
	for _, x := range list {
		if c.fits(x, same) {
			left = append(left, x)
		}
	}
	if len(left) == 1 {
		return left[0], chosen
	}
	return candidate{}, ambiguous
}

// most keeps the candidates that have the most of something.
func most(list []candidate, count func(candidate) int) []candidate {
	var kept []candidate
	top := -1
	for _, x := range list {
		n := count(x)
		if n > top {
			top, kept = n, nil
		}
		if n == top {
			kept = append(kept, x)
		}
	}
	return kept
}

// ofCategories keeps the candidates whose parameters for the unknown arguments are of the
// category that those are taken for: text if a candidate takes it, else the one that all
// take. It returns nil if there is no such category.
func ofCategories(list []candidate, args []*Type) []candidate {
	type slot struct {
		category  byte
		preferred bool
	}
	slots := make([]slot, len(args))
	for i, a := range args {
		if !a.is("unknown") {
			continue
		}
		conflict := false
		for k, x := range list {
			p := x.params[i]
			switch s := &slots[i]; {
			case k == 0:
				*s = slot{p.category, p.preferred}
			case p.category == s.category:
				s.preferred = s.preferred || p.preferred
			case p.category == 'S':
				*s = slot{'S', p.preferred}
			default:
				conflict = true
			}
		}
		if conflict && slots[i].category != 'S' {
			return nil
		}
	}
	var kept []candidate
	for _, x := range list {
		keep := true
		for i, a := range args {
			if p, s := x.params[i], slots[i]; a.is("unknown") && (p.category != s.category || s.preferred && !p.preferred) {
				keep = false
			}
		}
		if keep {
			kept = append(kept, x)
		}
	}
	return kept
}
