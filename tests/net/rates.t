#!/bin/sh
# SPDX-License-Identifier: MIT
# Rates are those of the cable, times those of the server: within a tenth.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"
# shellcheck source=tests/net/lib.sh
. "$ROOT/tests/net/lib.sh"

need_file "$OUT/bench" "$OUT/collector"
network_up
printf 'secret-token\n' >"$T_TMP/token"
serve "$OUT/collector" --listen '[::]:8080' --db "$T_TMP/reports.db" --token-file "$T_TMP/token"
collector_log=$log
wait_for 10 grep -q 'listening on' "$collector_log" || bail "$(cat "$collector_log")"
url=http://collector.test:8080/v1/reports
at=collector.test:8080

# near RATE-NAME MBIT: the metric is the cable's payload, within a tenth.
near() {
	within "$(metric "$at" "$1")" "$(payload 90 "$2")" "$(payload 110 "$2")" \
		"$1 at $2 Mbit/s"
}

# IPv4 alone
printf '192.0.2.2 collector.test\n' >>"$T_TMP/hosts"
for mbit in 80 400; do
	shape "$mbit"
	measure --upload "$url" --token secret-token
	fine "$at" "the collector is reached at $mbit Mbit/s"
	for name in download_ipv4 download_steady_ipv4 download_parallel_ipv4 download \
		upload_ipv4 upload_steady_ipv4 upload; do
		near "$name" "$mbit"
	done
	is "$(marked "$at")" "" "without any doubt"
	is "$(result "$at" '[.metrics[].name | select(test("ipv6"))] | length')" 0 \
		"nothing is told of IPv6, which its name has not"
done
is "$(result "$at" '[.curves[].name] | sort | join(" ")')" "download_ipv4 upload_ipv4" \
	"their course"
# shellcheck disable=SC2016 # jq's own variable
ok "in tenths of a second" jq -e --arg at "$at" '.results[] | select(.target == $at).curves |
	all(.points | length > 8 and length < 40)' "$T_TMP/out/report.json"
like "$(result "$at" .parameters.path)" '^192.0.2.2 http://collector.test:8080/v1/speed$' \
	"where it went"
unlike "$(cat "$T_TMP/out/report.json" "$T_TMP/out/said" "$T_TMP/out/report.txt")" secret-token \
	"the token stays secret"
like "$(cat "$collector_log")" 'PUT /v1/speed 200 in=[1-9]' "the upload came through"
unlike "$(cat "$collector_log")" '192.0.2.1 PUT .* [45][0-9][0-9] ' "and none was refused"

# both families, of which each gets half the time
printf '2001:db8::2 collector.test\n' >>"$T_TMP/hosts"
shape 80
measure --upload "$url" --token secret-token --budget 6
for name in download_ipv4 download_ipv6 upload_ipv4 upload_ipv6; do
	near "$name" 80
done
like "$(result "$at" .parameters.path)" '^192.0.2.2 2001:db8::2 http' "both addresses"
is "$(marked "$at")" "" "both families are fine"

# a node: nginx, or what stands in for it, with a file of a gigabyte
truncate -s 1000000000 "$T_TMP/big"
if command -v nginx >/dev/null; then
	chmod 755 "$T_TMP"
	mkdir "$T_TMP/nginx"
	cat >"$T_TMP/nginx.conf" <<END
worker_processes 1;
pid $T_TMP/nginx/pid;
error_log $T_TMP/nginx/error.log;
daemon off;
events {}
http {
	access_log off;
	client_body_temp_path $T_TMP/nginx/body;
	server { listen 192.0.2.2:80; root $T_TMP; }
}
END
	serve nginx -p "$T_TMP/nginx" -c "$T_TMP/nginx.conf" -e "$T_TMP/nginx/error.log"
else
	serve "$PYTHON" -m http.server -d "$T_TMP" -b 192.0.2.2 80
fi
# shellcheck disable=SC2317 # called by wait_for
answers() {
	ip netns exec "$CLIENT" "$PYTHON" -c 'import socket
socket.create_connection(("192.0.2.2", 80), 1).close()'
}
wait_for 10 answers || bail "the web server does not start: $(cat "$log")"
shape 80
measure --nodes near=http://192.0.2.2/big
at=near
fine near "a node"
for name in download_ipv4 download_steady_ipv4 download_parallel_ipv4; do
	near "$name" 80
done
within "$(metric near connect_ipv4)" 1000 50000000 "a connection took some time"
is "$(result near '.metrics[] | select(.name == "connect_ipv4") | .samples.values | length')" 10 \
	"ten of them"
is "$(metric near upload)" "" "nothing is sent to it"
done_testing
