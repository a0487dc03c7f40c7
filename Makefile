# make check is what every change must pass; CONTRIBUTING.md has the rest.
GO ?= go
FUZZTIME ?= 30s
REF ?= main
DIR ?= bench/rank/testdata
# What measures ken is a module of its own, so that the product requires nothing for it, and so is what leads a browser.
# What checks the one checks the other.
MODULES := . bench bench/browser
# Built there and run here, so that files are named from here.
MEASURE = $(GO) -C bench build -o ../bin/bench . && bin/bench
BENCH ?= .
PKG ?= ./...

# One way to compile, so that what one step made the next one has: only the race detector
# and other systems need theirs.
export GOFLAGS := $(strip -trimpath $(GOFLAGS))
PURE := CGO_ENABLED=0

# What checks is compiled without what debuggers read, which takes a tenth of the time; places
# in panics, races and coverage do not come from it. Nor is it in what build makes.
fast fmt-check vet cross lint race unraced indexed browser two-agents conformance-server: export GOFLAGS += -gcflags=all=-dwarf=false -ldflags=-w

# What checks the sources is built once for all clones of this machine: its place says which.
LINTERS := awk '$$1 == "-" && $$2 ~ /^[a-z0-9_]+$$/ {print $$2}' .golangci.yml
CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/ken-tools
TOOLS := $(CACHE)/$(firstword $(shell $(LINTERS) | cat tools/go.mod tools/go.sum tools/linters.awk tools/cross/main.go - | cksum))-$(shell $(GO) env GOVERSION)-$(shell $(GO) env GOARCH)
LINT := $(TOOLS)/golangci-lint
CROSS := $(TOOLS)/cross
TOOL = $(PURE) $(GO) build -modfile=tools/go.mod -buildvcs=false -trimpath -ldflags '-s -w'

# Tests say of themselves how they are run: $(call IN,WORD) are the packages with a line //ken:WORD, $(call TESTS,WORD) the
# tests right below one. CONTRIBUTING.md has the words. Slow packages come first, so that nothing long is left at the end.
IN = $(shell grep -rl --include='*_test.go' '^//ken:$(1)$$' cmd internal | xargs -n1 dirname | sort -u | sed 's,^,./,')
TESTS = ^($(shell grep -rh -A1 --include='*_test.go' '^//ken:$(1)$$' cmd internal | sed -n 's/^func \(Test[A-Za-z0-9_]*\).*/\1/p' | sort -u | paste -sd '|' -))$$
# Many tests wait, for a terminal or for their own end: others run meanwhile.
BESIDE := -p $(shell expr 2 '*' $$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1))

.PHONY: suite acp axe bench-page browser page-pictures agents two-agents build man check injection quick fast fmt fmt-check vet cross lint race unraced indexed test house fuzz bench bench-mask bench-risk risk-trace bench-extract bench-compare bench-recall lexicon bench-scale bench-teach bench-edits bench-servers bench-rounds conformance-server gobench gobench-compare battery battery-night kills pictures hour clean bench-doors bench-endpoint bench-starts endpoint-clients bench-learn

build:
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w' -o bin/ken ./cmd/ken

# The manual pages, from the commands themselves.
man: build
	bin/ken man bin/man

# With empty caches eleven minutes on two cores that have nothing else to do. What go vet looks
# for is looked for by lint, whose govet has all of it and more. One long test of unraced leaves
# a processor to indexed.
check:
	@.ci/steps fmt-check cross lint race unraced+indexed+browser two-agents conformance-server

# While you work: a minute. It leaves out the race detector, the linter, other
# systems, and the tests of slow packages.
quick:
	@.ci/steps fmt-check vet fast
	@echo 'quick: left out: lint, cross, race, indexed and the tests of packages that say //ken:slow; make check has them'

fast:
	@$(PURE) $(GO) test -vet=off -timeout 5m $(BESIDE) $$($(GO) list ./... | grep -vxF $(patsubst ./%,-e ken/%,$(call IN,slow)))


fmt: $(LINT)
	$(LINT) fmt

fmt-check: $(LINT)
	@$(LINT) fmt --diff

vet:
	@for m in $(MODULES); do $(PURE) $(GO) -C "$$m" vet ./... || exit; done

# Linux and macOS are supported; for Windows the sources must at least compile. The
# program that looks is tested first: it finds what does not compile there.
cross: $(CROSS)
	@cd tools && $(PURE) $(GO) test -vet=off ./cross
	@for m in $(MODULES); do (cd "$$m" && $(CROSS) darwin windows) || exit; done

lint: $(LINT)
	@$(PURE) $(LINT) run ./...
	@cd bench && $(PURE) $(LINT) run --config ../.golangci.yml ./...
	@cd bench/browser && $(PURE) $(LINT) run --config ../../.golangci.yml ./...
	@cd tools && $(PURE) $(LINT) run --config ../.golangci.yml ./cross

# Without a C compiler there is no race detector: the tests then run without.
race:
	@if command -v "$$($(GO) env CC)" >/dev/null; then \
	  $(GO) test -race -vet=off -timeout 20m $(BESIDE) -skip '$(call TESTS,unraced)' $(call IN,slow) ./... && \
	  $(GO) -C bench test -race -vet=off -timeout 20m $(BESIDE) ./...; \
	else \
	  echo 'race: no C compiler here, so no race detector: the tests run without it'; \
	  $(PURE) $(GO) test -vet=off -timeout 20m $(BESIDE) -skip '$(call TESTS,unraced)' $(call IN,slow) ./... && \
	  $(PURE) $(GO) -C bench test -vet=off -timeout 20m $(BESIDE) ./...; \
	fi

# Tests that take long and do one thing after the other: the race detector has nothing to see in them and makes them take
# five to ten times as long.
unraced:
	@$(PURE) $(GO) test -vet=off -timeout 10m $(BESIDE) -run '$(call TESTS,unraced)' $(call IN,unraced)

# What searches, once more: every answer comes from the index, which otherwise is
# kept from some hundred documents on.
indexed:
	@KEN_INDEX=always $(PURE) $(GO) test -vet=off -timeout 10m ./internal/cli/scripttest ./internal/cli/which
	@KEN_INDEX=always $(PURE) $(GO) test -vet=off -timeout 10m -run '$(call TESTS,indexed)' ./internal/cli

test:
	@for m in $(MODULES); do $(PURE) $(GO) -C "$$m" test -timeout 10m ./... || exit; done

# What no gate counts: lines, packages with one importer, the largest types, the functions that nobody wants to change.
house:
	@$(PURE) $(GO) test -vet=off -count=1 -v -run '^TestReport$$' ./internal/archtest | sed -n 's/^ *report_test.go:[0-9]*: //p'

# Every fuzz target of the tree, one after the other. What is new is made smaller in a hundred tries: by itself go works up to a
# minute on each, in which nothing new is looked for, and long texts are in the seeds.
fuzz:
	@for f in $$(grep -rl --include='*_test.go' '^func Fuzz' cmd internal); do \
	  for t in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' $$f); do \
	    echo "== $$f $$t"; \
	    $(GO) test -run '^$$' -fuzz "^$$t\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 100x ./$$(dirname $$f) || exit 1; \
	  done; \
	done

# What a person notices, beside the goals. docs/benchmarks.md says how to read it.
bench:
	$(MEASURE) -run '$(BENCH)' $(BENCHFLAGS)

# What masking finds in a corpus, kind by kind: CORPUS=FILE, or a directory.
bench-mask:
	@test -n '$(CORPUS)' || { echo 'usage: make bench-mask CORPUS=FILE' >&2; exit 2; }
	$(MEASURE) -run '^mask$$' -corpus '$(CORPUS)' $(BENCHFLAGS)

# How commands whose level is known are judged: CORPUS=FILE.
bench-risk:
	@test -n '$(CORPUS)' || { echo 'usage: make bench-risk CORPUS=FILE' >&2; exit 2; }
	$(MEASURE) -run '^risk$$' -corpus '$(CORPUS)' $(BENCHFLAGS)

# Programs that ken calls safe, under a tracer of system calls: with the options that
# their rows list, in a directory to throw away. It installs them from Debian, so it wants a
# machine to throw away as well; PACKAGES=no traces those that are here.
risk-trace:
	@test '$(PACKAGES)' = no || { awk '!/^#/ && NF > 1 {print $$2}' internal/risk/programs/testdata/packages.txt | sort -u | \
	  DEBIAN_FRONTEND=noninteractive xargs apt-get install -y --no-install-recommends strace; }
	KEN_RISK_TRACE=all $(GO) test -count=1 -timeout 90m -run '^TestTrace$$' -v ./internal/risk/programs

# The pictures of the papers, from the program itself: recordings, drawn for light and dark
# pages by svg-term (node and the npm registry).
SVGTERM := bin/svg-term/node_modules/.bin/svg-term --window --no-cursor --term xresources
pictures: build page-pictures
	@mkdir -p bin/pictures docs/pictures
	@test -x '$(firstword $(SVGTERM))' || npm install --silent --prefix bin/svg-term svg-term-cli@2.1.1
	@cd bench && $(GO) run ./pictures -ken ../bin/ken -o ../bin/pictures >../bin/pictures/list
	@set -e; for t in light dark; do \
	  $(SVGTERM) --profile "$(CURDIR)/bench/pictures/$$t.xresources" --in bin/pictures/first-minute.cast --out docs/pictures/first-minute-$$t.svg; \
	  while read -r scene still at; do \
	    $(SVGTERM) --profile "$(CURDIR)/bench/pictures/$$t.xresources" --in bin/pictures/$$scene.cast --at $$at --out docs/pictures/$$still-$$t.svg </dev/null; \
	  done <bin/pictures/list; \
	done; ls -l docs/pictures

# The page of ken serve in chromium. What a browser shows differs from one to the next, so its pictures are for whoever looks at them,
# and kept nowhere. Without chromium this is skipped and says so; with KEN_BROWSER=must, as in CI, it fails. axe-core comes from npm,
# once for all clones.
BROWSED = KEN_AXE="$$(test ! -f '$(AXE)' || echo '$(AXE)')" $(PURE) $(GO) -C bench/browser test -vet=off -count=1 -timeout 6m
AXE := $(CACHE)/axe-core-4.14.1/axe.min.js
AXE_SUM := 29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c
browser: $(if $(shell command -v npm),$(AXE))
	@out=$$($(BROWSED) -short -v -run '^Test(Page|Talk)' . 2>&1) || { printf '%s\n' "$$out"; exit 1; }; \
	printf '%s\n' "$$out" | grep -E 'browser_test|_test.go|^(ok|---)' || true

# Every page, every width, both themes, by the rules of axe-core.
axe: $(AXE)
	$(BROWSED) -v -run '^TestPage$$/^axe$$' .

page-pictures:
	@mkdir -p bin/pictures/page
	KEN_PICTURES='$(CURDIR)/bin/pictures/page' $(BROWSED) -v -run '^TestPictures$$' .

# What a browser takes until a page of ken serve stands there, and how many bytes come, with ten memories and with a thousand.
bench-page:
	KEN_FIGURES=1 $(BROWSED) -v -run '^TestFigures$$' .

$(AXE):
	@command -v npm >/dev/null || { echo 'axe: npm is not here, which fetches axe-core' >&2; exit 1; }
	@set -e; mkdir -p '$(CACHE)'; dir=$$(mktemp -d '$(CACHE)/.axe.XXXXXX'); trap 'rm -rf "$$dir"' EXIT; \
	(cd "$$dir" && npm pack --silent axe-core@4.14.1 >/dev/null && tar xzf axe-core-4.14.1.tgz); \
	echo '$(AXE_SUM)  '"$$dir/package/axe.min.js" | $$(command -v sha256sum || echo shasum -a 256) -c - >/dev/null; \
	mkdir -p '$(dir $(AXE))'; mv "$$dir/package/axe.min.js" '$(AXE)'

# A stranger's first hour, played in tmux by bash, zsh and fish, and the screens of it: DIR=...
hour: build
	@test '$(origin DIR)' != file || { echo 'usage: make hour DIR=DIRECTORY' >&2; exit 2; }
	$(GO) -C bench build -o ../bin/hour ./hour && bin/hour -ken bin/ken -source . -o '$(DIR)' $(HOURFLAGS)

# npm trusts the certificates that the other programs of the system do.
CERTIFICATES := $(firstword $(NODE_EXTRA_CA_CERTS) $(wildcard /etc/ssl/certs/ca-certificates.crt))
agent-% $(AXE) $(ACP_IN): export NODE_EXTRA_CA_CERTS := $(CERTIFICATES)

# The real programs of other assistants, set up by ken setup and asked against a model with a script: all six, a minute. npm puts
# each once into the cache of this machine, or into DIR; AGENTS names some of them alone.
AGENT_claude := @anthropic-ai/claude-code@2.1.330
AGENT_codex := @openai/codex@0.169.0
AGENT_copilot := @github/copilot@1.0.102
AGENT_gemini := @google/gemini-cli@0.61.0
AGENT_opencode := opencode-ai@1.18.33
AGENT_qwen := @qwen-code/qwen-code@0.24.4
AGENTS ?= claude codex copilot gemini opencode qwen
AGENTS_IN := $(if $(filter file,$(origin DIR)),$(CACHE)/agents,$(abspath $(DIR)))
ASKED = KEN_AGENTS='$(AGENTS_IN)' KEN_AGENTS_ARE='$(AGENTS)' $(PURE) $(GO) test -vet=off -count=1 -timeout 20m -run '^TestAgents$$'
agents: $(AGENTS:%=agent-%)
	$(ASKED) -v ./internal/battery/agents

# The two that npm and a turn take least time for: make check has them. Nothing runs beside them, for what a hook has not said in
# half a second it does not say.
two-agents: AGENTS = claude codex
two-agents: agent-claude agent-codex
	@$(ASKED) ./internal/battery/agents

# Real programs that ask a model through ken's endpoint, in a stream and with their own tools. No part of make check.
endpoint-clients: AGENTS = copilot opencode qwen
endpoint-clients: agent-copilot agent-opencode agent-qwen
	$(subst TestAgents,TestEndpointClients,$(ASKED)) -v ./internal/battery/agents

# What was installed is known by the pin beside it. It is put in its place whole, for others may install it meanwhile.
agent-%:
	@test -n '$(AGENT_$*)' || { echo 'agents: $* is none of them' >&2; exit 2; }
	@test "$$(cat '$(AGENTS_IN)/$*/pin' 2>/dev/null)" = '$(AGENT_$*)' || { \
	  command -v npm >/dev/null || { echo 'agents: npm is not here, which installs $(AGENT_$*)' >&2; exit 1; }; \
	  echo 'agents: installing $(AGENT_$*), once for all clones'; \
	  mkdir -p '$(AGENTS_IN)' && dir=$$(mktemp -d '$(AGENTS_IN)/.$*.XXXXXX') && trap 'rm -rf "$$dir"' EXIT && \
	  npm install --loglevel=error --no-audit --no-fund --prefix "$$dir" '$(AGENT_$*)' >/dev/null && printf %s '$(AGENT_$*)' >"$$dir/pin" && \
	  rm -rf '$(AGENTS_IN)/$*' && mv "$$dir" '$(AGENTS_IN)/$*'; \
	}

# What would be remembered of conversations, and what becomes of texts that try to be:
# POISON=FILE with further cases, TALKS=FILE with conversations of people.
bench-extract:
	KEN_POISON='$(abspath $(POISON))' KEN_TALKS='$(abspath $(TALKS))' $(GO) -C bench test -count=1 -v -run '^TestFigures$$' ./extracting
	$(GO) test -run '^$$' -bench . -benchmem ./internal/learn/extract/...

# The rows of bench with the ken of another commit beside it, turn by turn.
bench-compare:
	@set -e; dir=$$(mktemp -d); trap 'exit 130' INT TERM; \
	trap 'git worktree remove --force "$$dir/ref"; rm -rf "$$dir"' EXIT; \
	git worktree add --quiet --detach "$$dir/ref" '$(REF)'; \
	build="$(GO) build -trimpath -buildvcs=false"; export CGO_ENABLED=0; \
	(cd "$$dir/ref" && $$build -ldflags '-s -w' -o "$$dir/vs" ./cmd/ken); \
	$$build -ldflags '-s -w' -o "$$dir/ken" ./cmd/ken; \
	$(MEASURE) -run '$(BENCH)' -ken "$$dir/ken" -vs "$$dir/vs" $(BENCHFLAGS)

# How lines that people type are read: FILE=lines of {"id","text","lang","label"}.
bench-teach:
	@test -n '$(FILE)' || { echo 'usage: make bench-teach FILE=FILE' >&2; exit 2; }
	$(MEASURE) -teach '$(abspath $(FILE))' $(BENCHFLAGS)

# Whether learning helps: thirty conversations with a model that makes mistakes, with what is learnt of them and without; and texts
# that try to be learnt. Two minutes.
bench-learn:
	KEN_LIFE=30 $(PURE) $(GO) test -vet=off -count=1 -v -run '^Test(Life|PoisonedLearning)$$' ./internal/battery/life

# How edits that a model quotes badly are made, in the files of programs and papers below DIR.
bench-edits:
	@test '$(origin DIR)' != file || { echo 'usage: make bench-edits DIR=DIRECTORY' >&2; exit 2; }
	$(MEASURE) -edits '$(abspath $(DIR))' $(BENCHFLAGS)

# The words that go together, from WordNet (Debian's wordnet-base) and a list of short names:
# WORDNET=DIRECTORY NAMES=names.csv of github.com/carltonnorthern/nicknames.
WORDNET ?= /usr/share/wordnet
lexicon:
	@test -n '$(NAMES)' || { echo 'usage: make lexicon NAMES=names.csv [WORDNET=DIRECTORY]' >&2; exit 2; }
	$(GO) -C bench run ./lexicon -wordnet '$(abspath $(WORDNET))' -names '$(abspath $(NAMES))' -o ../internal/recall/lexicon/stems.txt

# ken acp driven by the official TypeScript client, which npm puts into the cache of this machine once; node 20 or newer runs it.
ACP_SDK := @agentclientprotocol/sdk@2.4.0
ACP_IN := $(CACHE)/acp-$(lastword $(subst @, ,$(ACP_SDK)))
# No part of make check.
acp: build $(ACP_IN)
	node bench/acp/editor.mjs bin/ken '$(ACP_IN)'

$(ACP_IN):
	@command -v npm >/dev/null || { echo 'acp: npm is not here, which installs $(ACP_SDK)' >&2; exit 1; }
	@set -e; mkdir -p '$(CACHE)'; dir=$$(mktemp -d '$(CACHE)/.acp.XXXXXX'); trap 'rm -rf "$$dir"' EXIT; \
	npm install --loglevel=error --no-audit --no-fund --ignore-scripts --prefix "$$dir" '$(ACP_SDK)' >/dev/null; mv "$$dir" '$@'

# ken's client of tool servers against the protocol's conformance suite, and against servers of npm: DIR is a directory
# in which npm installed node@22, @modelcontextprotocol/conformance@0.2.0-alpha.12 and
# @modelcontextprotocol/server-{everything,filesystem,memory}. No part of make check.
bench-servers:
	@test '$(origin DIR)' != file || { echo 'usage: make bench-servers DIR=DIRECTORY' >&2; exit 2; }
	$(GO) -C bench build -o ../bin/servers ./servers
	PATH='$(abspath $(DIR))/node_modules/.bin':$$PATH bin/servers -real '$(DIR)'
	for v in 2025-11-25 2026-07-28; do PATH='$(abspath $(DIR))/node_modules/.bin':$$PATH conformance client \
	  --command "$$PWD/bin/servers" --requirements $$v --expected-failures bench/servers/baseline.yml || exit 1; done

# ken's server for assistants against the same suite, over HTTP, in both revisions; what it does not do stands with its reasons in
# internal/httpapi/testdata/conformance, and any other failure is one; and against the client in TypeScript. npm puts both once
# into the cache of this machine, or into DIR. make check has it.
SUITE := node@22.23.3 @modelcontextprotocol/conformance@0.2.0-alpha.12 @modelcontextprotocol/sdk@1.32.2
SUITE_IN := $(if $(filter file,$(origin DIR)),$(CACHE)/conformance,$(abspath $(DIR)))
conformance-server: suite
	@out=$$(KEN_CONFORMANCE='$(SUITE_IN)' $(PURE) $(GO) test -vet=off -count=1 -timeout 10m -v \
	  -run '^Test(Conformance|S86TypeScript)$$' ./internal/httpapi ./internal/cli 2>&1) || { printf '%s\n' "$$out"; exit 1; }; \
	printf '%s\n' "$$out" | grep -E 'Total:|^(ok|---)'

suite: export NODE_EXTRA_CA_CERTS := $(CERTIFICATES)
suite:
	@test "$$(cat '$(SUITE_IN)/pin' 2>/dev/null)" = '$(SUITE)' || { \
	  command -v npm >/dev/null || { echo 'conformance: npm is not here, which installs $(SUITE)' >&2; exit 1; }; \
	  echo 'conformance: installing $(SUITE), once for all clones'; \
	  mkdir -p '$(dir $(SUITE_IN))' && dir=$$(mktemp -d '$(SUITE_IN).XXXXXX') && trap 'rm -rf "$$dir"' EXIT && \
	  npm install --loglevel=error --no-audit --no-fund --prefix "$$dir" $(SUITE) >/dev/null && printf %s '$(SUITE)' >"$$dir/pin" && \
	  rm -rf '$(SUITE_IN)' && mv "$$dir" '$(SUITE_IN)'; \
	}

# What it costs that a model calls a tool, beside other assistants on the same scripted model, and how large a request is with the
# tools of servers. DIR is a directory in which npm installed @openai/codex, opencode-ai and @qwen-code/qwen-code; without it
# ken is measured alone.
bench-rounds: build
	$(GO) -C bench build -o ../bin/rounds ./rounds && bin/rounds -ken bin/ken -dir '$(if $(filter file,$(origin DIR)),,$(DIR))' $(BENCHFLAGS)

# What adding and recalling costs by each door, and 64 clients at once for a minute; with DIR, as above, beside the protocol's
# reference server of memory. Five minutes.
bench-doors: build
	$(GO) -C bench build -o ../bin/doors ./doors && bin/doors -ken bin/ken -dir '$(if $(filter file,$(origin DIR)),,$(DIR))' $(BENCHFLAGS)

# What the endpoint in front of a model adds to the first token, and 64 clients at once for a minute.
bench-endpoint: build
	$(GO) -C bench build -o ../bin/doors ./doors && bin/doors -ken bin/ken -front $(BENCHFLAGS)

# How soon each face is there, and the memory that it holds.
bench-starts: build
	$(GO) -C bench build -o ../bin/doors ./doors && bin/doors -ken bin/ken -starts $(BENCHFLAGS)

# How good recall is: the questions of DIR about its conversations, its known turns, and
# beside it a memory of several projects with identifiers and other scripts.
bench-recall:
	$(MEASURE) -recall '$(DIR)' $(BENCHFLAGS)
	@test '$(DIR)' = bench/projects/testdata || bin/bench -recall bench/projects/testdata

# What short queries cost as the texts grow, beside sqlite3 with FTS5 and rg; an answer
# without an index; and the memory that making the index of a million takes.
bench-scale:
	$(MEASURE) -scale $(BENCHFLAGS)

# The benchmarks inside the packages; and ten runs of each beside another
# commit's, turn by turn, because machines drift.
gobench:
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -timeout 30m $(PKG)

gobench-compare: bin/benchstat
	@rm -rf bin/ref bin/old.txt bin/new.txt; git worktree prune
	git worktree add --quiet --detach bin/ref $(REF)
	@for i in 1 2 3 4 5 6 7 8 9 10; do \
	  (cd bin/ref && $(MAKE) -s gobench BENCH='$(BENCH)' PKG='$(PKG)') >>bin/old.txt || exit 1; \
	  $(MAKE) -s gobench BENCH='$(BENCH)' PKG='$(PKG)' >>bin/new.txt || exit 1; \
	done
	git worktree remove --force bin/ref
	bin/benchstat bin/old.txt bin/new.txt

# A model that obeys whatever it reads, with all carriers, styles and goals and with and without somebody there; it ends with
# how many cases there were of each, and what came of them. CARRIERS, a regular expression, leaves carriers out. make check
# runs a part.
CARRIERS ?= .
injection:
	INJECTION='$(CARRIERS)' $(GO) test -v -count=1 -timeout 2h -run '^TestInjection$$' ./internal/agent/turn ./internal/acp | grep -v -e '^=== ' -e '--- PASS: TestInjection/'

# The fault tests with their full counts: an hour. At the end a line
# for each fault, and one for all. By night, twenty-five times the states of a power failure.
battery: COUNTS = full
battery-night: COUNTS = night
battery battery-night:
	@mkdir -p bin
	KEN_BATTERY=$(COUNTS) $(GO) test -v -count=1 -timeout 8h -run '^Test(F|Goal|B1)[0-9]' ./... >bin/battery.log; code=$$?; \
	grep -E '^ *--- FAIL|^(FAIL|panic)' bin/battery.log; \
	awk -f internal/battery/sum.awk bin/battery.log && exit $$code

$(CROSS):
	@mkdir -p '$(TOOLS)'
	@cd tools && $(PURE) $(GO) build -buildvcs=false -ldflags '-s -w' -o '$@.'$$$$ ./cross && mv '$@.'$$$$ '$@'

# Of the linter, only what .golangci.yml names is fetched and compiled: its source is
# copied, and the list of its linters cut.
LINTER := github.com/golangci/golangci-lint/v2
$(LINT):
	@echo 'building the linter, once for all clones: $@'
	@set -e; mkdir -p '$(TOOLS)'; dir=$$(mktemp -d '$(TOOLS)/src.XXXXXX'); trap 'rm -rf "$$dir"' EXIT; trap 'exit 130' INT TERM; \
	from=$$($(GO) mod download -modfile=tools/go.mod -json $(LINTER) | sed -n 's/^\t"Dir": "\(.*\)",*$$/\1/p'); \
	test -d "$$from/pkg/lint/lintersdb"; cp -r "$$from/." "$$dir"; chmod -R u+w "$$dir"; \
	list=pkg/lint/lintersdb/builder_linter.go; awk -f tools/linters.awk .golangci.yml "$$from/$$list" >"$$dir/$$list"; \
	cp tools/go.mod "$$dir/ken.mod"; cp tools/go.sum "$$dir/ken.sum"; \
	$(GO) mod edit -replace="$(LINTER)=$$dir" "$$dir/ken.mod"; \
	$(PURE) $(GO) build -modfile="$$dir/ken.mod" -buildvcs=false -ldflags '-s -w' -o "$$dir/golangci-lint" $(LINTER)/cmd/golangci-lint; \
	mv "$$dir/golangci-lint" '$@'

bin/benchstat: tools/go.mod tools/go.sum
	$(TOOL) -o $@ golang.org/x/perf/cmd/benchstat

clean:
	rm -rf bin
