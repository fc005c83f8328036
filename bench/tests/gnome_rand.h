/* SPDX-License-Identifier: MIT */
/*
 * The places GNOME Disks reads: its fixed random sequence, so that ours are the same.
 *
 * MT19937 (Matsumoto, Nishimura: "Mersenne Twister", ACM TOMACS 8, 1998) with the authors' seeding
 * of 2002 (init_genrand), which GLib's GRand uses since 2.2. A number in [0, 1) is made of two
 * draws, the first its lower 32 bits, as g_rand_double does; one that rounds to 1 is drawn again.
 */
#ifndef BENCH_TESTS_GNOME_RAND_H
#define BENCH_TESTS_GNOME_RAND_H

#include <stdint.h>

#define GNOME_RAND_WORDS 624

struct gnome_rand {
	uint32_t word[GNOME_RAND_WORDS];
	uint32_t next;
};

void gnome_rand_init(struct gnome_rand *r, uint32_t seed);
uint32_t gnome_rand_next(struct gnome_rand *r);
double gnome_rand_double(struct gnome_rand *r);

#endif
