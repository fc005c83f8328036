#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes $OUT/sbom.cdx.json (CycloneDX 1.5): which files of which versions the image was really
# built from.
#
# It reads $OUT/sources.used, not the lock: where a locked version had left the archive, the
# property bootmark:locked names the version that the lock wanted.
set -eu
# shellcheck source=scripts/lib.sh
. "${0%/*}/lib.sh"

LOCK=${BOOTMARK_LOCK:-$ROOT/scripts/sources.lock}

# rows FILE: "part kind version file sha256" of a lock-like file, as JSON arrays.
rows() {
	sed '/^#/d; /^$/d' "$1" | LC_ALL=C sort | jq -R 'split(" ") | {part: .[0], kind: .[1],
		version: .[2], file: .[3], sha256: .[4], verified: .[5]}' | jq -s .
}

scratch
rows "$USED" >"$SCRATCH/used.json"
rows "$LOCK" >"$SCRATCH/lock.json"
sed '/^#/d; /^$/d' "$ROOT/scripts/sources" | jq -R '[splits("\\s+")] | {key: .[0], value: {
	package: .[1], files: .[2], group: .[3], license: .[4]}}' |
	jq -s from_entries >"$SCRATCH/sources.json"
for product in vmlinuz initramfs.img bench; do
	printf '%s %s\n' "$product" "$(sha256_of "$OUT/$product")"
done | jq -R 'split(" ") | {type: "file", name: .[0], hashes: [{alg: "SHA-256", content: .[1]}]}' |
	jq -s . >"$SCRATCH/products.json"

jq -n --slurpfile used "$SCRATCH/used.json" --slurpfile lock "$SCRATCH/lock.json" \
	--slurpfile sources "$SCRATCH/sources.json" --slurpfile products "$SCRATCH/products.json" \
	--arg version "$("$ROOT/scripts/version.sh" version)" \
	--arg time "$(date -u -d "@$("$ROOT/scripts/version.sh" epoch)" +%Y-%m-%dT%H:%M:%SZ)" \
	--arg compiler "$("$TARGET_CC" --version | head -n 1)" \
	--arg arch "$ARCH" --arg config "$(sha256_of "$OUT/kernel.config")" '
	($lock[0] | map({key: .part, value: .version}) | from_entries) as $locked |
	{
		bomFormat: "CycloneDX",
		specVersion: "1.5",
		version: 1,
		metadata: {
			timestamp: $time,
			component: {
				"bom-ref": "bootmark",
				type: "firmware",
				name: "bootmark",
				version: $version,
				licenses: [{license: {id: "MIT"}}],
				components: $products[0],
				properties: [
					{name: "bootmark:arch", value: $arch},
					{name: "bootmark:compiler", value: $compiler},
					{name: "bootmark:kernel-config-sha256", value: $config}
				]
			}
		},
		components: ($used[0] | group_by(.part) | map(
			.[0] as $first | $sources[0][$first.part] as $source |
			{
				"bom-ref": $first.part,
				type: (if $first.part == "linux" then "operating-system"
					elif $source.group == "firmware" then "firmware"
					else "library" end),
				name: $first.part,
				version: $first.version,
				purl: ("pkg:deb/debian/" + $source.package + "@" +
					($first.version | @uri) + "?arch=" +
					(if $first.kind == "deb" then "all" else "source" end) +
					"&distro=trixie"),
				components: map({type: "file", name: .file,
					hashes: [{alg: "SHA-256", content: .sha256}],
					properties: [
						{name: "bootmark:verified", value: .verified}
					]}),
				properties: [
					{name: "bootmark:locked",
						value: ($locked[$first.part] // "no")}
				]
			} + (if $source.license == "see-package" then {} else
				{licenses: [{license: {id: $source.license}}]} end)
		)),
		dependencies: [{ref: "bootmark", dependsOn: ($used[0] | map(.part) | unique)}]
	}' >"$SCRATCH/sbom"
mv "$SCRATCH/sbom" "$OUT/sbom.cdx.json"
