#!/bin/sh
# SPDX-License-Identifier: MIT
# Hostile and broken parameters are shown as text, never run, and stop nothing.
set -eu
# shellcheck source=tests/init/lib.sh
. "${0%/*}/lib.sh"

new_root
good_bench
# shellcheck disable=SC2016 # meant literally: nothing may expand it
boot 60 'x=$(touch${IFS}/log/ran) bench.label="$(touch /log/ran)"' 'bench.foo=`touch /log/ran`' \
	'bench.linger=$(reboot) bench.write=$(reboot) bench.end=reboot;touch${IFS}/log/ran' \
	'bench.token=verysecret bench.upload=http://user:hidden@c.example/|touch${IFS}/log/ran' \
	'ip=$(touch${IFS}/log/ran)::::: nameserver=;touch BOOTIF=`reboot`' \
	'LD_PRELOAD=/log/x.so PATH=/log init=/log/x bench.linger=0 bench.linger-fail=0' \
	bench.settle=0
is "$status" "$REBOOTED" "the machine reboots at its end"
ok "nothing of a parameter was run" test ! -e "$R/log/ran"
like "$console" '^bootmark: options: .*foo' "an unknown option is told"
like "$console" '^bootmark: options: .*write' "a bad value of write is told"
like "$console" '^bootmark: options: .*end' "a bad value of end is told"
like "$console" '^bootmark: net: ip=.* is ignored: ' "a bad ip= is told"
like "$console" '^bootmark: net: nameserver=;touch is no IPv4 address' "a bad nameserver= is told"
like "$console" '^bootmark: net: BOOTIF=.reboot. is no MAC address' "a bad BOOTIF= is told"
unlike "$console" 'verysecret|hidden' "no secret is shown"
unlike "$(cat "$R/log/run.env")" 'evil|/log' \
	"the environment of the kernel's command line ends at init"
like "$(cat "$R/log/run.args")" '^--cmdline$' "bench reads the command line by itself"

# Bytes that are no text, and a line longer than any kernel takes.
new_root
good_bench
printf 'bench.label=\377\376\033[2J' >"$R/etc/words"
long=$(printf '%05000d' 7)
quick "$(cat "$R/etc/words") bench.note=$long bench.upload=http://c.example/"
is "$status" "$REBOOTED" "bytes that are no text: the machine reboots"
ok "bytes that are no text: the report is sent" test -e "$R/log/bootmark/report.json"

# A config file that is a folder, and one of garbage.
new_root
good_bench
mkdir "$R/etc/bench.conf"
quick
is "$status" "$REBOOTED" "an unreadable config file: the machine reboots"
like "$console" '^bootmark: options: /etc/bench.conf: ' "an unreadable config file is told"

new_root
good_bench
head -c 20000 /dev/urandom >"$R/etc/bench.conf"
quick
is "$status" "$REBOOTED" "a config file of garbage: the machine reboots"
like "$console" '^bootmark: stage run: ok' "a config file of garbage: bench runs"

done_testing
