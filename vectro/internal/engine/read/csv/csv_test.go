package csv

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/mem"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/input"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/readtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type row = []any

// i makes whole numbers short to write.
func i(v int64) any { return v }

func TestRead(t *testing.T) {
	tests := []struct {
		name  string
		in    string
		tabs  bool
		types map[string]string

		names    []string
		kinds    string // n(umber) c(ategory) b(ool) d(ate) t(ext), one a column
		rows     []row
		ragged   int
		replaced int
		unparsed map[string]int
	}{
		// Syntax.
		{name: "plain", in: "a,b\n1,x\n2,y\n", names: []string{"a", "b"}, kinds: "nc", rows: []row{{i(1), "x"}, {i(2), "y"}}},
		{name: "no line end at the end", in: "a,b\n1,x", names: []string{"a", "b"}, kinds: "nc", rows: []row{{i(1), "x"}}},
		{name: "CRLF", in: "a,b\r\n1,x\r\n2,y\r\n", names: []string{"a", "b"}, kinds: "nc", rows: []row{{i(1), "x"}, {i(2), "y"}}},
		{name: "CRLF cut after CR", in: "a,b\r\n1,x\r", names: []string{"a", "b"}, kinds: "nc", rows: []row{{i(1), "x"}}},
		{name: "old Mac", in: "a,b\r1,x\r2,y\r", names: []string{"a", "b"}, kinds: "nc", rows: []row{{i(1), "x"}, {i(2), "y"}}},
		{name: "CR inside a cell", in: "a,b\n1,x\ry\n", names: []string{"a", "b"}, kinds: "nc", rows: []row{{i(1), "x\ry"}}},
		{name: "blank lines", in: "\n\r\na,b\n\n1,x\n\r\n\n2,y\n\n", names: []string{"a", "b"}, kinds: "nc", rows: []row{{i(1), "x"}, {i(2), "y"}}},
		{name: "quotes", in: "a,b\n\"x,\"\"y\"\"\n z\",\"\"\n\"1\",\"q\"\"\"\n", names: []string{"a", "b"}, kinds: "cc",
			rows: []row{{"x,\"y\"\n z", nil}, {"1", `q"`}}},
		{name: "quoted CRLF stays", in: "a,b\r\n\"x\r\ny\",z\r\n", names: []string{"a", "b"}, kinds: "cc", rows: []row{{"x\r\ny", "z"}}},
		{name: "literal quotes", in: "a,b\n5\" pipe,6\"\nx\"y\"z,\"\"\"\"\n", names: []string{"a", "b"}, kinds: "cc",
			rows: []row{{`5" pipe`, `6"`}, {`x"y"z`, `"`}}},
		{name: "text after a closing quote", in: "a,b\n\"x\"y\"z\",1\n\"p\" ,2\n", names: []string{"a", "b"}, kinds: "cn",
			rows: []row{{`xy"z"`, i(1)}, {"p ", i(2)}}},
		{name: "blank before a quote", in: "a,b\nx, \"y\"\n", names: []string{"a", "b"}, kinds: "cc", rows: []row{{"x", ` "y"`}}},
		{name: "quoted blank line is a record", in: "a\n\"\"\nx\n", names: []string{"a"}, kinds: "c", rows: []row{{nil}, {"x"}}},
		{name: "ragged", in: "a,b,c\n1\n1,2,3,4\n1,2,3\n1,2\n", names: []string{"a", "b", "c"}, kinds: "nnn", ragged: 3,
			rows: []row{{i(1), nil, nil}, {i(1), i(2), i(3)}, {i(1), i(2), i(3)}, {i(1), i(2), nil}}},
		{name: "trailing delimiter", in: "a,b,\n1,2,\n3,4,", names: []string{"a", "b", "column3"}, kinds: "nnn",
			rows: []row{{i(1), i(2), nil}, {i(3), i(4), nil}}},

		// Encoding.
		{name: "UTF-8 mark", in: "\xEF\xBB\xBFa,b\nü,1\n", names: []string{"a", "b"}, kinds: "cn", rows: []row{{"ü", i(1)}}},
		{name: "UTF-8 mark and quote", in: "\xEF\xBB\xBF\"a,\",b\nü,1\n", names: []string{"a,", "b"}, kinds: "cn", rows: []row{{"ü", i(1)}}},
		{name: "Windows-1252", in: "stra\xDFe,\x80\nM\xFCller,5\n", names: []string{"straße", "€"}, kinds: "cn", rows: []row{{"Müller", i(5)}}},
		{name: "UTF-16 little", in: utf16Text(binary.LittleEndian, "a;b\r\nü😀;1,5\r\n"), names: []string{"a", "b"}, kinds: "cn", rows: []row{{"ü😀", 1.5}}},
		{name: "UTF-16 big", in: utf16Text(binary.BigEndian, "a,b\nü,1"), names: []string{"a", "b"}, kinds: "cn", rows: []row{{"ü", i(1)}}},
		{name: "damaged after the first MiB", in: "a\n" + strings.Repeat(strings.Repeat("x", 1023)+"\n", 1024) + "b\xFF\xFEc\nb\xFFc\n",
			names: []string{"a"}, kinds: "c", replaced: 2,
			rows: append(slices.Repeat([]row{{strings.Repeat("x", 1023)}}, 1024), row{"b\uFFFDc"}, row{"b\uFFFDc"})},

		// Delimiter.
		{name: "semicolons", in: "a;b\n1;x,y\n2;z\n", names: []string{"a", "b"}, kinds: "nc", rows: []row{{i(1), "x,y"}, {i(2), "z"}}},
		{name: "bars", in: "a|b\n1|x\n", names: []string{"a", "b"}, kinds: "nc", rows: []row{{i(1), "x"}}},
		{name: "tabs in .csv", in: "a\tb\n1\tx\n", names: []string{"a", "b"}, kinds: "nc", rows: []row{{i(1), "x"}}},
		{name: "comma on a tie", in: "a;b,c\n1;2,3\n", names: []string{"a;b", "c"}, kinds: "cn", rows: []row{{"1;2", i(3)}}},
		{name: "delimiters in quotes do not count", in: "a,b\n\"1;2;3\",x\n\"4;5;6\",y\n", names: []string{"a", "b"}, kinds: "cc",
			rows: []row{{"1;2;3", "x"}, {"4;5;6", "y"}}},
		{name: "commas in quoted text are no delimiter", in: "a\tb\r0\tL\r0\t\"L,\r,\r,a\"", names: []string{"a", "b"}, kinds: "nc",
			rows: []row{{i(0), "L"}, {i(0), "L,\r,\r,a"}}},
		{name: "colons are no delimiter", in: "a:b\n1:2\n", names: []string{"a:b"}, kinds: "c", rows: []row{{"1:2"}}},
		{name: "sep line", in: "sep=;\r\na,x;b\r\n1,5;y\r\n", names: []string{"a,x", "b"}, kinds: "nc", rows: []row{{1.5, "y"}}},
		{name: "sep line, mark and quotes", in: "\xEF\xBB\xBF\"SEP=|\"\na|b,c\n1|2\n", names: []string{"a", "b,c"}, kinds: "nn", rows: []row{{i(1), i(2)}}},
		{name: "sep line, UTF-16", in: utf16Text(binary.LittleEndian, "sep=\t\r\na\tb\r\n1\tx\r\n"), names: []string{"a", "b"}, kinds: "nc", rows: []row{{i(1), "x"}}},
		{name: "sep line, old Mac", in: "sep=,\ra,b\r1,x\r", names: []string{"a", "b"}, kinds: "nc", rows: []row{{i(1), "x"}}},
		{name: "sep line of another delimiter is a header", in: "sep=:\nx\n", names: []string{"sep=:"}, kinds: "c", rows: []row{{"x"}}},
		{name: "a column called sep", in: "sep,b\n1,x\n", names: []string{"sep", "b"}, kinds: "nc", rows: []row{{i(1), "x"}}},
		{name: "sep line in TSV", in: "sep=\t\na\tb\n1\tx\n", tabs: true, names: []string{"a", "b"}, kinds: "nc", rows: []row{{i(1), "x"}}},
		{name: "TSV", in: "a,b\tc\n1,5\tx\n", tabs: true, names: []string{"a,b", "c"}, kinds: "cc", rows: []row{{"1,5", "x"}}},
		{name: "TSV with quotes", in: "a\tb\n\"x\ty\"\t1\n", tabs: true, names: []string{"a", "b"}, kinds: "cn", rows: []row{{"x\ty", i(1)}}},

		// Header.
		{name: "no header", in: "1,2024-01-05\n2,2024-01-06\n", names: []string{"column1", "column2"}, kinds: "nd",
			rows: []row{{i(1), "2024-01-05"}, {i(2), "2024-01-06"}}},
		{name: "one word makes a header", in: "1,x\n2,3\n", names: []string{"1", "x"}, kinds: "nn", rows: []row{{i(2), i(3)}}},
		{name: "names", in: " a ,,a,a,a_2,,column2\n1,2,3,4,5,6,7\n", names: []string{"a", "column2_2", "a_3", "a_4", "a_2", "column6", "column2"},
			kinds: "nnnnnnn", rows: []row{{i(1), i(2), i(3), i(4), i(5), i(6), i(7)}}},
		{name: "header only", in: "a,b\n", names: []string{"a", "b"}, kinds: "nn", rows: []row{}},
		{name: "header only, with kinds", in: "a,b,c,d,e\n", names: []string{"a", "b", "c", "d", "e"}, kinds: "cdtnn", rows: []row{},
			types: map[string]string{"a": "category", "b": "date", "c": "string", "d": "number"}},
		{name: "header only, no line end", in: "a,b", names: []string{"a", "b"}, kinds: "nn", rows: []row{}},

		// Missing values.
		{name: "missing numbers", in: "a,b\nNA,1\nN/A,2\nn/a,3\nNaN,4\nnan,5\nNULL,6\nnull,7\nNone,8\n-,9\n.,10\n#N/A,11\n\"\",12\n  ,13\n NA ,14\n5,15\n",
			names: []string{"a", "b"}, kinds: "nn", rows: func() (r []row) {
				for k := range int64(14) {
					r = append(r, row{nil, k + 1})
				}
				return append(r, row{i(5), i(15)})
			}()},
		{name: "missing labels", in: "a,b\nNA,1\n,2\nx,3\n-,4\n", names: []string{"a", "b"}, kinds: "cn",
			rows: []row{{"NA", i(1)}, {nil, i(2)}, {"x", i(3)}, {"-", i(4)}}},
		{name: "words before the first label", in: "a\nNA\nNA\nx\n", names: []string{"a"}, kinds: "c", rows: []row{{"NA"}, {"NA"}, {"x"}}},
		{name: "nothing at all", in: "a,b\n,1\nNA,2\n", names: []string{"a", "b"}, kinds: "nn", rows: []row{{nil, i(1)}, {nil, i(2)}}},
		{name: "blanks are a label", in: "a,b\n  ,1\nx,2\n", names: []string{"a", "b"}, kinds: "cn", rows: []row{{"  ", i(1)}, {"x", i(2)}}},

		// Numbers.
		{name: "whole", in: "a\n-9223372036854775808\n9223372036854775807\n0\n-0\n+5\n 7 \n", names: []string{"a"}, kinds: "n",
			rows: []row{{i(-1 << 63)}, {i(1<<63 - 1)}, {i(0)}, {i(0)}, {i(5)}, {i(7)}}},
		{name: "exact beyond 2^53", in: "a\n9007199254740993\n", names: []string{"a"}, kinds: "n", rows: []row{{i(9007199254740993)}}},
		{name: "exact beyond 2^53 beside a fraction", in: "a,b,c\n9007199254740993,9007199254740992,1.5\n0.5,0.5,9007199254740993\n", names: []string{"a", "b", "c"}, kinds: "cnc",
			rows: []row{{"9007199254740993", 9007199254740992., "1.5"}, {"0.5", 0.5, "9007199254740993"}}},
		{name: "exact beyond 2^53 beside a large one", in: "a\n-9007199254740993\n10000000000000000000\n", names: []string{"a"}, kinds: "c", rows: []row{{"-9007199254740993"}, {"10000000000000000000"}}},
		{name: "decimals", in: "a\n1.5\n-0.25\n.5\n5.\n1e3\n1.5E-3\n-2e+2\n3\n0.1\n123456789.123456789\n1e-400\n", names: []string{"a"}, kinds: "n",
			rows: []row{{1.5}, {-0.25}, {.5}, {5.}, {1000.}, {0.0015}, {-200.}, {3.}, {0.1}, {123456789.123456789}, {0.}}},
		{name: "thousands", in: "a,b\n\"1,234\",x\n\"-12,345,678\",y\n5,z\n", names: []string{"a", "b"}, kinds: "nc",
			rows: []row{{i(1234), "x"}, {i(-12345678), "y"}, {i(5), "z"}}},
		{name: "thousands and decimals", in: "a,b\n\"1,234,567.89\",x\n", names: []string{"a", "b"}, kinds: "nc", rows: []row{{1234567.89, "x"}}},
		{name: "wrong groups", in: "a,b\n\"1,23\",x\n\"1,234\",y\n", names: []string{"a", "b"}, kinds: "cc", rows: []row{{"1,23", "x"}, {"1,234", "y"}}},
		{name: "no groups after zeros", in: "a,b\n\"0,123\",x\n", names: []string{"a", "b"}, kinds: "cc", rows: []row{{"0,123", "x"}}},
		{name: "decimal comma", in: "a;b;c\n1,5;1.234,56;1.234.567\n-2;3;4\n", names: []string{"a", "b", "c"}, kinds: "nnn",
			rows: []row{{1.5, 1234.56, i(1234567)}, {-2., 3., i(4)}}},
		{name: "decimal comma by the last cell", in: "a;b\n1.234;x\n5;y\n2,5;z\n", names: []string{"a", "b"}, kinds: "nc",
			rows: []row{{1234., "x"}, {5., "y"}, {2.5, "z"}}},
		{name: "decimal point by the last cell", in: "a;b\n1,234;x\n5;y\n2.5;z\n", names: []string{"a", "b"}, kinds: "nc",
			rows: []row{{1234., "x"}, {5., "y"}, {2.5, "z"}}},
		{name: "both decimal marks", in: "a;b\n1,5;x\n2.5;y\n", names: []string{"a", "b"}, kinds: "cc", rows: []row{{"1,5", "x"}, {"2.5", "y"}}},
		{name: "ambiguous point", in: "a;b\n1.234;x\n", names: []string{"a", "b"}, kinds: "nc", rows: []row{{1.234, "x"}}},
		{name: "ambiguous comma", in: "a;b\n1,234;x\n", names: []string{"a", "b"}, kinds: "nc", rows: []row{{1.234, "x"}}},
		{name: "no decimal comma without semicolons", in: "a|b\n1,5|x\n", names: []string{"a", "b"}, kinds: "cc", rows: []row{{"1,5", "x"}}},
		{name: "no numbers", in: "a,b,c,d,e,f\n0x1F,$5,5%,1_000,1e,inf\n", names: []string{"a", "b", "c", "d", "e", "f"}, kinds: "cccccc",
			rows: []row{{"0x1F", "$5", "5%", "1_000", "1e", "inf"}}},
		{name: "identifiers", in: "zip,phone,card,part\n007,+4912345,12345678901234567891,+1\n123,+4967890,5,2\n", names: []string{"zip", "phone", "card", "part"}, kinds: "cccn",
			rows: []row{{"007", "+4912345", "12345678901234567891", i(1)}, {"123", "+4967890", "5", i(2)}}},
		{name: "zeros before decimals", in: "a,b\n00.5,0.5\n", names: []string{"a", "b"}, kinds: "cn", rows: []row{{"00.5", 0.5}}},
		{name: "large round numbers", in: "a,b\n12300000000000000000000,1e999\n5,1\n", names: []string{"a", "b"}, kinds: "nc",
			rows: []row{{1.23e22, "1e999"}, {5., "1"}}},

		// Booleans.
		{name: "booleans", in: "a,b,c\nTRUE,yes,true\nfalse,no,\n True ,no,false\n", names: []string{"a", "b", "c"}, kinds: "bcb",
			rows: []row{{"true", "yes", "true"}, {"false", "no", nil}, {"true", "no", "false"}}},
		{name: "NA among booleans is a label", in: "a\nNA\nTRUE\n", names: []string{"a"}, kinds: "c", rows: []row{{"NA"}, {"TRUE"}}},
		{name: "booleans and others", in: "a\nTRUE\n1\n", names: []string{"a"}, kinds: "c", rows: []row{{"TRUE"}, {"1"}}},

		// Dates.
		{name: "ISO", in: "a,b,c\n2024-02-29,2024/02/29,x\n1969-12-31,NA,y\n", names: []string{"a", "b", "c"}, kinds: "ddc",
			rows: []row{{"2024-02-29", "2024-02-29", "x"}, {"1969-12-31", nil, "y"}}},
		{name: "times", in: "a,b\n2024-02-10T12:30:00,2024-02-10 12:30:00.5Z\n2024-02-11,2024-01-01T00:00:00+02:00\n", names: []string{"a", "b"}, kinds: "dd",
			rows: []row{{"2024-02-10T12:30:00", "2024-02-10T12:30:00.500Z"}, {"2024-02-11T00:00:00", "2023-12-31T22:00:00Z"}}},
		{name: "nanoseconds", in: "a\n2024-02-10\n2024-02-10T12:30:00\n2024-02-10T12:30:00.123456789\n", names: []string{"a"}, kinds: "d",
			rows: []row{{"2024-02-10T00:00:00"}, {"2024-02-10T12:30:00"}, {"2024-02-10T12:30:00.123456789"}}},
		{name: "nanoseconds beside a far day", in: "a\n2024-02-10T12:30:00.123456789\n9999-12-31\n", names: []string{"a"}, kinds: "d",
			rows: []row{{"2024-02-10T12:30:00.123456"}, {"9999-12-31T00:00:00"}}},
		{name: "zone here and not there", in: "a\n2024-02-10T12:30:00\n2024-02-10T12:30:00Z\n", names: []string{"a"}, kinds: "c",
			rows: []row{{"2024-02-10T12:30:00"}, {"2024-02-10T12:30:00Z"}}},
		{name: "no such day", in: "a\n2023-02-28\n2023-02-29\n", names: []string{"a"}, kinds: "c", rows: []row{{"2023-02-28"}, {"2023-02-29"}}},
		{name: "dots", in: "a,b\n31.12.2023,1.2.2024\n01.02.2024,31.12.0001\n", names: []string{"a", "b"}, kinds: "dd",
			rows: []row{{"2023-12-31", "2024-02-01"}, {"2024-02-01", "0001-12-31"}}},
		{name: "month first", in: "a,b\n01/02/2024,x\n12/31/2023,y\n,z\n", names: []string{"a", "b"}, kinds: "dc", rows: []row{{"2024-01-02", "x"}, {"2023-12-31", "y"}, {nil, "z"}}},
		{name: "day first", in: "a\n01/02/2024\n31/12/2023\n", names: []string{"a"}, kinds: "d", rows: []row{{"2024-02-01"}, {"2023-12-31"}}},
		{name: "never guessed", in: "a\n01/02/2024\n03/04/2024\n", names: []string{"a"}, kinds: "c", rows: []row{{"01/02/2024"}, {"03/04/2024"}}},
		{name: "both orders", in: "a\n13/02/2024\n02/13/2024\n", names: []string{"a"}, kinds: "c", rows: []row{{"13/02/2024"}, {"02/13/2024"}}},
		{name: "no such day in the order of the others", in: "a\n01/31/2024\n02/30/2024\n", names: []string{"a"}, kinds: "c", rows: []row{{"01/31/2024"}, {"02/30/2024"}}},
		{name: "two forms", in: "a\n2024-01-31\n31.01.2024\n", names: []string{"a"}, kinds: "c", rows: []row{{"2024-01-31"}, {"31.01.2024"}}},
		{name: "condensed is a number", in: "a\n20240131\n", names: []string{"a"}, kinds: "n", rows: []row{{i(20240131)}}},

		// What the caller asks for.
		{name: "number", in: "a,b\n007,x\n1.5,y\n+3,z\n12345678901234567891,\nabc,\n1e999,\n,\nNA,\n", types: map[string]string{"a": "number"},
			names: []string{"a", "b"}, kinds: "nc", unparsed: map[string]int{"a": 2},
			rows: []row{{7., "x"}, {1.5, "y"}, {3., "z"}, {12345678901234567891., nil}, {nil, nil}, {nil, nil}, {nil, nil}, {nil, nil}}},
		{name: "number with decimal commas", in: "a;b\n1.234;x\n2,5;y\nabc;z\n", types: map[string]string{"A": "number"},
			names: []string{"a", "b"}, kinds: "nc", unparsed: map[string]int{"a": 1}, rows: []row{{1234., "x"}, {2.5, "y"}, {nil, "z"}}},
		{name: "number with both decimal marks", in: "a;b\n2,5;x\n1.5;y\n", types: map[string]string{"a": "number"},
			names: []string{"a", "b"}, kinds: "nc", unparsed: map[string]int{"a": 1}, rows: []row{{nil, "x"}, {1.5, "y"}}},
		{name: "number of whole cells stays whole", in: "a\nx\n007\n", types: map[string]string{"a": "number"}, names: []string{"a"}, kinds: "n",
			unparsed: map[string]int{"a": 1}, rows: []row{{nil}, {i(7)}}},
		{name: "category", in: "a,b\n1.50,TRUE\n,\n NA ,false\n", types: map[string]string{"a": "category", "b": "category"}, names: []string{"a", "b"}, kinds: "cc",
			rows: []row{{"1.50", "TRUE"}, {nil, nil}, {" NA ", "false"}}},
		{name: "text", in: "a,b\n1,x\n,\"y\"\"\"\n", types: map[string]string{"a": "string", "b": "text"}, names: []string{"a", "b"}, kinds: "tt",
			rows: []row{{"1", "x"}, {nil, `y"`}}},
		{name: "date", in: "a\n20240131\n2024-02-01\n3.2.2024\n02/25/2024\n02/01/2024\nsoon\n2024-13-01\nNA\n", types: map[string]string{"a": "date"},
			names: []string{"a"}, kinds: "d", unparsed: map[string]int{"a": 2},
			rows: []row{{"2024-01-31"}, {"2024-02-01"}, {"2024-02-03"}, {"2024-02-25"}, {"2024-02-01"}, {nil}, {nil}, {nil}}},
		{name: "date with a time", in: "a\n20240131\n2024-02-01 10:00Z\n", types: map[string]string{"a": "date"}, names: []string{"a"}, kinds: "d",
			rows: []row{{"2024-01-31T00:00:00Z"}, {"2024-02-01T10:00:00Z"}}},
		{name: "date with the day first", in: "a\n01/02/2024\n31/01/2024\n", types: map[string]string{"a": "date"}, names: []string{"a"}, kinds: "d",
			rows: []row{{"2024-02-01"}, {"2024-01-31"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, block := range []int64{0, 1, 3, 7, 16, 64, 1000} {
				for _, threads := range []int{1, 3} {
					if len(tt.in) > 10_000 && block > 0 && block < 1000 {
						continue
					}
					opt := input.Options{Types: tt.types, Threads: threads}
					res, err := read(t.Context(), readtest.Source("a.csv", tt.in), tt.tabs, opt.WithDefaults(), block)
					if err != nil {
						t.Fatalf("block %d: %v", block, err)
					}
					names, kinds, rows := readtest.Table(res.Table)
					got := []any{names, initials(kinds), rows, res.Ragged, res.Replaced, res.Unparsed}
					want := []any{tt.names, tt.kinds, tt.rows, tt.ragged, tt.replaced, tt.unparsed}
					if d := cmp.Diff(want, got); d != "" {
						t.Fatalf("block %d, threads %d (-want +got):\n%s", block, threads, d)
					}
				}
			}
		})
	}
}

func initials(kinds []string) string {
	var s strings.Builder
	for _, k := range kinds {
		s.WriteByte(k[0])
	}
	return s.String()
}

func utf16Text(order binary.AppendByteOrder, s string) string {
	b := order.AppendUint16(nil, 0xFEFF)
	for _, u := range utf16.Encode([]rune(s)) {
		b = order.AppendUint16(b, u)
	}
	return string(b)
}

func TestRead_Refusals(t *testing.T) {
	long := strings.Repeat("x", input.MaxRecord+10)
	tests := []struct {
		name, in string
		types    map[string]string
		want     string
	}{
		{"empty", "", nil, "'a.csv' is empty."},
		{"a mark only", "\xEF\xBB\xBF", nil, "'a.csv' is empty."},
		{"a UTF-16 mark only", "\xFF\xFE", nil, "'a.csv' is empty."},
		{"blank lines only", "\n\r\n\n", nil, "'a.csv' is empty."},
		{"binary", "a,b\n\x00,1\n", nil, "'a.csv' holds NUL bytes, so it is not text; Vectro reads CSV in UTF-8, in Windows-1252, and in UTF-16 with a byte order mark."},
		{"UTF-32 little", "\xFF\xFE\x00\x00a\x00\x00\x00", nil, "'a.csv' is written in UTF-32; Vectro reads CSV in UTF-8, in Windows-1252, and in UTF-16 with a byte order mark."},
		{"UTF-32 big", "\x00\x00\xFE\xFF\x00\x00\x00a", nil, "'a.csv' is written in UTF-32; Vectro reads CSV in UTF-8, in Windows-1252, and in UTF-16 with a byte order mark."},
		{"unknown column", "price,b\n1,2\n", map[string]string{"prise": "number"}, "types names the column 'prise', which the file does not have; did you mean 'price'?"},
		{"unknown column, nothing near", "price,b\n1,2\n", map[string]string{"xyz": "number"}, "types names the column 'xyz', which the file does not have."},
		{"two columns by case", "Ab,aB\n1,2\n", map[string]string{"ab": "number"}, "types names the column 'ab', which the file has not in that case; it has 'Ab' and 'aB'."},
		{"unknown kind", "a,b\n1,2\n", map[string]string{"a": "int"}, "types asks for 'int' in column 'a'; it takes number, category, date, string or text."},
		{"undecided dates", "a\n01/02/2024\n", map[string]string{"a": "date"}, "types asks for dates in column 'a', but whether 01/02 in it is in January or in February cannot be told: none of its cells has a part over 12. Load it as a category."},
		{"contradictory dates", "a\n13/02/2024\n02/13/2024\n", map[string]string{"a": "date"}, "types asks for dates in column 'a', but whether 01/02 in it is in January or in February cannot be told: some of its cells have the day first, others the month. Load it as a category."},
		{"open quote", "a,b\n1,2\n\n3,\"x\ny,z\n", nil, "a quote opened on line 4 of 'a.csv' is never closed."},
		{"open quote in the header", "a,\"b\n1,2\n", nil, "a quote opened on line 1 of 'a.csv' is never closed."},
		{"long open quote", "a,b\n1,2\n3,\"" + long + "\n", nil, "a quote opened on line 3 of 'a.csv' is never closed."},
		{"long quoted record", "a,b\n1,2\n3,\"" + long + "\"\n", nil, "the record on line 3 of 'a.csv' is longer than 64 MiB, the most that Vectro reads."},
		{"long record", "a,b\n1,2\n3," + long + "\n", nil, "the record on line 3 of 'a.csv' is longer than 64 MiB, the most that Vectro reads."},
		{"long header", long, nil, "the record on line 1 of 'a.csv' is longer than 64 MiB, the most that Vectro reads."},
		{"sep line alone", "sep=;\n", nil, "'a.csv' is empty."},
		{"many columns", "\n" + strings.Repeat("a,", input.MaxColumns) + "a\n", nil, "line 2 of 'a.csv' has 16385 columns; Vectro reads up to 16,384."},
		{"long name", "a," + strings.Repeat("b", 1025) + "\n1,2\n", nil, "the name of column 2 of 'a.csv' has 1025 bytes; Vectro takes up to 1,024."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, block := range []int64{0, 3, 1000} {
				if len(tt.in) > 1<<20 && block > 0 {
					continue
				}
				opt := input.Options{Types: tt.types, Threads: 2}
				_, err := read(t.Context(), readtest.Source("a.csv", tt.in), false, opt.WithDefaults(), block)
				var mistake *input.Error
				if !errors.As(err, &mistake) || err.Error() != tt.want {
					t.Errorf("block %d: error %v, want %s", block, err, tt.want)
				}
			}
		})
	}
}

// What is just within the limits is read.
func TestRead_AtTheLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("records of 64 MiB are read by the run without -short")
	}
	cell := strings.Repeat("x", input.MaxRecord-3)
	for name, in := range map[string]string{
		"record":        "a,b\n1," + cell + "\n2,y\n",
		"quoted record": "a,b\n1,\"" + cell[:len(cell)-2] + "\"\n2,y\n",
	} {
		res, err := read(t.Context(), readtest.Source("a.csv", in), false, input.Options{Threads: 1}.WithDefaults(), 1<<20)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if res.Table.Rows != 2 {
			t.Errorf("%s: %d rows, want 2", name, res.Table.Rows)
		}
	}
	var in strings.Builder
	for c := range input.MaxColumns {
		fmt.Fprintf(&in, "%s,", strings.Repeat("n", 1+c%1024))
	}
	header := in.String()[:in.Len()-1]
	res, err := Read(t.Context(), readtest.Source("a.csv", header+"\n"+strings.Repeat("1,", input.MaxColumns-1)+"1\n"), false, input.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Table.Columns) != input.MaxColumns || res.Table.Rows != 1 {
		t.Errorf("%d columns, %d rows", len(res.Table.Columns), res.Table.Rows)
	}
}

// big is a file of several blocks with a column of each kind.
func big(rows int) string {
	var b strings.Builder
	b.WriteString("id,day,region,price,note\n")
	for i := range rows {
		fmt.Fprintf(&b, "%d,2024-%02d-%02d,%s,%d.%02d,\"note, \"\"%d\"\"\"\n", i, i%12+1, i%28+1, []string{"EU", "US", "APAC"}[i%3], i%1000, i%100, i)
	}
	return b.String()
}

func TestRead_Cancelled(t *testing.T) {
	in := big(50_000)
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	opt := input.Options{Threads: 2, Lease: new(mem.Lease), Progress: func(done, total int64) { cancel(cause) }}
	_, err := read(ctx, readtest.Source("a.csv", in), false, opt.WithDefaults(), 1<<16)
	if !errors.Is(err, cause) {
		t.Errorf("error %v, want the cause", err)
	}
}

func TestRead_Progress(t *testing.T) {
	for _, in := range []string{big(5000), utf16Text(binary.LittleEndian, big(5000))} {
		var last int64
		calls := 0
		opt := input.Options{Threads: 2, Progress: func(done, total int64) {
			calls++
			if done < last || done > total || total != int64(len(in)) {
				t.Errorf("done %d after %d of %d", done, last, total)
			}
			last = done
		}}
		if _, err := read(t.Context(), readtest.Source("a.csv", in), false, opt.WithDefaults(), 1<<14); err != nil {
			t.Fatal(err)
		}
		if last != int64(len(in)) || calls < 5 {
			t.Errorf("%d calls, the last at %d of %d", calls, last, len(in))
		}
	}
}

func TestRead_Memory(t *testing.T) {
	in := big(100_000)
	budget := mem.NewBudget(1 << 40)
	opt := input.Options{Threads: 2, Lease: &mem.Lease{Budget: budget}}
	res, err := Read(t.Context(), readtest.Source("a.csv", in), false, opt)
	if err != nil {
		t.Fatal(err)
	}
	if got := budget.Used(); got != res.Table.Bytes() || got != opt.Lease.Held() {
		t.Errorf("%d bytes taken, %d leased, for a table of %d", got, opt.Lease.Held(), res.Table.Bytes())
	}
	for _, limit := range []int64{1 << 10, 1 << 20, res.Table.Bytes()} {
		budget := mem.NewBudget(limit)
		lease := &mem.Lease{Budget: budget}
		_, err := Read(t.Context(), readtest.Source("a.csv", in), false, input.Options{Threads: 2, Lease: lease})
		var exceeded *mem.ExceededError
		if !errors.As(err, &exceeded) {
			t.Errorf("limit %d: error %v", limit, err)
		}
		lease.Close()
		if got := budget.Used(); got != 0 {
			t.Errorf("limit %d: %d bytes stay taken after an error", limit, got)
		}
	}
}

// A row of two bytes stands for as many values as the header has names: that must
// not take memory before it is accounted for.
func TestRead_MemoryOfShortRows(t *testing.T) {
	in := strings.Repeat("a,", 4095) + "a\n" + strings.Repeat("1,", 4095) + "1\n" + strings.Repeat("1\n", 100_000)
	lease := &mem.Lease{Budget: mem.NewBudget(64 << 20)}
	defer lease.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := Read(t.Context(), readtest.Source("a.csv", in), false, input.Options{Threads: 1, Lease: lease})
	runtime.ReadMemStats(&after)
	var exceeded *mem.ExceededError
	if !errors.As(err, &exceeded) {
		t.Errorf("error %v", err)
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > 512<<20 {
		t.Errorf("%d bytes were allocated under a limit of 64 MiB", got)
	}
}

// shrinking is a file that ends at limit, whatever its size was before.
type shrinking struct {
	io.ReaderAt
	limit int64
}

func (s shrinking) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) <= s.limit {
		return s.ReaderAt.ReadAt(p, off)
	}
	return 0, io.EOF
}

func TestRead_FileShrinks(t *testing.T) {
	src := readtest.Source("a.csv", big(5000))
	for _, limit := range []int64{0, 10, src.Size / 2, src.Size - 1} {
		cut := src
		cut.R = shrinking{src.R, limit}
		_, err := read(t.Context(), cut, false, input.Options{}.WithDefaults(), 1<<14)
		if err == nil || err.Error() != "'a.csv' became shorter while it was read; load it again when it is complete." {
			t.Errorf("limit %d: error %v", limit, err)
		}
	}
	broken := src
	broken.R = failing{}
	if _, err := Read(t.Context(), broken, false, input.Options{}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("error %v, want the one of the disk", err)
	}
}

type failing struct{}

func (failing) ReadAt([]byte, int64) (int, error) { return 0, io.ErrClosedPipe }

// changing is a file whose content is another one from the n-th reading of its
// middle on.
type changing struct {
	a, b  *bytes.Reader
	reads *int
	after int
}

func (c changing) ReadAt(p []byte, off int64) (int, error) {
	*c.reads++
	if *c.reads > c.after {
		return c.b.ReadAt(p, off)
	}
	return c.a.ReadAt(p, off)
}

func TestRead_FileChanges(t *testing.T) {
	// The last row makes the column one of labels, so that blocks are read again.
	one := "a\n" + strings.Repeat("1\n", 4000) + "x\n"
	other := "a\n" + strings.Repeat("\n\n", 4000) + "x\n"
	refused := 0
	for after := 80; after < 110; after++ {
		reads := 0
		src := input.Source{Name: "a.csv", R: changing{bytes.NewReader([]byte(one)), bytes.NewReader([]byte(other)), &reads, after}, Size: int64(len(one))}
		_, err := read(t.Context(), src, false, input.Options{Threads: 1}.WithDefaults(), 256)
		if err != nil {
			if err.Error() != "'a.csv' changed while it was read; load it again." {
				t.Errorf("after %d: %v", after, err)
			}
			refused++
		}
	}
	if refused == 0 {
		t.Error("no change was noticed")
	}
}

// A file grows while it is read: what was there at first is read.
func TestRead_FileGrows(t *testing.T) {
	src := readtest.Source("a.csv", "a,b\n1,2\n3,4\n5,6\n")
	src.Size = 12
	res, err := Read(t.Context(), src, false, input.Options{})
	if err != nil || res.Table.Rows != 2 {
		t.Errorf("%v, %v", res, err)
	}
}

func TestRead_Storage(t *testing.T) {
	var in strings.Builder
	in.WriteString("few,many,tiny,half\n")
	const rows = 70_000
	for i := range rows {
		fmt.Fprintf(&in, "label %d,key %d,%d,%d.5\n", i%300, i, i%100, i)
	}
	res, err := read(t.Context(), readtest.Source("a.csv", in.String()), false, input.Options{}.WithDefaults(), 1<<16)
	if err != nil {
		t.Fatal(err)
	}
	c := res.Table.Columns
	if _, ok := c[0].Chunks[0].Data.([]uint16); !ok || c[0].Dict.Len() != 300 {
		t.Errorf("few labels are stored as %T", c[0].Chunks[0].Data)
	}
	if _, ok := c[1].Chunks[0].Data.(col.Strings); !ok || c[1].Dict != nil || c[1].Kind != col.Category {
		t.Errorf("distinct labels are stored as %T, kind %s", c[1].Chunks[0].Data, c[1].Kind)
	}
	if _, ok := c[2].Chunks[0].Data.([]int8); !ok {
		t.Errorf("small numbers are stored as %T", c[2].Chunks[0].Data)
	}
	if got := readtest.Values(c[1])[rows-1]; got != fmt.Sprintf("key %d", rows-1) {
		t.Errorf("last key is %v", got)
	}
}

// Enough distinct labels for parsers to give dictionaries up.
func TestRead_ManyLabels(t *testing.T) {
	if testing.Short() {
		t.Skip("a million rows are read by the run without -short")
	}
	const rows = 1_300_000
	var in bytes.Buffer
	in.WriteString("k,half\n")
	for i := range rows {
		fmt.Fprintf(&in, "k%d,h%d\n", i, i%600_000)
	}
	var want []*col.Table
	for _, threads := range []int{1, 2} {
		res, err := read(t.Context(), input.Source{Name: "a.csv", R: bytes.NewReader(in.Bytes()), Size: int64(in.Len())}, false,
			input.Options{Threads: threads}.WithDefaults(), 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, res.Table)
	}
	for c := range want[0].Columns {
		a, b := want[0].Columns[c], want[1].Columns[c]
		for i := range a.Chunks {
			if _, ok := a.Chunks[i].Data.(col.Strings); !ok || fmt.Sprintf("%T", b.Chunks[i].Data) != fmt.Sprintf("%T", a.Chunks[i].Data) {
				t.Fatalf("%s is stored as %T and %T", a.Name, a.Chunks[i].Data, b.Chunks[i].Data)
			}
		}
		va, vb := readtest.Values(a), readtest.Values(b)
		for i := range va {
			want := fmt.Sprintf("k%d", i)
			if c == 1 {
				want = fmt.Sprintf("h%d", i%600_000)
			}
			if va[i] != want || vb[i] != want {
				t.Fatalf("%s, row %d: %v and %v, want %v", a.Name, i, va[i], vb[i], want)
			}
		}
	}
}

func BenchmarkRead(b *testing.B) {
	in := big(100_000)
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(b.Context(), readtest.Source("a.csv", in), false, input.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
