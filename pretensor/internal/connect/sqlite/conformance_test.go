package sqlite

import "github.com/quartet-mcp/quartet/pretensor/internal/model"

// conformance is what testdata/conformance.sql declares, but for the columns of
// the table wide.
func conformance() *model.Database {
	none := ptr(0)
	lineage := func(from, to, kind, source string, confidence float64) model.Lineage {
		return model.Lineage{FromSchema: "main", FromTable: from, ToSchema: "main", ToTable: to, Type: kind, Source: source, Confidence: confidence}
	}
	return &model.Database{
		Name: "shop.v2", Dialect: "sqlite", DefaultSchema: "main",
		Tables: []model.Table{
			{
				Schema: "main", Name: `a.b::c "d" 'e'`, Type: "table", Rows: none, RowsSource: "exact",
				Columns:     []model.Column{{Name: "x", Ordinal: 1, Type: "INT", Nullable: true}, {Name: "y", Ordinal: 2, Type: "INT", Nullable: true}},
				ForeignKeys: []model.ForeignKey{{Columns: []string{"x"}, RefSchema: "main", RefTable: "select", RefColumns: []string{"from"}}},
				Checks:      []model.Check{{Expr: `"x" <> y`, Columns: []string{"x", "y"}}},
				Indexes:     []model.Index{{Name: `index.of "d"`, Columns: []string{"x"}, Type: "btree"}},
			},
			{
				Schema: "main", Name: "address", Type: "table", Rows: none, RowsSource: "exact",
				Columns: []model.Column{
					{Name: "id", Ordinal: 1, Type: "INTEGER", Identity: true},
					{Name: "slug", Ordinal: 2, Type: "TEXT", Nullable: true},
					{Name: "line", Ordinal: 3, Type: "TEXT", Nullable: true},
				},
				PrimaryKey: &model.Key{Columns: []string{"id"}},
				Uniques:    []model.Key{{Name: "address_slug", Columns: []string{"slug"}}},
				Checks:     []model.Check{{Expr: "length(line) > 0 AND slug <> line", Columns: []string{"line", "slug"}}},
				Indexes:    []model.Index{{Name: "sqlite_autoindex_address_1", Columns: []string{"slug"}, Unique: true, Type: "btree"}},
			},
			{
				// DESC makes the key an ordinary column with an index.
				Schema: "main", Name: "audit", Type: "table", Rows: none, RowsSource: "exact",
				Columns:    []model.Column{{Name: "id", Ordinal: 1, Type: "INTEGER", Nullable: true}, {Name: "what", Ordinal: 2, Type: "TEXT", Nullable: true}},
				PrimaryKey: &model.Key{Columns: []string{"id"}},
				Indexes:    []model.Index{{Name: "sqlite_autoindex_audit_1", Columns: []string{"id"}, Unique: true, Type: "btree", Primary: true}},
			},
			{
				Schema: "main", Name: "copied", Type: "table", Rows: none, RowsSource: "exact",
				Columns: []model.Column{
					{Name: "id", Ordinal: 1, Type: "INT", Nullable: true},
					{Name: "mail", Ordinal: 2, Type: "TEXT", Nullable: true},
					{Name: "twice", Ordinal: 3, Type: "", Nullable: true},
				},
			},
			{
				Schema: "main", Name: "cte_union", Type: "view",
				Columns: []model.Column{{Name: "id", Ordinal: 1, Type: "INTEGER", Nullable: true}},
				Definition: `WITH a AS (SELECT id FROM customer), address2 AS (SELECT id FROM address)
  SELECT id FROM a UNION SELECT id FROM address2 UNION ALL SELECT x FROM "a.b::c ""d"" 'e'" WHERE y IN (SELECT position FROM line_item)`,
			},
			{
				Schema: "main", Name: "customer", Type: "table", Rows: none, RowsSource: "exact",
				Columns: []model.Column{
					{Name: "id", Ordinal: 1, Type: "INTEGER", Identity: true},
					{Name: "email", Ordinal: 2, Type: "VARCHAR(120)"},
					{Name: "country", Ordinal: 3, Type: "TEXT", Nullable: true},
					{Name: "region", Ordinal: 4, Type: "TEXT", Nullable: true},
					{Name: "referred_by", Ordinal: 5, Type: "INTEGER", Nullable: true},
					{Name: "profile", Ordinal: 6, Type: "JSON", Nullable: true},
					{Name: "balance", Ordinal: 7, Type: "DECIMAL(10, 2)", Default: "0.00"},
					{Name: "created", Ordinal: 8, Type: "TIMESTAMP", Nullable: true, Default: "CURRENT_TIMESTAMP"},
					{Name: "note", Ordinal: 9, Type: "TEXT", Nullable: true, Default: "'it''s (fine)'"},
				},
				PrimaryKey: &model.Key{Columns: []string{"id"}},
				Uniques:    []model.Key{{Columns: []string{"email"}}},
				ForeignKeys: []model.ForeignKey{
					{Columns: []string{"referred_by"}, RefSchema: "main", RefTable: "customer", RefColumns: []string{"id"}},
					{Name: "customer_region", Columns: []string{"country", "region"}, RefSchema: "main", RefTable: "region", RefColumns: []string{"country", "code"},
						OnDelete: "SET NULL", OnUpdate: "CASCADE"},
				},
				Checks:  []model.Check{{Name: "not_broke", Expr: "balance >= -100", Columns: []string{"balance"}}},
				Indexes: []model.Index{{Name: "sqlite_autoindex_customer_1", Columns: []string{"email"}, Unique: true, Type: "btree"}},
			},
			{
				Schema: "main", Name: "customer_region_names", Type: "view", Comment: "customers with their region",
				Columns: []model.Column{
					{Name: "id", Ordinal: 1, Type: "INTEGER", Nullable: true},
					{Name: "region_name", Ordinal: 2, Type: "TEXT", Nullable: true},
				},
				Definition: "SELECT c.id, r.name AS region_name FROM customer c JOIN region r ON r.country = c.country AND r.code = c.region",
			},
			{
				Schema: "main", Name: "empty_table", Type: "table", Rows: none, RowsSource: "exact",
				Columns: []model.Column{{Name: "a", Ordinal: 1, Type: "INTEGER", Nullable: true}},
			},
			{
				Schema: "main", Name: "line_item", Type: "table", Rows: none, RowsSource: "exact",
				Columns: []model.Column{
					{Name: "purchase_id", Ordinal: 1, Type: "INT"},
					{Name: "position", Ordinal: 2, Type: "INT"},
					{Name: "sku", Ordinal: 3, Type: "TEXT", Nullable: true, Default: "'x' || 1"},
				},
				PrimaryKey:  &model.Key{Columns: []string{"purchase_id", "position"}},
				ForeignKeys: []model.ForeignKey{{Columns: []string{"purchase_id"}, RefSchema: "main", RefTable: "purchase", RefColumns: []string{"id"}}},
				Indexes:     []model.Index{{Name: "sqlite_autoindex_line_item_1", Columns: []string{"purchase_id", "position"}, Unique: true, Type: "btree", Primary: true}},
			},
			{
				Schema: "main", Name: "log", Type: "table", Rows: ptr(3), RowsSource: "exact",
				Columns: []model.Column{{Name: "at", Ordinal: 1, Nullable: true}, {Name: "what", Ordinal: 2, Nullable: true}},
			},
			{
				Schema: "main", Name: "no_table", Type: "view",
				Columns:    []model.Column{{Name: "one", Ordinal: 1, Nullable: true}, {Name: "log", Ordinal: 2, Nullable: true}},
				Definition: "SELECT 1 AS one, 'log' AS log",
			},
			{
				Schema: "main", Name: "over_view", Type: "view",
				Columns: []model.Column{
					{Name: "who", Ordinal: 1, Type: "INTEGER", Nullable: true},
					{Name: "region name", Ordinal: 2, Type: "TEXT", Nullable: true},
				},
				Definition: "SELECT * FROM customer_region_names WHERE region_name <> 'nowhere'",
			},
			{
				Schema: "main", Name: "purchase", Type: "table", Rows: none, RowsSource: "exact",
				Columns: []model.Column{
					{Name: "id", Ordinal: 1, Type: "INT", Nullable: true},
					{Name: "customer_id", Ordinal: 2, Type: "INTEGER"},
					{Name: "bill_to", Ordinal: 3, Type: "INTEGER", Nullable: true},
					{Name: "ship_to", Ordinal: 4, Type: "INTEGER", Nullable: true},
					{Name: "address_slug", Ordinal: 5, Type: "TEXT", Nullable: true},
					{Name: "net", Ordinal: 6, Type: "REAL", Nullable: true},
					{Name: "tax", Ordinal: 7, Type: "REAL", Nullable: true},
					{Name: "gross", Ordinal: 8, Type: "REAL", Nullable: true, Generated: true, Default: "net + tax"},
					{Name: "gross_text", Ordinal: 9, Type: "TEXT", Nullable: true, Generated: true, Default: "printf('%.2f', net + tax)"},
				},
				PrimaryKey: &model.Key{Columns: []string{"id"}},
				Uniques:    []model.Key{{Name: "purchase_pair", Columns: []string{"bill_to", "ship_to"}}},
				ForeignKeys: []model.ForeignKey{
					{Columns: []string{"address_slug"}, RefSchema: "main", RefTable: "address", RefColumns: []string{"slug"}},
					{Columns: []string{"customer_id"}, RefSchema: "main", RefTable: "customer", RefColumns: []string{"id"}, OnDelete: "CASCADE"},
					{Name: "bill", Columns: []string{"bill_to"}, RefSchema: "main", RefTable: "address", RefColumns: []string{"id"}},
					{Name: "ship", Columns: []string{"ship_to"}, RefSchema: "main", RefTable: "address", RefColumns: []string{"id"}, OnDelete: "RESTRICT"},
				},
				Indexes: []model.Index{
					{Name: "purchase_customer", Columns: []string{"customer_id", "bill_to"}, Type: "btree"},
					{Name: "purchase_lower", Columns: []string{"(lower(address_slug))", "net"}, Unique: true, Type: "btree"},
					{Name: "purchase_open", Columns: []string{"tax"}, Type: "btree", Partial: true},
					{Name: "purchase_pair", Columns: []string{"bill_to", "ship_to"}, Unique: true, Type: "btree"},
					{Name: "sqlite_autoindex_purchase_1", Columns: []string{"id"}, Unique: true, Type: "btree", Primary: true},
				},
			},
			{
				Schema: "main", Name: "region", Type: "table", Comment: "where we sell", Rows: ptr(2), RowsSource: "exact",
				Columns: []model.Column{
					{Name: "country", Ordinal: 1, Type: "TEXT", Comment: "ISO 3166"},
					{Name: "code", Ordinal: 2, Type: "TEXT"},
					{Name: "name", Ordinal: 3, Type: "TEXT", Nullable: true},
				},
				PrimaryKey: &model.Key{Name: "region_pk", Columns: []string{"country", "code"}},
				Indexes:    []model.Index{{Name: "sqlite_autoindex_region_1", Columns: []string{"country", "code"}, Unique: true, Type: "btree", Primary: true}},
			},
			{
				Schema: "main", Name: "search", Type: "external_table",
				Columns: []model.Column{{Name: "title", Ordinal: 1, Nullable: true}, {Name: "body", Ordinal: 2, Nullable: true}},
			},
			{
				Schema: "main", Name: "select", Type: "table", Rows: none, RowsSource: "exact",
				Columns: []model.Column{
					{Name: "from", Ordinal: 1, Type: "TEXT", Nullable: true},
					{Name: "Mixed Case", Ordinal: 2, Type: "TEXT", Nullable: true},
					{Name: "ünïcode ✓", Ordinal: 3, Type: "TEXT", Nullable: true},
					{Name: "dot.and::colons", Ordinal: 4, Type: "TEXT", Nullable: true},
					{Name: `quote"d`, Ordinal: 5, Type: "TEXT", Nullable: true},
					{Name: "brackets", Ordinal: 6, Type: "TEXT", Nullable: true},
					{Name: "tick`s", Ordinal: 7, Type: "TEXT", Nullable: true},
					{Name: "n23456789012345678901234567890123456789012345678901234567890abc", Ordinal: 8, Type: "TEXT", Nullable: true},
				},
				Uniques: []model.Key{{Columns: []string{"from", `quote"d`}}},
				Indexes: []model.Index{{Name: "sqlite_autoindex_select_1", Columns: []string{"from", `quote"d`}, Unique: true, Type: "btree"}},
			},
			{
				Schema: "main", Name: "strict_key", Type: "table", Rows: none, RowsSource: "exact",
				Columns:    []model.Column{{Name: "code", Ordinal: 1, Type: "TEXT"}, {Name: "any_value", Ordinal: 2, Type: "ANY", Nullable: true}},
				PrimaryKey: &model.Key{Columns: []string{"code"}},
				Indexes:    []model.Index{{Name: "sqlite_autoindex_strict_key_1", Columns: []string{"code"}, Unique: true, Type: "btree", Primary: true}},
			},
			{Schema: "main", Name: "wide", Type: "table", Rows: none, RowsSource: "exact"},
		},
		Lineage: []model.Lineage{
			lineage("customer", "audit", "TRIGGER", "trigger", 0.85),
			lineage(`a.b::c "d" 'e'`, "cte_union", "VIEW", "parsed", 1),
			lineage("address", "cte_union", "VIEW", "parsed", 1),
			lineage("customer", "cte_union", "VIEW", "parsed", 1),
			lineage("line_item", "cte_union", "VIEW", "parsed", 1),
			lineage("over_view", "customer", "TRIGGER", "trigger", 0.85),
			lineage("customer", "customer_region_names", "VIEW", "parsed", 1),
			lineage("region", "customer_region_names", "VIEW", "parsed", 1),
			lineage("customer", "log", "TRIGGER", "trigger", 0.85),
			lineage("customer_region_names", "over_view", "VIEW", "parsed", 1),
		},
	}
}
