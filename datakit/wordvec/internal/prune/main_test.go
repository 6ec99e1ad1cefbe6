package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestQuantise(t *testing.T) {
	factor, bytes := quantise([]float64{3, -4, 0})
	want := []float64{0.6, -0.8, 0}
	for i, b := range bytes {
		if got := float64(factor) * float64(int8(b)); math.Abs(got-want[i]) > float64(factor)/2 {
			t.Errorf("component %d = %v, want %v", i, got, want[i])
		}
	}
	if int8(bytes[1]) != -127 {
		t.Errorf("the largest component is %d, want -127", int8(bytes[1]))
	}
}

func TestPrune_Refuses(t *testing.T) {
	for in, want := range map[string]string{
		``:                         "EOF",
		`{"words":["a"]}`:          `no member "vectors"`,
		`{"vectors":{"a":[1,2]}}`:  `the vector of "a" has 2 numbers or comes out of order`,
		`{"vectors":{",":[1,2]}}`:  "only 0 alphabetic words",
		`{"words":1,"vectors":{}}`: "only 0 alphabetic words",
	} {
		if _, err := prune(strings.NewReader(in)); err == nil || err.Error() != want {
			t.Errorf("prune(%s): %v, want %s", in, err, want)
		}
	}
}

func TestRun_VerifiesThePackage(t *testing.T) {
	dir := t.TempDir()
	tarball, output := filepath.Join(dir, "package.tgz"), filepath.Join(dir, "out")
	if err := os.WriteFile(tarball, []byte("something else"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run(tarball, output); err == nil || !strings.Contains(err.Error(), "checksum") {
		t.Errorf("run: %v", err)
	}
	if _, err := os.Stat(output); err == nil {
		t.Error("run wrote a file all the same")
	}
}
