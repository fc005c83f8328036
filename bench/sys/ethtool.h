/* SPDX-License-Identifier: MIT */
/* What only the driver of a network interface knows: its firmware, and how fast it can be. */
#ifndef BENCH_SYS_ETHTOOL_H
#define BENCH_SYS_ETHTOOL_H

#include <stddef.h>
#include <stdint.h>

#include "bench/model/machine.h"

/* Fills firmware and max_mbit_per_s of `nic`, an interface of the running machine, by its name. */
void ethtool_read(struct nic_info *nic);

/*
 * The fastest of the link modes whose bits are set in `words` of 32 bits (enum
 * ethtool_link_mode_bit_indices of the kernel), in Mb/s; -1 where none is.
 */
int32_t ethtool_fastest(const uint32_t *mode, size_t words);

#endif
