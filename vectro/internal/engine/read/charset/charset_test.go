package charset

import (
	"bytes"
	"context"
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/mem"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/input"
)

func TestDetect(t *testing.T) {
	tests := []struct {
		name  string
		head  string
		whole bool
		enc   Encoding
		mark  int
	}{
		{"empty", "", true, UTF8, 0},
		{"ascii", "a,b", true, UTF8, 0},
		{"utf-8", "Zürich", true, UTF8, 0},
		{"utf-8 mark", "\xEF\xBB\xBFa", true, UTF8, 3},
		{"utf-16 little", "\xFF\xFEa\x00", true, UTF16LE, 2},
		{"utf-16 big", "\xFE\xFF\x00a", true, UTF16BE, 2},
		{"windows", "Z\xFCrich", true, Windows1252, 0},
		{"cut character", "Z\xC3", false, UTF8, 0},
		{"cut long character", "Z\xF0\x9F\x98", false, UTF8, 0},
		{"ends within a character", "Z\xC3", true, Windows1252, 0},
		{"damage before the cut", "\xFF Z\xC3", false, Windows1252, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			enc, mark := Detect([]byte(tt.head), tt.whole)
			if enc != tt.enc || mark != tt.mark {
				t.Errorf("Detect(%q) = %v, %d, want %v, %d", tt.head, enc, mark, tt.enc, tt.mark)
			}
		})
	}
}

func TestRepair(t *testing.T) {
	tests := []struct {
		in      string
		enc     Encoding
		want    string
		damaged bool
	}{
		{"plain", UTF8, "plain", false},
		{"Zürich", UTF8, "Zürich", false},
		{"a\xFFb", UTF8, "a\uFFFDb", true},
		{"a\xFF\xFEb\xC3", UTF8, "a\uFFFDb\uFFFD", true},
		{"a\uFFFDb", UTF8, "a\uFFFDb", false},
		{"Z\xFCrich \x80 \x9F \x81", Windows1252, "Zürich € Ÿ \u0081", false},
	}
	for _, tt := range tests {
		got, damaged := Repair(nil, []byte(tt.in), tt.enc)
		if string(got) != tt.want || damaged != tt.damaged {
			t.Errorf("Repair(%q) = %q, %v, want %q, %v", tt.in, got, damaged, tt.want, tt.damaged)
		}
		if clean := Clean([]byte(tt.in), tt.enc); clean && string(got) != tt.in {
			t.Errorf("Clean(%q) is true, but Repair changes it", tt.in)
		}
	}
}

func TestDecode_AcrossBlocks(t *testing.T) {
	// Pairs of surrogates at every offset near the block's end, and lone ones.
	for _, shift := range []int{0, 1, 2, 3} {
		text := strings.Repeat("x", shift) + strings.Repeat("😀é", decodeBlock/4) + "end"
		units := utf16.Encode([]rune(text))
		units = append(units, 0xD800, 'a', 0xDC00)
		for _, big := range []bool{false, true} {
			var order binary.AppendByteOrder = binary.LittleEndian
			enc := UTF16LE
			if big {
				order, enc = binary.BigEndian, UTF16BE
			}
			raw := order.AppendUint16(nil, 0xFEFF)
			for _, u := range units {
				raw = order.AppendUint16(raw, u)
			}
			raw = append(raw, 'q')
			var lease mem.Lease
			src, err := Decode(context.Background(), input.Source{R: bytes.NewReader(raw), Size: int64(len(raw))}, enc, 2, 2, &lease)
			if err != nil {
				t.Fatal(err)
			}
			got := make([]byte, src.Size)
			if err := src.ReadAt(got, 0); err != nil {
				t.Fatal(err)
			}
			if want := text + "\uFFFDa\uFFFD\uFFFD"; string(got) != want {
				t.Errorf("big %v, shift %d: decoded text of %d bytes differs from the %d bytes wanted", big, shift, len(got), len(want))
			}
			if !utf8.Valid(got) {
				t.Errorf("big %v, shift %d: not UTF-8", big, shift)
			}
			tail := make([]byte, 7)
			if n, err := src.R.ReadAt(tail, src.Size-3); n != 3 || err == nil {
				t.Errorf("ReadAt past the end = %d, %v, want 3 and io.EOF", n, err)
			}
			if lease.Held() < src.Size {
				t.Errorf("lease holds %d bytes for %d", lease.Held(), src.Size)
			}
		}
	}
}
