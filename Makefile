# The order of `make check` is the order of .ci/run.
.PHONY: check test bench golden generate lint

check: test lint

test:
	go test ./...

lint:
	test -z "$$(gofmt -l $$(git ls-files '*.go'))"
	go vet ./...
	go mod tidy -diff
	cd tools && GOBIN=$(CURDIR)/.bin go install tool
	.bin/staticcheck ./...
	.bin/errcheck -ignoretests ./...
	.bin/exhaustive -default-signifies-exhaustive ./...
	.bin/revive -config tools/revive.toml -set_exit_status ./...

bench:
	go test -run '^$$' -bench . -benchmem ./sim ./tpt ./pcie ./mtp ./scenario/run

golden:
	go test ./... -update

generate:
	go generate ./...
