#!/usr/bin/env bash
# Runs every fuzz target of the workspace for the given time each.
source "$(dirname "$0")/modules.sh"
time=${1:?usage: fuzz.sh DURATION, e.g. 30s}
n=0
while IFS=: read -r file target; do
  dir=$(dirname "$file")
  say "$target in $dir, $time"
  (cd "$dir" && go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" .)
  n=$((n + 1))
done < <(git grep -oE '^func Fuzz[A-Za-z0-9_]+' -- '*_test.go' | sed 's/func //')
[ "$n" -gt 0 ] || { echo "no fuzz target found" >&2; exit 1; }
say "$n fuzz targets passed"
