/* SPDX-License-Identifier: MIT */
/*
 * What a SCSI disk says of its sectors where the kernel shows a size of zero: sd serves 512, 1024,
 * 2048 and 4096 bytes, and drives from storage arrays come with 520 or 528.
 */
#include "bench/sys/capacity.h"

#include <scsi/sg.h>
#include <string.h>
#include <sys/ioctl.h>

#define ANSWER_MS 2000

static uint32_t be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

uint64_t capacity_decode16(const uint8_t *data, size_t len)
{
	return len >= 12 ? be32(data + 8) : 0;
}

uint64_t capacity_decode10(const uint8_t *data, size_t len)
{
	return len >= 8 ? be32(data + 4) : 0;
}

/* Sends a command that reads up to `size` bytes. Returns the bytes that came, 0 on any failure. */
static size_t send_command(int fd, uint8_t *command, uint8_t command_len, uint8_t *data,
			   uint8_t size)
{
	uint8_t sense[32];
	struct sg_io_hdr io = {
		.interface_id = 'S', .dxfer_direction = SG_DXFER_FROM_DEV, .cmd_len = command_len,
		.mx_sb_len = sizeof(sense), .dxfer_len = size, .dxferp = data, .cmdp = command,
		.sbp = sense, .timeout = ANSWER_MS,
	};

	memset(data, 0, size);
	if (ioctl(fd, SG_IO, &io) < 0 || (io.info & SG_INFO_OK_MASK) != SG_INFO_OK)
		return 0;
	if (io.resid < 0 || io.resid > size)
		return 0;
	return size - (size_t)io.resid;
}

uint64_t capacity_sector_bytes(int fd)
{
	uint8_t read_capacity16[16] = { 0x9E, 0x10, [13] = 32 };
	uint8_t read_capacity10[10] = { 0x25 };
	uint8_t data[32];
	size_t n = send_command(fd, read_capacity16, sizeof(read_capacity16), data, 32);
	uint64_t bytes = capacity_decode16(data, n);

	if (bytes)
		return bytes;
	n = send_command(fd, read_capacity10, sizeof(read_capacity10), data, 8);
	return capacity_decode10(data, n);
}
