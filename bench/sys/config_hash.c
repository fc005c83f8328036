/* SPDX-License-Identifier: MIT */
/* SHA-256 of the kernel's configuration: tells two kernels of one release apart. */
#include <errno.h>
#include <mbedtls/md.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/sys/machine_parts.h"
#include "lib/file.h"

#define CONFIG_BYTES_MAX (4u << 20)

int config_hash_file(const char *path, char hex[65])
{
	const mbedtls_md_info_t *sha256 = mbedtls_md_info_from_type(MBEDTLS_MD_SHA256);
	unsigned char hash[32];
	char *data;
	size_t len;
	int err = file_load(path, CONFIG_BYTES_MAX, &data, &len);

	hex[0] = '\0';
	if (err)
		return err;
	if (!sha256 || mbedtls_md(sha256, (const unsigned char *)data, len, hash))
		err = -EIO;
	free(data);
	for (size_t i = 0; !err && i < sizeof(hash); i++)
		snprintf(hex + 2 * i, 3, "%02x", hash[i]);
	return err;
}
