# What a person types. `make help` lists it.
SHELL := /bin/bash
BIN := $(CURDIR)/bin
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -X main.version=$(VERSION)

# Every binary and the package that it is built from. One whose package is not
# in the tree is named and left out; asking for it alone fails.
BINARIES := vectro-mcp vectro pretensor ptah cerebro conformance demo
package-vectro-mcp  := vectro/cmd/vectro-mcp
package-vectro      := vectro/cmd/vectro
package-pretensor   := pretensor/cmd/pretensor
package-ptah        := ptah/cmd/ptah
package-cerebro     := cerebro/cmd/cerebro
package-conformance := conformance/cmd/conformance
package-demo        := conformance/cmd/demo
built = $(if $(wildcard $(package-$(1))/main.go),$(1))
PRESENT := $(foreach b,$(BINARIES),$(call built,$(b)))
ABSENT := $(filter-out $(PRESENT),$(BINARIES))

.PHONY: help build demo test conformance bench fuzz soak lint dist clean deps $(addprefix bin/,$(BINARIES))

help: ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

build: $(addprefix bin/,$(PRESENT)) ## the binaries, into bin/
	@for b in $(ABSENT); do echo "$$b: not part of this tree yet, not built"; done

$(addprefix bin/,$(BINARIES)): bin/%:
	@if [ ! -f $(package-$*)/main.go ]; then echo "$*: not part of this tree yet ($(package-$*) does not exist)" >&2; exit 1; fi
	go build -ldflags '$(LDFLAGS)' -o $(BIN)/$* ./$(package-$*)

demo: build ## what an assistant sees: each server's main job on real data, through a real client
	$(BIN)/demo -bin $(BIN) -data conformance/testdata/demo

deps: ## what the tests need beyond Go
	scripts/test-deps.sh

test: deps build ## every module's tests, the conformance suite and the foreign clients
	scripts/test.sh

conformance: build ## golden transcripts against the binaries
	$(BIN)/conformance run --bin $(BIN) --junit $(BIN)/conformance.xml

bench: build ## the ratio tables of docs/performance.md
	scripts/bench.sh

fuzz: ## every fuzz target for 30 s (FUZZTIME=5s for less)
	scripts/fuzz.sh $(or $(FUZZTIME),30s)

soak: deps build ## endurance and fault counts at their full length
	QUARTET_FULL=1 scripts/test.sh

lint: ## linters and repository rules
	scripts/lint.sh

dist: build ## binaries and client configuration for other machines, into dist/
	scripts/dist.sh $(PRESENT)

clean: ## remove what was built
	rm -rf bin dist
