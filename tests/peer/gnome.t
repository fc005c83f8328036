#!/bin/sh
# SPDX-License-Identifier: MIT
# The GNOME Disks benchmark beside an independent calculation of it: the same places to the byte,
# the same average rate and the same access time.
# What is compared is called by the library, also once more: it looks unreachable.
# shellcheck disable=SC2317
set -eu
# shellcheck source=tests/peer/lib.sh
. "${0%/*}/lib.sh"
need_tool /usr/bin/python3

independent=$ROOT/tests/peer/gnome_disks.py

# same_places TEST CURVE: both read the same places in the same order.
same_places() {
	jq -r --arg test "$1" --arg curve "$2" '.results[] | select(.test == $test) | .curves[]
		| select(.name == $curve).points[].x' "$peer_report" >"$T_TMP/ours"
	is "$(wc -l <"$T_TMP/ours")" "$(wc -l <"$T_TMP/places")" "$1: so many samples"
	same_file "$T_TMP/ours" "$T_TMP/places" "$1: at the same places, in the same order"
}

# a hundredth of it is no whole number of pages
peer_device 1201
peer_limit rbps=100000000
theirs() { limited "$independent" curve "$peer_device" "$T_TMP/places"; }
ours() { peer_bench gnome-curve throughput; }
peer_pairs rate
peer_within rate 2 "the average rate of the curve"
same_places gnome-curve transfer

peer_limit rbps=0 riops=200
theirs() { limited "$independent" access "$peer_device" "$T_TMP/places"; }
ours() { peer_bench gnome-access lat_mean; }
peer_pairs access
peer_within access 2 "the average access time"
same_places gnome-access access

done_testing
