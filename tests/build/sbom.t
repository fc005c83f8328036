#!/bin/sh
# SPDX-License-Identifier: MIT
# The SBOM names what the image was really built from.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"

need_tool jq
need_file "$OUT/sbom.cdx.json" "$OUT/sources.used"
sbom=$OUT/sbom.cdx.json

is "$(jq -r '.bomFormat, .specVersion' "$sbom" | tr '\n' ' ')" "CycloneDX 1.5 " \
	"it is CycloneDX 1.5"
is "$(jq -r '.components[] | .name as $part | .version as $version | .components[] |
		[$part, $version, .name, .hashes[0].content] | join(" ")' "$sbom" |
		LC_ALL=C sort)" \
	"$(awk '{ print $1, $3, $4, $5 }' "$OUT/sources.used" | LC_ALL=C sort)" \
	"every file that was used, with its version and hash, and no other"
is "$(jq -r '.metadata.component.components[] | .hashes[0].content + "  " + .name' "$sbom" |
		LC_ALL=C sort)" \
	"$(grep -v ' bootmark\.efi$' "$OUT/SHA256SUMS" | LC_ALL=C sort)" "the products' hashes"
is "$(jq -r '[.components[] | select(.name | startswith("fw-") | not) |
	select(.licenses == null) | .name] | join(" ")' "$sbom")" "" "every part has a licence"
like "$(jq -r '.components[] | select(.name == "linux") | .purl' "$sbom")" \
	'^pkg:deb/debian/linux-source-6\.12@6\.12\.[0-9]+-[0-9]+\?arch=all&distro=trixie$' \
	"the kernel's package URL"
is "$(jq -r '[.. | objects | select(has("bom-ref")) | ."bom-ref"] |
	length - (unique | length)' "$sbom")" 0 "references are unique"
is "$(jq -r '[.dependencies[].dependsOn[]] - [.components[]."bom-ref"] | length' "$sbom")" 0 \
	"dependencies point at parts"

# A replaced version is told: the same build, from a lock that wanted another curl.
mkdir "$T_TMP/out"
for file in vmlinuz initramfs.img bench kernel.config sources.used; do
	cp "$OUT/$file" "$T_TMP/out/"
done
sed 's/^\(curl [a-z]* \)[^ ]*/\19.9.9-9/' "$ROOT/scripts/sources.lock" >"$T_TMP/lock"
ok "an SBOM of a build that differs from the lock" \
	env OUT="$T_TMP/out" BOOTMARK_LOCK="$T_TMP/lock" "$ROOT/scripts/sbom.sh"
is "$(jq -r '.components[] | select(.name == "curl") | .version + " " + .properties[0].value' \
	"$T_TMP/out/sbom.cdx.json")" \
	"$(awk '$1 == "curl" { print $3; exit }' "$OUT/sources.used") 9.9.9-9" \
	"it names both versions"
done_testing
