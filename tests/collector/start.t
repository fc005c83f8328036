#!/bin/sh
# SPDX-License-Identifier: MIT
# How the collector starts, and what it says when it cannot.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"
# shellcheck source=tests/collector/server.sh
. "$ROOT/tests/collector/server.sh"

need_tool curl jq openssl
need_file "$OUT/collector"
unset BOOTMARK_TOKEN
printf '%s\n' "$TOKEN" >"$T_TMP/token"

# refuses STATUS ERE WHAT FLAG...: it ends by itself with that status and names the reason.
refuses() {
	want=$1
	pattern=$2
	what=$3
	shift 3
	got=0
	timeout 10 "$OUT/collector" "$@" >"$T_TMP/said" 2>&1 || got=$?
	is "$got" "$want" "$what: exit status"
	like "$(cat "$T_TMP/said")" "$pattern" "$what: the reason"
}

local="--listen 127.0.0.1:0"
# shellcheck disable=SC2086 # two words
set -- $local
refuses 2 'listen.*--db' "no flags"
refuses 2 'unexpected argument: x' "an argument" "$@" --db "$T_TMP/db" x
refuses 2 'nonsense' "an unknown flag" --nonsense
refuses 2 '--token-file' "no token" "$@" --db "$T_TMP/db"
refuses 2 'loopback' "no token on a public address" --listen 0.0.0.0:0 --db "$T_TMP/db" --no-token
refuses 2 'loopback' "no token on all IPv6 addresses" --listen '[::]:0' --db "$T_TMP/db" --no-token
refuses 1 'No such file' "no token file" "$@" --db "$T_TMP/db" --token-file "$T_TMP/none"
: >"$T_TMP/empty"
printf 'two words\n' >"$T_TMP/words"
refuses 1 'empty' "an empty token file" "$@" --db "$T_TMP/db" --token-file "$T_TMP/empty"
refuses 1 'blanks' "a token of two words" "$@" --db "$T_TMP/db" --token-file "$T_TMP/words"
not_ok "nothing was made by all these" test -e "$T_TMP/db"
set -- --token-file "$T_TMP/token"
for where in 127.0.0.1 127.0.0.1: :80 ::1:80 '[::1' 127.0.0.1:99999 127.0.0.1:http ''; do
	refuses 2 'ADDRESS:PORT' "--listen '$where'" --listen "$where" --db "$T_TMP/db" "$@"
done
refuses 1 'no address of this host' "another host's address" --listen 192.0.2.1:0 \
	--db "$T_TMP/db" "$@"
set -- --listen 127.0.0.1:0 "$@"
refuses 1 "$T_TMP/none/db" "a folder that is not there" "$@" --db "$T_TMP/none/db"
echo 'this is a text and no database, long enough to be read as one by a careless program' \
	>"$T_TMP/text"
refuses 1 'not a database' "a database that is a text" "$@" --db "$T_TMP/text"
is "$(head -c 14 "$T_TMP/text")" "this is a text" "the text is left as it was"
sql() {
	/usr/bin/python3 -c 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.executescript(sys.argv[2])' "$1" "$2"
}
sql "$T_TMP/other.db" 'CREATE TABLE theirs (x)'
refuses 1 "another program's" "another program's database" "$@" --db "$T_TMP/other.db"
for number in 0 1023 900000001 -5 1e6 ''; do
	refuses 2 '--max-bytes' "--max-bytes '$number'" "$@" --db "$T_TMP/db" --max-bytes "$number"
done
refuses 2 'belong together' "a certificate without key" "$@" --db "$T_TMP/db" \
	--tls-cert "$T_TMP/token"
refuses 1 'did not start.*tls' "a certificate that is none" "$@" --db "$T_TMP/db" \
	--tls-cert "$T_TMP/text" --tls-key "$T_TMP/text"
refuses 0 '--max-connections' "--help" --help
refuses 0 '^collector [^ ]' "--version" --version

# it starts
collector_start
like "$url" '^http://127.0.0.1:[1-9][0-9]*$' "it says where it listens"
is "$(stat -c %a "$T_TMP/reports.db")" 600 "the database is its owner's alone"
refuses 1 'listens there already' "a second one on the same port" --listen "${url#http://}" \
	--db "$T_TMP/db2" --token-file "$T_TMP/token"
stop "$collector_pid"
sql "$T_TMP/reports.db" 'PRAGMA user_version = 99'
refuses 1 'version 99' "a newer collector's database" "$@" --db "$T_TMP/reports.db"
sql "$T_TMP/reports.db" 'PRAGMA user_version = 1'
collector_start --listen '[::1]:0'
like "$url" '^http://\[::1\]:[1-9][0-9]*$' "it listens on IPv6"
report "$ID" complete >"$T_TMP/one"
put "$T_TMP/one"
answered 201 "a report over IPv6, into the database of before"
ask GET /v1/reports
is "$(jq -r '.reports[0].remote' "$T_TMP/body")" ::1 "it knows where it came from"
stop "$collector_pid"

collector_start --listen '[::]:0'
url=http://127.0.0.1:${url##*:}
ask GET /v1/reports
answered 200 "one socket for both families"
like "$(cat "$collector_log")" ' 127.0.0.1 GET ' "and the log shows IPv4 addresses as such"
stop "$collector_pid"

start env BOOTMARK_TOKEN=from-the-environment "$OUT/collector" --listen 127.0.0.1:0 \
	--db "$T_TMP/reports.db"
collector_ready
ask GET /v1/reports
answered 401 "another token than the environment's"
TOKEN=from-the-environment
ask GET /v1/reports
answered 200 "the environment's token"
stop "$pid"
start "$OUT/collector" --listen 127.0.0.1:0 --db "$T_TMP/reports.db" --no-token
collector_ready
ask_bare GET /v1/reports
answered 200 "no token on a loopback address"
kill -INT "$pid"
ended=0
wait "$pid" || ended=$?
is "$ended" 0 "SIGINT ends it with status 0"

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=127.0.0.1 \
	-addext subjectAltName=IP:127.0.0.1 -keyout "$T_TMP/key" -out "$T_TMP/cert" 2>/dev/null
TOKEN=over-tls
collector_start --tls-cert "$T_TMP/cert" --tls-key "$T_TMP/key"
like "$url" '^https://127.0.0.1:' "it serves HTTPS"
put "$T_TMP/one" "$ID" --cacert "$T_TMP/cert"
answered 200 "a report over HTTPS"
put "$T_TMP/one"
answered 000 "a client that does not know the certificate"
done_testing
