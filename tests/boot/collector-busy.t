#!/bin/sh
# SPDX-License-Identifier: MIT
# A collector that answers 500, breaks the connection, and then takes the report: always the same
# one.
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

server_start answers 500,close,201
machine
disk_virtio a
nic
BOOT_UPLOAD=http://$BOOT_HOST:$server_port/v1/reports
param bench.retry=60
boot 120
ended reboot
sent=$T_TMP/answers
is "$(cd "$sent" && echo ./*.body)" "./1.body ./2.body ./3.body" \
	"it was sent three times, and not again after the 201"
same_file "$sent/1.body" "$sent/3.body" "the same report each time"
report_use "$sent/3.body"
report_is .run.state complete "its state is complete"
id=$(jq -r .run.id "$report")
for n in 1 2 3; do
	head=$(cat "$sent/$n.head")
	like "$head" "^PUT /v1/reports/$id\$" "request $n puts the run's id"
	like "$head" "^Authorization: Bearer $TOKEN\$" "request $n brings the token"
	like "$head" "^Content-Type: application/json" "request $n says that it is JSON"
done
done_testing
