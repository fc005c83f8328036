#!/bin/sh
# SPDX-License-Identifier: MIT
# HTTPS: a collector is trusted as an upload trusts it, a node by the system's authorities alone,
# and nobody gets the token before that is clear.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"
# shellcheck source=tests/net/lib.sh
. "$ROOT/tests/net/lib.sh"

need_file "$OUT/bench" "$OUT/collector"
need_tool openssl
network_up
shape 80
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=test \
	-addext subjectAltName=DNS:collector.test -keyout "$T_TMP/key" -out "$T_TMP/cert" \
	2>/dev/null || bail "openssl makes no certificate"
pin=sha256//$(openssl pkey -in "$T_TMP/key" -pubout -outform der | openssl dgst -sha256 -binary |
	openssl base64)
printf 'secret-token\n' >"$T_TMP/token"
serve "$OUT/collector" --listen 192.0.2.2:8443 --db "$T_TMP/reports.db" \
	--token-file "$T_TMP/token" --tls-cert "$T_TMP/cert" --tls-key "$T_TMP/key"
collector_log=$log
wait_for 10 grep -q 'listening on https' "$log" || {
	grep -q 'has no TLS' "$log" && skip_all "needs a libmicrohttpd with TLS"
	bail "the collector does not start: $(cat "$log")"
}
printf '192.0.2.2 collector.test other.test\n' >>"$T_TMP/hosts"
url=https://collector.test:8443/v1/reports
at=collector.test:8443

# try [FLAG...]: measures the way to the collector.
try() {
	measure --upload "$url" --token secret-token --budget 3 "$@"
}

try
ended "$at" failed 'certificate' "a certificate that nobody vouches for"
try --pin sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
ended "$at" failed "the server's public key is not the pinned one" "another key than the pinned"
url=https://other.test:8443/v1/reports at=other.test:8443
try --ca "$T_TMP/cert"
ended "$at" failed 'certificate' "another name"
try --ca "$T_TMP/nowhere"
ended "$at" failed 'option ca: .*No such file' "authorities that are not there"
try --pin nonsense
ended "$at" failed 'option pin is not' "a pin that is none"
unlike "$(cat "$collector_log")" 'GET|PUT' "none of them got as far as a request"
try --pin "$pin"
fine "$at" "the pinned key alone decides"
url=https://collector.test:8443/v1/reports at=collector.test:8443
try --ca "$T_TMP/cert"
fine "$at" "an authority of our own"
is "$(result "$at" .parameters.via)" https "over https"
within "$(metric "$at" tls_ipv4)" 10000 1000000000 "the handshake has its time"
for name in download_ipv4 upload_ipv4; do
	within "$(metric "$at" $name)" "$(payload 88 80)" "$(payload 110 80)" "$name at 80 Mbit/s"
done
like "$(cat "$collector_log")" 'PUT /v1/speed 200 in=[1-9]' "bytes were sent"

# a node has neither the collector's authority nor its pin
measure --nodes "node=https://collector.test:8443/v1/speed?bytes=1000" --ca "$T_TMP/cert" \
	--pin "$pin" --token secret-token --budget 2
ended node failed 'certificate' "a node is not trusted for the collector's sake"
unlike "$(cat "$T_TMP/out/report.json" "$T_TMP/out/said")" secret-token "the token stays secret"
done_testing
