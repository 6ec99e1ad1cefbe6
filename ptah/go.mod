module github.com/quartet-mcp/quartet/ptah

go 1.26.0
