# The order of `make check` is the order of .ci/run.
.PHONY: check test test-tools lint bench bench-short bench-readme scale studies golden generate nightly fuzz

check: test lint test-tools bench-short

test:
	go test ./...

LINTERS = honnef.co/go/tools/cmd/staticcheck github.com/kisielk/errcheck github.com/nishanths/exhaustive/cmd/exhaustive github.com/mgechev/revive

lint:
	test -z "$$(gofmt -l $$(git ls-files '*.go'))"
	go vet ./...
	go mod tidy -diff
	cd tools && GOBIN=$(CURDIR)/.bin go install -ldflags='-s -w' $(LINTERS)
	.bin/staticcheck ./...
	.bin/errcheck -ignoretests -exclude tools/errcheck.txt ./...
	! .bin/exhaustive -d -typeonly '^hcasim/' ./... 2>&1 | grep -v '_test\.go:'
	.bin/revive -config tools/revive.toml -set_exit_status ./...
	go -C tools run ./licenses -check

# What needs more than Go: a C compiler for the race detector, and real tools
# that read what we write. A tool that is missing is a failure.
test-tools:
	tools/debian.sh
	go test -vet=off -tags tools -run 'Browser|Tshark|VCD|Slurm|FullDisk|ReadOnly|FullOutput' ./report/... ./study/sweep ./cmd/hcasim
	go test ./study -run '^TestDocument$$' -hold $(HOLD)
	GORACE=atexit_sleep_ms=10 go test -vet=off -race -short $(RACE)

# docs/studies.md held to the model: every study in its full form, in 90 s of
# CPU. The short forms are everyday tests.
studies:
	go test ./study/sweep -run '^TestDocument$$' -timeout 30m -hold whole

# Where goroutines meet. All other rooms are single-threaded; that they share
# nothing between runs is seen here too, where runs are made in parallel.
RACE = ./cmd/ending ./cmd/hcasim ./report ./report/plot ./report/reference ./scenario ./scenario/config ./scenario/lang ./scenario/suite ./scenario/sweep ./study ./study/perf/... ./study/sweep ./whole

# What is given away, and that it can be trusted: known holes in what the
# programs call, as of a day and under the toolchain of the release; the same
# bytes twice; other processors, 32 bits among them.
.PHONY: vuln release reproducible processors
GO_RELEASE = go1.26.10
VULNDB = v0.0.0-20261105234957-e22db6528018

vuln:
	cd tools && GOBIN=$(CURDIR)/.bin go install golang.org/x/vuln/cmd/govulncheck
	go mod download golang.org/x/vulndb@$(VULNDB)
	GOTOOLCHAIN=$(GO_RELEASE) .bin/govulncheck -db file://$$(go list -m -f '{{.Dir}}' golang.org/x/vulndb@$(VULNDB))/data/osv ./...

release:
	GOTOOLCHAIN=$(GO_RELEASE) tools/release.sh dist

reproducible:
	GOTOOLCHAIN=$(GO_RELEASE) tools/reproducible.sh

processors:
	command -v qemu-aarch64 >/dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends qemu-user >/dev/null; }
	GOARCH=386 go vet ./...
	GOARCH=386 go test -vet=off ./sim ./tpt ./ib
	go test -vet=off ./cmd/hcasim -run '^TestElsewhere$$' -elsewhere 386,arm64 -timeout 30m

# How much of docs/validation.md is held to the model: stamp, fast or whole;
# docs/studies.md only whole.
HOLD = whole

# What a night is for: the everyday tests with other seeds, and many more of
# them. Seeds go on where the night before ended if NIGHT counts the nights. A
# part that fails does not keep the others from running.
NIGHT = 0
SEEDS = 10000
NIGHTLY = stress oracle parameters explore shuffle failures race fuzz vuln processors reproducible
.PHONY: stress oracle parameters explore shuffle failures race
nightly:
	$(MAKE) --keep-going $(NIGHTLY)

stress:
	go test ./scenario/stress -run '^TestStress$$' -timeout 120m -stress.seeds=$(SEEDS) -stress.first=$$(($(NIGHT) * $(SEEDS) + 1)) -v

oracle:
	go test ./scenario -run '^TestOracle$$' -timeout 120m -rapid.checks=2000 -oracle.steps=40 -v

parameters:
	go test ./scenario -run '^TestEveryParameterMatters$$' -every-parameter

explore:
	go run ./cmd/hcasim explore --depth 9
	go run ./cmd/hcasim explore --depth 8 --variant mlx5
	! go run ./cmd/hcasim explore --depth 6 --variant rxe # its windows have no range

shuffle:
	go test -shuffle=on -count=1 -timeout 60m ./...

failures:
	go test ./cmd/hcasim -run 'TestKilled|TestInterrupted|TestTwoAtOnce|TestFullDisk|TestFullOutput' -failures long -timeout 60m -v

race:
	GORACE=atexit_sleep_ms=10 go test -vet=off -race -timeout 120m ./...
	GORACE=atexit_sleep_ms=10 go test -vet=off -race -timeout 120m ./scenario/stress -stress.seeds=500

# Each fuzzer for a while. An input that finds something new is tried ten times
# shorter and no more: whole minutes went into that, in which nothing was tried.
FUZZ = 1m
FUZZERS = $(shell git grep -o 'func Fuzz[A-Za-z]*' -- '*_test.go' | sed 's|/[^/]*_test.go:func |:|')

fuzz:
	failed=0; for f in $(FUZZERS); do \
		go test ./$${f%%:*} -run '^$$' -fuzz "^$${f##*:}\$$" -fuzztime $(FUZZ) -fuzzminimizetime 10x || failed=1; \
	done; exit $$failed

bench:
	go test -run '^$$' -bench . -benchmem ./sim ./tpt ./pcie ./mtp ./scenario/run

# What CI keeps of each run: the speed of the simulator.
bench-short:
	mkdir -p results/ci
	go run ./cmd/hcasim bench --quick --format json > results/ci/bench.json

# The figures of README.md, in some three minutes: on a machine with nothing
# else to do.
bench-readme:
	go test -count=1 -timeout 30m ./study/bench -run '^TestReadme$$' -update

# Millions of everything, within the budgets of memory: the table of docs/scale.md.
scale:
	go test ./cmd/hcasim -run '^TestScale$$' -scale -timeout 60m -v

# Everything that is recorded or generated is written anew: look at the diff.
golden: generate
	go test ./hca/rc ./report/page ./report/story ./report/timeline ./scenario ./scenario/lang ./cmd/hcasim -update
	go run ./cmd/hcasim test --update scenarios

generate:
	go generate ./...
