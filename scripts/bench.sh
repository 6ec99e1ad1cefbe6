#!/usr/bin/env bash
# Measures, prints, and writes docs/performance.md: ratios, each taken in one run.
source "$(dirname "$0")/modules.sh"
out=docs/performance.md
{
  cat <<'TEXT'
# Performance

Written by `make bench`. Where there is something to compare with, a figure is a ratio of two measurements of one run, taken
alternately on one machine: absolute times say more about the machine than about the program. A gate that is missed stays in the
table.

## mcpkit against the SDK's own stdio transport

mcpkit's echo server beside an echo server on the bare SDK. Bounds are those that mcpkit promises.

TEXT
  go run ./mcpkit/internal/bench "$@"
  cat <<'TEXT'

## SQL: what the parsers and the resolver are worth

Statements of `datakit/sqltree/corpus`, written by hand, and their twins with one table or column renamed. Where a database
is at hand it is the judge: it accepts the statement, and refuses the twin for the same name in the same place. Bounds: 99.5 %
parsed, at most 0.5 % false errors, 98 % of the broken twins found.

TEXT
  scripts/corpus.sh
  cat <<'TEXT'

## pretensor: what an index and a server cost

The program as it is built, measured from outside, over stdio. There is no other program to compare with, so figures stand
beside fixed bounds, meant for two processors that do nothing else. The large database is generated: a tenth of its tables are
views, 20 rows are in each of the others, and the same names, keys and widths are made at each run. Every call has other
arguments; the bounds of tools are for the 95th percentile.

TEXT
  go run ./pretensor/internal/bench "$@"
  cat <<'TEXT'

## ptah: what a call on a declared schema costs

The program as it is built, measured from outside, over stdio; each call reads, validates and renders its sources, which are
others each time. Tables have 20 columns and refer to one another. Bounds are fixed, meant for two processors that do nothing else,
and for the 50th percentile.

TEXT
  go run ./ptah/internal/bench "$@"
} | tee "$out"
