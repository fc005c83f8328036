#!/bin/sh
# SPDX-License-Identifier: MIT
# The flags of bench upload, hostile values of them, and that no secret is ever shown.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"
# shellcheck source=tests/upload/lib.sh
. "$ROOT/tests/upload/lib.sh"

need_tool jq
need_file "$OUT/bench"
line=$(printf '\nX')

# ends STATUS ERE WHAT ARGUMENT...: bench upload ends with that status and says so.
ends() {
	want=$1
	pattern=$2
	what=$3
	shift 3
	code=0
	timeout 60 "$OUT/bench" upload "$@" >"$T_TMP/said" 2>&1 || code=$?
	is "$code" "$want" "$what: exit status"
	like "$(cat "$T_TMP/said")" "$pattern" "$what: what it says"
}

server fine 201
url=http://127.0.0.1:$port
set -- --out "$T_TMP/out" --retry 0
ends 0 'exit codes: 0 delivered' "--help" --help
ends 2 'nonsense' "an unknown flag" --nonsense
ends 2 'named by --upload' "an address without flag" "$@" "$url"
ends 2 'no address given' "no address" "$@"
ends 2 'no address that can be used' "an empty list" "$@" --upload ,,,
ends 1 "$T_TMP/none/report.json: No such file" "no report" --out "$T_TMP/none" --upload "$url"
for text in '' '{' '[]' '{"run":{}}' '{"run":{"id":"../../../../etc/passwd"}}' \
	'{"run":{"id":"89abcdef-0123-4567-89ab-cdef0123456"}}' '{"run":{"id":7}}'; do
	mkdir -p "$T_TMP/bad"
	printf '%s' "$text" >"$T_TMP/bad/report.json"
	ends 1 'no run id' "a report of $text" --out "$T_TMP/bad" --upload "$url"
done
is "$(find "$T_TMP/fine" -type f | wc -l)" 0 "nothing was sent by all these"

# addresses
for address in ftp://x/y file:///etc/passwd "$url/a b" "$url/$line" "${url}/é" "http://" \
	https:///r http://:80/ \
	x "javascript:alert(1)" "http://user@/x" "http:\\\\x" "//127.0.0.1/x" "-"; do
	ends 2 'this address is left out' "the address '$address'" "$@" "--upload=$address"
done
is "$(find "$T_TMP/fine" -type f | wc -l)" 0 "nothing was sent to these"
ends 0 'delivered' "a bad address beside a good one" "$@" --upload "gopher://x,$url/second"
like "$(cat "$T_TMP/said")" 'gopher://x: .*left out' "the bad one is told"
ends 1 'not delivered' "a host that does not exist" "$@" --upload http://host.invalid/r

# where and how it is sent
sent() {
	like "$(cat "$T_TMP/$1/$2.head")" "$3" "$4"
}
server where 201
url=http://127.0.0.1:$port
ends 0 delivered "to a collector" "$@" --upload "$url/v1/reports"
sent where 1 "^PUT /v1/reports/$RUN_ID HTTP" "PUT to the collector's address and the run's id"
ends 0 delivered "to a collector behind a path and with a query" "$@" \
	--upload "$url/b/v1/reports/?k=v#x" \
	--method post
sent where 2 "^PUT /b/v1/reports/${RUN_ID}[?]k=v HTTP" \
	"the path and the query stay, the method is PUT"
ends 0 delivered "to another address" "$@" --upload "$url/v1/reportsx"
sent where 3 '^PUT /v1/reportsx HTTP' "PUT to just that address"
ends 0 delivered "with POST" "$@" --upload "$url/hook?a=1" --method post
sent where 4 '^POST /hook[?]a=1 HTTP' "POST to just that address"
ok "the bodies are the report" received where 4
printf 'upload = %s/from-file\ntoken = %s\n' "$url" "$TOKEN" >"$T_TMP/conf"
ends 0 delivered "from a config file" "$@" --config "$T_TMP/conf"
sent where 5 '^PUT /from-file' "to the file's address"
sent where 5 "^Authorization: Bearer $TOKEN" "with the file's token"
printf 'quiet bench.upload=%s/from-kernel bench.retry=0 bench.method=post bench.eol\n' "$url" \
	>"$T_TMP/cmdline"
ends 0 delivered "from a kernel command line" --out "$T_TMP/out" --config "$T_TMP/conf" \
	--cmdline "$T_TMP/cmdline"
sent where 6 '^POST /from-kernel' "to the kernel's address, which wins"

# secrets
secret=hunter2secret
server broken 500
ends 1 'HTTP 500' "an address with a password" "$@" --token "$secret-token" \
	--upload "http://user:$secret@127.0.0.1:$port/r?signature=$secret"
unlike "$(cat "$T_TMP/said" "$T_TMP/out/upload.json")" "$secret" \
	"neither password, signature nor token is shown"
sent broken 1 "^Authorization: Basic $(printf 'user:%s' "$secret" | base64)" "the password is sent"
unlike "$(cat "$T_TMP/broken/1.head")" "$secret-token" \
	"and such an address does not get the others' token"
for token in "two words" "x$line: y" "é" " "; do
	ends 1 'no header can hold it' "the token '$token'" "$@" --upload "$url" --token "$token"
	unlike "$(cat "$T_TMP/said")" '(two words|: y|é)' "and it is not shown"
done

# a proxy from the environment is used, and told apart
server proxy 201
http_proxy=http://127.0.0.1:$port no_proxy='' ends 0 delivered "through a proxy" "$@" \
	--upload http://collector.example/r
sent proxy 1 '^PUT http://collector.example/r HTTP' "the proxy is asked for the address"

# the record
is "$(jq -r .schema "$T_TMP/out/upload.json")" bootmark-upload/1 "the record names its form"
if [ "$(id -u)" -ne 0 ]; then
	mkdir "$T_TMP/ro"
	cp "$REPORT" "$T_TMP/ro/report.json"
	chmod 500 "$T_TMP/ro"
else
	mkdir "$T_TMP/ro" "$T_TMP/ro/upload.json"
	cp "$REPORT" "$T_TMP/ro/report.json"
fi
ends 0 'record of this upload cannot be written' "a folder that takes no record" --out "$T_TMP/ro" \
	--upload "$url"
like "$(cat "$T_TMP/said")" delivered "is no reason not to deliver"
chmod 700 "$T_TMP/ro"
same_file "$REPORT" "$T_TMP/report.copy" "the report is as it was"
done_testing
