#!/bin/sh
# Holds the release to be the same bytes twice: from clones in folders of
# different names, each with a build cache of its own.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$(dirname "$0")/.."
for name in one another/deeper; do
	git clone -q . "$work/$name"
	GOCACHE="$work/$name.cache" "$work/$name/tools/release.sh" "$work/$name.out" linux/amd64 >/dev/null
done
cmp "$work/one.out/SHA256SUMS" "$work/another/deeper.out/SHA256SUMS"
cat "$work/one.out/SHA256SUMS"
