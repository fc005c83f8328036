# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Boots the real /init as PID 1 of fresh namespaces, in a root of its own with the test's programs.
#
# An ordinary user's namespaces: even where root runs the tests, init gets a user who owns nothing
# of the host, so that it cannot reboot it, set its clock or its kernel's parameters, or reach its
# disks. reboot(2) works in a process namespace and is seen from outside: it ends PID 1 with SIGHUP
# for a reboot and SIGINT for poweroff and halt (reboot(2), "Behavior inside PID namespaces").
#
#	new_root		makes $R: /bin, /etc, empty mount points; /log outlives the boot
#	program NAME <<'END'	puts a shell script at $R/bin/NAME
#	boot SECONDS WORD...	boots with this kernel command line; sets $status and $console
#	quick WORD...		the same without network and waits

# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"

# An ordinary user's path may lack where chroot, ip and dnsmasq are.
PATH=$PATH:/usr/sbin:/sbin
INIT=${INIT:-$OUT/init}
BUSYBOX=${BUSYBOX:-$OUT/sysroot/bin-target/busybox}
REBOOTED=129	# 128 + SIGHUP
HALTED=130	# 128 + SIGINT
export REBOOTED HALTED
T_UID=65534

need_tool unshare setpriv timeout ip
need_file "$INIT" "$BUSYBOX"

# as_user COMMAND...: without the host's root.
as_user() {
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --reuid=$T_UID --regid=$T_UID --clear-groups -- "$@"
	else
		"$@"
	fi
}

as_user unshare --user --map-root-user true 2>/dev/null ||
	skip_all "needs user namespaces for everybody"

# One link per applet is many processes: made once, copied for each root.
mkdir "$T_TMP/bin"
cp "$BUSYBOX" "$T_TMP/bin/busybox"
"$BUSYBOX" --list | while read -r t_applet; do
	[ "$t_applet" = busybox ] || ln -s busybox "$T_TMP/bin/$t_applet"
done

# own FILE...: what init will see as its own.
own() {
	[ "$(id -u)" -ne 0 ] || chown -R $T_UID:$T_UID "$@"
}

new_root() {
	R=$T_TMP/root.$((${t_roots:=0} + 1))
	t_roots=$((t_roots + 1))
	for t_dir in etc dev proc sys run tmp log consoles; do
		mkdir -p "$R/$t_dir"
	done
	cp "$INIT" "$R/init"
	cp -R "$T_TMP/bin" "$R/"
	ln -s bin "$R/sbin"
	ln -s /init "$R/bin/dhcp-event"
	ln -s /run/resolv.conf "$R/etc/resolv.conf"
	: >"$R/consoles/ttyS0"
	: >"$R/consoles/tty0"
	echo "tty0 ttyS0" >"$R/active"
	SYSFS=fake	# or real: the network's part of the namespace's own
	BEFORE=:	# shell text to run inside the namespaces before init starts
	chmod 755 "$T_TMP"
	own "$R"
}

program() {
	{
		echo '#!/bin/sh'
		cat
	} >"$R/bin/$1"
	chmod 755 "$R/bin/$1"
}

# A bench that does everything right; its arguments, one a line, are left in /log.
good_bench() {
	program bench <<'END'
printf '%s\n' "$@" >/log/$1.args
env >/log/$1.env
case $1 in
run)
	echo "bench measures"
	echo '{}' >/run/bootmark/report.json
	echo "the report's text" >/run/bootmark/report.txt
	cat /run/bootmark/clock >/log/clock
	;;
close)
	echo '{"closed":1}' >/run/bootmark/report.json
	echo "the closed report" >/run/bootmark/report.txt
	;;
upload)
	# The console's process may not have had its first turn in so short a boot.
	until [ -s /run/bootmark/console.log ]; do sleep 1; done
	cp -r /run/bootmark /log/
	;;
esac
END
}

boot() {
	t_limit=$1
	shift
	printf '%s\n' "$*" >"$R/cmdline"
	cat >"$R/setup" <<-END
	set -eu
	export R=$R
	mount --make-rprivate /
	mount -t tmpfs dev "\$R/dev"
	for node in null zero random urandom; do
		: >"\$R/dev/\$node"
		mount --bind "/dev/\$node" "\$R/dev/\$node"
	done
	for console in "\$R"/consoles/*; do
		[ -e "\$console" ] || continue
		: >"\$R/dev/\${console##*/}"
		mount --bind "\$console" "\$R/dev/\${console##*/}"
	done
	mount -t proc proc "\$R/proc"
	mount --bind "\$R/cmdline" "\$R/proc/cmdline"
	if [ "$SYSFS" = real ]; then
		mount -t sysfs sys "\$R/sys"
		mount --bind "\$R/active" "\$R/sys/class/tty/console/active"
	else
		mount -t tmpfs sys "\$R/sys"
		mkdir -p "\$R/sys/class/tty/console" "\$R/sys/class/net" \
			"\$R/sys/class/block" "\$R/sys/block"
		cp "\$R/active" "\$R/sys/class/tty/console/active"
	fi
	$BEFORE
	# As the kernel does with words it does not know: arguments, and NAME=VALUE as environment.
	exec env "evil=\\\$(touch /log/ran)" ENV=/log/evil \
		chroot "\$R" /init 'x=\$(touch /log/arguments-ran)' --print-mounts
	END
	own "$R/setup" "$R/cmdline"
	t_from=$(t_now_ms)
	status=0
	as_user timeout -s KILL "$t_limit" unshare --user --map-root-user --pid --fork \
		--kill-child --mount --net --uts --ipc sh "$R/setup" >"$R/stdout" 2>&1 </dev/null ||
		status=$?
	took_ms=$(($(t_now_ms) - t_from))
	export took_ms status
	# The shell names the signal that ended the namespace: that is how it is meant to end.
	t_said=$(grep -v '^Hangup$\|^Interrupt$' "$R/stdout" | head -c 2000) || :
	[ -z "$t_said" ] || diag "the namespace said: $t_said"
	console=
	[ ! -e "$R/consoles/ttyS0" ] || console=$(tr -d '\r' <"$R/consoles/ttyS0")
}

quick() {
	boot 90 bench.linger=0 bench.linger-fail=0 bench.settle=0 bench.net=off "$@"
}

# in_order ERE...: lines of the console that match, in this order.
in_order() {
	t_rest=$console
	for t_ere in "$@"; do
		t_line=$(printf '%s\n' "$t_rest" | grep -nE -m 1 -e "$t_ere" | cut -d : -f 1)
		if [ -z "$t_line" ]; then
			echo "not there, or not in order: $t_ere"
			printf '%s\n' "$console"
			return 1
		fi
		t_rest=$(printf '%s\n' "$t_rest" | tail -n "+$((t_line + 1))")
	done
}

# peer NAME COMMANDS: more of $BEFORE. NAME becomes a card of init's; the other end of its cable is
# `srv` in a network of its own, where COMMANDS (without single quotes) run from then on.
peer() {
	SYSFS=real
	BEFORE="$BEFORE
	unshare --net sh -c '
		until ip link set srv up 2>/dev/null; do sleep 0.1; done
		ip link set lo up
		$2
		echo ready
		exec sleep 1000
	' >\"\$R/log/peer.$1\" 2>&1 </dev/null &
	until [ \"\$(readlink \$R/proc/\$!/ns/net)\" != \"\$(readlink \$R/proc/self/ns/net)\" ]; do
		sleep 0.1
	done
	ip link add $1 type veth peer name srv netns \$!
	for _ in 1 2 3 4 5 6 7 8 9; do
		grep -q ready \$R/log/peer.$1 && break
		sleep 0.1
	done"
}

# dhcp_server OPTION...: COMMANDS for `peer`: a DHCP server that gives 10.9.0.50 to 10.9.0.60.
dhcp_server() {
	echo "ip addr add 10.9.0.1/24 dev srv
	dnsmasq --no-daemon --conf-file=/dev/null --port=0 --no-ping --pid-file= --user=root \\
		--group=root --interface=srv --dhcp-leasefile=\$R/log/leases \\
		--dhcp-range=10.9.0.50,10.9.0.59,255.255.255.0,2m $* &
	sleep 0.3"
}
