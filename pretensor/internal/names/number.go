package names

import (
	"strconv"
	"strings"
)

// irregular are plurals that the rules of [Singular] would get wrong.
var irregular = map[string]string{
	"people": "person", "persons": "person", "children": "child", "men": "man", "women": "woman", "mice": "mouse",
	"geese": "goose", "feet": "foot", "teeth": "tooth", "oxen": "ox", "indices": "index", "vertices": "vertex",
	"matrices": "matrix", "appendices": "appendix", "criteria": "criterion", "phenomena": "phenomenon", "quizzes": "quiz",
	"leaves": "leaf", "shelves": "shelf", "halves": "half", "lives": "life", "wives": "wife", "knives": "knife",
	"statuses": "status", "bonuses": "bonus", "viruses": "virus", "campuses": "campus", "censuses": "census",
	"buses": "bus", "aliases": "alias", "biases": "bias", "canvases": "canvas", "analyses": "analysis", "diagnoses": "diagnosis",
	"theses": "thesis", "crises": "crisis", "bases": "base", "movies": "movie", "cookies": "cookie", "calories": "calorie",
	"caches": "cache", "shoes": "shoe", "menus": "menu", "lenses": "lens", "gases": "gas", "toes": "toe",
}

// same are words that end like a plural, or have none.
var same = map[string]bool{
	"series": true, "species": true, "news": true, "data": true, "metadata": true, "media": true, "staff": true,
	"information": true, "equipment": true, "gas": true, "lens": true, "alias": true, "bias": true, "canvas": true,
	"sms": true, "gps": true, "dns": true, "address": true, "has": true, "was": true, "as": true,
	"always": true, "atlas": true, "texas": true, "christmas": true, "kansas": true, "iris": true,
}

var plurals = func() map[string]string {
	m := make(map[string]string, len(irregular))
	for p, s := range irregular {
		if p != "persons" {
			m[s] = p
		}
	}
	return m
}()

// Singular returns the singular of a folded English word, and the word itself
// where it is no plural. Applied twice it changes nothing more.
func Singular(w string) string {
	if s, ok := irregular[w]; ok {
		return s
	}
	if same[w] || len(w) < 3 {
		return w
	}
	cut := func(n int) string { return w[:len(w)-n] }
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return cut(3) + "y"
	case suffix(w, "sses", "shes", "ches", "xes", "oes"):
		return cut(2)
	case suffix(w, "ss", "us", "is"):
		return w
	case strings.HasSuffix(w, "s"):
		return cut(1)
	}
	return w
}

// Plural returns the plural of a folded English word in the singular.
func Plural(w string) string {
	if p, ok := plurals[w]; ok {
		return p
	}
	if same[w] && !suffix(w, "ss", "as") || w == "" {
		return w
	}
	if n := len(w); n > 1 && w[n-1] == 'y' && !strings.ContainsRune("aeiou", rune(w[n-2])) {
		return w[:n-1] + "ies"
	}
	if suffix(w, "s", "sh", "ch", "x") {
		return w + "es"
	}
	return w + "s"
}

// Count is a number of things in words: 1 column, 2 columns, 2 indexes. thing is what
// one of them is called in a text; it is no name from a database.
func Count[N int | int64](n N, thing string) string {
	switch {
	case n == 1:
		return "1 " + thing
	case suffix(thing, "s", "x", "ch"):
		thing += "es"
	default:
		thing += "s"
	}
	return strconv.FormatInt(int64(n), 10) + " " + thing
}

func suffix(w string, ends ...string) bool {
	for _, e := range ends {
		if len(w) > len(e) && strings.HasSuffix(w, e) {
			return true
		}
	}
	return false
}
