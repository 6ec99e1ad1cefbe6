#!/usr/bin/env bash
# dist.sh BINARY…: dist/<os>-<arch>/ with the servers and their client configuration.
source "$(dirname "$0")/modules.sh"
out=dist/$(go env GOOS)-$(go env GOARCH)
rm -rf "$out"
mkdir -p "$out/clients"
for b in "$@"; do
  case $b in conformance | demo) continue ;; esac
  cp "bin/$b" "$out/"
  for client in claude-desktop claude-code cursor vscode zed; do
    "$out/$b" --print-config "$client" >"$out/clients/$b.$client.txt"
  done
done
cp LICENSE "$out/"
for b in vectro-mcp pretensor ptah cerebro; do
  [ -x "$out/$b" ] || echo "$b: not part of this tree yet, not in $out"
done
ls -l "$out"
