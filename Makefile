# make check is what every change must pass; CONTRIBUTING.md has the rest.
GO ?= go
FUZZTIME ?= 30s
REF ?= main
DIR ?= internal/bench/rank/testdata
BENCH ?= .
PKG ?= ./...
TOOL = $(GO) build -modfile=tools/go.mod -buildvcs=false -o bin/

.PHONY: build man check fmt fmt-check vet cross lint race indexed test fuzz bench bench-mask bench-risk risk-trace bench-extract bench-compare bench-recall gobench gobench-compare battery battery-night clean

build:
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w' -o bin/ken ./cmd/ken

# The manual pages, from the commands themselves.
man: build
	bin/ken man bin/man

check: fmt-check vet cross lint race indexed

fmt: bin/golangci-lint
	bin/golangci-lint fmt

fmt-check: bin/golangci-lint
	bin/golangci-lint fmt --diff

vet:
	$(GO) vet ./...

# Linux and macOS are supported; for Windows the sources must at least compile.
cross:
	GOOS=darwin $(GO) vet ./...
	GOOS=windows $(GO) vet ./...

lint: bin/golangci-lint
	bin/golangci-lint run ./...

race:
	$(GO) test -race -timeout 20m ./...

# What searches, once more: every answer comes from the index, which otherwise is
# kept from some hundred documents on.
indexed:
	KEN_INDEX=always $(GO) test -race -timeout 20m ./internal/cli ./internal/cli/scripttest ./internal/cli/find

test:
	CGO_ENABLED=0 $(GO) test -timeout 10m ./...

# Every fuzz target of the tree, one after the other.
fuzz:
	@for f in $$(grep -rl --include='*_test.go' '^func Fuzz' cmd internal); do \
	  for t in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' $$f); do \
	    echo "== $$f $$t"; \
	    $(GO) test -run '^$$' -fuzz "^$$t\$$" -fuzztime $(FUZZTIME) ./$$(dirname $$f) || exit 1; \
	  done; \
	done

# What a person notices, beside the goals. docs/benchmarks.md says how to read it.
bench:
	$(GO) run ./bench -run '$(BENCH)' $(BENCHFLAGS)

# What masking finds in a corpus, kind by kind: CORPUS=FILE, or a directory.
bench-mask:
	@test -n '$(CORPUS)' || { echo 'usage: make bench-mask CORPUS=FILE' >&2; exit 2; }
	$(GO) run ./bench -run '^mask$$' -corpus '$(CORPUS)' $(BENCHFLAGS)

# How commands whose level is known are judged: CORPUS=FILE.
bench-risk:
	@test -n '$(CORPUS)' || { echo 'usage: make bench-risk CORPUS=FILE' >&2; exit 2; }
	$(GO) run ./bench -run '^risk$$' -corpus '$(CORPUS)' $(BENCHFLAGS)

# Programs that ken calls safe, under a tracer of system calls: with the options that
# their rows list, in a directory to throw away. It installs them from Debian, so it wants a
# machine to throw away as well; PACKAGES=no traces those that are here.
risk-trace:
	@test '$(PACKAGES)' = no || { awk '!/^#/ && NF > 1 {print $$2}' internal/risk/programs/testdata/packages.txt | sort -u | \
	  DEBIAN_FRONTEND=noninteractive xargs apt-get install -y --no-install-recommends strace; }
	KEN_RISK_TRACE=all $(GO) test -count=1 -timeout 90m -run '^TestTrace$$' -v ./internal/risk/programs

# What would be remembered of conversations, and what becomes of texts that try to be:
# POISON=FILE with further cases, TALKS=FILE with conversations of people.
bench-extract:
	KEN_POISON='$(abspath $(POISON))' KEN_TALKS='$(abspath $(TALKS))' $(GO) test -count=1 -v -run '^TestFigures$$' ./internal/bench/extracting
	$(GO) test -run '^$$' -bench . -benchmem ./internal/distill/...

# The rows of bench with the ken of another commit beside it, turn by turn.
bench-compare:
	@set -e; dir=$$(mktemp -d); trap 'exit 130' INT TERM; \
	trap 'git worktree remove --force "$$dir/ref"; rm -rf "$$dir"' EXIT; \
	git worktree add --quiet --detach "$$dir/ref" '$(REF)'; \
	build="$(GO) build -trimpath -buildvcs=false"; export CGO_ENABLED=0; \
	(cd "$$dir/ref" && $$build -ldflags '-s -w' -o "$$dir/vs" ./cmd/ken); \
	$$build -ldflags '-s -w' -o "$$dir/ken" ./cmd/ken; \
	$(GO) run ./bench -run '$(BENCH)' -ken "$$dir/ken" -vs "$$dir/vs" $(BENCHFLAGS)

# How good recall is, on the conversations and questions in DIR.
bench-recall:
	$(GO) run ./bench -recall '$(DIR)' $(BENCHFLAGS)

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

# The fault tests with their full counts: an hour. At the end a line
# for each fault, and one for all. By night, twenty-five times the states of a power failure.
battery: COUNTS = full
battery-night: COUNTS = night
battery battery-night:
	@mkdir -p bin
	KEN_BATTERY=$(COUNTS) $(GO) test -v -count=1 -timeout 8h -run '^Test(F|Goal)[0-9]' ./... >bin/battery.log; code=$$?; \
	grep -E '^ *--- FAIL|^(FAIL|panic)' bin/battery.log; \
	awk -f internal/battery/sum.awk bin/battery.log && exit $$code

bin/golangci-lint: tools/go.mod tools/go.sum
	$(TOOL)golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint

bin/benchstat: tools/go.mod tools/go.sum
	$(TOOL)benchstat golang.org/x/perf/cmd/benchstat

clean:
	rm -rf bin
