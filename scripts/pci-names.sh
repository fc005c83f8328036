#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes gen/pci_names.h, the names of PCI devices that are compiled into bench, from Debian's
# pci.ids: all makers, classes and subclasses, and the devices of the makers in scripts/pci-vendors.
#
#	pci-names.sh		writes $OUT/gen/pci_names.h
#	pci-names.sh trim FILE	prints what is left of a file in the format of pci.ids
#
# The table is in that format too (see bench/sys/pci_names.h), with one blank where it has two.
set -eu
# shellcheck source=scripts/lib.sh
. "${0%/*}/lib.sh"

# trim FILE: keeps what is wanted; legal forms of companies tell nothing and are cut off.
trim() {
	LC_ALL=C awk '
	function shorten(name) {
		gsub(/[^ -~]/, "?", name)
		sub(/ \[(AMD\/ATI|AMD)\]$/, "", name)
		sub(/^Advanced Micro Devices.*/, "AMD", name)
		sub(/ and subsidiaries$/, "", name)
		sub(/ [(](formerly|nee|temporary) .*[)]$/, "", name)
		while (match(name, /[,. ]+[A-Za-z.\/]+$/) &&
		       substr(name, RSTART) ~ legal)
			name = substr(name, 1, RSTART - 1)
		return name
	}
	BEGIN {
		legal = "^[,. ]+(Inc|INC|Incorporated|Corp|CORP|Corporation|Co|CO|Company|" \
			"Ltd|LTD|Limited|LLC|PLC|Plc|plc|GmbH|GMBH|AG|KG|AB|SA|BV|Oy|OY|" \
			"Pty|PTY|Pte)[.]?$"
	}
	NR == FNR {
		if (/^[0-9a-f]/) {
			split($0, field, "\t")
			cards[field[1]] = field[2] == "cards"
			if (field[1] in pattern)
				field[3] = pattern[field[1]] "|" field[3]
			pattern[field[1]] = field[3] == "-" ? "" : field[3]
		}
		next
	}
	/^#/ || /^[ \t]*$/ { next }
	/^C / { classes = 1; print "C " substr($0, 3, 2) " " substr($0, 7); next }
	classes && /^\t\t/ { next }
	classes && /^\t/ { print "\t" substr($0, 2, 2) " " substr($0, 6); next }
	/^[0-9a-f]/ {
		vendor = substr($0, 1, 4)
		if (/[Ww]rong ID|Illegal Vendor/)
			next
		print vendor " " shorten(substr($0, 7))
		next
	}
	/^\t[0-9a-f]/ {
		name = substr($0, 8)
		wanted = vendor in pattern && (pattern[vendor] == "" ||
			  (substr($0, 2, 4) " " name) ~ pattern[vendor])
		# no server of today has one of these
		if (name ~ /Mobile|Laptop|Max-Q|Wireless|Wi-?Fi|Centrino|Modem|WiMAX|WLAN/ ||
		    name ~ /PRO\/100|10\/100|Fast Ethernet/)
			wanted = 0
		if (!wanted)
			next
		gsub(/[^ -~]/, "?", name)
		print "\t" substr($0, 2, 4) " " name
		next
	}
	/^\t\t[0-9a-f]/ && wanted && cards[vendor] {
		name = substr($0, 14)
		sub(/ PCIe 12Gb Adapter$/, "", name)
		gsub(/[^ -~]/, "?", name)
		print "\t\t" substr($0, 3, 9) " " name
	}' "$ROOT/scripts/pci-vendors" "$1"
}

if [ "${1:-}" = trim ]; then
	trim "${2:?no file}"
	exit
fi
[ -s "$USED" ] || die "$USED is missing: run scripts/fetch.sh"
scratch
dpkg-deb -x "$(source_file pci.ids deb)" "$SCRATCH/deb"
trim "$SCRATCH/deb/usr/share/misc/pci.ids" >"$SCRATCH/names"
# An empty or strange list is an error of the build, not a report without names.
grep -q '^8086 Intel$' "$SCRATCH/names" || die "pci.ids does not hold what it should"
{
	echo '/* Made by scripts/pci-names.sh from pci.ids. */'
	echo 'static const char pci_names_text[] ='
	sed 's/[\\"?]/\\&/g; s/	/\\t/g; s/.*/"&\\n"/' "$SCRATCH/names"
	echo ';'
} >"$SCRATCH/pci_names.h"
mkdir -p "$OUT/gen"
mv "$SCRATCH/pci_names.h" "$OUT/gen/pci_names.h"
