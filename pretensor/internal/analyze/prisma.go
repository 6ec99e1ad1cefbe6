package analyze

// prisma is Prisma's schema files, whose models the client's calls are about.
var prisma = language{name: "prisma", family: "javascript", exts: []string{".prisma"}, lex: lexPrisma, rules: prismaRules}

func lexPrisma(src string) *scanner {
	s := newScanner(src)
	for s.i < len(src) {
		if s.blank() {
			continue
		}
		start := s.i
		switch c := src[s.i]; {
		case s.has("//"):
			s.lineComment()
		case c == '"':
			parts := s.javascriptString()
			s.emit(str, start, parts)
		case letter(c):
			s.word("")
			s.emit(ident, start, nil)
		case digit(c):
			s.word(".")
			s.emit(other, start, nil)
		default:
			s.operator("@@")
		}
	}
	return s
}

// prismaRules finds the models: model X { … @@map("t") @@schema("s") }. The
// client names a model with its first letter in lower case.
func prismaRules(f *file) {
	for i := range f.toks {
		if t := f.text(i); t != "model" && t != "view" || !f.toks[i].first || !f.is(i+1, ident) || f.text(i+2) != "{" || f.match[i+2] < 0 {
			continue
		}
		name, close := f.text(i+1), f.match[i+2]
		table, schema, explicit := name, "", false
		for j := i + 3; j < min(close, i+maxKeyed); j++ {
			if f.text(j) != "@@" || f.text(j+2) != "(" {
				continue
			}
			value, ok := f.plain(j + 3)
			if !ok && f.text(j+3) == "name" {
				value, ok = f.plain(j + 5)
			}
			switch {
			case ok && f.text(j+1) == "map":
				table, explicit = value, true
			case ok && f.text(j+1) == "schema":
				schema = value
			}
		}
		client := name
		if c := name[0]; c >= 'A' && c <= 'Z' {
			client = string(c+'a'-'A') + name[1:]
		}
		f.model("prisma", client, schemaTable(schema, table), explicit, i, close)
	}
}
