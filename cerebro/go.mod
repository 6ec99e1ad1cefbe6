module github.com/quartet-mcp/quartet/cerebro

go 1.26.0

require github.com/quartet-mcp/quartet/datakit v0.0.0

require github.com/quartet-mcp/quartet/mcpkit v0.0.0 // indirect

replace github.com/quartet-mcp/quartet/datakit => ../datakit

replace github.com/quartet-mcp/quartet/mcpkit => ../mcpkit
