#!/usr/bin/env bash
# Prints the table of datakit's SQL corpus, taken now.
source "$(dirname "$0")/modules.sh"
cd datakit
out=$(go test -count=1 -v -run '^TestCorpus$' ./sqltree/corpus) || { echo "$out"; exit 1; }
grep '^ *|' <<<"$out" | sed 's/^ *//'
