package types

import (
	"slices"
	"strings"
)

// postgres follows the manual's chapter on data types, and the names that
// format_type and the catalog print.
func postgres(s *spelled) typ {
	if strings.HasPrefix(s.words, "_") && s.dims == 0 { // the catalog's name of an array
		s.words, s.dims = s.words[1:], 1
	}
	word := strings.TrimPrefix(s.words, "pg_catalog.")
	if word == `"char"` { // one byte, in the catalog's own tables
		return named(text(1), word)
	}
	if s.bad {
		return typ{family: Unknown}
	}
	switch word {
	case "smallint", "int2", "smallserial", "serial2":
		return named(integer(16), "smallint")
	case "integer", "int", "int4", "serial", "serial4":
		return named(integer(32), "integer")
	case "bigint", "int8", "bigserial", "serial8":
		return named(integer(64), "bigint")
	case "oid":
		return named(unsigned(32), "oid")
	case "numeric", "decimal", "dec":
		if len(s.args) == 0 {
			return named(typ{family: Numeric, unlimited: true}, "numeric")
		}
		p, sc := s.num(0, 0), s.num(1, 0)
		return named(decimal(p, sc), "numeric", p, sc)
	case "money":
		return named(decimal(19, 2), "money")
	case "real", "float4":
		return named(float(24), "real")
	case "double precision", "float8":
		return named(float(53), "double precision")
	case "float":
		if s.num(0, 53) <= 24 {
			return named(float(24), "real")
		}
		return named(float(53), "double precision")
	case "text":
		return named(text(-1), "text")
	case "citext":
		return named(text(-1), "citext")
	case "name":
		return named(text(63), "name")
	case "varchar", "character varying", "char varying":
		return limited(text, "varchar", s.num(0, -1))
	case "char", "character", "nchar":
		return limited(text, "char", s.num(0, 1))
	case "bpchar":
		return limited(text, "char", s.num(0, -1))
	case "xml":
		return named(text(-1), "xml")
	case "boolean", "bool":
		return named(plain(Boolean), "boolean")
	case "date":
		return named(day(), "date")
	case "time", "time without time zone":
		return timed(clock, "time", s.num(0, 6), 6, false)
	case "timetz", "time with time zone":
		return timed(clock, "timetz", s.num(0, 6), 6, true)
	case "timestamp", "timestamp without time zone":
		return timed(stamp, "timestamp", s.num(0, 6), 6, false)
	case "timestamptz", "timestamp with time zone":
		return timed(stamp, "timestamptz", s.num(0, 6), 6, true)
	case "uuid":
		return named(plain(UUID), "uuid")
	case "bytea":
		return named(bytes(-1), "bytea")
	case "bit":
		return limited(bytes, "bit", s.num(0, 1))
	case "bit varying", "varbit":
		return limited(bytes, "varbit", s.num(0, -1))
	case "json", "jsonb":
		return named(plain(JSON), word)
	}
	if fields, ok := strings.CutPrefix(word, "interval"); ok && (fields == "" || fields[0] == ' ') {
		// With fields, only a part of the intervals fits.
		t := typ{family: Temporal, span: true, clock: fields == "", precision: s.num(0, 6)}
		t.name = word
		if t.precision != 6 {
			t = named(t, word, t.precision)
		}
		return t
	}
	return typ{family: Unknown, name: unknownName(word, s.args)}
}

// timed is a type with a time of day; the usual precision is left out of its name.
func timed(of func(int, bool) typ, word string, precision, usual int, zone bool) typ {
	if precision == usual {
		return named(of(precision, zone), word)
	}
	return named(of(precision, zone), word, precision)
}

// unknownName is the spelling of a type by its name and arguments.
func unknownName(word string, args []string) string {
	if len(args) == 0 {
		return word
	}
	return word + "(" + strings.Join(args, ",") + ")"
}

// mysql follows the manuals of MySQL 8 and MariaDB. The width that integers are
// shown with means nothing and is left out.
func mysql(s spelled) typ {
	words := strings.Fields(s.words)
	word, uns := "", false
	for i, w := range words {
		switch w {
		case "unsigned":
			uns = true
		case "zerofill": // implies unsigned
			uns = true
		case "signed":
		case "character", "charset", "collate": // what follows is the encoding
			if i > 0 && (w != "character" || words[0] != "national") {
				goto done
			}
			word += " " + w
		case "binary", "ascii", "unicode":
			if i > 0 { // an attribute of a text type
				continue
			}
			word += " " + w
		default:
			word += " " + w
		}
	}
done:
	word = strings.TrimSpace(word)
	whole := func(name string, bits int) typ {
		if uns {
			return named(unsigned(bits), name+" unsigned")
		}
		return named(integer(bits), name)
	}
	number := func(t typ) typ {
		if uns {
			t.signed = false
			t.name += " unsigned"
		}
		return t
	}
	switch word {
	case "tinyint", "int1", "bool", "boolean":
		return whole("tinyint", 8)
	case "smallint", "int2":
		return whole("smallint", 16)
	case "mediumint", "int3", "middleint":
		return whole("mediumint", 24)
	case "int", "integer", "int4":
		return whole("int", 32)
	case "bigint", "int8":
		return whole("bigint", 64)
	case "serial":
		return named(unsigned(64), "bigint unsigned")
	case "decimal", "numeric", "dec", "fixed":
		p, sc := s.num(0, 10), s.num(1, 0)
		return number(named(decimal(p, sc), "decimal", p, sc))
	case "float", "float4":
		if len(s.args) == 1 && s.num(0, 0) > 24 {
			return number(named(float(53), "double"))
		}
		return number(named(float(24), "float"))
	case "double", "double precision", "real", "float8":
		return number(named(float(53), "double"))
	case "year":
		return named(unsigned(12), "year") // 1901 to 2155
	case "bit":
		if n := s.num(0, 1); n > 1 {
			return named(bytes((n+7)/8), "bit", n)
		}
		return named(plain(Boolean), "bit", 1)
	case "char", "nchar", "national char", "character", "national character":
		n := s.num(0, 1)
		return named(text(n), "char", n)
	case "varchar", "nvarchar", "national varchar", "national character varying", "nchar varying", "varcharacter", "character varying", "char varying":
		return limited(text, "varchar", s.num(0, -1))
	case "tinytext":
		return named(text(1<<8-1), word)
	case "text":
		return named(text(1<<16-1), word)
	case "mediumtext", "long", "long varchar":
		return named(text(1<<24-1), "mediumtext")
	case "longtext":
		return named(text(1<<32-1), word)
	case "enum", "set":
		return named(text(0), word)
	case "binary":
		n := s.num(0, 1)
		return named(bytes(n), "binary", n)
	case "varbinary":
		return limited(bytes, "varbinary", s.num(0, -1))
	case "tinyblob":
		return named(bytes(1<<8-1), word)
	case "blob":
		return named(bytes(1<<16-1), word)
	case "mediumblob", "long varbinary":
		return named(bytes(1<<24-1), "mediumblob")
	case "longblob":
		return named(bytes(1<<32-1), word)
	case "date":
		return named(day(), word)
	case "time":
		return timed(clock, word, s.num(0, 0), 0, false)
	case "datetime":
		return timed(stamp, word, s.num(0, 0), 0, false)
	case "timestamp": // kept in UTC
		return timed(stamp, word, s.num(0, 0), 0, true)
	case "json":
		return named(plain(JSON), word)
	case "uuid": // MariaDB
		return named(plain(UUID), word)
	}
	return typ{family: Unknown, name: unknownName(word, s.args)}
}

// sqlite follows the engine's rules of affinity, in their order: the declared text
// is free, and INT anywhere in it makes an integer, also in POINT. Of the texts
// that would be NUMERIC for want of a better rule, those that say what they hold
// are taken at their word, and the others are unknown, because the engine keeps any
// value in them.
func sqlite(s spelled) typ {
	word := s.words
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(word, p) })
	}
	as := func(t typ) typ { t.name = unknownName(word, s.args); return t }
	switch {
	case word == "":
		return typ{family: Unknown, name: "any"}
	case has("int"):
		// Every integer takes up to 64 bits; the name promises what it promises.
		bits := 64
		switch strings.TrimPrefix(word, "unsigned ") {
		case "tinyint":
			bits = 8
		case "smallint", "int2":
			bits = 16
		case "mediumint":
			bits = 24
		case "int", "integer":
			return named(integer(64), "integer")
		}
		return as(integer(bits))
	case has("char", "clob", "text"):
		return limited(text, word, s.num(0, -1))
	case has("blob"):
		return as(bytes(-1))
	case has("real", "floa", "doub"):
		return named(float(53), "real")
	}
	switch first, _, _ := strings.Cut(word, " "); first {
	case "numeric", "decimal", "dec", "number":
		if len(s.args) == 0 {
			return named(typ{family: Numeric, unlimited: true}, "numeric")
		}
		p, sc := s.num(0, 0), s.num(1, 0)
		return named(decimal(p, sc), "numeric", p, sc)
	case "money", "currency":
		return as(decimal(19, 4))
	case "bool", "boolean":
		return named(plain(Boolean), "boolean")
	case "date":
		return named(day(), "date")
	case "datetime", "timestamp", "timestamptz":
		return named(stamp(6, false), "datetime")
	case "time", "timetz":
		return named(clock(6, false), "time")
	case "uuid", "guid", "uniqueidentifier":
		return named(plain(UUID), "uuid")
	case "json", "jsonb":
		return named(plain(JSON), first)
	case "string", "enum":
		return named(text(-1), first)
	case "binary", "varbinary", "bytea":
		return named(bytes(-1), first)
	}
	return typ{family: Unknown, name: unknownName(word, s.args)}
}

// duckdb follows the engine's list of types and their aliases.
func duckdb(s spelled) typ {
	word := s.words
	if s.bad {
		return typ{family: Unknown}
	}
	switch word {
	case "tinyint", "int1":
		return named(integer(8), "tinyint")
	case "smallint", "int2", "int16", "short":
		return named(integer(16), "smallint")
	case "integer", "int", "int4", "int32", "signed":
		return named(integer(32), "integer")
	case "bigint", "int8", "int64", "long", "oid":
		return named(integer(64), "bigint")
	case "hugeint", "int128":
		return named(integer(128), "hugeint")
	case "utinyint", "uint8":
		return named(unsigned(8), "utinyint")
	case "usmallint", "uint16":
		return named(unsigned(16), "usmallint")
	case "uinteger", "uint32":
		return named(unsigned(32), "uinteger")
	case "ubigint", "uint64":
		return named(unsigned(64), "ubigint")
	case "uhugeint", "uint128":
		return named(unsigned(128), "uhugeint")
	case "bignum", "varint":
		return named(typ{family: Numeric, unlimited: true}, "bignum")
	case "decimal", "numeric", "dec":
		p, sc := s.num(0, 18), s.num(1, 0)
		if len(s.args) == 0 {
			sc = 3
		}
		return named(decimal(p, sc), "decimal", p, sc)
	case "float", "real", "float4":
		return named(float(24), "float")
	case "double", "double precision", "float8":
		return named(float(53), "double")
	case "varchar", "text", "string", "char", "bpchar", "nvarchar", "character varying", "character": // a length is ignored
		return named(text(-1), "varchar")
	case "enum":
		return named(text(0), "enum")
	case "boolean", "bool", "logical":
		return named(plain(Boolean), "boolean")
	case "date":
		return named(day(), "date")
	case "time", "time without time zone":
		return named(clock(6, false), "time")
	case "time_ns":
		return named(clock(9, false), word)
	case "timetz", "time with time zone":
		return named(clock(6, true), "timetz")
	case "timestamp", "datetime", "timestamp_us", "timestamp without time zone":
		return named(stamp(6, false), "timestamp")
	case "timestamp_s":
		return named(stamp(0, false), word)
	case "timestamp_ms":
		return named(stamp(3, false), word)
	case "timestamp_ns":
		return named(stamp(9, false), word)
	case "timestamptz", "timestamp with time zone":
		return named(stamp(6, true), "timestamptz")
	case "interval":
		return named(typ{family: Temporal, span: true, clock: true, precision: 6}, word)
	case "uuid", "guid":
		return named(plain(UUID), "uuid")
	case "blob", "bytea", "binary", "varbinary":
		return named(bytes(-1), "blob")
	case "bit", "bitstring":
		return named(bytes(-1), "bit")
	case "json":
		return named(plain(JSON), word)
	}
	return typ{family: Unknown, name: nestedName(s)}
}

// nestedName is the spelling of a structure with its inner types as they are
// written; quotes keep their case.
func nestedName(s spelled) string {
	if len(s.args) == 0 {
		return s.words
	}
	args := make([]string, len(s.args))
	for i, a := range s.args {
		args[i] = strings.Join(strings.Fields(a), " ")
		if !strings.ContainsAny(a, `"'`) {
			args[i] = strings.ToLower(args[i])
		}
	}
	return s.words + "(" + strings.Join(args, ",") + ")"
}
