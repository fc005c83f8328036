#!/bin/sh
# SPDX-License-Identifier: MIT
# scripts/fetch.sh against a small signed archive of our own on loopback: what it takes, what it
# refuses, what it does without a network and when a locked version has left the archive.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"

need_tool gpg apt-get
unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY all_proxy ALL_PROXY || :
unset APT_CONFIG BOOTMARK_OFFLINE || :
export no_proxy=127.0.0.1
A=$T_TMP/archive
export GNUPGHOME="$T_TMP/gnupg" OUT="$T_TMP/out" BOOTMARK_CACHE="$T_TMP/cache"
export BOOTMARK_LOCK="$T_TMP/lock" BOOTMARK_SOURCES="$T_TMP/sources"
export DEBIAN_KEYRING="$T_TMP/keyring.gpg"
at_exit 'gpgconf --kill all 2>/dev/null'

printf '%s\n' '# part package files group license' 'alpha alpha orig,patches image MIT' \
	'beta libbeta deb image MIT' 'extra fw deb firmware MIT' >"$BOOTMARK_SOURCES"

# pool FILE TEXT: one file of the archive.
pool() {
	mkdir -p "$A/debian/pool"
	printf '%s\n' "$2" >"$A/debian/pool/$1"
}

# source_entry VERSION / deb_entry PACKAGE VERSION: stanzas of the indexes, with the pool files'
# hashes.
source_entry() {
	printf 'Package: alpha\nBinary: alpha\nVersion: %s\nArchitecture: any\n' "$1"
	printf 'Format: 3.0 (quilt)\nDirectory: pool\nFiles:\n'
	for file in "alpha_${1%-*}.orig.tar.xz" "alpha_$1.debian.tar.xz" "alpha_$1.dsc"; do
		printf ' %s %s %s\n' "$(md5sum <"$A/debian/pool/$file" | cut -c 1-32)" \
			"$(stat -c %s "$A/debian/pool/$file")" "$file"
	done
	printf 'Checksums-Sha256:\n'
	for file in "alpha_${1%-*}.orig.tar.xz" "alpha_$1.debian.tar.xz" "alpha_$1.dsc"; do
		printf ' %s %s %s\n' "$(sha256sum <"$A/debian/pool/$file" | cut -c 1-64)" \
			"$(stat -c %s "$A/debian/pool/$file")" "$file"
	done
	echo
}

deb_entry() {
	file=$A/debian/pool/${1}_${2}_all.deb
	printf 'Package: %s\nVersion: %s\nArchitecture: all\n' "$1" "$2"
	printf 'Maintainer: t\nDescription: t\nFilename: pool/%s_%s_all.deb\n' "$1" "$2"
	printf 'Size: %s\nSHA256: %s\n\n' "$(stat -c %s "$file")" \
		"$(sha256sum <"$file" | cut -c 1-64)"
}

# sign ARCHIVE SUITE KEY: writes InRelease over the archive's indexes.
sign() {
	dist=$A/$1/dists/$2
	{
		printf 'Origin: Debian\nLabel: Debian\nSuite: stable\nCodename: %s\n' "$2"
		printf 'Date: %s\nArchitectures: amd64 all\nComponents: main non-free-firmware\n' \
			"$(LC_ALL=C date -u -R | sed 's/+0000/UTC/')"
		printf 'SHA256:\n'
		cd "$dist"
		find . -type f ! -name InRelease -printf '%P\n' | while read -r file; do
			printf ' %s %s %s\n' "$(sha256sum <"$file" | cut -c 1-64)" \
				"$(stat -c %s "$file")" "$file"
		done
		cd "$ROOT"
	} >"$T_TMP/Release"
	gpg -q --batch --yes --pinentry-mode loopback --passphrase '' -u "$3" --clearsign \
		-o "$dist/InRelease" "$T_TMP/Release"
}

# publish: the two archives' indexes, from the variables $sources and $packages (functions).
publish() {
	for suite in debian:trixie security:trixie-security; do
		dist=$A/${suite%:*}/dists/${suite#*:}
		for component in main non-free-firmware; do
			mkdir -p "$dist/$component/source" "$dist/$component/binary-amd64"
			: >"$dist/$component/source/Sources"
			: >"$dist/$component/binary-amd64/Packages"
		done
	done
	for version in $alphas; do
		source_entry "$version"
	done >"$A/debian/dists/trixie/main/source/Sources"
	{
		deb_entry libbeta 2.0-1
		deb_entry fw 5
	} >"$A/debian/dists/trixie/main/binary-amd64/Packages"
	sign debian trixie "${1:-archive@example.org}"
	sign security trixie-security "${1:-archive@example.org}"
	rm -f "$BOOTMARK_CACHE/apt/updated"
}

# fetch ARGUMENT...: its output is left in $said, its status in $status.
fetch() {
	status=0
	said=$("$ROOT/scripts/fetch.sh" "$@" 2>&1) || status=$?
}

serve() {
	port=${port:-$(free_port)}
	start /usr/bin/python3 -m http.server --bind 127.0.0.1 --directory "$A" "$port"
	server=$pid
	wait_for 10 port_open "$port" || bail "the archive's server does not start"
	export DEBIAN_MIRROR="http://127.0.0.1:$port/debian"
	export DEBIAN_SECURITY_MIRROR="http://127.0.0.1:$port/security"
}

mkdir -m 700 "$GNUPGHOME"
for who in archive stranger; do
	gpg -q --batch --pinentry-mode loopback --passphrase '' \
		--quick-generate-key "$who@example.org" rsa3072 sign never 2>/dev/null
done
gpg -q --export archive@example.org >"$DEBIAN_KEYRING"

pool alpha_1.0.orig.tar.xz "upstream 1.0"
for version in 1.0-1 1.0-2; do
	pool "alpha_$version.debian.tar.xz" "patches $version"
	pool "alpha_$version.dsc" "description $version"
done
pool libbeta_2.0-1_all.deb "beta"
pool fw_5_all.deb "firmware"
mkdir -p "$OUT"
alphas="1.0-1 1.0-2"
publish
serve

# the lock
echo "# a comment that stays" >"$BOOTMARK_LOCK"
fetch
is "$status" 1 "a part without a lock line is an error"
fetch --relock
is "$status" 0 "--relock works from an empty lock"
is "$(grep -v '^#' "$BOOTMARK_LOCK" | cut -d ' ' -f 1-4)" "alpha orig 1.0-2 alpha_1.0.orig.tar.xz
alpha patches 1.0-2 alpha_1.0-2.debian.tar.xz
beta deb 2.0-1 libbeta_2.0-1_all.deb
extra deb 5 fw_5_all.deb" "it locks the newest version of every part"
like "$(head -n 1 "$BOOTMARK_LOCK")" '^# a comment that stays$' "the lock's comment stays"

# an empty cache
rm -rf "$BOOTMARK_CACHE" "$OUT/sources.used"
fetch
is "$status" 0 "everything is fetched into an empty cache"
is "$(cat "$OUT/sources.used")" "$(grep -E '^(alpha|beta) ' "$BOOTMARK_LOCK")" \
	"what is used is what is locked, of this group"
is "$(ls "$BOOTMARK_CACHE/dl")" "alpha_1.0-2.debian.tar.xz
alpha_1.0.orig.tar.xz
libbeta_2.0-1_all.deb" "and nothing else lies in the cache"
is "$(cat "$BOOTMARK_CACHE/dl/libbeta_2.0-1_all.deb")" beta "the file's content is the archive's"
fetch --group firmware
is "$status" 0 "another group is fetched when asked for"
is "$(wc -l <"$OUT/sources.used")" 4 "and added to what is used"

# no network
cp "$OUT/sources.used" "$T_TMP/used"
stop "$server"
rm "$OUT/sources.used"
fetch
is "$status" 0 "with all files in the cache no network is needed"
fetch --group firmware
same_file "$OUT/sources.used" "$T_TMP/used" "and the same is used"
rm "$BOOTMARK_CACHE/dl/libbeta_2.0-1_all.deb" "$BOOTMARK_CACHE/apt/updated"
fetch
is "$status" 1 "a missing file without a network is an error"
like "$said" 'libbeta_2\.0-1_all\.deb' "that names the file"
BOOTMARK_OFFLINE=1 fetch
like "$status $said" '^1 .*libbeta_2\.0-1_all\.deb .*BOOTMARK_OFFLINE' \
	"BOOTMARK_OFFLINE=1 forbids it by name too"

serve

# damage in the cache
for damage in tampered truncated; do
	file=$BOOTMARK_CACHE/dl/alpha_1.0.orig.tar.xz
	case $damage in
	tampered) echo "upstream 1.1" >"$file" ;;
	truncated) echo "upstream" >"$file" ;;
	esac
	BOOTMARK_OFFLINE=1 fetch
	is "$status" 1 "a $damage file in the cache is not used"
	like "$said" 'REFUSED alpha_1\.0\.orig\.tar\.xz' "it is refused by its name"
	ok "it is set aside, not lost" grep -q upstream "$file.bad"
	not_ok "and is gone from its place" test -e "$file"
	fetch
	is "$status" 0 "with a network it is fetched again"
	is "$(cat "$file")" "upstream 1.0" "whole"
done

# damage on the way
cp "$A/debian/pool/libbeta_2.0-1_all.deb" "$T_TMP/whole"
for damage in tampered truncated; do
	rm -f "$BOOTMARK_CACHE/dl/libbeta_2.0-1_all.deb"
	case $damage in
	tampered) echo bete >"$A/debian/pool/libbeta_2.0-1_all.deb" ;;
	truncated) printf be >"$A/debian/pool/libbeta_2.0-1_all.deb" ;;
	esac
	fetch
	is "$status" 1 "a $damage download is an error"
	like "$said" 'REFUSED libbeta_2\.0-1_all\.deb' "it is refused by its name"
	not_ok "and does not reach the cache" test -e "$BOOTMARK_CACHE/dl/libbeta_2.0-1_all.deb"
done
cp "$T_TMP/whole" "$A/debian/pool/libbeta_2.0-1_all.deb"
fetch
is "$status" 0 "the whole file is taken again"

# an index that is not Debian's
rm "$BOOTMARK_CACHE/dl/libbeta_2.0-1_all.deb"
publish stranger@example.org
fetch
is "$status" 1 "an archive signed by a stranger is refused"
not_ok "nothing is taken from it" test -e "$BOOTMARK_CACHE/dl/libbeta_2.0-1_all.deb"
publish
fetch
is "$status" 0 "signed by the right key it is taken"

# the locked version leaves the archive
mv "$A/debian/pool/alpha_1.0-2.debian.tar.xz" "$T_TMP/gone"
rm "$BOOTMARK_CACHE/dl/alpha_1.0-2.debian.tar.xz"
fetch
is "$status" 0 "a locked file that is gone from the pool does not stop the build"
like "$said" 'WARNING: alpha 1\.0-2 of sources\.lock .* any more; building with 1\.0-1 ' \
	"but it is said loudly"
like "$(cat "$OUT/sources.used")" \
	'^alpha patches 1\.0-1 alpha_1\.0-1\.debian\.tar\.xz [0-9a-f]{64} signed-index$' \
	"and what is really used is recorded"
BOOTMARK_OFFLINE=1 fetch
is "$status" 0 "the next build needs no network for it"
like "$said" 'WARNING: alpha 1\.0-2' "and still says so"
fetch --relock
is "$(awk '$1 == "alpha" { print $3 }' "$BOOTMARK_LOCK" | sort -u)" 1.0-1 \
	"--relock makes it the locked one"
fetch
is "$status $said" "0 " "and then all is quiet"

# nothing at all
rm "$A/debian/pool/libbeta_2.0-1_all.deb" "$BOOTMARK_CACHE/dl/libbeta_2.0-1_all.deb"
fetch
is "$status" 1 "a part of which no version can be had is an error"
like "$said" 'no version of beta can be had.*libbeta_2\.0-1_all\.deb' "that names part and file"

# which archive
cat >"$T_TMP/apt-get" <<'END'
#!/bin/sh
case $* in
indextargets*) printf 'Packages Ubuntu Ubuntu http://mirror.example/ubuntu/\n' ;;
esac
END
chmod 755 "$T_TMP/apt-get"
unset DEBIAN_MIRROR
PATH=$T_TMP:$PATH fetch
is "$status" 1 "a host of another distribution, without DEBIAN_MIRROR=, is an error"
like "$said" 'set DEBIAN_MIRROR= and DEBIAN_SECURITY_MIRROR=' "that says what to set"
done_testing
