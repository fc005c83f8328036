#!/bin/sh
# SPDX-License-Identifier: MIT
# The kernel's configuration: the checker finds planted faults, and the final config holds every
# driver and every symbol that moves a measurement. The lists stand here a second time on purpose:
# who drops a driver from a fragment has to drop it here too.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"

KERNEL=$ROOT/scripts/kernel.sh
FINAL=$OUT/kernel.config

# --- the checker, on planted configurations ----------------------------------

# check_says STATUS ERE WHAT: checks $T_TMP/final against $T_TMP/one.config and two.config.
check_says() {
	status=0
	said=$(awk -f "$ROOT/scripts/kernel-check.awk" "$T_TMP/final" "$T_TMP/one.config" \
		"$T_TMP/two.config" 2>&1) || status=$?
	is "$status" "$1" "$3: exit status $1"
	[ -z "$2" ] || like "$said" "$2" "$3: named"
}

plant() {
	printf '%s\n' 'CONFIG_AIO=y' '# CONFIG_SWAP is not set' 'CONFIG_HZ=250' \
		'CONFIG_SATA_AHCI=y' 'CONFIG_NAME="a b"' >"$T_TMP/final"
	printf '%s\n' '# a comment' 'CONFIG_AIO=y' '# CONFIG_SWAP is not set' >"$T_TMP/one.config"
	printf '%s\n' 'CONFIG_HZ=250' 'CONFIG_SATA_AHCI=y' '# CONFIG_MODULES is not set' \
		'CONFIG_NAME="a b"' >"$T_TMP/two.config"
}

plant
check_says 0 '' 'a config that holds all'
plant && echo 'CONFIG_NO_SUCH_DRIVER=y' >>"$T_TMP/two.config"
check_says 1 '^two.config: CONFIG_NO_SUCH_DRIVER=y was asked for, .* n$' 'an unknown symbol'
plant && sed -i '/SATA_AHCI/d' "$T_TMP/final"
check_says 1 '^two.config: CONFIG_SATA_AHCI=y was asked for, .* n$' 'a driver that got lost'
plant && sed -i 's/.*SATA_AHCI.*/# CONFIG_SATA_AHCI is not set/' "$T_TMP/final"
check_says 1 '^two.config: CONFIG_SATA_AHCI=y was asked for, .* n$' 'a driver that is off'
plant && sed -i 's/.*SWAP.*/CONFIG_SWAP=y/' "$T_TMP/final"
check_says 1 '^one.config: CONFIG_SWAP=n was asked for, .* y$' 'a symbol that must be off'
plant && sed -i 's/HZ=250/HZ=1000/' "$T_TMP/final"
check_says 1 '^two.config: CONFIG_HZ=250 was asked for, .* 1000$' 'another value'
plant && sed -i 's/SATA_AHCI=y/SATA_AHCI=m/' "$T_TMP/final"
check_says 1 'CONFIG_SATA_AHCI=m in the final config' 'a module'
plant && echo '# CONFIG_AIO is not set' >>"$T_TMP/two.config"
check_says 1 '^two.config: CONFIG_AIO=n contradicts one.config' 'two fragments that contradict'
plant && echo 'CONFIG_HALF' >>"$T_TMP/one.config"
check_says 1 '^one.config:4: not understood' 'a line without a value'
plant && echo '#CONFIG_HALF is not set' >>"$T_TMP/one.config"
check_says 1 '^one.config:4: not understood' 'a mistyped "is not set"'

# --- the build stops on a missing symbol, before it compiles anything --------

mkdir "$T_TMP/clone"
cp -R "$ROOT/scripts" "$ROOT/kernel-config" "$T_TMP/clone/"
echo 'CONFIG_PLANTED_AND_MISSING=y' >>"$T_TMP/clone/kernel-config/storage.config"
status=0
said=$(OUT=$T_TMP/out "$T_TMP/clone/scripts/kernel.sh" build 2>&1) || status=$?
is "$status" 1 'build with a planted symbol: exit status 1'
like "$said" '^storage.config: CONFIG_PLANTED_AND_MISSING=y was asked for' \
	'build with a planted symbol: names symbol and fragment'
unlike "$said" 'building' 'build with a planted symbol: compiles nothing'
not_ok 'build with a planted symbol: no image' test -e "$T_TMP/out/vmlinuz"

# --- the final configuration -------------------------------------------------

ok 'kernel.sh config' "$KERNEL" config
need_file "$FINAL"
ok 'the final config holds all fragments' "$KERNEL" check "$FINAL"
unlike "$(cat "$FINAL")" '^CONFIG_[A-Za-z0-9_]+=m$' 'no modules'

# on GROUP SYMBOL...: each is built in; one check per group, which names what is missing.
on() {
	group=$1
	shift
	missing=
	for symbol; do
		grep -qx "CONFIG_$symbol=y" "$FINAL" || missing="$missing $symbol"
	done
	is "$missing" '' "on: $group ($# symbols)"
}

# off GROUP SYMBOL...: none is built.
off() {
	group=$1
	shift
	present=
	for symbol; do
		! grep -q "^CONFIG_$symbol=" "$FINAL" || present="$present $symbol"
	done
	is "$present" '' "off: $group ($# symbols)"
}

# has SYMBOL=VALUE...: values that are no yes or no.
has() {
	for pair; do
		like "$(grep "^CONFIG_${pair%%=*}=" "$FINAL")" "^CONFIG_$pair\$" "value: $pair"
	done
}

on 'speed of code' CC_OPTIMIZE_FOR_PERFORMANCE JUMP_LABEL GENERIC_CPU
on 'mitigations' CPU_MITIGATIONS MITIGATION_PAGE_TABLE_ISOLATION MITIGATION_RETPOLINE \
	MITIGATION_RETHUNK MITIGATION_UNRET_ENTRY MITIGATION_CALL_DEPTH_TRACKING \
	MITIGATION_IBPB_ENTRY MITIGATION_IBRS_ENTRY MITIGATION_SRSO MITIGATION_SLS MITIGATION_GDS \
	MITIGATION_RFDS MITIGATION_SPECTRE_BHI MITIGATION_MDS MITIGATION_TAA \
	MITIGATION_MMIO_STALE_DATA MITIGATION_L1TF MITIGATION_RETBLEED MITIGATION_SPECTRE_V1 \
	MITIGATION_SPECTRE_V2 MITIGATION_SRBDS MITIGATION_SSB MITIGATION_ITS MITIGATION_TSA
on 'hardening on hot paths' STACKPROTECTOR_STRONG FORTIFY_SOURCE HARDENED_USERCOPY VMAP_STACK \
	RANDOMIZE_BASE RANDOMIZE_KSTACK_OFFSET_DEFAULT INIT_STACK_ALL_ZERO \
	INIT_ON_ALLOC_DEFAULT_ON X86_KERNEL_IBT X86_USER_SHADOW_STACK SLAB_FREELIST_HARDENED \
	SLAB_FREELIST_RANDOM SLAB_BUCKETS
on 'memory' SLUB SLUB_CPU_PARTIAL TRANSPARENT_HUGEPAGE TRANSPARENT_HUGEPAGE_MADVISE COMPACTION \
	LRU_GEN_ENABLED X86_5LEVEL SPARSEMEM_VMEMMAP
on 'processors, timers, preemption' SMP MAXSMP NUMA NUMA_BALANCING_DEFAULT_ENABLED SCHED_MC \
	SCHED_SMT HZ_250 NO_HZ_FULL HIGH_RES_TIMERS PREEMPT_VOLUNTARY PREEMPT_DYNAMIC RSEQ PSI \
	PERF_EVENTS
on 'frequency and idle' CPU_FREQ CPU_FREQ_DEFAULT_GOV_PERFORMANCE X86_INTEL_PSTATE X86_AMD_PSTATE \
	X86_ACPI_CPUFREQ INTEL_IDLE CPU_IDLE_GOV_MENU PCIEASPM_DEFAULT
on 'block layer and checksums' MQ_IOSCHED_DEADLINE BLK_WBT_MQ CRYPTO_CRC32C_INTEL
on 'DMA as stated in the deviations' INTEL_IOMMU INTEL_IOMMU_DEFAULT_OFF AMD_IOMMU \
	IOMMU_DEFAULT_PASSTHROUGH IRQ_REMAP
off 'what would slow or disturb' SLUB_TINY CC_OPTIMIZE_FOR_SIZE MODULES SWAP AUDIT DEBUG_INFO \
	DEBUG_FS BLK_DEV_THROTTLING SECURITY DRM KASAN LOCKDEP PROVE_LOCKING DEBUG_PAGEALLOC UBSAN \
	CPU_FREQ_DEFAULT_GOV_SCHEDUTIL MD_AUTODETECT RTC_SYSTOHC IP_PNP MAGIC_SYSRQ_SERIAL \
	BOOTPARAM_HUNG_TASK_PANIC PANIC_ON_OOPS
has HZ=250 NR_CPUS=8192 PANIC_TIMEOUT=30 SATA_MOBILE_LPM_POLICY=3 X86_AMD_PSTATE_DEFAULT_MODE=3 \
	DEFAULT_HUNG_TASK_TIMEOUT=120

on 'image' KERNEL_XZ EFI_STUB EFI RD_XZ RELOCATABLE KEXEC KEXEC_FILE IKCONFIG_PROC
on 'user space' MULTIUSER POSIX_TIMERS FUTEX EPOLL SIGNALFD TIMERFD EVENTFD INOTIFY_USER AIO \
	IO_URING BINFMT_ELF BINFMT_SCRIPT SYSFS PROC_FS PROC_SYSCTL PROC_CHILDREN SHMEM TMPFS \
	DEVTMPFS DEVTMPFS_MOUNT UNIX INET IPV6 PACKET VLAN_8021Q BONDING BLK_DEV_LOOP
on 'plumbing' EFIVAR_FS ACPI DMI DMIID DMI_SYSFS X86_X2APIC X86_MSR MICROCODE PSTORE CHR_DEV_SG \
	BLK_DEV_BSG BLK_DEV_INTEGRITY BLK_DEV_ZONED BLK_DEV_SR HOTPLUG_PCI HOTPLUG_PCI_PCIE \
	HOTPLUG_PCI_ACPI PCIEAER MAGIC_SYSRQ DETECT_HUNG_TASK RTC_CLASS RTC_DRV_CMOS HW_RANDOM \
	PRINTK
on 'sensors, watchdogs, remote hands' INTEL_RAPL SENSORS_CORETEMP SENSORS_K10TEMP \
	SENSORS_DRIVETEMP NVME_HWMON ITCO_WDT SP5100_TCO I6300ESB_WDT IPMI_SI \
	IPMI_DEVICE_INTERFACE IPMI_WATCHDOG EDAC EDAC_GHES EDAC_AMD64 EDAC_SBRIDGE EDAC_SKX \
	EDAC_I10NM EDAC_IE31200 \
	EDAC_I7CORE X86_MCE
on 'console' VT VGA_CONSOLE FB_EFI FB_VESA FRAMEBUFFER_CONSOLE SERIAL_8250_CONSOLE HVC_XEN \
	VIRTIO_CONSOLE USB_HID HID_GENERIC KEYBOARD_ATKBD SERIO_I8042
on 'ATA and NVMe' SATA_AHCI ATA_PIIX ATA_GENERIC SATA_NV SATA_SIL SATA_SIL24 SATA_MV SATA_SVW \
	SATA_VIA SATA_PROMISE BLK_DEV_NVME NVME_MULTIPATH VMD
on 'HBA and RAID' MEGARAID_SAS MEGARAID_NEWGEN MEGARAID_MM MEGARAID_MAILBOX SCSI_MPT3SAS \
	SCSI_MPI3MR FUSION_SAS FUSION_SPI SCSI_HPSA SCSI_SMARTPQI SCSI_AACRAID SCSI_ARCMSR \
	SCSI_3W_9XXX SCSI_3W_SAS SCSI_MVSAS SCSI_PM8001 SCSI_HPTIOP SCSI_STEX SCSI_ISCI
on 'virtual machines' VIRTIO_PCI VIRTIO_BLK SCSI_VIRTIO VIRTIO_NET VMWARE_PVSCSI VMXNET3 \
	SCSI_BUSLOGIC HYPERV HYPERV_STORAGE HYPERV_NET PCI_HYPERV XEN_PVHVM XEN_BLKDEV_FRONTEND \
	XEN_NETDEV_FRONTEND ENA_ETHERNET GVE MICROSOFT_MANA
on 'network' E1000 E1000E IGB IGC IXGBE IXGBEVF I40E I40EVF IAVF ICE BNXT BNX2 BNX2X TIGON3 R8169 \
	8139CP 8139TOO MLX4_EN MLX5_CORE_EN AQTION SFC QED QEDE QLCNIC NETXEN_NIC CHELSIO_T4 \
	BE2NET BE2NET_BE2 BE2NET_BE3 BE2NET_LANCER BE2NET_SKYHAWK ENIC AMD_XGBE SKY2 \
	FORCEDETH ALX ATL1C \
	ATL1E IONIC
on 'USB and cards' USB_XHCI_HCD USB_XHCI_PCI USB_EHCI_HCD USB_EHCI_PCI USB_STORAGE USB_UAS \
	USB_USBNET USB_NET_CDCETHER USB_NET_RNDIS_HOST MMC_BLOCK MMC_SDHCI_PCI
on 'file systems, arrays' EXT4_FS XFS_FS VFAT_FS ISO9660_FS NLS_CODEPAGE_437 NLS_ISO8859_1 \
	BLK_DEV_MD BLK_DEV_DM MSDOS_PARTITION EFI_PARTITION

# --- deviations --------------------------------------------------------------

DEVIATIONS=$("$KERNEL" deviations)
is "$(printf '%s\n' "$DEVIATIONS" |
	awk -F '\t' 'NF != 2 || $1 !~ /^[A-Z0-9_]+$/ || length($2) < 20')" '' \
	'each deviation is SYMBOL<TAB>reason'
is "$(printf '%s\n' "$DEVIATIONS" | cut -f 1 | sort | uniq -d)" '' 'no deviation is stated twice'
# A comment that no longer stands above its symbol would go on telling reports something untrue.
is "$(awk '/^# deviation: / { want = $3; sub(/:$/, "", want); getline
	if ($0 !~ "^(# )?CONFIG_" want "( is not set|=.*)$") print FILENAME ": " want }' \
	"$ROOT"/kernel-config/*.config)" '' 'each deviation stands above its symbol'
is "$(grep -h 'deviation:' "$ROOT"/kernel-config/*.config |
	grep -vE '^# deviation: [A-Z0-9_]+: .+|^#	# ')" '' 'no deviation is mistyped'
for symbol in TRANSPARENT_HUGEPAGE_MADVISE CPU_FREQ_DEFAULT_GOV_PERFORMANCE \
	INTEL_IOMMU_DEFAULT_OFF IOMMU_DEFAULT_PASSTHROUGH CGROUPS SECURITY SWAP AUDIT; do
	like "$DEVIATIONS" "^$symbol	" "deviation told: $symbol"
done

# --- fragments ---------------------------------------------------------------

for file in "$ROOT"/kernel-config/*.config; do
	is "$(head -n 1 "$file")" '# SPDX-License-Identifier: MIT' "${file##*/}: licence line"
	like "$(sed -n 2p "$file")" "^# $(basename "$file" .config): " \
		"${file##*/}: says what it is for"
done

done_testing
