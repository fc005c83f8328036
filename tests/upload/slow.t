#!/bin/sh
# SPDX-License-Identifier: MIT
# Servers that hang, read nothing, or answer a byte at a time are let go in bounded time. All at
# once, for each takes its time limit.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"
# shellcheck source=tests/upload/lib.sh
. "$ROOT/tests/upload/lib.sh"

need_tool jq
need_file "$OUT/bench"
printf '{"schema": "bootmark/1", "run": {"id": "%s"}, "pad": "%s"}\n' "$RUN_ID" \
	"$(head -c 6000000 /dev/urandom | od -An -v -tx1 | tr -d ' \n')" >"$T_TMP/large"

# try NAME FILE: uploads in the background from a folder of its own; its milliseconds go to NAME.ms.
try() {
	mkdir "$T_TMP/$1.out"
	cp "$2" "$T_TMP/$1.out/report.json"
	server "$1" "${1%-*}"
	(
		began=$(t_now_ms)
		timeout 120 "$OUT/bench" upload --out "$T_TMP/$1.out" \
			--upload "http://127.0.0.1:$port/r" \
			--retry 0 \
			>"$T_TMP/$1.said" 2>&1 || echo "$?" >"$T_TMP/$1.code"
		echo $(($(t_now_ms) - began)) >"$T_TMP/$1.ms"
	) &
	waiting="${waiting-} $!"
}

for name in hang deaf drip; do
	try "$name-small" "$REPORT"
done
try deaf-large "$T_TMP/large"
# a listener whose queue is full does not even answer the connection
/usr/bin/python3 -c 'import socket, time
sock = socket.socket()
sock.bind(("127.0.0.1", 0))
sock.listen(0)
full = [socket.create_connection(sock.getsockname()) for _ in range(1)]
print(sock.getsockname()[1], flush=True)
time.sleep(100)' >"$T_TMP/full.port" &
T_PIDS="$! $T_PIDS"
wait_for 10 test -s "$T_TMP/full.port"
mkdir "$T_TMP/full.out"
cp "$REPORT" "$T_TMP/full.out/report.json"
(
	began=$(t_now_ms)
	"$OUT/bench" upload --out "$T_TMP/full.out" \
		--upload "http://127.0.0.1:$(cat "$T_TMP/full.port")/r" \
		--retry 0 >"$T_TMP/full.said" 2>&1 || echo "$?" >"$T_TMP/full.code"
	echo $(($(t_now_ms) - began)) >"$T_TMP/full.ms"
) &
waiting="$waiting $!"
for one in $waiting; do
	wait "$one"
done
for name in hang-small deaf-small drip-small deaf-large full; do
	is "$(cat "$T_TMP/$name.code")" 1 "$name: not delivered"
	like "$(cat "$T_TMP/$name.said")" '(tim|slow|Tim)' "$name: and why"
	le "$(cat "$T_TMP/$name.ms")" 58000 "$name: in bounded time"
done
le "$(cat "$T_TMP/full.ms")" 15000 "full: no connection is known after ten seconds"
done_testing
