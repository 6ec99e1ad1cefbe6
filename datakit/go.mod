module github.com/quartet-mcp/quartet/datakit

go 1.26
