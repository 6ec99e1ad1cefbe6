module github.com/quartet-mcp/quartet/conformance

go 1.26.0

require (
	github.com/google/go-cmp v0.7.0 // indirect
	github.com/google/jsonschema-go v0.4.3 // indirect
	github.com/modelcontextprotocol/go-sdk v1.8.0 // indirect
	github.com/quartet-mcp/quartet/mcpkit v0.0.0
	go.uber.org/goleak v1.3.0 // indirect
	golang.org/x/tools v0.52.0 // indirect
)

replace github.com/quartet-mcp/quartet/mcpkit => ../mcpkit
