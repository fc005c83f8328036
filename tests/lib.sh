# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# The shell tests' Test Anything Protocol and their tools; a test begins with:
#
#	#!/bin/sh
#	set -eu
#	. "${0%/*}/../lib.sh"
#
# It makes checks and ends with `done_testing`; a test that dies before that has printed no plan,
# which prove reports as a failure. $ROOT is the project's folder, $OUT the build products, $T_TMP a
# fresh folder that is removed at exit. Everything started with `start` is ended at exit, by its
# pid.

# $0 is the test: found from it, so a test runs from any folder.
ROOT=$(cd "${0%/*}/../.." && pwd)
ARCH=${ARCH:-x86_64}
OUT=${OUT:-$ROOT/out/$ARCH}
case $OUT in
/*) ;;
*) OUT=$ROOT/$OUT ;;
esac
export ROOT ARCH OUT

T_COUNT=0
T_FAILED=0
T_PIDS=
T_CLEANUP=
T_TMP=$(mktemp -d "${TMPDIR:-/tmp}/bootmark-test.XXXXXX")

# t_finish: what happens at every exit: cleanup hooks newest first, then processes, then the folder.
t_finish() {
	t_status=$?
	trap - EXIT INT TERM HUP
	set +e
	eval "$T_CLEANUP"
	for t_pid in $T_PIDS; do
		t_signal TERM "$t_pid"
	done
	for t_pid in $T_PIDS; do
		t_end "$t_pid"
	done
	rm -rf "$T_TMP"
	exit "$t_status"
}
trap t_finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# t_is_ours PID: the process is there, and a child of this shell. A number that is free again may be
# anybody's a moment later, so a bare number is never signalled; but in a process namespace of the
# test's own (then /proc counts otherwise), where only the test's processes are.
t_is_ours() {
	read -r t_self _ </proc/self/stat
	if [ "$t_self" = $$ ]; then
		[ "$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null)" = $$ ]
	else
		kill -0 "$1" 2>/dev/null
	fi
}

# t_signal SIGNAL PID: signals the process if it is still ours.
t_signal() {
	! t_is_ours "$2" || kill "-$1" "$2" 2>/dev/null
}

# t_wait_gone PID TENTHS: waits until our process has ended.
t_wait_gone() {
	t_tenths=$2
	while t_is_ours "$1"; do
		[ "$t_tenths" -gt 0 ] || return 1
		t_tenths=$((t_tenths - 1))
		sleep 0.1
	done
}

# t_end PID: TERM, and KILL after 5 s. TERM twice: one that arrives while the shell is still
# becoming the program is lost.
t_end() {
	t_signal TERM "$1" || :
	t_wait_gone "$1" 3 || t_signal TERM "$1" || :
	t_wait_gone "$1" 50 || t_signal KILL "$1" || :
}

# diag TEXT...: explanation that prove shows.
diag() {
	printf '%s\n' "$*" | sed 's/^/# /' >&2
}

# pass WHAT / fail WHAT [WHY...]: one check's result.
pass() {
	T_COUNT=$((T_COUNT + 1))
	printf 'ok %d - %s\n' "$T_COUNT" "$1"
}

fail() {
	T_COUNT=$((T_COUNT + 1))
	T_FAILED=$((T_FAILED + 1))
	printf 'not ok %d - %s\n' "$T_COUNT" "$1"
	shift
	[ $# -eq 0 ] || diag "$@"
}

# ok WHAT COMMAND...: the command succeeds; its output is shown only when it does not.
ok() {
	t_what=$1
	shift
	if "$@" >"$T_TMP/.ok" 2>&1; then
		pass "$t_what"
	else
		fail "$t_what" "status $? of: $*" "
$(tail -n 30 "$T_TMP/.ok")"
	fi
}

# not_ok WHAT COMMAND...: the command fails by itself (a crash or a missing command is no answer).
not_ok() {
	t_what=$1
	shift
	t_status=0
	"$@" >"$T_TMP/.ok" 2>&1 || t_status=$?
	if [ "$t_status" -gt 0 ] && [ "$t_status" -lt 126 ]; then
		pass "$t_what"
	else
		fail "$t_what" "status $t_status of: $*" "
$(tail -n 30 "$T_TMP/.ok")"
	fi
}

# is GOT WANT WHAT: the two texts are equal.
is() {
	if [ "$1" = "$2" ]; then
		pass "$3"
	else
		fail "$3" "got:  $1
want: $2"
	fi
}

# le NUMBER LIMIT WHAT / ge NUMBER LIMIT WHAT: integers.
le() {
	if [ "$1" -le "$2" ]; then pass "$3"; else fail "$3" "$1 is above $2"; fi
}

ge() {
	if [ "$1" -ge "$2" ]; then pass "$3"; else fail "$3" "$1 is below $2"; fi
}

# like TEXT ERE WHAT / unlike TEXT ERE WHAT: some line of the text (does not) match.
like() {
	if printf '%s\n' "$1" | grep -Eq -e "$2"; then
		pass "$3"
	else
		fail "$3" "no line matches: $2" "
$(printf '%s\n' "$1" | tail -n 30)"
	fi
}

unlike() {
	if printf '%s\n' "$1" | grep -Eq -e "$2"; then
		fail "$3" "matches $2:" "
$(printf '%s\n' "$1" | grep -E -e "$2" | head -n 10)"
	else
		pass "$3"
	fi
}

# same_file FILE FILE WHAT: byte-equal.
same_file() {
	if t_said=$(cmp "$1" "$2" 2>&1); then pass "$3"; else fail "$3" "$t_said"; fi
}

# skip WHAT REASON: one check that cannot be made here.
skip() {
	T_COUNT=$((T_COUNT + 1))
	printf 'ok %d - %s # SKIP %s\n' "$T_COUNT" "$1" "$2"
}

# skip_all REASON: this whole test cannot run here. Where CI=true everything must run, so it fails.
skip_all() {
	if [ "${CI:-}" = true ]; then
		fail "must run where CI=true" "skipped: $1"
		done_testing
	fi
	printf '1..0 # SKIP %s\n' "$1"
	exit 0
}

# bail REASON: the environment is broken; ends prove's whole run.
bail() {
	printf 'Bail out! %s\n' "$1"
	exit 255
}

# done_testing: prints the plan and ends the test.
done_testing() {
	printf '1..%d\n' "$T_COUNT"
	[ "$T_COUNT" -gt 0 ] || exit 1
	[ "$T_FAILED" -eq 0 ] || exit 1
	exit 0
}

# need_root: skips the whole test for an ordinary user.
need_root() {
	[ "$(id -u)" -eq 0 ] || skip_all "needs root"
}

# need_tool COMMAND...: skips the whole test where a command is missing.
need_tool() {
	for t_tool in "$@"; do
		command -v "$t_tool" >/dev/null || skip_all "needs $t_tool"
	done
}

# need_file FILE...: the build product must be there; `make check` and `make test` build it first.
need_file() {
	for t_file in "$@"; do
		[ -e "$t_file" ] || bail "$t_file is missing: run make"
	done
}

# at_exit COMMAND-TEXT: runs it at exit, the newest first; quote it for eval.
at_exit() {
	T_CLEANUP="$1
$T_CLEANUP"
}

# start COMMAND...: runs it in the background with its output in $T_TMP/start.N.log, N counting from
# 1; its process id is left in $pid and the log's name in $log. Ended at exit.
start() {
	t_started=$((${t_started:-0} + 1))
	log=$T_TMP/start.$t_started.log
	"$@" >"$log" 2>&1 </dev/null &
	pid=$!
	T_PIDS="$pid $T_PIDS"
}

# stop PID: ends a started process now (TERM, KILL after 5 s) and collects it.
stop() {
	t_end "$1"
	wait "$1" 2>/dev/null || :
	t_left=
	for t_pid in $T_PIDS; do
		[ "$t_pid" = "$1" ] || t_left="$t_left $t_pid"
	done
	T_PIDS=$t_left
}

# wait_for SECONDS COMMAND...: repeats the command each tenth of a second until it succeeds.
wait_for() {
	t_until=$(($(t_now_ms) + $1 * 1000))
	shift
	until "$@" >/dev/null 2>&1; do
		[ "$(t_now_ms)" -lt "$t_until" ] || return 1
		sleep 0.1
	done
}

# t_now_ms: the monotonic clock in milliseconds.
t_now_ms() {
	awk '{ printf "%d", $1 * 1000 }' /proc/uptime
}

# free_port: prints a TCP port of 127.0.0.1 that nothing listens on.
free_port() {
	/usr/bin/python3 -c 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])'
}

# port_open PORT: something accepts connections on 127.0.0.1; for wait_for.
port_open() {
	/usr/bin/python3 -c 'import socket, sys
socket.create_connection(("127.0.0.1", int(sys.argv[1])), 1).close()' "$1"
}
