#!/bin/sh
# SPDX-License-Identifier: MIT
# What the upload makes of every kind of answer, over HTTP and HTTPS: only a complete 2xx is
# delivered.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"
# shellcheck source=tests/upload/lib.sh
. "$ROOT/tests/upload/lib.sh"

need_tool openssl jq
need_file "$OUT/bench"
authority known
certificate right known IP:127.0.0.1
cp "$REPORT" "$T_TMP/small"
# longer than every buffer between here and there
printf '{"schema": "bootmark/1", "run": {"id": "%s", "state": "complete"}, "pad": "%s"}\n' \
	"$RUN_ID" \
	"$(head -c 3000000 /dev/urandom | od -An -v -tx1 | tr -d ' \n')" >"$T_TMP/large"

# serve BEHAVIOUR: leaves a server of that behaviour at $url.
serve() {
	served=$((${served:-0} + 1))
	if [ "$scheme" = https ]; then
		server "s$served" "$1" "$T_TMP/right.pem" "$T_TMP/right.key"
	else
		server "s$served" "$1"
	fi
	url=$scheme://127.0.0.1:$port/r
	server_pid=$pid
}

# takes BEHAVIOUR WHAT / fails BEHAVIOUR CLASS ERE WHAT: what one try at such a server ends with.
takes() {
	serve "$1"
	upload "$url" --ca "$T_TMP/known.ca"
	delivered "$scheme: $2"
	ok "$scheme: $2: the server has the report, byte for byte" received "s$served" 1
	stop "$server_pid"
}
fails() {
	serve "$1"
	upload "$url" --ca "$T_TMP/known.ca"
	not_delivered "$3" "$scheme: $4"
	is "$(jq -r '.tries[0].status' "$T_TMP/out/upload.json")" "$2" "$scheme: $4: how hopeless"
	stop "$server_pid"
}

for scheme in http https; do
	for size in small large; do
		cp "$T_TMP/$size" "$REPORT"
		takes 201 "201, $size report"
		unlike "$(cat "$T_TMP/s$served/1.head")" '^Expect' \
			"$scheme: a $size report does not wait for leave"
		takes 201-open "201 that ends with the connection, $size report"
		fails reset failed . "a reset in the middle, $size report"
	done
	# the server answers and closes before it has read the report, whose rest meets a reset
	for status in 201 413; do
		serve "$status-early"
		upload "$url" --ca "$T_TMP/known.ca"
		not_delivered . "$scheme: $status before the report was read"
	done
	cp "$T_TMP/small" "$REPORT"
	for status in 200 202 204 299; do
		takes "$status" "$status"
	done
	takes 201-chunked "201 in chunks, closed without close_notify"
	takes 201-echo "201 with the report as answer"
	takes continue "201 after a hundred times 100 Continue"
	fails 201-short failed 'HTTP 201, but' "201 with a shorter body than announced"
	fails 201-chunkcut failed 'HTTP 201, but' "201 with the last chunk missing"
	fails 201-huge failed 'too long' "201 with a body without end"
	fails close failed . "no answer"
	fails headers failed . "headers without end"
	fails longheader failed . "one header without end"
	fails garbage failed . "no HTTP"
	fails badstatus failed . "a status that is no number"
	fails old failed . "HTTP/0.9"
	for status in 500 502 503 408 425 429; do
		fails "$status" failed "HTTP $status: as scripted" "$status"
	done
	for status in 400 401 403 404 405 409 411 413 415 422; do
		fails "$status" refused "HTTP $status: as scripted" "$status"
	done
	for status in 301 302 303 307 308; do
		fails "$status-to=http://127.0.0.1:1/there" refused \
			"HTTP $status, a redirect to http://127.0.0.1:1/there" "$status"
	done
	fails "302-to=//user:secret@127.0.0.1:1/x?key=secret" refused \
		"redirect to $scheme://127.0.0.1:1/x[?][*]{3}, " "a redirect that holds a password"
	unlike "$(cat "$T_TMP/said" "$T_TMP/out/upload.json")" secret "the password is not shown"
	fails 304 refused 'HTTP 304' "304"
	fails 300 refused 'HTTP 300' "300"
	fails 507-json failed 'HTTP 507: the disk is full$' \
		"an error as JSON, of which the sentence is shown"
	fails 500-binary failed "HTTP 500: .*red.*bell" "an error of control characters"
	is "$(tr -d '\n\t -~' <"$T_TMP/said" | LC_ALL=C tr -d '\200-\377' | wc -c)" 0 \
		"they are not shown as such"
	ok "and what is shown and recorded is valid UTF-8" iconv -f UTF-8 -t UTF-16 "$T_TMP/said" \
		"$T_TMP/out/upload.json"
done
same_file "$REPORT" "$T_TMP/report.copy" "the report is as it was"
done_testing
