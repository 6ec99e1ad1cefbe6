module github.com/quartet-mcp/quartet/pretensor

go 1.26.0
