#!/bin/sh
# SPDX-License-Identifier: MIT
# Kernel parameters that mean ill or nothing: no write, no command, no stop; each is told in the
# report.
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

collector_start
machine
disk_virtio target
nic
# shellcheck disable=SC2016 # the dollar is the point
param 'bench.label=$(reboot)' bench.foo=1 bench.=2 bench.profile=huge bench.budget=-1 \
	'bench.budget=1;reboot' 'bench.upload="http://127.0.0.1:1/`reboot`;$(reboot)"' \
	'bench.exclude=$(reboot),;reboot' 'bench.end=$(reboot)'
# shellcheck disable=SC2016
for value in '=0' '=no' '=false' '=' '' '=yes' '=1' '=all' '=destroyed' '=$(reboot)' '=Destroy'; do
	param "bench.write$value"
done
param bench.destroy=target
boot 120
ended reboot
report_arrived
# shellcheck disable=SC2016
report_is .run.label '$(reboot)' "the label is text"
report_has '.run.write_consent | test("none")' "nothing granted a write" .run
report_has '.notes | any(.text | test("foo"))' "the unknown option is told" .notes
report_has '.notes | any(.text | test("profile"))' "the bad profile is told" .notes
report_is '[.notes[].text | select(test("^kernel.*write="))] | length' 6 "each bad write is told"
console_like 'bootmark: .*foo' "the console tells of the unknown option"
report_measured target

# A command line that was cut: its last word is not bench.eol, so nothing on it grants a write.
machine
disk_virtio target2
nic
param bench.write=destroy bench.destroy=target2
BOOT_EOL=
boot 120
ended reboot
report_arrived_as complete 2
report_has '.run.write_consent | test("none")' "a cut command line grants no write" .run
report_has '.notes | any(.text | test("eol"))' "and the report says why" .notes
report_measured target2
done_testing
