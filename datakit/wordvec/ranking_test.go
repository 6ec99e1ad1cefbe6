package wordvec_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/datakit/search"
	"github.com/quartet-mcp/quartet/datakit/wordvec"
)

// table is a table as a catalog shows it.
type table struct {
	name    string // schema.table
	comment string
	columns []string
}

// rankingTables are 24 tables of different houses: some commented, some not,
// some spelt out, some abbreviated.
var rankingTables = []table{
	{"shop.customers", "People and companies that buy from us", []string{"customer_id", "first_name", "last_name", "email", "phone", "birth_date", "country_code", "created_at"}},
	{"shop.orders", "", []string{"order_id", "customer_id", "order_date", "status", "channel", "total_amount", "currency"}},
	{"shop.order_items", "", []string{"order_id", "line_no", "product_id", "quantity", "unit_price", "discount_pct"}},
	{"shop.products", "Catalogue of articles on offer", []string{"product_id", "sku", "title", "brand", "category_id", "list_price", "weight_grams", "is_active"}},
	{"shop.product_reviews", "", []string{"review_id", "product_id", "customer_id", "rating", "review_text", "posted_at"}},
	{"shop.return_requests", "Goods sent back by buyers, and the money given back for them", []string{"return_id", "order_id", "reason_code", "refund_amount", "requested_at", "approved_at"}},
	{"wms.stock_levels", "", []string{"warehouse_id", "sku", "on_hand_qty", "reserved_qty", "reorder_point", "counted_at"}},
	{"wms.shipments", "Parcels handed to a carrier", []string{"shipment_id", "order_id", "carrier", "tracking_number", "dispatched_at", "delivered_at", "destination_city"}},
	{"purchasing.po_hdr", "", []string{"po_nbr", "vendor_id", "buyer_emp_id", "ordered_dt", "expected_dt", "approval_status"}},
	{"purchasing.vendors", "Firms we buy material from", []string{"vendor_id", "vendor_name", "tax_number", "payment_terms", "contact_email"}},
	{"hr.employees", "", []string{"emp_id", "full_name", "job_title", "dept_id", "manager_id", "hire_date", "termination_date"}},
	{"hr.payroll_runs", "", []string{"run_id", "emp_id", "period_start", "period_end", "gross_pay", "net_pay", "withheld_tax"}},
	{"hr.leave_requests", "Holidays and sick days", []string{"request_id", "emp_id", "leave_type", "start_date", "end_date", "approved_by"}},
	{"recruiting.candidates", "", []string{"candidate_id", "position_applied", "resume_url", "interview_stage", "recruiter_id", "applied_on"}},
	{"finance.gl_entries", "General ledger postings", []string{"entry_id", "account_no", "posting_date", "debit_amt", "credit_amt", "cost_center", "memo"}},
	{"finance.invoices", "", []string{"invoice_no", "customer_id", "issued_on", "due_on", "amount_open", "dunning_level"}},
	{"billing.subscriptions", "Recurring contracts of the online service", []string{"subscription_id", "account_id", "plan", "mrr", "started_on", "renewal_date", "cancelled_on", "cancel_reason"}},
	{"web.sessions", "", []string{"session_id", "visitor_id", "landing_page", "referrer", "device", "page_views", "duration_sec"}},
	{"marketing.campaigns", "", []string{"campaign_id", "channel", "budget", "impressions", "clicks", "conversions", "launched_on"}},
	{"support.tickets", "", []string{"ticket_id", "requester_id", "subject", "priority", "assigned_agent", "first_response_at", "resolved_at"}},
	{"clinic.appointments", "", []string{"appointment_id", "patient_id", "physician_id", "scheduled_at", "room", "no_show"}},
	{"clinic.prescriptions", "Medicines ordered for a patient", []string{"prescription_id", "patient_id", "drug_name", "dosage", "refills", "prescribed_on"}},
	{"plant.sensor_readings", "", []string{"device_id", "read_at", "temperature_c", "humidity", "vibration", "battery_volt"}},
	{"fleet.vehicles", "Trucks and cars of the company", []string{"vin", "license_plate", "model_year", "odometer_km", "next_inspection", "assigned_driver"}},
}

// rankingQuestions are asked in words that people use, not in those of the
// tables. The second string is the table that answers.
var rankingQuestions = []struct{ question, table string }{
	{"who are our clients and how can we reach them", "shop.customers"},
	{"shoppers by nation", "shop.customers"},
	{"turnover per channel and currency this quarter", "shop.orders"},
	{"which articles were bought together in one basket and how many of each", "shop.order_items"},
	{"what do we sell and what does it cost", "shop.products"},
	{"stars and opinions that buyers left about an item", "shop.product_reviews"},
	{"how much did we reimburse for merchandise people brought back", "shop.return_requests"},
	{"items about to run out in the depot", "wms.stock_levels"},
	{"inventory available at each location", "wms.stock_levels"},
	{"packages that arrived late", "wms.shipments"},
	{"which courier transported the parcel", "wms.shipments"},
	{"procurement documents still waiting for a signature", "purchasing.po_hdr"},
	{"list of suppliers and the days they give us to pay", "purchasing.vendors"},
	{"headcount of staff per department", "hr.employees"},
	{"who is the boss of whom", "hr.employees"},
	{"wages after deductions last month", "hr.payroll_runs"},
	{"who is on vacation next week", "hr.leave_requests"},
	{"people who want a job here and how far the hiring process went", "recruiting.candidates"},
	{"bookkeeping journal for the audit", "finance.gl_entries"},
	{"unpaid bills past their deadline", "finance.invoices"},
	{"how many members quit their monthly membership and why", "billing.subscriptions"},
	{"churn of paying accounts", "billing.subscriptions"},
	{"traffic on the site by browser and source", "web.sessions"},
	{"advertising spend and results", "marketing.campaigns"},
	{"complaints from users that nobody has answered yet", "support.tickets"},
	{"help desk workload by urgency", "support.tickets"},
	{"doctor visits that were missed", "clinic.appointments"},
	{"medication given to sick people", "clinic.prescriptions"},
	{"how hot and damp was the machine hall", "plant.sensor_readings"},
	{"mileage of automobiles and when they must be checked", "fleet.vehicles"},
}

// keywordIndex indexes the tables as a schema server does: name, description and
// columns with their boosts, business synonyms.
func keywordIndex(t testing.TB) *search.Index {
	x, err := search.New(search.Config{
		Fields: []search.Field{
			{Name: "name", Boost: 3, Title: true}, {Name: "description", Boost: 1.5}, {Name: "columns", Boost: 1.4},
		},
		Synonyms: search.BusinessSynonyms(),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, tab := range rankingTables {
		schema, name, _ := strings.Cut(tab.name, ".")
		if err := x.Index(search.Document{ID: tab.name, Fields: map[string][]string{
			"name": {schema, name}, "description": {tab.comment}, "columns": tab.columns,
		}}); err != nil {
			t.Fatal(err)
		}
	}
	return x
}

// text is what is embedded of a table.
func (t table) text() string {
	s := t.name + ": " + strings.Join(t.columns, ", ")
	if t.comment != "" {
		s += " — " + t.comment
	}
	return s
}

// TestRanking_TablesForQuestions counts for how many questions the right table is
// among the first three: by keywords, by vectors, and by both fused.
func TestRanking_TablesForQuestions(t *testing.T) {
	ctx := context.Background()
	builtin, err := wordvec.NewBuiltin()
	if err != nil {
		t.Fatal(err)
	}
	keywords := keywordIndex(t)
	vectors, err := wordvec.NewIndex(builtin.Model(), builtin.Dim())
	if err != nil {
		t.Fatal(err)
	}
	for _, tab := range rankingTables {
		v, err := builtin.Embed(ctx, []string{tab.text()})
		if err != nil {
			t.Fatal(err)
		}
		if err := vectors.Add(builtin.Model(), tab.name, v[0]); err != nil {
			t.Fatal(err)
		}
	}
	const limit = 10
	var first, three [3]int // by keywords, vectors, both
	for _, q := range rankingQuestions {
		var lists [3][]string
		r, err := keywords.Search(ctx, q.question, 4*limit)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range r.Hits {
			lists[0] = append(lists[0], h.ID)
		}
		v, err := builtin.Embed(ctx, []string{q.question})
		if err != nil {
			t.Fatal(err)
		}
		ranked, err := vectors.Rank(builtin.Model(), v[0], max(20, 4*limit), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range ranked {
			lists[1] = append(lists[1], h.ID)
		}
		for _, f := range search.Fuse(lists[0], lists[1]) {
			lists[2] = append(lists[2], f.ID)
		}
		var at [3]int
		for i, list := range lists {
			at[i] = slices.Index(list, q.table) + 1
			if at[i] == 1 {
				first[i]++
			}
			if at[i] >= 1 && at[i] <= 3 {
				three[i]++
			}
		}
		t.Logf("%2d %2d %2d  %s", at[0], at[1], at[2], q.question)
	}
	n := len(rankingQuestions)
	t.Logf("right table first / in the first three of %d: keywords %d/%d, vectors %d/%d, fused %d/%d",
		n, first[0], three[0], first[1], three[1], first[2], three[2])
	if three[2] < 29 {
		t.Errorf("fused: the right table is in the first three for %d of %d questions, want at least 29", three[2], n)
	}
}
