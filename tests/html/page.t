#!/bin/sh
# SPDX-License-Identifier: MIT
# The report as a page, in a browser: valid, without script, every label in its place on a phone, a
# screen and with thirty disks; hostile texts stay text; on paper; and the data inside is the
# report.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"
need_root
need_tool losetup jq chromium pdftotext /usr/bin/python3
need_file "$OUT/bench"

CHECK=$ROOT/tests/html/check_html.py
WIDTHS="390 820 1280"

# check_page NAME REPORT
check_page() {
	page=$T_TMP/$1.html
	"$OUT/bench" report --format html "$2" >"$page"
	ok "$1: valid, without script, nothing from elsewhere" \
		/usr/bin/python3 "$CHECK" markup "$page"
	for width in $WIDTHS; do
		ok "$1: every label in its place, $width wide" \
			/usr/bin/python3 "$CHECK" layout "$page" "$width"
	done
	"$OUT/bench" report --format json "$2" >"$T_TMP/same.json"
	ok "$1: the data inside is the report" /usr/bin/python3 "$CHECK" data "$page" \
		"$T_TMP/same.json"
}

for name in three-disks hostile all-failing minimal; do
	check_page "$name" "$ROOT/tests/golden/$name.json"
done

# a run with every chart
head -c 268435456 /dev/urandom >"$T_TMP/image"
loop=$(losetup --find --show "$T_TMP/image") || skip_all "no loop device can be set up"
at_exit "losetup -d $loop"
name=${loop#/dev/}
"$OUT/bench" run --disks "$loop" --write destroy --destroy "$name" --budget 2 --deadline 120 \
	--tests gnome-curve,gnome-access,deep-curve,sweep-read,rand-read-qd1,rand-read-qd64 \
	--out "$T_TMP/run" >"$T_TMP/said" 2>&1 || diag "$(tail -n 3 "$T_TMP/said")"
report=$T_TMP/run/report.json
check_page run "$report"
ge "$(/usr/bin/python3 "$CHECK" layout "$T_TMP/run.html" 1280 | cut -d' ' -f1)" 3 \
	"curve, latency and queue depth are drawn"

# thirty of them, with long names, large values, heat, and a long write
jq '[.disks[] | select(.skip == null)][0] as $d
	| $d.name as $n | ([.results[] | select(.target == $n)]) as $r
	| .disks = [range(30) | . as $i | $d
		| .name = "nvme\($i)n1-with-a-name-that-is-long" | .size_bytes = 987654321987654
		| .model = "A MODEL WITH A VERY LONG NAME 123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
	| .results = [range(30) | . as $i | $r[]
		| .target = "nvme\($i)n1-with-a-name-that-is-long"
		| .metrics |= [.[] | .value *= 123456]
		| .curves |= [(. // [])[] | .points |= [.[] | .y *= 98765 | .x *= 1.001]]]
	| .results += [.results[0] | .test = "sustained-write" | .curves = [
		{name: "throughput", x_unit: "ns", y_unit: "bytes_per_s",
		 points: [range(200) | {x: (. * 1e9), y: (5e8 + . * 123456.789)}]},
		{name: "temperature", x_unit: "ns", y_unit: "celsius",
		 points: [range(200) | {x: (. * 1e9), y: (31 + . / 5)}]}]]
	| .results += [.results[0] | .test = "seq-read-together"]' "$report" >"$T_TMP/thirty.json"
check_page thirty "$T_TMP/thirty.json"
ge "$(/usr/bin/python3 "$CHECK" layout "$T_TMP/thirty.html" 390 | cut -d' ' -f1)" 90 \
	"all their charts are drawn"

chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
	--disable-background-networking --disable-component-update --disable-sync \
	--user-data-dir="$T_TMP/data" --no-pdf-header-footer --print-to-pdf="$T_TMP/page.pdf" \
	"file://$T_TMP/run.html" >"$T_TMP/said" 2>&1 || diag "$(tail -n 3 "$T_TMP/said")"
pdftotext -layout "$T_TMP/page.pdf" "$T_TMP/paper"
like "$(cat "$T_TMP/paper")" "$name" "on paper the disk is named"
like "$(cat "$T_TMP/paper")" 'rand-read-qd64' "and its tests"

# what these checks are worth
sed 's,<circle,<text class="tick" x="0" y="0">x</text><text class="tick" x="2" y="0">y</text>&,' \
	"$T_TMP/run.html" >"$T_TMP/wrong.html"
not_ok "labels that cover each other are seen" \
	/usr/bin/python3 "$CHECK" layout "$T_TMP/wrong.html" 1280
sed 's,</h1>,<script>1</script>&,' "$T_TMP/run.html" >"$T_TMP/wrong.html"
not_ok "a script is seen" /usr/bin/python3 "$CHECK" markup "$T_TMP/wrong.html"
sed 's,</h1>,</h2>,' "$T_TMP/run.html" >"$T_TMP/wrong.html"
not_ok "markup that is not valid is seen" /usr/bin/python3 "$CHECK" markup "$T_TMP/wrong.html"
done_testing
