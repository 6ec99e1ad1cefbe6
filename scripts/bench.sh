#!/usr/bin/env bash
# Measures, prints, and writes docs/performance.md: ratios, each taken in one run.
source "$(dirname "$0")/modules.sh"
out=docs/performance.md
{
  cat <<'TEXT'
# Performance

Written by `make bench`. Every figure is a ratio of two measurements of one run, taken alternately on one machine:
absolute times say more about the machine than about the program. A gate that is missed stays in the table.

## mcpkit against the SDK's own stdio transport

mcpkit's echo server beside an echo server on the bare SDK. Bounds are those that mcpkit promises.

TEXT
  go run ./mcpkit/internal/bench "$@"
} | tee "$out"
