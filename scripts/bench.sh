#!/usr/bin/env bash
# Prints the tables of docs/performance.md: ratios, measured in one run.
source "$(dirname "$0")/modules.sh"
say "mcpkit against the SDK's own stdio transport"
go run ./mcpkit/internal/bench
