#!/bin/sh
# SPDX-License-Identifier: MIT
# Whatever bench does, the report is closed and sent and the machine reaches its end.
set -eu
# shellcheck source=tests/init/lib.sh
. "${0%/*}/lib.sh"

# failing_run <<'END': good_bench, but `run` is this script.
failing_run() {
	good_bench
	mv "$R/bin/bench" "$R/bin/good"
	{
		echo '#!/bin/sh'
		# shellcheck disable=SC2016 # for the script, not for us
		echo '[ "$1" = run ] || exec /bin/good "$@"'
		cat
	} >"$R/bin/bench"
	chmod 755 "$R/bin/bench"
}

# closed REASON: the report was closed for this reason and sent, and the machine rebooted.
closed() {
	is "$status" "$REBOOTED" "$1: the machine reboots"
	is "$(sed -n '/^--reason$/{n;p;}' "$R/log/close.args" 2>/dev/null)" "$1" \
		"$1: bench close gets the reason"
	is "$(cat "$R/log/bootmark/report.json" 2>/dev/null)" '{"closed":1}' \
		"$1: the closed report is sent"
	ok "$1: the stages go on" in_order '^bootmark: stage run: ' '^bootmark: stage close: ok' \
		'^bootmark: stage upload: ok' '^the closed report' '^bootmark: end: reboot$'
}

new_root
failing_run <<'END'
echo '{' >/run/bootmark/report.json
kill -KILL $$
END
quick bench.upload=http://c.example/
closed "bench was killed by signal 9"
like "$console" '^bootmark: stage run: crashed in [0-9.]+ s: signal 9$' "a killed bench is a crash"

new_root
failing_run <<'END'
kill -SEGV $$
END
quick bench.upload=http://c.example/
closed "bench was killed by signal 11"

new_root
failing_run <<'END'
exit 1
END
quick bench.upload=http://c.example/
closed "bench ended with status 1"

new_root
failing_run <<'END'
echo '{"partial":1}' >/run/bootmark/report.json
echo partly >/run/bootmark/report.txt
exit 3
END
quick bench.upload=http://c.example/
is "$status" "$REBOOTED" "a partial report is a report: the machine reboots"
ok "a partial report is not closed again" test ! -e "$R/log/close.args"
is "$(cat "$R/log/bootmark/report.json")" '{"partial":1}' "the partial report is sent"

# It ignores SIGTERM, and a test of it has a session of its own and still writes.
new_root
failing_run <<'END'
trap '' TERM
echo '{' >/run/bootmark/report.json
setsid sh -c 'while :; do echo >/run/bootmark/report.json; done' &
while :; do sleep 1; done
END
quick bench.upload=http://c.example/ bench.deadline=2
closed "bench was ended at the deadline"
like "$console" '^bootmark: close: [1-9][0-9]* processes of the run were still there' \
	"what the run left behind is ended before its report is closed"
le "$took_ms" 20000 "a run that hangs is over soon after its deadline"

# It obeys SIGTERM.
new_root
failing_run <<'END'
trap 'echo "bench: told to end"; exit 3' TERM
while :; do sleep 1; done
END
quick bench.upload=http://c.example/ bench.deadline=2
closed "bench was ended at the deadline"
like "$console" '^bench: told to end$' "a run may still say goodbye at the deadline"

new_root
quick bench.upload=http://c.example/
is "$status" "$REBOOTED" "no bench at all: the machine reboots"
ok "no bench at all: every stage says so" in_order \
	'^bootmark: /bin/bench cannot be started: No such file or directory$' \
	'^bootmark: close: bench could not be started$' \
	'^bootmark: upload: there is no report$' \
	'^bootmark: result: /run/bootmark/report.txt: No such file or directory$' \
	'^bootmark: result: not delivered' '^bootmark: end: reboot$'

new_root
good_bench
cp "$R/bin/bench" "$R/bin/good"
program bench <<'END'
[ "$1" = upload ] || exec /bin/good "$@"
while :; do sleep 1; done
END
quick bench.upload=http://c.example/ bench.deadline=12
is "$status" "$REBOOTED" "an upload that hangs: the machine reboots"
ok "an upload that hangs: the report is on the console" in_order \
	'^bootmark: stage upload: timeout' \
	"^the report's text" '^bootmark: result: not delivered: the upload took too long$' \
	'^bootmark: end: reboot$'

new_root
failing_run <<'END'
echo '{}' >/run/bootmark/report.json
echo text >/run/bootmark/report.txt
awk 'BEGIN { for (i = 0; i < 300000; i++) print "a line of many" }'
echo "bench: the last line"
END
quick bench.upload=http://c.example/
is "$status" "$REBOOTED" "a flood of output: the machine reboots"
ok "a flood of output: what comes after it is shown" in_order '^bench: the last line$' \
	'^bootmark: stage run: ok' '^bootmark: end: reboot$'
is "$(grep -c '^a line of many$' "$R/consoles/ttyS0")" 300000 \
	"a flood of output: a console that is fast enough shows every line"
le "$(stat -c %s "$R/log/bootmark/console.log")" 1100000 \
	"a flood of output: console.log keeps its limit"

# Many processes that nobody waits for.
new_root
failing_run <<'END'
echo '{}' >/run/bootmark/report.json
echo text >/run/bootmark/report.txt
i=0
while [ $i -lt 300 ]; do
	(sleep 1 & exit 0)
	i=$((i + 1))
done
sleep 3
ps -o stat,ppid | awk '$1 ~ /^Z/ && $2 == 1' | wc -l >/log/zombies
END
quick bench.upload=http://c.example/
is "$(cat "$R/log/zombies")" 0 "orphans are collected while bench runs"
is "$status" "$REBOOTED" "orphans: the machine reboots"

# Every helper dies, the one that shows all this too.
new_root
failing_run <<'END'
echo '{}' >/run/bootmark/report.json
echo text >/run/bootmark/report.txt
ps -o pid,args | awk '$2 == "/init" && $1 != 1 { print $1 }' | xargs kill -KILL
sleep 1
echo "bench: after the massacre"
END
quick bench.upload=http://c.example/
is "$status" "$REBOOTED" "helpers that die: the machine reboots"
ok "helpers that die: the console comes back" in_order \
	'^bootmark: stage console: crashed in [0-9.]+ s: signal 9$' '^bench: after the massacre$' \
	'^bootmark: stage run: ok' '^bootmark: end: reboot$'
like "$console" '^bootmark: stage guard-late: crashed' "helpers that die: it is told"

# Signals to PID 1: Ctrl-Alt-Del is a request, the others are none.
new_root
failing_run <<'END'
echo '{}' >/run/bootmark/report.json
echo text >/run/bootmark/report.txt
for signal in HUP TERM USR1 USR2 QUIT ALRM SEGV CHLD; do kill -$signal 1; done
echo "bench: still here"
END
quick bench.upload=http://c.example/
ok "other signals do nothing" in_order '^bench: still here$' '^bootmark: stage run: ok' \
	'^bootmark: stage upload: ok' '^bootmark: end: reboot$'
new_root
failing_run <<'END'
kill -INT 1
sleep 60
END
quick bench.upload=http://c.example/ bench.end=poweroff
is "$status" "$REBOOTED" "Ctrl-Alt-Del reboots, whatever end= says"
ok "Ctrl-Alt-Del ends the stage at once" in_order '^bootmark: stage run: timeout' \
	'^bootmark: Ctrl-Alt-Del' '^bootmark: end: reboot$'
ok "Ctrl-Alt-Del sends nothing" test ! -e "$R/log/upload.args"
le "$took_ms" 15000 "Ctrl-Alt-Del is quick"

# The deadline is over before anything was measured.
new_root
good_bench
quick bench.upload=http://c.example/ bench.deadline=0
is "$status" "$REBOOTED" "no time at all: the machine reboots"
ok "no time at all: a report is sent all the same" in_order '^bootmark: stage run: skipped' \
	'^bootmark: close: the deadline had passed before bench was started$' \
	'^bootmark: stage upload: ok' '^the closed report' '^bootmark: end: reboot$'

# A required stage fails: /run is a file.
new_root
good_bench
rmdir "$R/run"
: >"$R/run"
quick bench.upload=http://c.example/
is "$status" "$REBOOTED" "a required stage fails: the machine reboots"
ok "a required stage fails: the console says what happens" in_order \
	'^bootmark: mounts: tmpfs on /run: ' '^bootmark: stage mounts: failed' \
	'^bootmark: stage run: not started: a required stage failed$' \
	'^bootmark: close: the boot failed before bench was started$' '^bootmark: end: reboot$'

done_testing
