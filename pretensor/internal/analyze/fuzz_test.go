package analyze

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
)

// fuzz checks a language's lexer on any bytes: tokens and comments lie in the
// source, in order, without overlap, and the rules take what it finds.
func fuzz(f *testing.F, l *language, seeds ...string) {
	c := postgres(f, shopDDL)
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		s := l.lex(src)
		at := 0
		for i, tok := range s.toks {
			if tok.start < at || tok.end <= tok.start || tok.end > len(src) {
				t.Fatalf("token %d is %d to %d, after %d of %d bytes", i, tok.start, tok.end, at, len(src))
			}
			at = tok.end
			if tok.kind != str && tok.text == "" {
				t.Fatalf("token %d has no text", i)
			}
		}
		at = 0
		for i, k := range s.comments {
			if k.start < at || k.end <= k.start || k.end > len(src) {
				t.Fatalf("comment %d is %d to %d, after %d of %d bytes", i, k.start, k.end, at, len(src))
			}
			at = k.end
			if slices.ContainsFunc(s.toks, func(tok token) bool { return tok.start < k.end && k.start < tok.end }) {
				t.Fatalf("comment %d overlaps a token", i)
			}
		}
		x := &file{path: "a/b" + l.exts[0], lang: l, c: c, skipped: true}
		lines := 1
		for i := range len(src) {
			if src[i] == '\n' {
				lines++
			}
		}
		x.analyze(src)
		collate([]*file{x}, Options{MinConfidence: -1}, c)
		for _, u := range x.uses {
			if u.lineStart < 1 || u.lineEnd < u.lineStart || u.lineEnd > lines {
				t.Fatalf("a use is on lines %d to %d of %d", u.lineStart, u.lineEnd, lines)
			}
		}
	})
}

func FuzzGo(f *testing.F) {
	fuzz(f, &golang, "package a\nvar q = `SELECT * FROM orders`", "db.Exec(\"DELETE \" + \"FROM orders\")", "'\"'", "type X struct{ gorm.Model }", "type X struct {\n\tbun.BaseModel `bun:\"table:\"`\n}", "db.Find(&x", "func (X) TableName() string { return \"t\" }")
}

func FuzzPython(f *testing.F) {
	fuzz(f, &python, "q = f\"SELECT {x['a']!r} FROM {{orders}}\"", "rb'''a''' \"\"\"b", "class X(Model):\n class Meta:\n  db_table='t'", "x = Table('t', m, schema='s')", "f'{", "\\\n'a'", "X.objects.filter(", "class X:\n  __table_args__ =")
}

func FuzzTypeScript(f *testing.F) {
	fuzz(f, &typescript, "`a ${`b ${c}`} d`", "a = b / c / d; /['\"]/.test(x)", "@Entity('t') class X {}", "db.query<Row[]>(`SELECT * FROM orders`)", "knex('orders').insert()", "`${", "x?.y!.z", "s.define(", "X.init({}, {tableName:'t'})")
}

func FuzzPrisma(f *testing.F) {
	fuzz(f, &prisma, "model X {\n @@map(\"t\")\n}", "model X { // {\n", "view a { @@schema(")
}

func FuzzSQL(f *testing.F) {
	fuzz(f, &sqlLanguage, "SELECT 'a''b' FROM \"orders\"; -- x\n", "$a$ ; $a$", "COPY orders FROM stdin;\n1\n\\.\n", "DELIMITER //\nDELETE FROM orders//\n", "CREATE TRIGGER t BEGIN x; END;", "SELECT 'x\\", "go\n\\c x")
}

func FuzzIgnorePattern(f *testing.F) {
	for _, s := range []string{"*.py", "!a/**/b", "/x/", "[!a]", "\\#", "**"} {
		f.Add(s, "a/b/c.py")
	}
	f.Fuzz(func(t *testing.T, line, name string) {
		p, ok, err := parsePattern(".", line)
		if ok && err == nil {
			p.match(name, false)
		}
	})
}

// BenchmarkRun analyses 2,000 ordinary files: mostly code without SQL, some of it
// long, every fifth with queries or models.
func BenchmarkRun(b *testing.B) {
	root := b.TempDir()
	var c *catalog.Catalog
	var code []section
	for _, golden := range []string{"go", "python", "typescript", "sql"} {
		for _, s := range sections(b, "testdata/golden/"+golden+".txtar") {
			switch s.name {
			case "schema.ddl":
				c = postgres(b, s.text)
			case "want":
			default:
				code = append(code, s)
			}
		}
	}
	const files = 2000
	bytes := int64(0)
	for i := range files {
		name, text := plain(i)
		if i%5 == 0 {
			s := code[i/5%len(code)]
			name, text = s.name, s.text+text
			if extension(s.name) == ".sql" {
				text = s.text
			}
		}
		bytes += int64(len(text))
		write(b, root, "d"+string(rune('a'+i%23))+"/"+string(rune('a'+i%19))+itoa(i)+"/"+name, text)
	}
	b.SetBytes(bytes)
	b.ResetTimer()
	for b.Loop() {
		r := run(b, Options{Root: root}, c)
		if r.FilesScanned+r.FilesSkipped < files*9/10 {
			b.Fatalf("%d files scanned", r.FilesScanned)
		}
	}
	b.ReportMetric(files*float64(b.N)/b.Elapsed().Seconds(), "files/s")
}

func itoa(i int) string { return strconv.Itoa(i) }

// plain is a file of about 6 KB that holds no SQL.
func plain(i int) (name, text string) {
	switch i % 3 {
	case 0:
		return "code.go", "package code\n" + strings.Repeat(`
// Work does some work on "things" and says so.
func (s *Server) Work(ctx context.Context, names []string) error {
	for i, name := range names {
		if err := s.store.Put(ctx, name, strings.ToUpper(name)+"-suffix"); err != nil {
			return fmt.Errorf("storing %q, number %d: %w", name, i, err)
		}
	}
	return nil
}
`, 18)
	case 1:
		return "code.py", strings.Repeat(`
def work(self, names: list[str]) -> None:
    """Does some work on the names, and says so."""
    for i, name in enumerate(names):
        logger.info(f"working on {name!r}, number {i}")
        self.store.put(name, {"key": name.upper(), "value": i * 2, 'x': "it's"})
`, 20)
	}
	return "code.ts", strings.Repeat(`
export async function work(names: string[]): Promise<void> {
  for (const [i, name] of names.entries()) {
    // it's a comment with 'quotes'
    console.log(`+"`working on ${name}, number ${i}`"+`);
    await store.put(name, { key: name.replace(/["']/g, ""), value: i / 2 });
  }
}
`, 20)
}
