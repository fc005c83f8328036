# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# What the boot tests share: a machine is described, booted, and what it left is looked at.
#
#	#!/bin/sh
#	set -eu
#	# shellcheck source=tests/boot/lib.sh
#	. "${0%/*}/lib.sh"
#
#	collector_start
#	machine
#	disk_nvme a
#	nic
#	boot 60
#	ended reboot
#	report_arrived
#	done_testing
#
# Each test runs in a network and process namespace of its own where the host allows that: the
# guest's network ends at the test's own loopback, and nothing outlives the test. After each boot
# `ended` checks the end action, the script's marks, the kernel's log and that no disk image has
# changed.

if [ -z "${BOOT_ALONE:-}" ]; then
	export BOOT_ALONE=no
	boot_map=
	[ "$(id -u)" -eq 0 ] || boot_map=--map-root-user
	# shellcheck disable=SC2086 # zero or one word
	if unshare $boot_map --net --pid --fork --kill-child true 2>/dev/null; then
		BOOT_ALONE=yes
		exec unshare $boot_map --net --pid --fork --kill-child -- sh "$0" "$@"
	fi
fi

# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"

# As seen from the guest's user-mode network: the host's loopback.
BOOT_HOST=10.0.2.2
BOOT_DIR=$ROOT/tests/boot
BOOT_NAME=${0##*/}
BOOT_NAME=${BOOT_NAME%.t}
# The consoles and reports of each test's last run are kept here.
BOOT_KEPT=$OUT/boot-logs
BOOT_N=0
TOKEN=boot-test-token

need_tool qemu-system-x86_64 qemu-img setpriv jq curl cpio openssl
need_file "$OUT/vmlinuz" "$OUT/initramfs.img"
if [ "$BOOT_ALONE" = yes ]; then
	ip link set lo up
else
	diag "no namespaces here: the guest shares the host's network"
fi
mkdir -p "$BOOT_KEPT"
rm -f "$BOOT_KEPT/$BOOT_NAME".*

# boot_accelerator: KVM only where the processor has it and its device can be used. (A /dev/kvm
# without the processor flag exists on some build machines, and guests hang under it.)
boot_accelerator() {
	if grep -Eqw 'vmx|svm' /proc/cpuinfo && [ -r /dev/kvm ] && [ -w /dev/kvm ]; then
		echo kvm
	else
		echo tcg
	fi
}

# machine: begins the description of a fresh machine; the last one's files stay until exit.
# BOOT_MEMORY (MiB), BOOT_CONSOLE, BOOT_TESTS (empty: all), BOOT_UPLOAD (empty: no upload options)
# and BOOT_EOL may be set after it.
machine() {
	BOOT_N=$((BOOT_N + 1))
	BOOT=$T_TMP/machine.$BOOT_N
	mkdir "$BOOT"
	: >"$BOOT/arguments"
	: >"$BOOT/script"
	: >"$BOOT/images"
	BOOT_PARAMS=
	BOOT_INITRD=$OUT/initramfs.img
	BOOT_DISKS=0
	BOOT_UPLOAD=${collector_url:-}
	BOOT_EOL=bench.eol
	BOOT_TESTS=seq-read-qd1,rand-read-qd64
	BOOT_CONSOLE=console=ttyS0
	BOOT_MEMORY=256
	qemu -accel "$(boot_accelerator)" -M q35 -nodefaults -display none -no-reboot
}

# qemu ARGUMENT...: more arguments of QEMU, each free of newlines.
qemu() {
	printf '%s\n' "$@" >>"$BOOT/arguments"
}

# param WORD...: more words of the kernel command line.
param() {
	BOOT_PARAMS="$BOOT_PARAMS $*"
}

# script REGEX ACTION [ARGUMENT]: one more line to be played on the console; see machine.py.
script() {
	if [ $# -gt 2 ]; then
		printf '%s\t%s\t%s\n' "$1" "$2" "$3" >>"$BOOT/script"
	else
		printf '%s\t%s\n' "$1" "$2" >>"$BOOT/script"
	fi
}

# image NAME [BYTES]: makes $T_TMP/NAME.img of random data, 64 MiB unless told, and leaves its
# path in $image. Images are attached writable: that the guest changed none of them is checked
# after the boot.
image() {
	image=$T_TMP/$1.img
	head -c "${2:-67108864}" /dev/urandom >"$image"
	image_watch "$image"
}

# image_watch FILE: `ended` checks that this file has not changed.
image_watch() {
	sha256sum "$1" >>"$BOOT/images"
}

# drive NAME [BYTES]: an image as a drive without a device yet; its id is NAME.
drive() {
	image "$@"
	qemu -drive "file=$image,format=raw,if=none,id=$1"
}

# disk_nvme NAME [PROPERTIES] / disk_sata / disk_virtio: a disk of 64 MiB and its controller; the
# serial number is NAME unless the properties (beginning with a comma) set another.
disk_nvme() {
	drive "$1"
	qemu -device "nvme,drive=$1,serial=$1${2:-}"
}

disk_sata() {
	drive "$1"
	qemu -device "ide-hd,bus=ide.$BOOT_DISKS,drive=$1,serial=$1${2:-}"
	BOOT_DISKS=$((BOOT_DISKS + 1))
}

disk_virtio() {
	drive "$1"
	qemu -device "virtio-blk-pci,drive=$1,serial=$1${2:-}"
}

# nic: a virtio NIC whose DHCP server is QEMU's, and whose 10.0.2.2 is the host's loopback;
# nic_model MODEL: another model.
nic() {
	nic_model virtio-net-pci
}

nic_model() {
	qemu -netdev user,id=net0 -device "$1,netdev=net0,mac=52:54:00:12:34:56,romfile="
}

# nic_silent: a NIC with carrier whose packets reach nobody: no DHCP answer, ever.
nic_silent() {
	boot_nowhere=$(free_port)
	qemu -netdev "socket,id=net0,udp=127.0.0.1:9,localaddr=127.0.0.1:$boot_nowhere"
	qemu -device virtio-net-pci,netdev=net0,mac=52:54:00:12:34:57,romfile=
}

# overlay FOLDER: the folder's files are laid over the initramfs, as a second cpio archive behind
# it.
overlay() {
	boot_new=$BOOT/initramfs.$$
	{
		cat "$BOOT_INITRD"
		# An archive begins at a multiple of four bytes; the kernel skips the zeros between.
		head -c $(((4 - $(wc -c <"$BOOT_INITRD") % 4) % 4)) /dev/zero
		(cd "$1" && find . -mindepth 1 | sort | cpio --quiet -o -H newc -R 0:0)
	} >"$boot_new"
	mv "$boot_new" "$BOOT/initramfs.img"
	BOOT_INITRD=$BOOT/initramfs.img
}

# boot_line: prints the kernel command line that `boot` uses.
boot_line() {
	printf '%s' "$BOOT_CONSOLE panic=1 bench.profile=quick bench.budget=1 bench.linger=0"
	printf '%s' " bench.linger-fail=1 bench.retry=8"
	[ -z "$BOOT_TESTS" ] || printf '%s' " bench.tests=$BOOT_TESTS"
	[ -z "$BOOT_UPLOAD" ] || printf '%s' " bench.upload=$BOOT_UPLOAD bench.token=$TOKEN"
	printf '%s' "$BOOT_PARAMS"
	[ -z "$BOOT_EOL" ] || printf ' %s' "$BOOT_EOL"
}

# boot SECONDS: boots the described machine by -kernel and waits for its end, at most that long.
boot() {
	qemu -kernel "$OUT/vmlinuz" -initrd "$BOOT_INITRD" -append "$(boot_line)"
	boot_plain "$1"
}

# boot_plain SECONDS: the same without -kernel: the description says itself what is booted.
boot_plain() {
	qemu -m "$BOOT_MEMORY"
	start /usr/bin/python3 "$BOOT_DIR/machine.py" "$BOOT" "$1"
	boot_status=0
	wait "$pid" || boot_status=$?
	cat "$log" >>"$BOOT/said"
	# The console as text: no colours, no carriage returns, no other control characters.
	sed 's/\x1b\[[0-9;?]*[A-Za-z]//g' "$BOOT/console" |
		LC_ALL=C tr -d '\000-\010\013-\037' >"$BOOT/text"
	cat "$BOOT/text" "$BOOT/said" >"$BOOT_KEPT/$BOOT_NAME.$BOOT_N.console"
	if [ "$boot_status" -ne 0 ]; then
		fail "machine $BOOT_N runs" "$(cat "$BOOT/said")"
		done_testing
	fi
	diag "machine $BOOT_N: $(cat "$BOOT/end") after $(cat "$BOOT/seconds") s"
}

# ended ACTION: the machine came to this end (a word of machine.py), played the whole script, kept
# every image as it was, and its kernel complained of nothing.
ended() {
	boot_end=$(cat "$BOOT/end")
	if [ "$boot_end" = "$1" ] && ! grep -q 'Kernel panic' "$BOOT/text"; then
		pass "machine $BOOT_N ends by $1"
	else
		fail "machine $BOOT_N ends by $1" "its end: $boot_end" "
$(tail -n 5 "$BOOT/said")"
	fi
	[ ! -s "$BOOT/script" ] ||
		is "$(cat "$BOOT/left")" "" "machine $BOOT_N played its whole script"
	kernel_complaints "$BOOT/text" "the kernel complains of nothing on the console"
	[ ! -s "$BOOT/images" ] ||
		ok "machine $BOOT_N left every disk as it was" sha256sum --quiet -c "$BOOT/images"
}

BOOT_FAULTS='BUG|WARNING: |Oops|panic|protection fault|Call Trace|blocked for more|lockup'
BOOT_FACTS='Spectre|RETBleed|Retbleed|MDS|MMIO Stale|panic=|panic_on'
BOOT_FAULTS="$BOOT_FAULTS|detected stall|UBSAN|segfault|Out of memory|Killed process"

# kernel_complaints FILE WHAT: checks that no line of a kernel log tells of a fault of the kernel.
# What it says of the processor's own weaknesses is none.
kernel_complaints() {
	boot_said=$(grep -E '^(<[0-9]+>)?\[ *[0-9]+\.[0-9]+\]' "$1" | grep -v 'bootmark: ' |
		grep -E "$BOOT_FAULTS" | grep -Ev "$BOOT_FACTS" || :)
	is "$boot_said" "" "$2"
}

# Whatever check failed, the console is the first thing to look at.
# shellcheck disable=SC2016 # evaluated then
at_exit '[ "$T_FAILED" -eq 0 ] || diag "consoles: $BOOT_KEPT/$BOOT_NAME.*; the last one ends by:" "
$(tail -n 25 "$BOOT/text")"'

# console_like ERE WHAT / console_unlike ERE WHAT: some line of the console (does not) match.
console_like() {
	if grep -Eq -e "$1" "$BOOT/text"; then
		pass "$2"
	else
		fail "$2" "no console line matches: $1"
	fi
}

console_unlike() {
	if grep -Eq -e "$1" "$BOOT/text"; then
		fail "$2" "console lines match $1:" "
$(grep -E -e "$1" "$BOOT/text" | head -n 10)"
	else
		pass "$2"
	fi
}

# collector_start: the collector with a fresh database. Leaves $collector_port, and $collector_url
# as the guest sees it, which later machines upload to.
collector_start() {
	need_file "$OUT/collector"
	printf '%s\n' "$TOKEN" >"$T_TMP/token"
	start "$OUT/collector" --listen 127.0.0.1:0 --db "$T_TMP/reports.db" \
		--token-file "$T_TMP/token"
	collector_log=$log
	wait_for 10 grep -Eq '127\.0\.0\.1:[1-9]' "$collector_log" ||
		bail "the collector does not start: $(cat "$collector_log")"
	collector_port=$(sed -En 's/.*127\.0\.0\.1:([0-9]+).*/\1/p' "$collector_log" | head -n 1)
	collector_url=http://$BOOT_HOST:$collector_port/v1/reports
}

# collector_get PATH: prints what the collector answers.
collector_get() {
	curl -sS --fail --max-time 10 -H "Authorization: Bearer $TOKEN" \
		"http://127.0.0.1:$collector_port$1"
}

# report_arrived: the collector has one report, of a complete run; the following checks look at it.
# report_arrived_as STATE COUNT: it has COUNT reports, and the newest of them is in this state.
report_arrived() {
	report_arrived_as complete 1
}

report_arrived_as() {
	collector_get /v1/reports >"$T_TMP/list.json" 2>&1 || :
	is "$(jq '.reports | length' "$T_TMP/list.json" 2>&1)" "$2" "the collector has $2 report(s)"
	boot_id=$(jq -r '.reports[0].id // "none"' "$T_TMP/list.json" 2>/dev/null) || boot_id=none
	collector_get "/v1/reports/$boot_id" >"$T_TMP/report.json" 2>/dev/null || :
	report_use "$T_TMP/report.json"
	report_is .run.id "$boot_id" "it is the report of the run it was sent for"
	report_is .run.state "$1" "its state is $1"
}

# report_use FILE: the report the following checks look at; it must be one.
report_use() {
	report=$1
	cp "$report" "$BOOT_KEPT/$BOOT_NAME.$BOOT_N.json" || :
	ok "the report is of our schema" jq -n -e 'input | .schema == "bootmark/1"' "$report"
	ok "the report reads as text" "$OUT/bench" report "$report"
	# Consoles show the kernel's errors alone once init has come so far; its warnings are here.
	jq -r '.kernel_log[]?' "$report" >"$T_TMP/kernel-log" 2>/dev/null || :
	kernel_complaints "$T_TMP/kernel-log" "nor in its log"
}

# What the report's checks may use: the taken disk of a serial number (a disk that is left alone
# has a reason in .skip), the results of that disk, a result's metric.
# shellcheck disable=SC2016 # variables of jq
BOOT_JQ='
def taken: [.disks[] | select(.skip == null)];
def disk($serial): first(taken[] | select(.serial == $serial)) // {};
def asked: [.results[] | select(.reason != "not among the tests asked for")];
def results($serial): (disk($serial).name // "?") as $name | [asked[] | select(.target == $name)];
def metric($name): first(.metrics[]? | select(.name == $name) | .value);
def summary: (.disks[] | {name, serial, skip, skip_detail, paths}),
	(.results[] | {test, target, status, reason});
'

# report_is JQ WANT WHAT: a value of the report, as raw text.
report_is() {
	is "$(jq -r "$BOOT_JQ$1" "$report" 2>&1)" "$2" "$3"
}

# report_has JQ WHAT [SHOWN]: an expression that must be true; SHOWN, another one, is printed when
# it is not.
report_has() {
	# Through `input`: without any input `jq -e` of version 1.6 succeeds.
	if jq -n -e "$BOOT_JQ input | ($1)" "$report" >"$T_TMP/.jq" 2>&1; then
		pass "$2"
	else
		fail "$2" "not true: $1" "
$(tail -n 20 "$T_TMP/.jq")" "
$(jq -c "$BOOT_JQ${3:-summary}" "$report" 2>&1 | cut -c 1-2000)"
	fi
}

# report_measured SERIAL: the tests of that disk that were asked for ended well, with I/Os.
report_measured() {
	report_has "results(\"$1\") | length >= 2 and all(.status == \"ok\" and .io.ios > 0 and
		.io.error_ios == 0 and .io.short_ios == 0)" "disk $1 is measured by every test"
}

# report_skipped NAME-ERE WORD: a device that is listed, and left alone for this reason.
report_skipped() {
	report_has ".disks | any((.name | test(\"$1\")) and .skip == \"$2\")" "$1 is left alone: $2"
	report_has "[.results[] | select(.target | test(\"$1\"))] | all(.status == \"skipped\")" \
		"$1 is not measured"
}

# server_start NAME ANSWERS [CERTIFICATE KEY]: a scripted server (see server.py) that keeps
# requests in $T_TMP/NAME; leaves $server_port.
server_start() {
	boot_answers=$1
	shift
	start /usr/bin/python3 "$BOOT_DIR/server.py" "$T_TMP/$boot_answers" "$@"
	wait_for 10 grep -q listening "$log" || bail "server.py does not start: $(cat "$log")"
	# shellcheck disable=SC2034 # for tests
	server_port=$(sed -n 's/.*127\.0\.0\.1:\([0-9]*\).*/\1/p' "$log")
}

# authority NAME: a certificate authority of its own: $T_TMP/NAME.pem and $T_TMP/NAME.key.
authority() {
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$1" \
		-days 30 -addext basicConstraints=critical,CA:TRUE \
		-addext keyUsage=critical,keyCertSign \
		-keyout "$T_TMP/$1.key" -out "$T_TMP/$1.pem" 2>"$T_TMP/openssl.log" ||
		bail "openssl: $(cat "$T_TMP/openssl.log")"
}

# certificate NAME AUTHORITY SAN [FROM TO]: a server's certificate, $T_TMP/NAME.pem and .key, for
# a subject alternative name such as IP:10.0.2.2; times are YYYYMMDDHHMMSSZ, yesterday until far
# away unless told.
certificate() {
	mkdir "$T_TMP/$1.ca"
	: >"$T_TMP/$1.ca/index"
	echo "subjectAltName=$3" >"$T_TMP/$1.ca/extensions"
	cat >"$T_TMP/$1.ca/config" <<-END
		[ca]
		default_ca = boot
		[boot]
		new_certs_dir = $T_TMP/$1.ca
		database = $T_TMP/$1.ca/index
		rand_serial = yes
		default_md = sha256
		policy = any
		[any]
		commonName = supplied
	END
	{
		openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$1" \
			-keyout "$T_TMP/$1.key" -out "$T_TMP/$1.csr" &&
			openssl ca -batch -notext -config "$T_TMP/$1.ca/config" \
				-startdate "${4:-$(date -u -d yesterday +%Y%m%d%H%M%SZ)}" \
				-enddate "${5:-20991231235959Z}" \
				-extfile "$T_TMP/$1.ca/extensions" -cert "$T_TMP/$2.pem" \
				-keyfile "$T_TMP/$2.key" -in "$T_TMP/$1.csr" \
				-out "$T_TMP/$1.pem"
	} 2>"$T_TMP/openssl.log" || bail "openssl: $(cat "$T_TMP/openssl.log")"
}

# pin_of NAME: prints the pin of a certificate's public key, as curl and `bench.pin` take it.
pin_of() {
	printf 'sha256//'
	openssl x509 -in "$T_TMP/$1.pem" -pubkey -noout | openssl pkey -pubin -outform der |
		openssl dgst -sha256 -binary | openssl base64
}
