#!/bin/sh
# SPDX-License-Identifier: MIT
# The boot that goes well: the stages, bench's arguments, the report on all consoles.
set -eu
# shellcheck source=tests/init/lib.sh
. "${0%/*}/lib.sh"

new_root
good_bench
quick bench.upload=http://collector.example/v1/reports bench.deadline=10m

is "$status" "$REBOOTED" "the machine reboots"
ok "the stages come in order" in_order \
	'^bootmark: version ' \
	'^bootmark: stage mounts: start \(uptime [0-9]+\.[0-9]{3} s\)$' \
	'^bootmark: stage mounts: ok in [0-9]+\.[0-9]{3} s$' \
	'^bootmark: stage console: helper' \
	'^bootmark: stage tune: ' \
	'^bootmark: stage options: ok' \
	'^bootmark: stage watchdog: helper' \
	'^bootmark: stage network: helper' \
	'^bootmark: stage guard-late: helper' \
	'^bootmark: stage settle: ok' \
	'^bootmark: stage guard: ok' \
	'^bootmark: stage clock: ' \
	'^bootmark: stage run: start' \
	'^bench measures$' \
	'^bootmark: stage run: ok' \
	'^bootmark: stage close: skipped' \
	'^bootmark: stage upload: start' \
	'^bootmark: stage upload: ok' \
	'^bootmark: stage result: start' \
	'^bootmark: report begin$' \
	"^the report's text\$" \
	'^bootmark: report end$' \
	'^bootmark: result: delivered$' \
	'^bootmark: stage result: ok' \
	'^bootmark: end: reboot$'
same_file "$R/consoles/ttyS0" "$R/consoles/tty0" "both consoles show the same"
like "$console" '^bootmark: options: upload=http://collector\.example/v1/reports$' \
	"the options given are shown"

printf '%s\n' run --cmdline /proc/cmdline --out /run/bootmark --deadline >"$T_TMP/want.run"
head -n 6 "$R/log/run.args" >"$T_TMP/got.run"
same_file "$T_TMP/want.run" "$T_TMP/got.run" "bench run gets its files and its deadline"
deadline_s=$(tail -n 1 "$R/log/run.args")
# Of 600 s a tenth is kept for what follows, 5 s for bench's own end, and the boot took some.
ge "$deadline_s" 500 "bench run's deadline leaves it most of the time"
le "$deadline_s" 535 "bench run's deadline keeps time for the upload"
printf '%s\n' upload --cmdline /proc/cmdline --out /run/bootmark --retry 15 >"$T_TMP/want.upload"
same_file "$T_TMP/want.upload" "$R/log/upload.args" "without a card bench upload does not try long"
is "$(sort "$R/log/run.env" | grep -v '^_=\|^PWD=\|^SHLVL=\|^OLDPWD=')" "HOME=/
PATH=/bin:/sbin:/usr/bin:/usr/sbin
TERM=linux" "bench's environment is fixed: nothing of the kernel's command line is in it"
like "$(cat "$R/log/clock")" '^(ok|corrected): ' "bench finds the clock's state"
ok "everything shown is also in console.log" \
	grep -q '^bootmark: stage upload: start' "$R/log/bootmark/console.log"
ok "no argument of init's is ever run" test ! -e "$R/log/arguments-ran"

for action in poweroff halt; do
	new_root
	good_bench
	quick bench.upload=http://c.example/ bench.end=$action
	is "$status" "$HALTED" "end=$action stops the machine"
	like "$console" "^bootmark: end: $action\$" "end=$action is said"
done

# Nothing to upload to: not delivered, so the other linger and the other end are used.
new_root
good_bench
quick bench.linger-fail=2 bench.end=reboot bench.onfail=poweroff
is "$status" "$HALTED" "onfail is done where the report was not delivered"
like "$console" '^bootmark: result: not delivered: no upload was asked for' "the reason is told"
like "$console" '^bootmark: result: stays for 2 s, then: poweroff$' "linger-fail is the time"
ok "the report is on the console" in_order '^bootmark: report begin$' "^the report's text" \
	'^bootmark: report end$' '^bootmark: end: poweroff$'
ok "bench upload is not started without an address" test ! -e "$R/log/upload.args"

# The config file is read, and the kernel command line wins.
new_root
good_bench
printf '%s\n' "end = poweroff" "linger = 0" "settle = 0" "net = off" \
	"upload = http://c.example/" >"$R/etc/bench.conf"
boot 60 bench.end=reboot
is "$status" "$REBOOTED" "the command line wins over the config file"
like "$console" '^bootmark: result: stays for 0 s' "the config file is read"
is "$(tail -n 2 "$R/log/run.args")" "--config
/etc/bench.conf" "bench is told of a config file that is there"

done_testing
