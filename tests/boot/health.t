#!/bin/sh
# SPDX-License-Identifier: MIT
# The health of disks as the appliance reads it: NVMe with each bit of the critical warnings set,
# SATA, SCSI, USB and virtio, at the start of the run and once more at its end. Then by our own
# readers, where smartctl does not work.
# shellcheck disable=SC2016 # variables of jq
set -eu
# shellcheck source=tests/boot/lib.sh
. "${0%/*}/lib.sh"

small=4194304
BOOT_JQ="$BOOT_JQ"'
def health($serial; $when): disk($serial).name as $name |
	.health[] | select(.target == $name and .when == $when);
'
collector_start
machine
BOOT_TESTS=seq-read-qd1
# nvme NAME BITS PROPERTIES: a disk whose controller raises these critical warnings once the guest
# runs. That of a persistent memory region needs one.
qemu -object memory-backend-ram,id=region,size=1M
nvme() {
	drive "$1" "$small"
	qemu -device "nvme,id=$1,drive=$1,serial=$1$3"
	script '' qmp "{\"execute\":\"qom-set\",\"arguments\":{\"path\":\"/machine/peripheral/$1\",\
\"property\":\"smart_critical_warning\",\"value\":$2}}"
}
script 'bootmark' see
bit=0
for word in spare temperature reliability read-only backup persistent-memory; do
	case $word in
	persistent-memory) more=,pmrdev=region ;;
	*) more= ;;
	esac
	nvme "$word" $((1 << bit)) "$more"
	bit=$((bit + 1))
done
drive none "$small"
qemu -device nvme,id=none,drive=none,serial=none
drive sata "$small"
qemu -device ide-hd,bus=ide.0,drive=sata,serial=sata-serial-7,wwn=0x5000c500a1b2c3d4
drive scsi "$small"
qemu -device virtio-scsi-pci,id=scsibus -device scsi-hd,bus=scsibus.0,drive=scsi,serial=scsi
drive usb "$small"
qemu -device qemu-xhci,id=xhci -device usb-storage,bus=xhci.0,drive=usb,serial=usb
drive virtio "$small"
qemu -device virtio-blk-pci,drive=virtio,serial=virtio
nic
boot 180
ended reboot

report_arrived
report_is '[.health[].target] | length' 22 "each of eleven disks has two entries"
report_is '[.health[] | select(.when == "start").target] | unique | length' 11 \
	"no disk is missing, none is there twice"
report_has '[.health[] | select(.when == "end" and has("raw"))] == []' \
	"the raw text is kept once"
for word in spare temperature reliability read-only backup persistent-memory; do
	report_is "health(\"$word\"; \"start\") | [.state, .passed, .protocol,
		([.warnings[].word] | join(\"+\"))] | join(\" \")" "read false nvme $word" \
		"NVMe with the warning $word says so, and nothing else"
done
report_is 'health("none"; "start") | [.state, .passed, .warnings, .critical_warning] |
	map(tostring) | join(" ")' "read true null null" "NVMe without a warning has none"
report_is 'health("none"; "start").source' "smartctl 7.4" "the image's smartctl read it"
report_is 'health("none"; "start") | [.temperature_celsius, .wear_percent, .media_errors,
	.power_on_hours, .throttle_events, .temperature_limit_celsius] | map(tostring) |
	join(" ")' "50 0 0 0 0 70" \
	"it has its values, also what only our reader gives"
report_has 'health("none"; "end").read_bytes > 0 and
	health("none"; "end").read_bytes >= health("none"; "start").read_bytes' \
	"what was read is counted, and grows" '.health[] | {target, when, read_bytes}'
report_is 'health("sata-serial-7"; "start") | [.state, .protocol, .passed, .power_on_hours,
	.reallocated] | map(tostring) | join(" ")' "read ata true 1 0" "SATA answers"
report_is 'health("sata-serial-7"; "start").serial' sata-serial-7 "with its serial number"
report_has 'health("sata-serial-7"; "start").raw | join("") | test("\"ata_smart_attributes\"")' \
	"and the raw text has its attributes" .health
# The same values read from the raw text by other means.
for serial in none spare; do
	report_is "health(\"$serial\"; \"start\") | (.raw | join(\"\") | fromjson |
		.nvme_smart_health_information_log) as \$log |
		[.read_bytes / 512000, .written_bytes, .critical_warning // 0,
		.temperature_celsius, .error_log_entries] ==
		[\$log.data_units_read, \$log.data_units_written * 512000, \$log.critical_warning,
		\$log.temperature, \$log.num_err_log_entries]" true \
		"the values of $serial are those of the raw text"
done
report_is 'health("sata-serial-7"; "start") | (.raw | join("") | fromjson) as $raw |
	[.power_on_hours, .power_cycles, .temperature_celsius, .model, .serial] ==
	[$raw.power_on_time.hours, $raw.power_cycle_count, $raw.temperature.current,
	$raw.model_name, $raw.serial_number]' true "and those of SATA"
report_is 'health("sata-serial-7"; "start") | .raw | join("") | fromjson | .wwn.id' \
	2712847316 \
	"the raw text has the WWN as numbers"
"$OUT/bench" report --redact --format json "$report" >"$T_TMP/redacted.json"
ok "a redacted report is one" jq -e '.run.redacted' "$T_TMP/redacted.json"
not_ok "and nowhere has serial number or WWN" \
	grep -Eq 'sata-serial-7|5000c500a1b2c3d4|2712847316' "$T_TMP/redacted.json"
smartctl_sata=$(jq -c "$BOOT_JQ"'health("sata-serial-7"; "start") | {protocol, state, model,
	firmware, passed, power_on_hours, power_cycles, reallocated, temperature_celsius}' \
	"$report")
report_is 'health("scsi"; "start") | [.state, .target] | join(" ")' "unsupported sda" \
	"SCSI without log pages is said to have none"
report_is 'health("usb"; "start") | [.state, .reason] | join(": ")' \
	"unsupported: not readable behind USB bridge" "nor can a USB bridge be read"
report_is 'health("virtio"; "start") | [.state, .reason] | join(": ")' \
	"unsupported: a disk on virtio gives no data on its health" "virtio is not asked"
report_has '.health | all(.state == "read" or .reason != null)' "whatever was not read says why"
console_like 'health: asking 11 disks' "whoever waits is told"

machine
BOOT_TESTS=seq-read-qd1
mkdir -p "$T_TMP/over/bin"
printf '#!/bin/sh\necho smartctl is broken\nexit 1\n' >"$T_TMP/over/bin/smartctl"
chmod 755 "$T_TMP/over/bin/smartctl"
overlay "$T_TMP/over"
script 'bootmark' see
nvme alone 6 ''
drive own-sata "$small"
qemu -device ide-hd,bus=ide.0,drive=own-sata,serial=own-sata-8
nic
boot 120
ended reboot
report_arrived_as complete 2
report_is 'health("alone"; "start") | [.source, .state, .passed, ([.warnings[].word] |
	join("+")), .temperature_celsius, .temperature_limit_celsius] | map(tostring) |
	join(" ")' "own reader read false temperature+reliability 50 70" \
	"our reader reads the log of NVMe"
report_is 'health("own-sata-8"; "start") | [.source, .state, .passed, .power_on_hours, .serial,
	.temperature_celsius] | map(tostring) | join(" ")' \
	"own reader read true 1 own-sata-8 31" "and the SMART data of SATA"
report_is 'health("own-sata-8"; "start") | {protocol, state, model, firmware, passed,
	power_on_hours, power_cycles, reallocated, temperature_celsius} | tojson' "$smartctl_sata" \
	"all as smartctl reads it"
report_has 'health("own-sata-8"; "start").raw | join("\n") | test("^ATA SMART data\n0000: ")' \
	"and keeps what it read" .health
done_testing
