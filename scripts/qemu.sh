#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes $OUT/qemu.sh, which boots the image in QEMU; `make run` uses it, and it can be run by hand.
#
# The machine: q35, 1 GiB, an NVMe, a SATA and a virtio disk of 256 MiB that hold random data, one
# NIC with QEMU's own DHCP, the serial port on standard output. QEMU ends when the guest reboots.
set -eu
# shellcheck source=scripts/lib.sh
. "${0%/*}/lib.sh"

DISK_BYTES=268435456

# accelerator: KVM only where it really works. A /dev/kvm whose processor has no virtualisation
# exists on some hosts; guests hang under it.
accelerator() {
	if grep -Eqw 'vmx|svm' /proc/cpuinfo && [ -r /dev/kvm ] && [ -w /dev/kvm ]; then
		echo kvm
	else
		echo tcg
	fi
}

# Real data: a disk that was never written may be answered without being read.
mkdir -p "$OUT/run"
for disk in nvme sata virtio; do
	image=$OUT/run/$disk.img
	[ "$(stat -c %s "$image" 2>/dev/null || :)" = "$DISK_BYTES" ] && continue
	say "run: filling $disk.img with $((DISK_BYTES / 1048576)) MiB of random data"
	head -c "$DISK_BYTES" /dev/urandom >"$image.new"
	mv "$image.new" "$image"
done

cat >"$OUT/qemu.sh.new" <<END
#!/bin/sh
# Boots this image in QEMU. Written by scripts/qemu.sh.
#
#	qemu.sh [KERNEL PARAMETER...]	such as bench.profile=quick bench.end=shell
#
# The host's loopback is 10.0.2.2 to the guest. \$QEMU_ARGS is added to QEMU's arguments.
set -eu
cd "\${0%/*}"
# QEMU 7.2 has no barrier around its NVMe shadow doorbells: beside a guest on another CPU it misses
# a command every few thousand, for ever, and a healthy disk looks dead. On one CPU it does not.
cpu=\$(taskset -cp \$\$ | sed 's/.*[ ,-]//')
# shellcheck disable=SC2086 # QEMU_ARGS is several arguments
exec taskset -c "\$cpu" qemu-system-x86_64 -machine q35 -accel $(accelerator) -cpu max -smp 2 \\
	-m 1024 -nodefaults -display none -serial stdio -no-reboot \\
	-kernel vmlinuz -initrd initramfs.img -append "console=ttyS0 \$* bench.eol" \\
	-drive file=run/nvme.img,format=raw,if=none,id=nvme \\
	-device nvme,drive=nvme,serial=QM-NVME-0001 \\
	-drive file=run/sata.img,format=raw,if=none,id=sata \\
	-device ide-hd,drive=sata,serial=QM-SATA-0001 \\
	-drive file=run/virtio.img,format=raw,if=none,id=virtio \\
	-device virtio-blk-pci,drive=virtio,serial=QM-VIRTIO-0001 \\
	-netdev user,id=net -device virtio-net-pci,netdev=net,romfile= \\
	\${QEMU_ARGS:-}
END
chmod 755 "$OUT/qemu.sh.new"
mv "$OUT/qemu.sh.new" "$OUT/qemu.sh"
