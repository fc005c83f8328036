#!/bin/sh
# SPDX-License-Identifier: MIT
# Whom the upload trusts: authorities, names, dates, and pinned keys; TLS 1.2 and 1.3, EC and RSA
# keys.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"
# shellcheck source=tests/upload/lib.sh
. "$ROOT/tests/upload/lib.sh"

need_tool openssl jq
need_file "$OUT/bench"
authority known
authority foreign
certificate right known IP:127.0.0.1,DNS:localhost
certificate rsa known IP:127.0.0.1 20200101000000Z 20990101000000Z rsa
certificate other known IP:127.0.0.2,DNS:other.example
certificate old known IP:127.0.0.1 20200101000000Z 20210101000000Z
certificate young known IP:127.0.0.1 20890101000000Z 20990101000000Z
certificate unknown foreign IP:127.0.0.1
certificate worst foreign DNS:other.example 20200101000000Z 20210101000000Z

# refuses NAME ERE WHAT FLAG...: the server gets nothing, not even the request's head.
refuses() {
	refuses_name=$1
	refuses_pattern=$2
	refuses_what=$3
	shift 3
	upload "https://127.0.0.1:$port/r" "$@"
	not_delivered "$refuses_pattern" "$refuses_what"
	is "$(find "$T_TMP/$refuses_name" -name '*.head' | wc -l)" 0 \
		"$refuses_what: the server got nothing"
	is "$(jq -r '.tries[0].status' "$T_TMP/out/upload.json")" refused \
		"$refuses_what: not a passing failure"
}

for tls in TLSv1_2 TLSv1_3; do
	for name in right rsa; do
		server "$tls-$name" 201 "$T_TMP/$name.pem" "$T_TMP/$name.key" "$tls"
		upload "https://127.0.0.1:$port/r" --ca "$T_TMP/known.ca"
		delivered "$tls, $name: known authority"
		ok "$tls, $name: unchanged" received "$tls-$name" 1
		upload "https://127.0.0.1:$port/r" --pin "$(pin_of "$name")"
		delivered "$tls, $name: pinned key"
		server "$tls-$name-no" 201 "$T_TMP/$name.pem" "$T_TMP/$name.key" "$tls"
		refuses "$tls-$name-no" 'not the pinned one' "$tls, $name: another key is pinned" \
			--pin "$(pin_of other)"
		refuses "$tls-$name-no" 'not the pinned one' \
			"$tls, $name: another key, known authority" \
			--pin "$(pin_of other)" --ca "$T_TMP/known.ca"
		refuses "$tls-$name-no" '[Cc]ertificate' \
			"$tls, $name: only the host's own authorities"
		refuses "$tls-$name-no" '[Cc]ertificate' "$tls, $name: another authority" \
			--ca "$T_TMP/foreign.ca"
	done
	for name in other old young unknown worst; do
		server "$tls-$name" 201 "$T_TMP/$name.pem" "$T_TMP/$name.key" "$tls"
		refuses "$tls-$name" '[Cc]ertificate' "$tls, $name certificate" \
			--ca "$T_TMP/known.ca"
		upload "https://127.0.0.1:$port/r" --pin "$(pin_of "$name")"
		delivered "$tls, $name certificate, but the pinned key"
	done
done
server two 201 "$T_TMP/right.pem" "$T_TMP/right.key"
upload "https://127.0.0.1:$port/r" --pin "$(pin_of other);$(pin_of right)"
delivered "one of two pinned keys"
upload "https://localhost:$port/r" --ca "$T_TMP/known.ca"
delivered "by name"

# what cannot be used is said before anything is sent
for pin in "$(pin_of right | cut -c 9-)" "sha256//" "$(pin_of right)x" "$(pin_of right);" \
	"$T_TMP/right.pem" "md5//1234" "sha256//AAAA"; do
	upload "https://127.0.0.1:$port/r" --pin "$pin"
	is "$code $(cat "$T_TMP/said")" "1 $(grep -- '--pin is not sha256' "$T_TMP/said")" \
		"--pin $pin"
done
upload "https://127.0.0.1:$port/r" --ca "$T_TMP/none"
is "$code $(cat "$T_TMP/said")" "1 upload: --ca $T_TMP/none: No such file or directory" \
	"--ca without file"
upload "https://127.0.0.1:$port/r" --ca "$REPORT"
not_delivered '.' "--ca with a file that is no certificate"

# the server does not speak TLS, or none that is allowed
server plain garbage
refuses_plain() {
	upload "https://127.0.0.1:$port/r" --ca "$T_TMP/known.ca"
	not_delivered '.' "$1"
}
refuses_plain "a server that speaks no TLS"
server old-tls 201 "$T_TMP/right.pem" "$T_TMP/right.key" TLSv1_1
refuses_plain "a server that speaks TLS 1.1 only"
server tls 201 "$T_TMP/right.pem" "$T_TMP/right.key"
upload "http://127.0.0.1:$port/r"
not_delivered '.' "plain HTTP to a TLS server"
upload "http://127.0.0.1:$port/r" --pin "$(pin_of right)"
like "$(cat "$T_TMP/said")" 'ca and pin have no effect' \
	"a pin without https is said to be of no use"
same_file "$REPORT" "$T_TMP/report.copy" "the report is as it was"
done_testing
