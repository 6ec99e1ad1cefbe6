#!/usr/bin/env bash
# Formatting, vet, linters, and that every module builds without the workspace.
source "$(dirname "$0")/modules.sh"
tools=$PWD/bin/tools
install() { # MODULE VERSION PACKAGE
  [ -f "$tools/.$(basename "$3")-$2" ] && return
  say "building $3 $2"
  GOBIN=$tools GOWORK=off GOFLAGS=-mod=mod go install "$3@$2"
  touch "$tools/.$(basename "$3")-$2"
}
mkdir -p "$tools"
install golangci-lint v2.15.0 github.com/golangci/golangci-lint/v2/cmd/golangci-lint

say "gofmt"
bad=$(git ls-files '*.go' | xargs gofmt -l)
[ -z "$bad" ] || { echo "not formatted:"; echo "$bad"; exit 1; }

say "go vet"
go vet work

say "golangci-lint"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$tools/golangci-lint" run --allow-parallel-runners "${modules[@]/%//...}" 2>&1 | tee "$log"
# A run that could not type-check ends with "0 issues" and has checked nothing.
! grep -q 'typecheck' "$log" || { echo "golangci-lint could not type-check" >&2; exit 1; }

say "repository rules"
# The rules look at files that git lists, which the cache of results does not know of.
(cd conformance && go test -count=1 ./repolint/...)

say "each module alone"
for m in "${modules[@]}"; do
  (cd "$m" && GOWORK=off go build ./...)
done
