#!/bin/sh
# SPDX-License-Identifier: MIT
# bench upload and the collector together: every state of a report, a collector that is killed,
# and one behind nginx with HTTPS, limits and passwords.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"
# shellcheck source=tests/collector/server.sh
. "$ROOT/tests/collector/server.sh"
# shellcheck source=tests/upload/lib.sh
. "$ROOT/tests/upload/lib.sh"

need_tool curl jq openssl
need_file "$OUT/bench" "$OUT/collector"
port=$(free_port)
collector_start --listen "127.0.0.1:$port" --max-bytes 4000000
collector=$url/v1/reports

# there FILE WHAT: the collector has this file as the run's report, byte for byte.
there() {
	ask GET "/v1/reports/$RUN_ID"
	same_file "$T_TMP/body" "$1" "$2"
}

report "$RUN_ID" running early 1000 >"$REPORT"
upload "$collector" --token "$TOKEN"
delivered "a running report"
there "$REPORT" "it is there"
report "$RUN_ID" complete late 500000 >"$REPORT"
cp "$REPORT" "$T_TMP/complete"
upload "$collector" --token "$TOKEN"
delivered "the complete one"
like "$(cat "$T_TMP/said")" '\(HTTP 200\)' "in place of the running one"
there "$T_TMP/complete" "it is there"
upload "$collector" --token "$TOKEN"
delivered "the same once more"
report "$RUN_ID" partial older >"$REPORT"
upload "$collector" --token "$TOKEN"
not_delivered 'HTTP 409: a complete report' "a stub over the complete one"
there "$T_TMP/complete" "the complete one stays"
upload "$collector" --token wrong
not_delivered 'HTTP 401: the token is missing or wrong' "a wrong token"
upload "$collector"
not_delivered 'HTTP 401' "no token"
report "$RUN_ID" complete large 2500000 >"$REPORT"
upload "$collector" --token "$TOKEN"
not_delivered 'HTTP 413: the body has|sending|Send' "a report that is too long"

# killed while the report is on its way, down for a while, and back
kill -KILL "$collector_pid"
wait "$collector_pid" 2>/dev/null || :
cp "$T_TMP/complete" "$REPORT"
RUN=$(new_id 7)
sed -i "s/$RUN_ID/$RUN/" "$REPORT"
(
	sleep 3
	exec "$OUT/collector" --listen "127.0.0.1:$port" --db "$T_TMP/reports.db" \
		--token-file "$T_TMP/token" --max-bytes 4000000
) >"$T_TMP/back.log" 2>&1 &
back=$!
T_PIDS="$back $T_PIDS"
upload "$collector" --token "$TOKEN" --retry 60
delivered "to a collector that was killed and comes back"
ask GET "/v1/reports/$RUN"
same_file "$T_TMP/body" "$REPORT" "it is there, byte for byte"
is "$(stored 'SELECT count(*) FROM report')" 2 "and so is the one of before"

command -v nginx >/dev/null || {
	skip "the same behind nginx" "nginx is not installed"
	done_testing
}

authority known
certificate right known IP:127.0.0.1,DNS:reports.example
front=$(free_port)
mkdir "$T_TMP/dav" "$T_TMP/nginx"
chmod 755 "$T_TMP" "$T_TMP/nginx"
chmod 777 "$T_TMP/dav"
printf 'renter:{PLAIN}over there\n' >"$T_TMP/nginx/passwords"
cat >"$T_TMP/nginx.conf" <<END
daemon off;
pid $T_TMP/nginx/pid;
error_log $T_TMP/nginx/error.log;
events { }
http {
	access_log off;
	client_body_temp_path $T_TMP/nginx/body;
	proxy_temp_path $T_TMP/nginx/proxy;
	fastcgi_temp_path $T_TMP/nginx/fastcgi;
	uwsgi_temp_path $T_TMP/nginx/uwsgi;
	scgi_temp_path $T_TMP/nginx/scgi;
	server {
		listen 127.0.0.1:$front ssl;
		ssl_certificate $T_TMP/right.pem;
		ssl_certificate_key $T_TMP/right.key;
		client_max_body_size 1200k;
		location /v1/ { proxy_pass http://127.0.0.1:$port; }
		location /dav/ { root $T_TMP; dav_methods PUT; }
		location /locked/ { alias $T_TMP/dav/; dav_methods PUT; auth_basic x;
			auth_basic_user_file $T_TMP/nginx/passwords; }
		location /moved/ { return 301 https://127.0.0.1:$front/v1/reports; }
	}
}
END
start nginx -c "$T_TMP/nginx.conf"
nginx_pid=$pid
wait_for 10 port_open "$front" || bail \
	"nginx does not start: $(cat "$log" "$T_TMP/nginx/error.log")"
front_url=https://127.0.0.1:$front

RUN=$(new_id 8)
report "$RUN" complete nginx 400000 >"$REPORT"
upload "$front_url/v1/reports" --ca "$T_TMP/known.ca" --token "$TOKEN"
delivered "through nginx"
ask GET "/v1/reports/$RUN"
same_file "$T_TMP/body" "$REPORT" "it is there, byte for byte"
upload "$front_url/v1/reports" --pin "$(pin_of right)" --token "$TOKEN"
delivered "through nginx with a pinned key"
upload "$front_url/v1/reports" --token "$TOKEN"
not_delivered '[Cc]ertificate' "nginx with an unknown authority"
upload "$front_url/dav/new.json" --ca "$T_TMP/known.ca"
delivered "to a folder of nginx"
same_file "$T_TMP/dav/new.json" "$REPORT" "it is in the folder"
upload "$front_url/dav/new.json" --ca "$T_TMP/known.ca"
delivered "to the same file (HTTP 204)"
upload "https://renter:over%20there@127.0.0.1:$front/locked/in.json" --ca "$T_TMP/known.ca"
delivered "with a password"
upload "https://renter:wrong@127.0.0.1:$front/locked/in.json" --ca "$T_TMP/known.ca"
not_delivered 'HTTP 401' "with a wrong password"
upload "$front_url/moved/" --ca "$T_TMP/known.ca"
not_delivered "HTTP 301, a redirect to $front_url/v1/reports, " "an address that has moved"
upload "$front_url/none" --ca "$T_TMP/known.ca"
not_delivered 'HTTP 40[45]' "an address without anything"
report "$RUN" complete nginx 1000000 >"$REPORT"
upload "$front_url/v1/reports" --ca "$T_TMP/known.ca" --token "$TOKEN"
not_delivered 'HTTP 413: .*Too Large|sending|Send|broke' "more than nginx takes"
report "$RUN" complete nginx 400000 >"$REPORT"
stop "$back"
upload "$front_url/v1/reports" --ca "$T_TMP/known.ca" --token "$TOKEN"
not_delivered 'HTTP 502' "nginx without a collector behind it"
is "$(jq -r '.tries[0].status' "$T_TMP/out/upload.json")" failed "which may pass"
stop "$nginx_pid"
done_testing
