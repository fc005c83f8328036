#!/bin/sh
# SPDX-License-Identifier: MIT
# A full disk: refused with that reason, nothing half-stored, and all well once there is room.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"
# shellcheck source=tests/collector/server.sh
. "$ROOT/tests/collector/server.sh"

need_root
need_tool curl jq unshare nsenter
mkdir "$T_TMP/disk"
printf '%s\n' "$TOKEN" >"$T_TMP/token"
need_file "$OUT/collector"
# shellcheck disable=SC2016 # for the inner shell
start unshare -m sh -euc 'mount -t tmpfs -o size=1m none "$1/disk"
exec "$2" --listen 127.0.0.1:0 --db "$1/disk/reports.db" --token-file "$1/token"' - \
	"$T_TMP" "$OUT/collector"
collector_pid=$pid
collector_ready

report "$(new_id 1)" complete small 50000 >"$T_TMP/small"
report "$(new_id 2)" complete large 900000 >"$T_TMP/large"
put "$T_TMP/small" "$(new_id 1)"
answered 201 "a small report"
put "$T_TMP/large" "$(new_id 2)"
refused 507 "a report for which there is no room"
ask GET "/v1/reports/$(new_id 1)"
same_file "$T_TMP/body" "$T_TMP/small" "the small one is still there"
ask GET /v1/reports
is "$(jq '.reports | length' "$T_TMP/body")" 1 "the large one is not listed"
put "$T_TMP/large" "$(new_id 2)"
refused 507 "once more"
ok "room is made" nsenter -m -t "$collector_pid" mount -o remount,size=8m "$T_TMP/disk"
put "$T_TMP/large" "$(new_id 2)"
answered 201 "the same report once there is room"
ask GET "/v1/reports/$(new_id 2)"
same_file "$T_TMP/body" "$T_TMP/large" "and it is there, byte for byte"
done_testing
