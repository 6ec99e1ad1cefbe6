# Sourced by the other scripts: strict mode, the repository's root as the current
# folder, and the list of its modules.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
modules=(mcpkit datakit pretensor ptah cerebro vectro conformance clickhousetest)
say() { printf '\n== %s\n' "$*"; }
