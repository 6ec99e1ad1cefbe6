//go:build unix

package mcpkit

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// hostileFolder lays out a root with every sort of thing a name can lead to,
// and its surroundings.
//
//	data/            the root
//	data-secret/     a sibling whose name starts like the root's
//	secret.txt       outside
func hostileFolder(t *testing.T) (*Root, string) {
	t.Helper()
	base := t.TempDir()
	dir := filepath.Join(base, "data")
	mkdir := func(path string) {
		if err := os.MkdirAll(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write := func(path string) {
		if err := os.WriteFile(path, []byte(filepath.Base(path)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link := func(to, from string) {
		if err := os.Symlink(to, filepath.Join(dir, from)); err != nil {
			t.Fatal(err)
		}
	}
	mkdir(filepath.Join(dir, "sub", "deep"))
	mkdir(filepath.Join(base, "data-secret"))
	mkdir(filepath.Join(base, "outside"))
	write(filepath.Join(base, "secret.txt"))
	write(filepath.Join(base, "data-secret", "s.csv"))
	write(filepath.Join(base, "outside", "o.csv"))
	for _, name := range []string{
		"orders.csv", "sub/inner.csv", "sub/deep/far.csv", "with space.csv", "naïve.csv", "日本.csv", ".hidden", "trailing.",
		"-dash.csv", "percent%2e%2e.csv", "..dots.csv", "dots...csv", "new\nline.csv", "a:b.csv", "tab\t.csv", "quote'\".csv",
	} {
		write(filepath.Join(dir, name))
	}
	link("orders.csv", "in.csv")
	link("sub", "indir")
	link("sub/../orders.csv", "in-dotdot.csv")
	link("../secret.txt", "out.txt")
	link(filepath.Join(base, "secret.txt"), "out-abs.txt")
	link("../outside", "outdir")
	link("../data-secret", "sibling")
	link("../data/orders.csv", "out-and-back.csv")
	link("loop-b", "loop-a")
	link("loop-a", "loop-b")
	link("self", "self")
	link("nowhere", "dangling")
	link("/dev/null", "null-link")
	link("/etc/passwd", "passwd")
	link("..", "up")
	link("/", "top")
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", filepath.Join(dir, "sock"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	// A device needs privileges; without them the links to /dev remain.
	_ = syscall.Mknod(filepath.Join(dir, "zero"), syscall.S_IFCHR|0o644, 1<<8|5)

	r, err := OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r, base
}

func TestRoot_OpensWhatIsInside(t *testing.T) {
	r, _ := hostileFolder(t)
	for name, want := range map[string]string{
		"orders.csv": "orders.csv", "./orders.csv": "orders.csv", "sub/inner.csv": "inner.csv", "sub//inner.csv": "inner.csv",
		"sub/./deep/far.csv": "far.csv", "with space.csv": "with space.csv", "naïve.csv": "naïve.csv", "日本.csv": "日本.csv",
		".hidden": ".hidden", "trailing.": "trailing.", "-dash.csv": "-dash.csv", "percent%2e%2e.csv": "percent%2e%2e.csv",
		"..dots.csv": "..dots.csv", "dots...csv": "dots...csv", "new\nline.csv": "new\nline.csv",
		"in.csv": "orders.csv", "indir/inner.csv": "inner.csv", "in-dotdot.csv": "orders.csv", "indir/deep/far.csv": "far.csv",
		"tab\t.csv": "tab\t.csv", "quote'\".csv": "quote'\".csv",
	} {
		f, err := r.Open(name)
		if err != nil {
			t.Errorf("Open(%q): %v", name, err)
			continue
		}
		got, err := io.ReadAll(f)
		if err != nil || string(got) != want {
			t.Errorf("Open(%q) reads %q, %v, want %q", name, got, err, want)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

// hostileNames are names that must not open anything, and the codes that they
// are refused with.
func hostileNames(base string) map[string]string {
	names := map[string]string{
		"": "empty_path", "\x00": "nul_path", "orders.csv\x00": "nul_path", "orders.csv\x00.txt": "nul_path", "a\x00/../b": "nul_path",
		"\xff": "encoded_path", "orders\xc0\xae.csv": "encoded_path", "\xed\xa0\x80": "encoded_path", "a/\xfe": "encoded_path",
		strings.Repeat("a", 4097): "long_path", strings.Repeat("a/", 3000): "long_path", strings.Repeat("../", 2000): "long_path",
		strings.Repeat("a", 4096): "no_such_file", strings.Repeat("a", 256): "no_such_file", strings.Repeat("é", 200): "no_such_file",
		"a:b.csv": "absolute_path", "C:": "absolute_path", "c:orders.csv": "absolute_path", `C:\orders.csv`: "absolute_path", "Z:/x": "absolute_path",
		"file:": "address_path", "file:orders.csv": "address_path", "file:///etc/passwd": "address_path", "FILE://x": "address_path",
		"http://localhost/x.csv": "address_path", "https://x/y.csv": "address_path", "s3://bucket/key": "address_path", "gs://b/k": "address_path",
		"ftp://h/x": "address_path", "data:text/csv,a": "address_path", "jar:file:x": "address_path", "git+ssh://h/x": "address_path",
		"x-y.z+1:abc": "address_path", "unix:/run/x": "address_path", "javascript:1": "address_path", "hdfs://n/x": "address_path",
		"//host/share/x": "address_path", "//": "address_path", `\\host\share`: "address_path", `\\?\C:\x`: "address_path", `\\.\pipe\x`: "address_path",
		"/": "absolute_path", "/etc/passwd": "absolute_path", "/orders.csv": "absolute_path", base + "/data/orders.csv": "absolute_path",
		base + "/secret.txt": "absolute_path", "/proc/self/environ": "absolute_path", "/proc/self/fd/0": "absolute_path", "/dev/stdin": "absolute_path",
		"/dev/zero": "absolute_path", "/./": "absolute_path", "/../": "absolute_path",
		`\`: "backslash_path", `a\b`: "backslash_path", `..\secret.txt`: "backslash_path", `\orders.csv`: "backslash_path", `sub\inner.csv`: "backslash_path",
		`sub\..\..\secret.txt`: "backslash_path", `\etc\passwd`: "backslash_path", "orders.csv\\": "backslash_path", `a/..\..\b`: "backslash_path",
		"..": "parent_path", "../": "parent_path", "../secret.txt": "parent_path", "../data/orders.csv": "parent_path", "../data-secret/s.csv": "parent_path",
		"sub/..": "parent_path", "sub/../orders.csv": "parent_path", "sub/../../secret.txt": "parent_path", "./..": "parent_path", "./../secret.txt": "parent_path",
		"sub/deep/../../../secret.txt": "parent_path", "orders.csv/..": "parent_path", "orders.csv/../orders.csv": "parent_path", "a/b/../c": "parent_path",
		".//..": "parent_path", "..//secret.txt": "parent_path", "indir/../../secret.txt": "parent_path", "outdir/../secret.txt": "parent_path",
		".": "no_such_file", "./": "no_such_file", "sub": "no_such_file", "sub/": "no_such_file", "sub/deep": "no_such_file", "indir": "no_such_file",
		"orders.csv/": "no_such_file", "orders.csv/x": "no_such_file", "orders.csv/.": "no_such_file", "in.csv/": "no_such_file",
		"out.txt": "no_such_file", "out-abs.txt": "no_such_file", "outdir": "no_such_file", "outdir/o.csv": "no_such_file", "outdir/absent.csv": "no_such_file",
		"sibling": "no_such_file", "sibling/s.csv": "no_such_file", "out-and-back.csv": "no_such_file", "loop-a": "no_such_file", "loop-b": "no_such_file",
		"loop-a/x": "no_such_file", "self": "no_such_file", "self/self": "no_such_file", "dangling": "no_such_file", "dangling/x": "no_such_file",
		"null-link": "no_such_file", "passwd": "no_such_file", "up": "no_such_file", "up/secret.txt": "no_such_file", "up/data/orders.csv": "no_such_file",
		"top": "no_such_file", "top/etc/passwd": "no_such_file", "top/dev/null": "no_such_file",
		"pipe": "no_such_file", "pipe/": "no_such_file", "pipe/x": "no_such_file", "sock": "no_such_file", "sock/x": "no_such_file",
		"zero": "no_such_file", "zero/x": "no_such_file", "zzz-absent": "no_such_file", "sub/absent": "no_such_file", "absent/x.csv": "no_such_file",
		"Orders.csv": "no_such_file", "ORDERS.CSV": "no_such_file", "SUB/inner.csv": "no_such_file",
		"orders.csv ": "no_such_file", " orders.csv": "no_such_file", "orders.csv.": "no_such_file", "orders.csv..": "no_such_file", "orders.csv...": "no_such_file",
		"orders.csv::$DATA": "address_path", "sub./inner.csv": "no_such_file", "sub /inner.csv": "no_such_file", "trailing": "no_such_file", "trailing..": "no_such_file",
		"...": "no_such_file", "....": "no_such_file", ".../secret.txt": "no_such_file", "..../secret.txt": "no_such_file", ". .": "no_such_file", ".. ": "no_such_file", " ..": "no_such_file",
		".. /secret.txt": "no_such_file", "..\t": "no_such_file", ".\u200b.": "no_such_file", ".\u200b./secret.txt": "no_such_file",
		"nai\u0308ve.csv":   "no_such_file", // the same letters, another normalisation
		"%2e%2e/secret.txt": "no_such_file", "%2e%2e%2fsecret.txt": "no_such_file", "..%2fsecret.txt": "no_such_file", "..%5csecret.txt": "no_such_file",
		"%252e%252e%252f": "no_such_file", "%00": "no_such_file", "..;/secret.txt": "no_such_file", "..%c0%afsecret.txt": "no_such_file",
		"\u2025/secret.txt": "no_such_file", "\uff0e\uff0e/secret.txt": "no_such_file", "\u2024\u2024/secret.txt": "no_such_file", "..\u2215secret.txt": "no_such_file",
		"..\uff0fsecret.txt": "no_such_file", "..\u29f8secret.txt": "no_such_file", "..\uff3csecret.txt": "no_such_file", "\ufefforders.csv": "no_such_file",
		"orders.csv\u202e": "no_such_file", "\u202evsc.sredro": "no_such_file", "orders\u00ad.csv": "no_such_file", "orders.csv\U000E0041": "no_such_file",
		"~": "no_such_file", "~/x": "no_such_file", "~root/.ssh/id_rsa": "no_such_file", "$HOME/x": "no_such_file", "${HOME}/x": "no_such_file", "%HOME%": "no_such_file",
		"`id`": "no_such_file", "$(id)": "no_such_file", "orders.csv;id": "no_such_file", "orders.csv|id": "no_such_file", "orders.csv&id": "no_such_file",
		"|id": "no_such_file", ">x": "no_such_file", "<orders.csv": "no_such_file", "*": "no_such_file", "*.csv": "no_such_file", "?rders.csv": "no_such_file",
		"[o]rders.csv": "no_such_file", "{orders,x}.csv": "no_such_file", "orders.csv\n": "no_such_file", "\norders.csv": "no_such_file", "orders.csv\r": "no_such_file",
		"\t": "no_such_file", " ": "no_such_file", "\n": "no_such_file", "\u00a0": "no_such_file", "\u2028": "no_such_file", "\x7f": "no_such_file", "\x1b[2J": "no_such_file",
		"CON": "no_such_file", "NUL": "no_such_file", "nul.csv": "no_such_file", "COM1": "no_such_file", "AUX.txt": "no_such_file", "PRN": "no_such_file", "LPT1": "no_such_file",
		"-": "no_such_file", "--": "no_such_file", "-rf": "no_such_file", "@orders.csv": "no_such_file", "@": "no_such_file", "#": "no_such_file", "?": "no_such_file",
	}
	// Climbs of every length, written in every way, and the links that lead out
	// with every tail.
	for n := 1; n <= 12; n++ {
		names[strings.Repeat("../", n)+"etc/passwd"] = "parent_path"
		names[strings.Repeat("sub/../", n)+"../secret.txt"] = "parent_path"
		names[strings.Repeat("./", n)+"../secret.txt"] = "parent_path"
		names["sub"+strings.Repeat("/..", n)] = "parent_path"
		names[strings.Repeat(".../", n)+"x"] = "no_such_file"
		names[strings.Repeat("/", n+1)+"etc/passwd"] = "address_path"
		names[strings.Repeat("up/", n)+"secret.txt"] = "no_such_file"
	}
	for _, link := range []string{"outdir", "sibling", "up", "top", "loop-a", "self", "dangling", "pipe", "sock", "orders.csv"} {
		for _, tail := range []string{"/", "/.", "/x", "//x", "/./x", "/secret.txt"} {
			names[link+tail] = "no_such_file"
		}
	}
	return names
}

func TestRoot_RefusesHostileNames(t *testing.T) {
	r, base := hostileFolder(t)
	names := hostileNames(base)
	if len(names) < 250 {
		t.Fatalf("%d hostile names, want at least 250", len(names))
	}
	for name, code := range names {
		f, err := r.Open(name)
		if err == nil {
			f.Close()
			t.Errorf("Open(%q) opened a file", name)
			continue
		}
		var e *Error
		if !errors.As(err, &e) || e.Code != code {
			t.Errorf("Open(%q) = %v, want code %s", name, err, code)
			continue
		}
		if text := e.Error(); strings.Contains(text, base) && !strings.HasPrefix(name, base) || strings.ContainsAny(text, "\n\x00\x1b") || !strings.Contains(text, " ") {
			t.Errorf("Open(%q) says %q", name, text)
		}
	}
	t.Logf("%d hostile names", len(names))
}

// TestRoot_DiskRefusalsAreTheSameBytes compares what the disk alone can tell:
// the text for a name must not depend on what the name leads to.
func TestRoot_DiskRefusalsAreTheSameBytes(t *testing.T) {
	r, _ := hostileFolder(t)
	var absent *Error
	if _, err := r.Open("zzzzzzzz"); !errors.As(err, &absent) {
		t.Fatalf("an absent file: %v", err)
	}
	for _, name := range []string{"out.txt", "out-abs.txt", "outdir", "outdir/o.csv", "passwd", "pipe", "sock", "sub", "loop-a", "dangling", "null-link", "up/secret.txt", "sibling/s.csv"} {
		_, err := r.Open(name)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("Open(%q) = %v", name, err)
			continue
		}
		fix := absent.Fix
		if strings.Contains(name, "/") {
			fix = "" // as for a file of an absent folder
		}
		if got := e.Message; got != strings.ReplaceAll(absent.Message, "zzzzzzzz", name) || e.Kind != NotFound || e.Fix != fix {
			t.Errorf("Open(%q) says %q; %q, an absent file is %q; %q", name, got, e.Fix, absent.Message, fix)
		}
		machine, merr := e.machine()
		if merr != nil || e.Fix == "" && string(machine) != `{"code":"no_such_file"}` {
			t.Errorf("Open(%q): machine form %s, %v", name, machine, merr)
		}
	}
}

func TestRoot_SuggestsTheNearestRegularFileOfTheFolder(t *testing.T) {
	r, _ := hostileFolder(t)
	for name, want := range map[string]string{
		"ordes.csv": "orders.csv", "sub/iner.csv": "sub/inner.csv", "sub/deep/fr.csv": "sub/deep/far.csv",
		"ORDERS.CSV": "orders.csv", "indir/iner.csv": "indir/inner.csv",
		"outdir/oo.csv": "", "pip": "", "soc": "", "su": "", "out.tx": "", "absent/x.csv": "", // outside, no file, no folder
	} {
		_, err := r.Open(name)
		var e *Error
		if !errors.As(err, &e) {
			t.Fatalf("Open(%q) = %v", name, err)
		}
		fix := ""
		if want != "" {
			fix = fmt.Sprintf("did you mean %q?", want)
		}
		if e.Fix != fix && (want != "" || strings.Contains(e.Fix, "did you mean")) {
			t.Errorf("Open(%q) suggests %q, want %q", name, e.Fix, fix)
		}
	}
}

func TestRoot_ListsTheFolderWhereNoNameIsNear(t *testing.T) {
	dir := t.TempDir()
	for i := range 10 {
		if err := os.WriteFile(fmt.Sprintf("%s/%d.csv", dir, i), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{".hidden", "evil\n.csv"} {
		if err := os.WriteFile(dir+"/"+name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Mkdir(dir+"/sub", 0o700), os.WriteFile(dir+"/sub/q3.csv", nil, 0o600), os.Symlink("/etc", dir+"/out")); err != nil {
		t.Fatal(err)
	}
	r, err := OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for name, want := range map[string]string{
		"customers.parquet": `its folder has "0.csv", "1.csv", "2.csv", "3.csv", "4.csv", "5.csv", "6.csv", "7.csv" and 3 more`,
		"sub/customers":     `its folder has "sub/q3.csv"`,
		"none/customers":    "", "out/customers": "", // no folder of the root
	} {
		_, err := r.Open(name)
		var e *Error
		if !errors.As(err, &e) || e.Fix != want {
			t.Errorf("Open(%q) = %v, want the fix %q", name, err, want)
		}
	}
}

func TestRoot_FileThatWasCheckedIsTheOneReturned(t *testing.T) {
	r, base := hostileFolder(t)
	f, err := r.Open("orders.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.Remove(filepath.Join(base, "data", "orders.csv")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../secret.txt", filepath.Join(base, "data", "orders.csv")); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(f); err != nil || string(got) != "orders.csv" {
		t.Errorf("read %q, %v", got, err)
	}
}

func TestRoot_OpenRootOpensFoldersInside(t *testing.T) {
	r, _ := hostileFolder(t)
	for _, name := range []string{"sub", "sub/", "indir", "."} {
		inner, err := r.OpenRoot(name)
		if err != nil {
			t.Errorf("OpenRoot(%q): %v", name, err)
			continue
		}
		file := "inner.csv"
		if name == "." {
			file = "orders.csv"
		}
		f, err := inner.Open(file)
		if err != nil {
			t.Errorf("OpenRoot(%q).Open(%q): %v", name, file, err)
		} else {
			f.Close()
		}
		if _, err := inner.Open("../orders.csv"); err == nil {
			t.Errorf("OpenRoot(%q) lets names out", name)
		}
		inner.Close()
	}
	for name, code := range map[string]string{
		"orders.csv": "no_such_file", "outdir": "no_such_file", "up": "no_such_file", "top": "no_such_file", "pipe": "no_such_file",
		"self": "no_such_file", "absent": "no_such_file", "..": "parent_path", "/": "absolute_path", "": "empty_path",
	} {
		inner, err := r.OpenRoot(name)
		var e *Error
		if !errors.As(err, &e) || e.Code != code {
			t.Errorf("OpenRoot(%q) = %v, want code %s", name, err, code)
		}
		if err == nil {
			inner.Close()
		}
	}
}

func TestOpenRoot_NeedsAFolder(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{file, filepath.Join(dir, "absent"), ""} {
		if r, err := OpenRoot(bad); err == nil {
			r.Close()
			t.Errorf("OpenRoot(%q) opened", bad)
		}
	}
	linked := filepath.Join(dir, "link")
	if err := os.Symlink(dir, linked); err != nil {
		t.Fatal(err)
	}
	r, err := OpenRoot(linked)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	f, err := r.Open("file")
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
}
