#!/usr/bin/env bash
# Prints the table of datakit's SQL corpus, taken now.
source "$(dirname "$0")/modules.sh"
cd datakit
go test -count=1 -v -run '^TestCorpus$' ./sqltree/corpus >"${TMPDIR:-/tmp}/corpus.$$" || { cat "${TMPDIR:-/tmp}/corpus.$$"; exit 1; }
grep '^ *|' "${TMPDIR:-/tmp}/corpus.$$" | sed 's/^ *//'
rm "${TMPDIR:-/tmp}/corpus.$$"
