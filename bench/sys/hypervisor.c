/* SPDX-License-Identifier: MIT */
/* The signature by which a hypervisor tells its guest who it is. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "bench/sys/machine_parts.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

/*
 * CPUID leaves 40000000h and up, each interface 100h apart. Hypervisors that play Hyper-V to
 * Windows guests put their own name behind it, so the last one that is there is the true one.
 */
bool hypervisor_signature(char to[13])
{
	uint32_t a, b, c, d;

	to[0] = '\0';
	__cpuid(1, a, b, c, d);
	if (!(c & UINT32_C(1) << 31))
		return false;	/* the leaves below would hold anything */
	for (uint32_t leaf = 0x40000000; leaf < 0x40000400; leaf += 0x100) {
		uint32_t signature[3];

		__cpuid(leaf, a, signature[0], signature[1], signature[2]);
		if (a < leaf || a > leaf + 0xff || !signature[0])
			continue;
		memcpy(to, signature, 12);
		to[12] = '\0';
	}
	return to[0] != '\0';
}
#else
bool hypervisor_signature(char to[13])
{
	to[0] = '\0';
	return false;
}
#endif
