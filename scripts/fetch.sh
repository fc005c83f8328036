#!/bin/sh
# SPDX-License-Identifier: MIT
# Fetches the sources that sources.lock names from Debian's archive into the cache, and checks them.
#
#	fetch.sh [--group GROUP] [PART...]	fetch what is missing; no network when nothing is
#	fetch.sh --relock			write sources.lock anew from the newest versions
#
# apt runs on a state of its own in the cache: its own sources.list (trixie and trixie-security),
# lists and status; nothing of the host's is changed. Its trust chain is Debian's: keyring ->
# InRelease -> index -> SHA-256 of the file. The archive's address is the one the host's own apt
# uses, or DEBIAN_MIRROR= and DEBIAN_SECURITY_MIRROR=. Proxy and TLS settings of the host's apt are
# kept.
#
# When a locked file can no longer be had, the newest version of the signed index whose files can be
# had takes its place; that is said on standard error, kept in the cache for the next build, and
# written to $OUT/sources.used, which is what the rest of the build and the SBOM read.
set -eu
# shellcheck source=scripts/lib.sh
. "${0%/*}/lib.sh"

LOCK=${BOOTMARK_LOCK:-$ROOT/scripts/sources.lock}
WANTED=${BOOTMARK_SOURCES:-$ROOT/scripts/sources}
KEYRING=${DEBIAN_KEYRING:-/usr/share/keyrings/debian-archive-keyring.gpg}
APT_DIR=$CACHE/apt
INSTEAD=$CACHE/instead
LISTS_MAX_AGE_MINUTES=60

# host_archives: prints "main URI" and "security URI" of each archive the host's apt is set to use.
host_archives() {
	format="\$(CREATED_BY) \$(ORIGIN) \$(LABEL) \$(REPO_URI)"
	apt-get indextargets --format "$format" 2>/dev/null | awk '
		$1 == "Packages" && $2 == "Debian" {
			if ($3 == "Debian") print "main", $4
			if ($3 == "Debian-Security") print "security", $4
		}'
	# A host that has never run `apt-get update` knows no origins yet, only addresses.
	grep -q '^ID=debian' /etc/os-release 2>/dev/null || return 0
	apt-get update --print-uris 2>/dev/null |
		sed -n "s,^'\\([^']*\\)/dists/\\([^/']*\\).*,\\2 \\1,p" |
		awk '
			$1 ~ /-security$/ { print "security", $2 }
			$1 ~ /^[a-z]+$/ { print "main", $2 }'
}

# archive_base KIND OVERRIDE: prints the base address of the main or the security archive.
archive_base() {
	base=$2
	[ -n "$base" ] || base=$(host_archives | awk -v kind="$1" '$1 == kind { print $2; exit }')
	printf '%s\n' "${base%/}"
}

# write_apt_state: makes the build's own apt configuration. Of the host's only how to reach an
# archive is kept (proxies, TLS, time-outs), never a setting that lets an unsigned or weakly signed
# one pass.
write_apt_state() {
	main=$(archive_base main "${DEBIAN_MIRROR:-}")
	security=$(archive_base security "${DEBIAN_SECURITY_MIRROR:-}")
	[ -n "$main" ] || die "this host's apt uses no Debian archive (Ubuntu?):" \
		"set DEBIAN_MIRROR= and DEBIAN_SECURITY_MIRROR= to a Debian mirror's base addresses"
	[ -n "$security" ] || die "this host's apt uses no Debian security archive:" \
		"set DEBIAN_SECURITY_MIRROR= to its base address"
	[ -r "$KEYRING" ] || die "$KEYRING is missing: install debian-archive-keyring"

	for dir in lists/partial archives/partial state log; do
		mkdir -p "$APT_DIR/$dir"
	done
	: >"$APT_DIR/status"
	{
		# the host's proxies and time-outs, nothing that says what to trust; sed, as grep
		# fails where nothing is left
		apt-config dump | sed -nE '/^Acquire::/!d
			/^Acquire::(IndexTargets|Changelogs|Languages|CompressionTypes)/d
			/^Acquire::(GzipIndexes|cdrom|Allow|Check|Max-Valid|Min-Valid)/d
			p'
		cat <<-END
		Dir::Etc::main "/dev/null";
		Dir::Etc::parts "/dev/null";
		Dir::Etc::sourcelist "$APT_DIR/sources.list";
		Dir::Etc::sourceparts "/dev/null";
		Dir::Etc::preferences "/dev/null";
		Dir::Etc::preferencesparts "/dev/null";
		Dir::State "$APT_DIR/state";
		Dir::State::lists "$APT_DIR/lists";
		Dir::State::status "$APT_DIR/status";
		Dir::Cache "$APT_DIR";
		Dir::Cache::archives "$APT_DIR/archives";
		Dir::Log "$APT_DIR/log";
		APT::Architecture "amd64";
		APT::Architectures { "amd64"; };
		APT::Sandbox::User "";
		Acquire::Languages "none";
		END
	} >"$APT_DIR/apt.conf"
	for type in deb deb-src; do
		echo "$type [signed-by=$KEYRING] $main trixie main non-free-firmware"
		echo "$type [signed-by=$KEYRING] $security trixie-security main non-free-firmware"
	done >"$APT_DIR/sources.list.new"
	# Another archive's lists say nothing about this one's files.
	if cmp -s "$APT_DIR/sources.list.new" "$APT_DIR/sources.list"; then
		rm "$APT_DIR/sources.list.new"
	else
		rm -f "$APT_DIR/updated"
		mv "$APT_DIR/sources.list.new" "$APT_DIR/sources.list"
	fi
}

# go_online: makes the package lists current, once for each run of this script.
go_online() {
	[ -z "${APT_CONFIG:-}" ] || return 0
	[ "${BOOTMARK_OFFLINE:-}" != 1 ] ||
		die "$1 is not in $DL, and BOOTMARK_OFFLINE=1 forbids fetching it"
	write_apt_state
	export APT_CONFIG="$APT_DIR/apt.conf"
	[ -z "$(find "$APT_DIR/updated" -mmin "-$LISTS_MAX_AGE_MINUTES" 2>/dev/null)" ] || return 0
	say "fetch: reading the package lists of Debian trixie"
	apt-get -q -o APT::Update::Error-Mode=any update >"$APT_DIR/update.log" 2>&1 || {
		tail -n 15 "$APT_DIR/update.log" >&2
		die "$1 is not in $DL, and the archive's package lists cannot be read (above)"
	}
	touch "$APT_DIR/updated"
}

# table_field PART COLUMN: one column of the table of wanted sources.
table_field() {
	awk -v part="$1" -v column="$2" '!/^#/ && $1 == part { print $column }' "$WANTED"
}

# versions_of PART: what the index offers, newest first.
versions_of() {
	package=$(table_field "$1" 2)
	case $(table_field "$1" 3) in
	deb) apt-cache madison "$package" | awk -F ' *[|] *' '$3 ~ / Packages$/ { print $2 }' ;;
	*) apt-cache showsrc --only-source "$package" | awk '$1 == "Version:" { print $2 }' ;;
	esac | sort -Vru
}

# index_rows PART VERSION: prints "KIND VERSION FILE SHA256 URI BYTES" of each file the table wants.
index_rows() {
	package=$(table_field "$1" 2)
	kinds=$(table_field "$1" 3)
	mkdir -p "$SCRATCH/uris"
	case $kinds in
	deb) (cd "$SCRATCH/uris" && apt-get -qq --print-uris download "$package=$2") ;;
	*) (cd "$SCRATCH/uris" && apt-get -qq --print-uris --only-source source "$package=$2") ;;
	esac 2>/dev/null | tr -d "'" | awk -v kinds=",$kinds," -v version="$2" '
		{
			name = $1
			sub(".*/", "", name)
			gsub(/%2b/, "+", name)
			gsub(/%7e/, "~", name)
			gsub(/%3a/, ":", name)
			kind = "other"
			if (name ~ /\.orig\.tar\.[a-z0-9]+$/) kind = "orig"
			if (name ~ /\.debian\.tar\.[a-z0-9]+$/) kind = "patches"
			if (name ~ /\.deb$/) kind = "deb"
			if (index(kinds, "," kind ",") && $4 ~ /^SHA256:[0-9a-f]+$/)
				print kind, version, name, substr($4, 8), $1, $3
		}'
}

# file_is FILE SHA256: the file is there and is the one.
file_is() {
	[ -f "$1" ] && [ "$(sha256_of "$1")" = "$2" ]
}

# cached FILE SHA256: the same in the cache; a file of that name that is another is named and set
# aside.
cached() {
	[ -f "$DL/$1" ] || return 1
	! file_is "$DL/$1" "$2" || return 0
	say "fetch: REFUSED $1: its SHA-256 is not the expected $2; kept as $DL/$1.bad"
	mv -f "$DL/$1" "$DL/$1.bad"
	return 1
}

# download FILE SHA256 URI BYTES: apt-helper fetches and checks; the file appears under its name
# only whole. Fails when the archive no longer has the file. A file that is another than the signed
# index says, or a network that does not answer, ends the script: neither is a reason to build
# something else.
download() {
	mkdir -p "$DL"
	rm -rf "$DL/.partial" && mkdir "$DL/.partial"
	say "fetch: $1 ($((($4 + 1023) / 1024)) KiB)"
	if /usr/lib/apt/apt-helper -q -o Acquire::Retries=3 download-file \
		"$3" "$DL/.partial/$1" "SHA256:$2" >"$DL/.partial/log" 2>&1 &&
		file_is "$DL/.partial/$1" "$2"; then
		mv "$DL/.partial/$1" "$DL/$1"
		rm -rf "$DL/.partial"
		return 0
	fi
	if grep -Eq '(404|410) +(Not Found|Gone)|File not found' "$DL/.partial/log"; then
		say "fetch: the archive no longer has $1"
		return 1
	fi
	grep -v '^W:' "$DL/.partial/log" | tail -n 12 >&2
	! grep -Eq 'Hash Sum mismatch|unexpected size' "$DL/.partial/log" ||
		die "REFUSED $1: what the archive sent is not what its signed index says (above)"
	die "$1 could not be fetched (above)"
}

# fetch_version PART VERSION: gets all files of one version of the index; prints their lock lines.
fetch_version() {
	index_rows "$1" "$2" >"$SCRATCH/rows"
	for kind in $(table_field "$1" 3 | tr ',' ' '); do
		grep -q "^$kind " "$SCRATCH/rows" || return 1
	done
	while read -r kind version file sha uri bytes; do
		cached "$file" "$sha" || download "$file" "$sha" "$uri" "$bytes" || return 1
	done <"$SCRATCH/rows"
	awk -v part="$1" '{ print part, $1, $2, $3, $4, "signed-index" }' "$SCRATCH/rows"
}

# fetch_newest PART: the newest version whose files can all be had; prints its lock lines.
fetch_newest() {
	for version in $(versions_of "$1"); do
		fetch_version "$1" "$version" && return 0
		say "fetch: $1 $version cannot be had whole; trying the next older version"
	done
	return 1
}

# fetch_locked PART: gets the part's locked files; prints their lock lines.
fetch_locked() {
	awk -v part="$1" '!/^#/ && $1 == part' "$LOCK" >"$SCRATCH/locked"
	[ -s "$SCRATCH/locked" ] || die "$1 is not in $LOCK: make relock"
	while read -r _ kind version file sha _; do
		cached "$file" "$sha" && continue
		# Once replaced, replaced until the lock is renewed: no search in the archive at
		# each build.
		! instead_of "$1" || return 0
		go_online "$file"
		index_rows "$1" "$version" |
			awk -v file="$file" -v sha="$sha" '$3 == file && $4 == sha' >"$SCRATCH/row"
		read -r kind version file sha uri bytes <"$SCRATCH/row" || {
			say "fetch: the archive's index no longer has the locked $file"
			return 1
		}
		download "$file" "$sha" "$uri" "$bytes" || return 1
	done <"$SCRATCH/locked"
	cat "$SCRATCH/locked"
}

# instead_of PART: prints the lock lines that an earlier run found in place of exactly these locked
# ones.
instead_of() {
	memo=$INSTEAD/$(sha256_of "$SCRATCH/locked")
	[ -f "$memo" ] || return 1
	while read -r _ _ _ file sha _; do
		cached "$file" "$sha" || return 1
	done <"$memo"
	cat "$memo"
}

# fetch_part PART: locked files, else the newest that can be had; prints lock lines.
fetch_part() {
	if fetch_locked "$1" >"$SCRATCH/got"; then
		cmp -s "$SCRATCH/got" "$SCRATCH/locked" || warn_replaced "$1"
	else
		go_online "$1"
		cp "$SCRATCH/locked" "$SCRATCH/wanted"
		fetch_newest "$1" >"$SCRATCH/got" ||
			die "no version of $1 can be had from the archive; wanted:" \
				"$(awk '{ print $4 }' "$SCRATCH/wanted" | tr '\n' ' ')"
		mkdir -p "$INSTEAD"
		cp "$SCRATCH/got" "$INSTEAD/$(sha256_of "$SCRATCH/wanted")"
		warn_replaced "$1"
	fi
	cat "$SCRATCH/got"
}

# warn_replaced PART: loud, at each build that uses something else than the lock says.
warn_replaced() {
	locked=$(awk 'NR == 1 { print $3 }' "$SCRATCH/locked")
	got=$(awk 'NR == 1 { print $3 }' "$SCRATCH/got")
	say "fetch: WARNING: $1 $locked of sources.lock is not in the archive any more;" \
		"building with $got (\`make relock\` renews the lock)"
}

# relock: writes sources.lock anew; its comment stays.
relock() {
	go_online "sources.lock"
	sed '/^#/!d' "$LOCK" >"$SCRATCH/lock"
	wanted=$(awk '!/^#/ && NF { print $1 }' "$WANTED")
	for part in $wanted; do
		fetch_newest "$part" >>"$SCRATCH/lock" ||
			die "no version of $part can be had from the archive"
	done
	diff "$LOCK" "$SCRATCH/lock" >&2 || :
	cp "$SCRATCH/lock" "$LOCK"
}

command -v apt-get >/dev/null || die "apt is needed: the sources come from Debian's archive"
unset APT_CONFIG
scratch
mkdir -p "$CACHE" "$OUT"
exec 9>"$CACHE/fetch.lock"
flock -n 9 || {
	say "fetch: waiting for another build's fetch"
	flock 9
}

group=image
case ${1:-} in
--relock)
	relock
	exit 0
	;;
--group)
	group=$2
	shift 2
	;;
esac
parts=${*:-$(awk -v group="$group" '!/^#/ && $4 == group { print $1 }' "$WANTED")}

cp "$USED" "$SCRATCH/used" 2>/dev/null || : >"$SCRATCH/used"
for part in $parts; do
	fetch_part "$part" >"$SCRATCH/lines"
	awk -v part="$part" '$1 != part' "$SCRATCH/used" >"$SCRATCH/used.new"
	cat "$SCRATCH/used.new" "$SCRATCH/lines" >"$SCRATCH/used"
done
# Left alone when nothing changed: what depends on it is then not built again.
cmp -s "$SCRATCH/used" "$USED" || cp "$SCRATCH/used" "$USED"
