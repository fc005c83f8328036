/* SPDX-License-Identifier: MIT */
/*
 * Which disks are measured side by side.
 *
 * A disk is alone when nothing else on its controller is measured. Disks whose controller is not
 * known may well share one: they count as disks of one controller.
 */
#include <string.h>

#include "bench/run/plan_parts.h"

#define NO_LANE UINT32_MAX

static bool is_ours(const struct plan_work *w, size_t disk)
{
	return w->disks->disk[disk].skip == DISK_TAKEN;
}

/* Numbers the controllers in the order of the list, and counts their disks. */
static void find_groups(struct plan_work *w)
{
	unsigned n = 0;

	for (size_t i = w->first_disk; i < w->disks->n; i++) {
		const char *controller = w->disks->disk[i].controller;
		size_t k = w->first_disk;

		if (!is_ours(w, i))
			continue;
		while (k < i && (!is_ours(w, k) ||
				 strcmp(w->disks->disk[k].controller, controller)))
			k++;
		w->group[i] = k < i ? w->group[k] : n++;
		if (k == i)
			w->group_n[w->group[i]] = 0;
		w->group_n[w->group[i]]++;
	}
	w->controllers = n;
}

static unsigned largest_without_lane(const struct plan_work *w)
{
	unsigned best = 0;

	for (unsigned g = 0; g < w->controllers; g++)
		if (w->group_lane[g] == NO_LANE && (w->group_lane[best] != NO_LANE ||
						    w->group_n[g] > w->group_n[best]))
			best = g;
	return best;
}

/* The largest controller first, each into the lane with the fewest disks so far. */
static void pack(struct plan_work *w, unsigned lanes)
{
	memset(w->lane_ns, 0, lanes * sizeof(*w->lane_ns));
	for (unsigned g = 0; g < w->controllers; g++)
		w->group_lane[g] = NO_LANE;
	for (unsigned i = 0; i < w->controllers; i++) {
		unsigned g = largest_without_lane(w), least = 0;

		for (unsigned l = 1; l < lanes; l++)
			if (w->lane_ns[l] < w->lane_ns[least])
				least = l;
		w->group_lane[g] = least;
		w->lane_ns[least] += w->group_n[g];
	}
}

void plan_lanes(struct plan_work *w, unsigned lanes_max)
{
	unsigned lanes;

	find_groups(w);
	lanes = w->taken <= 2 ? 1 : (unsigned)w->controllers;
	if (lanes > lanes_max)
		lanes = lanes_max;
	if (lanes < 1)
		lanes = 1;
	if (lanes < w->controllers)
		pack(w, lanes);
	else
		for (unsigned g = 0; g < w->controllers; g++)
			w->group_lane[g] = g;
	for (size_t i = w->first_disk; i < w->disks->n; i++)
		if (is_ours(w, i))
			w->lane[i] = w->group_lane[w->group[i]];
	w->p->lane_n[PHASE_ALONE] = w->taken ? lanes : 0;
}

void plan_lanes_force(struct plan_work *w, unsigned lanes)
{
	size_t at = 0;

	/* neighbours in the list hang on one controller: they stay in one lane where they can */
	for (size_t i = w->first_disk; i < w->disks->n; i++)
		if (is_ours(w, i))
			w->lane[i] = (unsigned)(at++ * lanes / w->taken);
	w->p->lane_n[PHASE_ALONE] = lanes;
}
