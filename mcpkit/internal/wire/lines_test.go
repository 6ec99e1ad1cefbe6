package wire

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// readAll returns the lines of a stream; an oversize one is shown by its length.
func readAll(r io.Reader, max int) ([]string, error) {
	lines := newLineReader(r, max)
	var out []string
	for {
		line, length, err := lines.next()
		if err != nil {
			return out, err
		}
		if line == nil {
			out = append(out, fmt.Sprintf("<%d bytes>", length))
		} else {
			out = append(out, string(line))
		}
	}
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 3*readBuffer)
	for _, tt := range []struct {
		name, in string
		max      int
		want     []string
	}{
		{"plain", "a\nb\n", 10, []string{"a", "b"}},
		{"no last line feed", "a\nb", 10, []string{"a", "b"}},
		{"CRLF stays", "a\r\nb\r\n", 10, []string{"a\r", "b\r"}},
		{"blank", "\n\na\n", 10, []string{"", "", "a"}},
		{"BOM at the start", "\xef\xbb\xbfa\nb\n", 10, []string{"a", "b"}},
		{"BOM later stays", "a\n\xef\xbb\xbfb\n", 10, []string{"a", "\xef\xbb\xbfb"}},
		{"exactly the bound", "12345\nb\n", 5, []string{"12345", "b"}},
		{"one over", "123456\nb\n", 5, []string{"<6 bytes>", "b"}},
		{"over without line feed", "123456", 5, []string{"<6 bytes>"}},
		{"longer than the buffer", long + "\nb\n", 4 * readBuffer, []string{long, "b"}},
		{"over and longer than the buffer", long + "\nb\n", 2 * readBuffer, []string{fmt.Sprintf("<%d bytes>", len(long)), "b"}},
		{"empty", "", 5, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for name, r := range map[string]io.Reader{
				"whole": strings.NewReader(tt.in), "by byte": iotest.OneByteReader(strings.NewReader(tt.in)),
			} {
				got, err := readAll(r, tt.max)
				if !errors.Is(err, io.EOF) || fmt.Sprintf("%q", got) != fmt.Sprintf("%q", tt.want) {
					t.Errorf("%s: %.200q, %v, want %.200q", name, got, err, tt.want)
				}
			}
		})
	}
}

func TestLines_ReadError(t *testing.T) {
	want := errors.New("unplugged")
	got, err := readAll(io.MultiReader(strings.NewReader("a\nhalf"), iotest.ErrReader(want)), 10)
	if !errors.Is(err, want) || fmt.Sprint(got) != "[a]" {
		t.Errorf("%q, %v, want the whole line and the error", got, err)
	}
}

// FuzzLines holds the line reader against bufio.Scanner on input that is all
// within the bound, and checks the bound on the rest.
func FuzzLines(f *testing.F) {
	f.Add([]byte("a\nb\n"), 10, 3)
	f.Add([]byte("\xef\xbb\xbf{}\r\n\n{}"), 4, 1)
	f.Add(bytes.Repeat([]byte("x"), readBuffer+10), readBuffer, 7)
	f.Fuzz(func(t *testing.T, data []byte, max, chunk int) {
		if max < 1 || max > 1<<20 || chunk < 1 {
			return
		}
		got, err := readAll(&chunkReader{data, chunk}, max)
		if !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		sc := bufio.NewScanner(bytes.NewReader(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))))
		sc.Buffer(nil, len(data)+1)
		sc.Split(func(data []byte, atEOF bool) (int, []byte, error) { // ScanLines without its care for CR
			if i := bytes.IndexByte(data, '\n'); i >= 0 {
				return i + 1, data[:i], nil
			}
			if atEOF && len(data) > 0 {
				return len(data), data, nil
			}
			return 0, nil, nil
		})
		var want []string
		for sc.Scan() {
			if line := sc.Text(); len(line) > max {
				want = append(want, fmt.Sprintf("<%d bytes>", len(line)))
			} else {
				want = append(want, line)
			}
		}
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Fatalf("got %.300q, want %.300q", got, want)
		}
	})
}

// chunkReader gives a few bytes at a time.
type chunkReader struct {
	data []byte
	n    int
}

func (r *chunkReader) Read(p []byte) (int, error) {
	if len(r.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), r.n)], r.data)
	r.data = r.data[n:]
	return n, nil
}
