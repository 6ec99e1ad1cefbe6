#!/usr/bin/env bash
# Runs every fuzz target of the workspace for the given time each.
source "$(dirname "$0")/modules.sh"
time=${1:?usage: fuzz.sh DURATION, e.g. 30s}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

fuzz() { # directory, target
  (cd "$1" && go test -run '^$' -fuzz "^$2\$" -fuzztime "$time" . 2>&1) | tee "$log"
}

# Before Go 1.27 the fuzzer may lose a race at the end of its own time (go.dev/issue/75804): it then fails with
# "context deadline exceeded" alone. A finding names the input that it wrote, or a panic, and is never tried again.
lost_the_race() {
  grep -qx ' *context deadline exceeded' "$log" && ! grep -qE 'Failing input written|failing seed|panic:|_test\.go:' "$log"
}

n=0
while IFS=: read -r file target; do
  dir=$(dirname "$file")
  say "$target in $dir, $time"
  for try in 1 2 3; do
    fuzz "$dir" "$target" && break
    if [ "$try" = 3 ] || ! lost_the_race; then exit 1; fi
    say "$target again: the fuzzer's clock ran out without a finding"
  done
  n=$((n + 1))
done < <(git grep -oE '^func Fuzz[A-Za-z0-9_]+' -- '*_test.go' | sed 's/func //')
[ "$n" -gt 0 ] || { echo "no fuzz target found" >&2; exit 1; }
say "$n fuzz targets passed"
