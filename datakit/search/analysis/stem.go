package analysis

import (
	"strings"

	porterstemmer "github.com/blevesearch/go-porterstemmer"
)

// Stemming says how far words are reduced so that their forms find each other.
// The zero value is [Porter].
type Stemming uint8

// The degrees of stemming.
const (
	// Porter is the English stemmer of M. F. Porter (1980): orders, ordered and
	// ordering are one.
	Porter Stemming = iota
	// Light takes off a plural only: "ies" becomes "y" in words longer than 4
	// letters, else a final "s" that does not follow an "s" is dropped from
	// words longer than 3.
	Light
	// Off leaves words alone.
	Off
)

// String returns the name of s in lower case.
func (s Stemming) String() string {
	switch s {
	case Porter:
		return "porter"
	case Light:
		return "light"
	case Off:
		return "off"
	}
	return "unknown"
}

// Stem returns the stem of a folded word. Words with anything but the letters a
// to z have no English endings and are their own stems.
func (s Stemming) Stem(word string) string {
	for i := 0; i < len(word); i++ {
		if c := word[i]; c < 'a' || c > 'z' {
			return word
		}
	}
	switch s {
	case Porter:
		if len(word) > 2 {
			return string(porterstemmer.StemWithoutLowerCasing([]rune(word)))
		}
	case Light:
		switch {
		case len(word) > 4 && strings.HasSuffix(word, "ies"):
			return word[:len(word)-3] + "y"
		case len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss"):
			return word[:len(word)-1]
		}
	}
	return word
}
