#!/usr/bin/env bash
# Installs what the tests need beyond Go and a C compiler: PostgreSQL, MariaDB,
# Node.js 18 or newer with npm, the JavaScript clients' packages, and ClickHouse's
# engine (half a gigabyte, on Linux and amd64 alone).
source "$(dirname "$0")/modules.sh"

have() { command -v "$1" >/dev/null; }
postgres_ok() { have postgres || compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null; }
mariadb_ok() { { have mariadbd || [ -x /usr/sbin/mariadbd ]; } && have mariadb-install-db; }
node_ok() { have npm && have node && [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 18 ]; }

# need CHECK NAME PACKAGE...: installs the packages unless the check holds.
updated=
need() {
  local check=$1 name=$2
  shift 2
  if $check; then return; fi
  if have apt-get && [ "$(id -u)" = 0 ]; then
    say "installing $name"
    [ -n "$updated" ] || apt-get update -q >/dev/null
    updated=yes
    DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" >/dev/null
  fi
  $check || { echo "the tests need $name; install it (Debian, Ubuntu: apt-get install $*) and run again" >&2; exit 1; }
}
need postgres_ok PostgreSQL postgresql
need mariadb_ok MariaDB mariadb-server-core mariadb-client-core
need node_ok "Node.js 18 or newer with npm" nodejs npm

# packages FOLDER NAME: what a folder's package-lock.json lists, unless it is there.
packages() {
  local lock=$1/package-lock.json stamp=$1/node_modules/.installed
  if cmp -s "$lock" "$stamp"; then return; fi
  say "installing $2"
  (cd "$1" && npm ci --no-audit --no-fund --loglevel=error)
  mkdir -p "$1/node_modules"
  cp "$lock" "$stamp"
}
packages conformance/clients "the JavaScript clients"
packages clickhousetest "ClickHouse's engine"
