package analysis

import "strings"

// IsStopWord reports whether a folded word is so common in English sentences
// that it tells nothing about their subject: articles, pronouns, auxiliaries,
// prepositions, question words.
func IsStopWord(word string) bool {
	_, ok := stopWords[word]
	return ok
}

var stopWords = func() map[string]struct{} {
	list := strings.Fields(`
		a about after again all also am an and any are arent as at be because been before being both but by
		can cant could did didnt do does doesnt doing dont during each else ever every for from further
		had has have having he her here hers herself him himself his how i if in into is isnt it its itself
		just let me more most much my myself no nor not now of off on once only or other our ours ourselves
		own per please same she should so some such than that thats the their theirs them themselves then there
		these they this those through to too until up upon us very was we were what whats when where which
		while who whom whose why will with within without would you your yours yourself`)
	set := make(map[string]struct{}, len(list))
	for _, w := range list {
		set[w] = struct{}{}
	}
	return set
}()
