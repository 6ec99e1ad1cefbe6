#!/usr/bin/env bash
# Runs every module's tests, then the conformance suite on the built binaries.
# QUARTET_FULL=1 runs endurance and fault counts at their full length.
source "$(dirname "$0")/modules.sh"

# Property tests draw the same values in every run, and others each time at full length.
timeout=30m
if [ -n "${QUARTET_FULL:-}" ]; then
  timeout=90m
else
  export RAPID_SEED="${RAPID_SEED:-1}"
fi

# The race detector covers what has no heavy C code in it: compiling the SQL
# parser a second time under it would cost more than it could find.
say "race tests of mcpkit"
go test -timeout "$timeout" -race ./mcpkit/...

# Limits of many megabytes are left to the plain run below (-short).
say "race tests of vectro's packages without C"
race=()
while read -r package; do race+=("$package"); done < <(
  cd vectro && go list -f '{{if not .Standard}}{{.ImportPath}} {{join .Deps " "}}{{end}}' ./internal/engine/... |
    awk '!/pg_query_go/ {print $1}')
go test -timeout "$timeout" -race -short "${race[@]}"

for m in "${modules[@]}"; do
  [ "$m" = mcpkit ] && continue # ran above
  say "tests of $m"
  (cd "$m" && go test -timeout "$timeout" ./...)
done

say "SQL corpus"
scripts/corpus.sh

say "conformance"
bin/conformance run --bin bin --junit bin/conformance.xml
