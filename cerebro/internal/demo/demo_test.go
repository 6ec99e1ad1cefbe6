package demo

import "testing"

func TestArtifacts(t *testing.T) {
	a, err := MakeArtifacts()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range a.Files() {
		t.Log(name, len(text))
	}
}
