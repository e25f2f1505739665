#!/bin/sh
# Installs from Debian what the tests of `make test-tools` run against, as far
# as it is not there: command and package, a line each.
set -eu
missing=
while read -r command package; do
	command -v "$command" >/dev/null || missing="$missing $package"
done <<LIST
gcc gcc
chromium chromium
tshark tshark
vcd2fst gtkwave
munged munge
sbatch slurm-wlm
LIST
case "$missing" in *gcc*) missing="$missing libc6-dev" ;; esac
if [ -n "$missing" ]; then
	apt-get update -qq
	# shellcheck disable=SC2086 # a list of words
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
fi
