#!/bin/sh
# SPDX-License-Identifier: MIT
# The collector is down when the upload begins and comes up later: the report is sent again, and
# arrives.
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

port=$(free_port)
machine
disk_virtio a
nic
BOOT_UPLOAD=http://$BOOT_HOST:$port/v1/reports
param bench.retry=60
script 'trying again in' touch "$T_TMP/tried"
# shellcheck disable=SC2317 # started in the background
collector_later() {
	wait_for 90 test -e "$T_TMP/tried" || exit 1
	exec "$OUT/collector" --listen "127.0.0.1:$port" --db "$T_TMP/reports.db" \
		--token-file "$T_TMP/token"
}
printf '%s\n' "$TOKEN" >"$T_TMP/token"
start collector_later
boot 120
ended reboot
collector_port=$port
report_arrived
report_measured a
done_testing
