package mcpkit

// Warning is something a caller should know although the call succeeded.
type Warning struct {
	Category string // groups warnings of one sort, e.g. "clamped"
	Message  string // one line, the same for all warnings of the category
	Object   string // what it is about; may be empty
}

// WarningsIn says where the warnings of a call go.
type WarningsIn int

const (
	// InAnswer adds the warnings to the answer: a text block after it, and
	// the objects under [Options.WarningsKey] in its _meta.
	InAnswer WarningsIn = iota
	// InResult adds nothing: the handler reads them with [Warnings] and puts
	// them into a field of its result.
	InResult
)
