package toolset

import "slices"

// Domain groups tools.
type Domain string

// The domains; the set is closed.
const (
	Discovery     Domain = "discovery"
	Semantic      Domain = "semantic"
	Schema        Domain = "schema"
	Query         Domain = "query"
	Visualization Domain = "visualization"
	Reporting     Domain = "reporting"
	Web3          Domain = "web3"
	Governance    Domain = "governance"
	Research      Domain = "research"
	Storyteller   Domain = "storyteller"
	General       Domain = "meta"
)

// Domains are all domains.
var Domains = []Domain{Discovery, Semantic, Schema, Query, Visualization, Reporting, Web3, Governance, Research, Storyteller, General}

// Valid says whether the domain is one of [Domains].
func (d Domain) Valid() bool { return slices.Contains(Domains, d) }

// Tier says whether a tool is an everyday entry point.
type Tier string

// The tiers. The empty one is Advanced.
const (
	Core     Tier = "core"
	Advanced Tier = "advanced"
)

// Risk says what a call can do. The annotations that clients see follow from it.
type Risk string

// The risks.
const (
	ReadOnly       Risk = "read_only"
	ServerState    Risk = "server_state_write" // changes what the server remembers
	WorkspaceWrite Risk = "workspace_write"    // writes files into the home folder
	ExternalRead   Risk = "external_read"      // asks something beyond the server and its database
	Destructive    Risk = "destructive"        // takes away what was there
	AppOnly        Risk = "app_only"           // serves a view, never a model
)

// Risks are all risks.
var Risks = []Risk{ReadOnly, ServerState, WorkspaceWrite, ExternalRead, Destructive, AppOnly}

// Gate is what has to have happened in the session before a tool may be called.
type Gate string

// The gates. The empty one is none.
const (
	NoGate          Gate = ""
	DiscoveryGate   Gate = "discovery"
	ChartGate       Gate = "chart"
	MetricChartGate Gate = "metric_chart"
	ReportGate      Gate = "report"
)

// Deprecated says what to call instead.
type Deprecated struct {
	Replacement string
	Since       string
}

// Meta describes a tool.
type Meta struct {
	Title  string
	Domain Domain
	Tier   Tier
	// Tags are words by which the tool is looked for.
	Tags []string
	// Summary is the first line of the description: one sentence.
	Summary string
	Risk    Risk
	// Repeats says that calling again with the same arguments has another effect.
	Repeats bool
	// Network says that a call reaches beyond this server.
	Network    bool
	Aliases    []string
	Deprecated *Deprecated
	Gate       Gate
	// Layer says that the tool needs the semantic layer and is not registered without it.
	Layer bool
	// Phase is the step of the plan in which the tool is built.
	Phase int
}

// AppOnly says that the tool serves a view and is never shown to a model.
func (m *Meta) AppOnly() bool { return m.Risk == AppOnly }

// Hints are the annotations that a client sees; all four are always sent.
type Hints struct {
	ReadOnly    bool
	Destructive bool
	Idempotent  bool
	OpenWorld   bool
}

// Hints follow from the risk.
func (m *Meta) Hints() Hints {
	return Hints{
		ReadOnly:    m.Risk == ReadOnly || m.Risk == ExternalRead || m.Risk == AppOnly && !m.Repeats,
		Destructive: m.Risk == Destructive,
		Idempotent:  !m.Repeats,
		OpenWorld:   m.Network || m.Risk == ExternalRead,
	}
}
