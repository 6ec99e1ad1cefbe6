package mysql

import "github.com/quartet-mcp/quartet/pretensor/internal/model"

// conformance is what testdata/conformance.sql declares on MariaDB, but for counts
// of rows, definitions of views and the columns of the table wide.
func conformance(main, other string) *model.Database {
	in := func(fromSchema, from, toSchema, to, kind, source string, confidence float64) model.Lineage {
		return model.Lineage{FromSchema: fromSchema, FromTable: from, ToSchema: toSchema, ToTable: to, Type: kind, Source: source, Confidence: confidence}
	}
	return &model.Database{
		Name: main, Dialect: "mariadb", DefaultSchema: main,
		Tables: []model.Table{
			{
				Schema: main, Name: "a.b::c \"d\" 'e' `f`", Type: "table",
				Columns:     []model.Column{{Name: "x", Ordinal: 1, Type: "int(11)", Nullable: true}, {Name: "y", Ordinal: 2, Type: "int(11)", Nullable: true}},
				ForeignKeys: []model.ForeignKey{{Name: `key.of "x"`, Columns: []string{"x"}, RefSchema: main, RefTable: "select", RefColumns: []string{"from"}}},
				Indexes:     []model.Index{{Name: `key.of "x"`, Columns: []string{"x"}, Type: "btree"}},
			},
			{
				Schema: main, Name: "address", Type: "table",
				Columns:    []model.Column{{Name: "id", Ordinal: 1, Type: "int(11)"}, {Name: "place", Ordinal: 2, Type: "point"}},
				PrimaryKey: &model.Key{Name: "PRIMARY", Columns: []string{"id"}},
				Indexes: []model.Index{
					{Name: "PRIMARY", Columns: []string{"id"}, Unique: true, Type: "btree", Primary: true},
					{Name: "address_place", Columns: []string{"place"}, Type: "spatial"},
				},
			},
			{
				Schema: main, Name: "audit", Type: "table",
				Columns: []model.Column{{Name: "id", Ordinal: 1, Type: "int(11)", Nullable: true}, {Name: "what", Ordinal: 2, Type: "varchar(20)", Nullable: true}},
				Indexes: []model.Index{{Name: "audit_hash", Columns: []string{"id"}, Type: "hash"}},
			},
			{
				Schema: main, Name: "columns_range", Type: "partitioned_table",
				Columns:   []model.Column{{Name: "a", Ordinal: 1, Type: "int(11)", Nullable: true}, {Name: "b", Ordinal: 2, Type: "int(11)", Nullable: true}},
				Partition: &model.Partition{Key: []string{"b", "a"}, Count: 2},
			},
			{
				Schema: main, Name: "cte_union", Type: "view",
				// What the server makes of a signed and an unsigned integer.
				Columns: []model.Column{{Name: "id", Ordinal: 1, Type: "decimal(10,0)", Nullable: true}},
			},
			{
				Schema: main, Name: "customer", Type: "table", Comment: "who buys",
				Columns: []model.Column{
					{Name: "id", Ordinal: 1, Type: "int(10) unsigned", Identity: true},
					{Name: "email", Ordinal: 2, Type: "varchar(120)"},
					{Name: "country", Ordinal: 3, Type: "char(2)", Nullable: true},
					{Name: "region", Ordinal: 4, Type: "varchar(5)", Nullable: true},
					{Name: "region_name", Ordinal: 5, Type: "varchar(45)", Nullable: true},
					{Name: "referred_by", Ordinal: 6, Type: "int(10) unsigned", Nullable: true},
					{Name: "profile", Ordinal: 7, Type: "json", Nullable: true},
					{Name: "state", Ordinal: 8, Type: `enum('new','it''s','back\\slash','a,b)')`, Default: "'new'", Enum: []string{"new", "it's", `back\slash`, "a,b)"}},
					{Name: "flags", Ordinal: 9, Type: "set('x','y')", Nullable: true, Enum: []string{"x", "y"}},
					{Name: "balance", Ordinal: 10, Type: "decimal(10,2)", Default: "0.00"},
					{Name: "created", Ordinal: 11, Type: "timestamp", Default: "current_timestamp()"},
					{Name: "note", Ordinal: 12, Type: "varchar(200)", Nullable: true, Default: "'it''s (fine)'"},
					{Name: "uid", Ordinal: 13, Type: "varchar(36)", Nullable: true, Default: "uuid()"},
					{Name: "gross", Ordinal: 14, Type: "decimal(11,2)", Nullable: true, Generated: true, Default: "`balance` * 2"},
					{Name: "shout", Ordinal: 15, Type: "varchar(120)", Nullable: true, Generated: true, Default: "ucase(`email`)"},
					{Name: "hidden", Ordinal: 16, Type: "int(11)", Nullable: true, Default: "7"},
					{Name: "about", Ordinal: 17, Type: "text", Nullable: true},
				},
				PrimaryKey: &model.Key{Name: "PRIMARY", Columns: []string{"id"}},
				Uniques:    []model.Key{{Name: "customer_email", Columns: []string{"email"}}},
				ForeignKeys: []model.ForeignKey{
					{Name: "customer_region", Columns: []string{"country", "region"}, RefSchema: other, RefTable: "region", RefColumns: []string{"country", "code"},
						OnDelete: "SET NULL", OnUpdate: "CASCADE"},
					{Name: "self", Columns: []string{"referred_by"}, RefSchema: main, RefTable: "customer", RefColumns: []string{"id"}},
					{Name: "to_unique", Columns: []string{"region_name"}, RefSchema: other, RefTable: "region", RefColumns: []string{"name"}},
				},
				Checks: []model.Check{
					{Name: "balance", Expr: "`balance` >= -100", Columns: []string{"balance"}},
					{Name: "both_or_none", Expr: "`note` is null or `email` <> '`country`'", Columns: []string{"note", "email"}},
					{Name: "profile", Expr: "json_valid(`profile`)", Columns: []string{"profile"}},
				},
				Indexes: []model.Index{
					{Name: "PRIMARY", Columns: []string{"id"}, Unique: true, Type: "btree", Primary: true},
					{Name: "customer_about", Columns: []string{"about"}, Type: "fulltext"},
					{Name: "customer_email", Columns: []string{"email"}, Unique: true, Type: "btree"},
					{Name: "customer_region", Columns: []string{"country", "region"}, Type: "btree"},
					{Name: "email_start", Columns: []string{"email", "created"}, Type: "btree"},
					{Name: "self", Columns: []string{"referred_by"}, Type: "btree"},
					{Name: "to_unique", Columns: []string{"region_name"}, Type: "btree"},
				},
			},
			{
				Schema: main, Name: "customer_names", Type: "view",
				Columns: []model.Column{
					{Name: "id", Ordinal: 1, Type: "int(10) unsigned", Default: "0"},
					{Name: "region_name", Ordinal: 2, Type: "varchar(45)", Nullable: true},
				},
			},
			{
				Schema: main, Name: "empty_table", Type: "table",
				Columns: []model.Column{{Name: "a", Ordinal: 1, Type: "int(11)", Nullable: true, Comment: "nothing yet"}},
			},
			{
				Schema: main, Name: "log", Type: "table",
				Columns: []model.Column{{Name: "at", Ordinal: 1, Type: "datetime(3)", Nullable: true}, {Name: "what", Ordinal: 2, Type: "text", Nullable: true}},
			},
			{
				Schema: main, Name: "many_parts", Type: "partitioned_table",
				Columns:    []model.Column{{Name: "a", Ordinal: 1, Type: "int(11)"}},
				PrimaryKey: &model.Key{Name: "PRIMARY", Columns: []string{"a"}},
				Indexes:    []model.Index{{Name: "PRIMARY", Columns: []string{"a"}, Unique: true, Type: "btree", Primary: true}},
				Partition:  &model.Partition{Key: []string{"a"}, Count: 200},
			},
			{
				Schema: main, Name: "measure", Type: "partitioned_table",
				Columns: []model.Column{
					{Name: "id", Ordinal: 1, Type: "int(11)"}, {Name: "day", Ordinal: 2, Type: "date"}, {Name: "v", Ordinal: 3, Type: "double", Nullable: true},
				},
				PrimaryKey: &model.Key{Name: "PRIMARY", Columns: []string{"id", "day"}},
				Indexes:    []model.Index{{Name: "PRIMARY", Columns: []string{"id", "day"}, Unique: true, Type: "btree", Primary: true}},
				Partition:  &model.Partition{Key: []string{"year(`day`)", "id"}, Count: 6}, // two, and two below each
			},
			{
				Schema: main, Name: "no_table", Type: "view",
				Columns: []model.Column{{Name: "one", Ordinal: 1, Type: "int(1)", Default: "0"}, {Name: "log", Ordinal: 2, Type: "varchar(3)", Default: "''"}},
			},
			{
				Schema: main, Name: "numbered", Type: "table",
				Columns: []model.Column{
					{Name: "id", Ordinal: 1, Type: "int(11)", Nullable: true, Identity: true, Default: "nextval(`" + main + "`.`numbers`)"},
					{Name: "v", Ordinal: 2, Type: "int(11)", Nullable: true},
				},
			},
			{
				Schema: main, Name: "over_view", Type: "view",
				Columns: []model.Column{
					{Name: "who", Ordinal: 1, Type: "int(10) unsigned", Default: "0"},
					{Name: "region name", Ordinal: 2, Type: "varchar(45)", Nullable: true},
				},
			},
			{
				Schema: main, Name: "purchase", Type: "table",
				Columns: []model.Column{
					{Name: "id", Ordinal: 1, Type: "bigint(20)", Identity: true},
					{Name: "bill_to", Ordinal: 2, Type: "int(11)", Nullable: true},
					{Name: "ship_to", Ordinal: 3, Type: "int(11)", Nullable: true},
				},
				PrimaryKey: &model.Key{Name: "PRIMARY", Columns: []string{"id"}},
				ForeignKeys: []model.ForeignKey{
					{Name: "bill", Columns: []string{"bill_to"}, RefSchema: main, RefTable: "address", RefColumns: []string{"id"}},
					{Name: "ship", Columns: []string{"ship_to"}, RefSchema: main, RefTable: "address", RefColumns: []string{"id"}, OnDelete: "CASCADE"},
				},
				Indexes: []model.Index{
					{Name: "PRIMARY", Columns: []string{"id"}, Unique: true, Type: "btree", Primary: true},
					{Name: "bill", Columns: []string{"bill_to"}, Type: "btree"},
					{Name: "ship", Columns: []string{"ship_to"}, Type: "btree"},
				},
			},
			{
				Schema: main, Name: "select", Type: "table",
				Columns: []model.Column{
					{Name: "from", Ordinal: 1, Type: "int(11)"},
					{Name: "Mixed Case", Ordinal: 2, Type: "int(11)", Nullable: true},
					{Name: "ünïcode é", Ordinal: 3, Type: "int(11)", Nullable: true},
					{Name: "dot.and::colons", Ordinal: 4, Type: "int(11)", Nullable: true},
					{Name: `quote"d`, Ordinal: 5, Type: "int(11)", Nullable: true},
					{Name: "tick`s", Ordinal: 6, Type: "int(11)", Nullable: true},
					{Name: "n23456789012345678901234567890123456789012345678901234567890abcd", Ordinal: 7, Type: "int(11)", Nullable: true},
				},
				PrimaryKey: &model.Key{Name: "PRIMARY", Columns: []string{"from"}},
				Checks:     []model.Check{{Name: "CONSTRAINT_1", Expr: "`tick``s` > `quote\"d`", Columns: []string{"tick`s", `quote"d`}}},
				Indexes:    []model.Index{{Name: "PRIMARY", Columns: []string{"from"}, Unique: true, Type: "btree", Primary: true}},
			},
			{Schema: main, Name: "wide", Type: "table"},
			{
				Schema: other, Name: "region", Type: "table", Comment: "where we sell",
				Columns: []model.Column{
					{Name: "country", Ordinal: 1, Type: "char(2)", Comment: "ISO 3166"},
					{Name: "code", Ordinal: 2, Type: "varchar(5)"},
					{Name: "name", Ordinal: 3, Type: "varchar(45)", Nullable: true},
				},
				PrimaryKey: &model.Key{Name: "PRIMARY", Columns: []string{"country", "code"}},
				Uniques:    []model.Key{{Name: "region_name", Columns: []string{"name"}}},
				Indexes: []model.Index{
					{Name: "PRIMARY", Columns: []string{"country", "code"}, Unique: true, Type: "btree", Primary: true},
					{Name: "region_name", Columns: []string{"name"}, Unique: true, Type: "btree"},
				},
			},
		},
		Lineage: []model.Lineage{
			in(main, "customer", main, "audit", "TRIGGER", "trigger", 0.7),
			in(main, "a.b::c \"d\" 'e' `f`", main, "cte_union", "VIEW", "parsed", 1),
			in(main, "address", main, "cte_union", "VIEW", "parsed", 1),
			in(main, "customer", main, "cte_union", "VIEW", "parsed", 1),
			in(main, "select", main, "cte_union", "VIEW", "parsed", 1),
			in(main, "customer", main, "customer_names", "VIEW", "parsed", 1),
			in(other, "region", main, "customer_names", "VIEW", "parsed", 1),
			in(main, "customer", main, "empty_table", "TRIGGER", "trigger", 0.7),
			in(main, "customer", main, "log", "TRIGGER", "trigger", 0.85), // the better of two triggers
			in(main, "customer_names", main, "over_view", "VIEW", "parsed", 1),
			in(main, "customer", other, "region", "TRIGGER", "trigger", 0.7),
		},
	}
}
