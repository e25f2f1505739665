#!/bin/sh
# Builds what is given away, from a commit: for each system an archive with the
# commands, the licences, man pages, completions and schemas, and SHA256SUMS.
# The same commit is the same bytes, in whatever folder.
#
#	tools/release.sh FOLDER [SYSTEM/PROCESSOR …]
set -eu
export LC_ALL=C TZ=UTC CGO_ENABLED=0 GOTOOLCHAIN="${GOTOOLCHAIN:-go1.26.10}" GOFLAGS=
out=$1
shift
[ $# -gt 0 ] || set -- linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64
mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$(dirname "$0")/.."
if [ -n "$(git status --porcelain)" ]; then
	echo "release.sh: there are changes that are in no commit (git status)" >&2
	exit 1
fi
when=$(git log -1 --format=%ct)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -trimpath -buildvcs=true -o "$work/hcasim" ./cmd/hcasim # which writes the completions
version=$("$work/hcasim" version | sed 's/^hcasim \([^,]*\),.*/\1/; s/[^A-Za-z0-9.+-]/_/g')
for target; do
	export GOOS="${target%/*}" GOARCH="${target#*/}"
	name=hcasim-$version-$GOOS-$GOARCH
	mkdir -p "$work/$name/completions"
	go build -trimpath -buildvcs=true -ldflags='-s -w -buildid=' -o "$work/$name/" ./cmd/hcasim ./cmd/hcasim-plot
	cp LICENSE README.md docs/licenses.md "$work/$name/"
	cp -r scenarios/schema "$work/$name/schema"
	[ ! -d docs/man ] || cp -r docs/man "$work/$name/man"
	for shell in bash zsh fish powershell; do
		"$work/hcasim" completion $shell >"$work/$name/completions/hcasim.$shell"
	done
	chmod -R u=rwX,go=rX "$work/$name"
	tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@"$when" -cf - "$name" | gzip -9n >"$out/$name.tar.gz"
done
cd "$out"
sha256sum hcasim-*.tar.gz >SHA256SUMS
cat SHA256SUMS
