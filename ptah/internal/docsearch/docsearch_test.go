package docsearch

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestSplit(t *testing.T) {
	page := strings.Join([]string{
		"---", "title: x", "---", "Before any heading.", "# One", "", "First.", "", "## Two ##", "```sh", "# no heading", "```", "~~~~", "~~~", "## none", "~~~~",
		"### Three", "## Four", "Fourth.", "#no heading", "####### nor this",
	}, "\n")
	want := []Passage{
		{"a/b.md", "b", "Before any heading."},
		{"a/b.md", "One", "First."},
		{"a/b.md", "One > Two", "```sh\n# no heading\n```\n~~~~\n~~~\n## none\n~~~~"},
		{"a/b.md", "One > Four", "Fourth.\n#no heading\n####### nor this"},
	}
	if diff := cmp.Diff(want, split("a/b.md", page)); diff != "" {
		t.Error(diff)
	}
	mdx := "import X from 'x'\n# One\n<Aside>\nText <b>bold</b>.\n</Aside>\nexport const a = 1\n"
	if diff := cmp.Diff([]Passage{{"m.mdx", "One", "Text <b>bold</b>."}}, split("m.mdx", mdx)); diff != "" {
		t.Error(diff)
	}
}

func TestSplit_LongPassages(t *testing.T) {
	paragraph := strings.Repeat("word ", 300) // 1,500 bytes
	got := split("a.md", "# A\n"+paragraph+"\n\n"+paragraph+"\n\n"+paragraph+"\n")
	if len(got) != 2 {
		t.Fatalf("%d passages, want 2", len(got))
	}
	for _, p := range got {
		if p.Heading != "A" || len(p.Text) > maxPassage {
			t.Errorf("heading %q, %d bytes", p.Heading, len(p.Text))
		}
	}
}

func index() *Index {
	return New(fstest.MapFS{
		"patch.md":   {Data: []byte("# Artifacts\n## Preview\nCall preview_patch first; the token is single-use.\n## Apply\nCall apply_patch with the token.\n")},
		"indexes.md": {Data: []byte("# Indexes\nA partial index has a condition.\n")},
		"other.txt":  {Data: []byte("# Partial index\nno page\n")},
		"tie/b.md":   {Data: []byte("# Zebra\nstripes\n")},
		"tie/a.md":   {Data: []byte("# Zebra\nstripes\n")},
	})
}

func TestIndex_Search(t *testing.T) {
	x := index()
	if x.Documents() != 4 || x.Passages() != 5 {
		t.Errorf("%d documents and %d passages, want 4 and 5", x.Documents(), x.Passages())
	}
	for question, want := range map[string]string{
		"preview_patch":             "patch.md Artifacts > Preview",
		"preview patch":             "patch.md Artifacts > Preview",
		"How do I apply a patch?":   "patch.md Artifacts > Apply",
		"partial index":             "indexes.md Indexes",
		"PARTIAL INDEX":             "indexes.md Indexes",
		"quantum chromodynamics":    "",
		"index of quantum gravity":  "", // one of three words
		"the of and":                "",
		"stripes zebra":             "tie/a.md Zebra",
		"partial index, with quark": "indexes.md Indexes",
	} {
		got, err := x.Search(context.Background(), question, 5)
		if err != nil {
			t.Fatal(err)
		}
		first := ""
		if len(got) > 0 {
			first = got[0].Path + " " + got[0].Heading
		}
		if first != want || got == nil {
			t.Errorf("%q: %q, want %q", question, first, want)
		}
	}
	if got, err := x.Search(context.Background(), "token", 1); err != nil || len(got) != 1 {
		t.Errorf("%d passages and %v, want one", len(got), err)
	}
}
