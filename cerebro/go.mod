module github.com/quartet-mcp/quartet/cerebro

go 1.26.0
