#!/usr/bin/env bash
# Installs what the tests need beyond Go and a C compiler: Node.js 18 or newer
# with npm, and the JavaScript clients' packages.
source "$(dirname "$0")/modules.sh"

node_ok() { command -v npm >/dev/null && command -v node >/dev/null && [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 18 ]; }

if ! node_ok; then
  if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    say "installing Node.js"
    apt-get update -q >/dev/null
    DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends nodejs npm >/dev/null
  fi
  node_ok || { echo "the tests need Node.js 18 or newer and npm; install them (Debian, Ubuntu: apt-get install nodejs npm) and run again" >&2; exit 1; }
fi

lock=conformance/clients/package-lock.json
stamp=conformance/clients/node_modules/.installed
if ! cmp -s "$lock" "$stamp"; then
  say "installing the JavaScript clients"
  (cd conformance/clients && npm ci --no-audit --no-fund --loglevel=error)
  cp "$lock" "$stamp"
fi
