/* SPDX-License-Identifier: MIT */
/* MT19937 as GLib seeds and draws it; see gnome_rand.h. */
#include "bench/tests/gnome_rand.h"

#define SHIFT_WORDS 397
#define TOP_BIT UINT32_C(0x80000000)
#define PER_2_32 (1.0 / 4294967296.0)

void gnome_rand_init(struct gnome_rand *r, uint32_t seed)
{
	r->word[0] = seed;
	for (uint32_t i = 1; i < GNOME_RAND_WORDS; i++)
		r->word[i] = UINT32_C(1812433253) * (r->word[i - 1] ^ r->word[i - 1] >> 30) + i;
	r->next = GNOME_RAND_WORDS;
}

static void twist(struct gnome_rand *r)
{
	for (uint32_t i = 0; i < GNOME_RAND_WORDS; i++) {
		uint32_t after = r->word[(i + 1) % GNOME_RAND_WORDS];
		uint32_t mixed = (r->word[i] & TOP_BIT) | (after & ~TOP_BIT);

		r->word[i] = r->word[(i + SHIFT_WORDS) % GNOME_RAND_WORDS] ^ mixed >> 1;
		if (after & 1)
			r->word[i] ^= UINT32_C(0x9908b0df);
	}
	r->next = 0;
}

uint32_t gnome_rand_next(struct gnome_rand *r)
{
	uint32_t y;

	if (r->next >= GNOME_RAND_WORDS)
		twist(r);
	y = r->word[r->next++];
	y ^= y >> 11;
	y ^= y << 7 & UINT32_C(0x9d2c5680);
	y ^= y << 15 & UINT32_C(0xefc60000);
	return y ^ y >> 18;
}

double gnome_rand_double(struct gnome_rand *r)
{
	double value;

	do {
		value = gnome_rand_next(r) * PER_2_32;
		value = (value + gnome_rand_next(r)) * PER_2_32;
	} while (value >= 1);
	return value;
}
