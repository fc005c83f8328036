#!/bin/sh
# SPDX-License-Identifier: MIT
# bench plan on this very machine: it names what is there, gives reasons, and touches nothing.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"
need_file "$OUT/bench"

bench=$OUT/bench

ok "bench --help" "$bench" --help
ok "bench plan --help" "$bench" plan --help
like "$("$bench" --version)" '^bench [^ ]+$' "bench --version"
for command in plan run report upload close; do
	like "$("$bench" --help)" "^  $command " "bench --help names $command"
	like "$("$bench" $command --help)" "^usage: bench $command" \
		"bench $command --help has a usage line"
	said=$("$bench" $command --no-such-flag 2>&1) && status=0 || status=$?
	is "$status" 2 "bench $command: an unknown flag is a usage error"
	like "$said" 'no-such-flag' "bench $command: and names it"
done
said=$("$bench" nonsense 2>&1) && status=0 || status=$?
is "$status" 2 "an unknown command is a usage error"
said=$("$bench" 2>&1) && status=0 || status=$?
is "$status" 2 "so is no command"
like "$said" 'usage: bench COMMAND' "and help is shown"

# every block device of the kernel stands in the plan
said=$("$bench" plan 2>&1) || :
for device in /sys/block/*; do
	[ -e "$device" ] || continue
	name=$(basename "$device" | tr '!' '/')
	like "$said" "(^| )$name( |\$)" "the plan names $name"
done
like "$said" '^Plan: profile standard, [0-9]+ disks?, [0-9]+ tests?' "the plan ends with its total"
unlike "$said" '.{81}' "no line is longer than 80 columns"
said=$("$bench" plan --disks no-such-disk 2>&1) && status=0 || status=$?
is "$status" 1 "a plan without a disk is exit code 1"
like "$said" 'no-such-disk' "and the disk that is not there is named"
mkdir -p "$T_TMP/bare/sys/block" "$T_TMP/bare/proc" "$T_TMP/bare/dev"
said=$("$bench" plan --root "$T_TMP/bare" --tests cpu 2>&1) && status=0 || status=$?
is "$status" 0 "processors can be measured without a disk"
like "$said" '^Machine, when no disk is busy:$' "the plan says when"
like "$said" '^    cpu-prime .* s$' "and for how long"
unlike "$said" 'Network' "and nothing else"
said=$("$bench" plan --root "$T_TMP/bare" --tests network --budget 2 \
	--nodes a=http://127.0.0.1:1/,b=http://127.0.0.1:2/ 2>&1) && status=0 || status=$?
is "$status" 0 "a machine without a disk has something to measure"
like "$said" '^Network, at the end:$' "the network"
like "$said" '^    net-node .* 4.00 s$' "with the time for all servers"
like "$said" '^      with a, b$' "and their names"
like "$said" 'names no address: net-collector' "and what it has not"
like "$said" '^Plan: profile standard, 0 disks, 2 tests' "and the total of that"
said=$("$bench" plan --root "$T_TMP/nowhere" 2>&1) && status=0 || status=$?
is "$status" 1 "no sysfs is exit code 1"
like "$said" 'is sysfs mounted' "with the next step"

done_testing
