#!/usr/bin/env bash
# dist.sh BINARY…: dist/<os>-<arch>/ with the servers, the library that one of them
# loads, and their client configuration, to be copied to another machine as it is.
source "$(dirname "$0")/modules.sh"
os=$(go env GOOS) arch=$(go env GOARCH)
out=dist/$os-$arch
version=$(git describe --tags --always --dirty 2>/dev/null || echo dev)
rm -rf "$out"
mkdir -p "$out/clients"
declare -A package=([vectro-mcp]=vectro/cmd/vectro-mcp [vectro]=vectro/cmd/vectro [pretensor]=pretensor/cmd/pretensor [ptah]=ptah/cmd/ptah [cerebro]=cerebro/cmd/cerebro)
for b in "$@"; do
  case $b in conformance | demo) continue ;; esac
  flags="-s -w -X main.version=$version"
  if [ "$b" = pretensor ]; then
    # The graph engine is a shared library, which lies beside the program.
    flags="$flags -r \$ORIGIN/lib"
    mkdir -p "$out/lib"
    kuzu=$(cd pretensor && go list -m -f '{{.Dir}}' github.com/kuzudb/go-kuzu)/lib/dynamic
    case $os in
    linux) install -m 755 "$kuzu/linux-$arch/libkuzu.so" "$out/lib/" && strip --strip-unneeded "$out/lib/libkuzu.so" ;;
    darwin) install -m 755 "$kuzu/darwin/libkuzu.dylib" "$out/lib/" ;;
    windows) install -m 755 "$kuzu/windows/kuzu_shared.dll" "$out/" ;;
    esac
  fi
  go build -trimpath -ldflags "$flags" -o "$out/$b" "./${package[$b]}"
  if [ "$b" = pretensor ] && [ "$os" = linux ]; then
    # The binding adds its own folder in the module cache behind ours: cut off, in place.
    perl -0777 -pi -e 's{\$ORIGIN/lib:[^\0]*}{"\$ORIGIN/lib" . "\0" x (length($&) - length("\$ORIGIN/lib"))}ge' "$out/$b"
  fi
  for client in claude-desktop claude-code cursor vscode zed; do
    "$out/$b" --print-config "$client" >"$out/clients/$b.$client.txt"
  done
done
cp LICENSE "$out/"

# The program must find its library in the folder alone, wherever that lies.
if [ "$os" = linux ] && [ -x "$out/pretensor" ]; then
  say "pretensor from a folder of its own"
  elsewhere=$(mktemp -d)
  trap 'rm -rf "$elsewhere"' EXIT
  cp -r "$out/." "$elsewhere/"
  if readelf -d "$elsewhere/pretensor" | grep -E 'R(UN)?PATH' | grep -v '\[\$ORIGIN/lib\]'; then
    echo "pretensor looks for its library outside of its folder" >&2
    exit 1
  fi
  ldd "$elsewhere/pretensor" | grep -F "libkuzu.so => $elsewhere/lib/libkuzu.so"
  env -i "$elsewhere/pretensor" --state-dir "$elsewhere/state" quickstart >/dev/null
fi
for b in vectro-mcp pretensor ptah cerebro; do
  [ -x "$out/$b" ] || echo "$b: not part of this tree yet, not in $out"
done
ls -l "$out"
