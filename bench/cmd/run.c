/* SPDX-License-Identifier: MIT */
/* bench run: discover, plan, measure, model, write. */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "bench/cmd/cmd.h"
#include "bench/consent/consent.h"
#include "bench/health/health.h"
#include "bench/model/report.h"
#include "bench/model/together.h"
#include "bench/net/nodes.h"
#include "bench/report/save.h"
#include "bench/run/facts.h"
#include "bench/run/folder.h"
#include "bench/run/guarded.h"
#include "bench/run/plan.h"
#include "bench/run/run_id.h"
#include "bench/run/supervise.h"
#include "bench/run/view.h"
#include "bench/sys/arrays.h"
#include "bench/sys/discover.h"
#include "bench/sys/lldp.h"
#include "bench/sys/machine.h"
#include "bench/sys/match.h"
#include "bench/sys/power.h"
#include "bench/sys/signatures.h"
#include "lib/clock.h"
#include "lib/file.h"
#include "lib/text.h"

#define PROBE_TIMEOUT_MS 5000
#define KERNEL_LOG_BYTES 16384
/* While tests run the report is written so often at most, and for 1/10 of the time at most. */
#define SAVE_EVERY_NS NS_PER_S
#define SAVE_SHARE 10

/* Everything one run carries from step to step. */
struct run {
	struct options options;
	struct report report;
	struct disk_list disks;	/* those of the report, before anything was redacted */
	struct plan plan;
	struct view view;
	const char *out;
	uint64_t start_ns, deadline_ns;
	size_t first_result;	/* index in report.result of entry 0 of the plan at work */
	struct lldp_listener lldp;	/* hears who is at the other end of the network's cables */
	int stop_fd, lock_fd;
	bool stopped_before_writing;	/* in the countdown */
	int save_err;		/* last failure to write the report; 0: none */
	bool unsaved;		/* something has changed since the report was written */
	uint64_t save_ns;	/* not written again before this time */
};

static void print_help(void)
{
	printf("usage: bench run [FLAG...]\n\n"
	       "Measures every disk it finds (see `bench plan`) and writes DIR/report.json and\n"
	       "DIR/report.txt, which grow while it works. Disks are opened read-only,\n"
	       "but where option write consents to more.\n\n");
	options_help(stdout, OPT_IN_RUN);
	printf("\nexit codes: 0 all measured; 3 a report was written, but something failed\n"
	       "(it says what); 1 no report could be written; 2 wrong flags\n");
}

/*
 * Writes the report as it stands; what is private goes before anything is written. A failure is
 * told once and kept for the exit code.
 */
static void save(struct run *r)
{
	uint64_t begin_ns = clock_ns(), cost_ns;
	int err;

	r->report.run.elapsed_ns = begin_ns - r->start_ns;
	err = together_find(&r->report);
	if (!err)
		err = report_find(&r->report);
	if (!err && options_number(&r->options, OPT_ID_REDACT))
		err = report_redact(&r->report);
	if (!err)
		err = report_save(&r->report, r->out);
	if (err && err != r->save_err)
		fprintf(stderr, "bench: %s: the report cannot be written: %s\n", r->out,
			strerror(-err));
	r->save_err = err;
	r->unsaved = false;
	cost_ns = clock_ns() - begin_ns;
	r->save_ns = begin_ns + cost_ns + (cost_ns * SAVE_SHARE > SAVE_EVERY_NS ?
					   cost_ns * SAVE_SHARE : SAVE_EVERY_NS);
}

/* Writes the report now if it was not written a moment ago, else soon: see on_tick. */
static void save_soon(struct run *r)
{
	r->unsaved = true;
	if (clock_ns() >= r->save_ns)
		save(r);
}

static void on_tick(void *context)
{
	struct run *r = context;

	if (r->unsaved)
		save_soon(r);
}

static void on_phase_ended(void *context, enum test_phase phase)
{
	struct run *r = context;

	(void)phase;
	lldp_take(&r->lldp, &r->report.machine);
	save(r);
}

static void on_not_closed(void *context, const struct disk *d, const char *why)
{
	struct run *r = context;

	fprintf(stderr, "bench: %s: %s\n", d->name, why);
	report_add_note(&r->report, "writing", "%s: %s", d->name, why);
}

static void on_started(void *context, size_t entry)
{
	struct run *r = context;
	struct result *result = &r->report.result[r->first_result + entry];

	result->status = RESULT_RUNNING;
	result->start_ns = clock_ns() - r->start_ns;
	save_soon(r);
	view_started(&r->view, entry, result, r->plan.entry[entry].test->title);
}

static void on_progress(void *context, size_t entry, const struct frame_progress *progress)
{
	struct run *r = context;

	view_progress(&r->view, entry, r->plan.entry[entry].budget_ns, progress->elapsed_ns,
		      progress->bytes);
}

static void on_ended(void *context, size_t entry, const struct result *result)
{
	struct run *r = context;

	r->report.result[r->first_result + entry] = *result;
	/* what was not to run stands in the plan and in the report */
	if (r->plan.entry[entry].status != RESULT_SKIPPED)
		view_ended(&r->view, entry, result, r->plan.entry[entry].test->title);
	save_soon(r);
}

/*
 * Puts every entry of the plan into the report as planned, so that a report cut short names what is
 * missing.
 */
static int announce(struct run *r, size_t first_disk)
{
	static struct result planned;

	r->first_result = r->report.result_n;
	for (size_t i = 0; i < r->plan.n; i++) {
		const struct plan_entry *e = &r->plan.entry[i];
		const struct disk *d = e->disk == PLAN_NO_DISK ? NULL : &r->disks.disk[e->disk];
		int err;

		result_init(&planned, e->test->name, d ? d->name : e->target_name);
		text_copy(planned.target_identity, sizeof(planned.target_identity),
			  d ? d->identity : "");
		text_copy(planned.family, sizeof(planned.family), e->test->family);
		text_copy(planned.phase, sizeof(planned.phase), test_phase_words[e->phase]);
		planned.budget_ns = e->budget_ns;
		err = report_add_result(&r->report, &planned);
		if (err)
			return err;
	}
	/* of the whole run: what has passed already is no estimate any more */
	r->report.run.planned_ns = clock_ns() - r->start_ns + r->plan.total_ns +
				   consent_countdown_s(&r->disks, first_disk) * NS_PER_S;
	return 0;
}

/*
 * Before the first byte of a disk is overwritten a person has some seconds to stop the run: what
 * asks for that is seen by the supervisor, which then begins nothing.
 */
static void count_down(struct run *r, size_t first_disk)
{
	unsigned left_s = consent_countdown_s(&r->disks, first_disk);

	for (size_t i = first_disk; left_s > 0 && i < r->disks.n; i++)
		if (r->disks.disk[i].consent == CONSENT_DESTROY)
			view_destroy(&r->view, &r->disks.disk[i]);
	for (; left_s > 0 && clock_ns() < r->deadline_ns; left_s--) {
		struct pollfd stop = { .fd = r->stop_fd, .events = POLLIN };

		view_countdown(&r->view, left_s);
		if (poll(&stop, 1, 1000) != 0) {
			r->stopped_before_writing = true;
			return;
		}
	}
}

/* Plans and measures the disks from `first_disk` on, and the machine if they are not late. */
static int measure(struct run *r, size_t first_disk, bool late, enum supervise_end *end)
{
	const struct supervise_limits limits = {
		.run_start_ns = r->start_ns, .deadline_ns = r->deadline_ns, .stop_fd = r->stop_fd,
	};
	const struct supervise_events events = {
		.context = r, .started = on_started, .progress = on_progress, .ended = on_ended,
		.tick = on_tick, .phase_ended = on_phase_ended, .not_closed = on_not_closed,
	};
	struct plan_world world = plan_world_own();
	int err;

	world.late = late;
	if (late)
		world.spent_ns = clock_ns() - r->start_ns;
	err = plan_make_in(&world, &r->plan, &r->disks, first_disk, &r->options);
	if (err)
		return err;
	err = announce(r, first_disk);
	if (!err) {
		view_plan(&r->view, &r->plan, &r->disks, first_disk, late, &r->options);
		for (uint32_t i = 0; i < r->plan.note_n; i++)
			report_add_note(&r->report, "plan", "%s", r->plan.note[i]);
		save(r);
		count_down(r, first_disk);
		*end = supervise_run(&r->plan, &r->disks, &limits, &events);
	}
	plan_free(&r->plan);
	return err;
}

static bool is_known(const struct disk_list *list, const struct disk *d)
{
	for (size_t i = 0; i < list->n; i++)
		if (strcmp(list->disk[i].name, d->name) == 0 && list->disk[i].major == d->major &&
		    list->disk[i].minor == d->minor)
			return true;
	return false;
}

/* Decides what may be written of disks from `first` on, and takes them into the report. */
static void take_disks(struct run *r, size_t first)
{
	size_t i = first;

	consent_decide(&r->disks, first, &r->options);
	while (i < r->disks.n && disk_list_add(&r->report.disks, &r->disks.disk[i]) == 0)
		i++;
	r->disks.n = i;		/* without memory for it a disk is in neither list */
	consent_summary(&r->disks, &r->options, r->report.run.write_consent,
			sizeof(r->report.run.write_consent));
}

/* What lies on the disks from `first` on, and what is made of them. */
static void look_at_disks(struct run *r, size_t first)
{
	const char *root = options_text(&r->options, OPT_ID_ROOT);
	struct machine_info *m = &r->report.machine;

	arrays_of_controllers(root, &r->disks, first, m);
	if (root[0])
		return;		/* the devices here are not that tree's */
	signatures_read(&r->disks, first, m);
	if (first == 0)
		arrays_of_signatures(m);
}

/*
 * Looks once more after the measuring: a disk that came late is measured too, and its time is
 * noted. Returns the index of the first new entry, or the old count where there is none.
 */
static size_t add_late_disks(struct run *r)
{
	struct disk_list found = { 0 }, late = { 0 };
	struct options again = r->options;	/* what is wrong with them was noted before */
	size_t first = r->disks.n;

	if (disks_discover(options_text(&r->options, OPT_ID_ROOT), &found) == 0) {
		disks_select(&found, &again);
		for (size_t i = 0; i < found.n; i++)
			if (!is_known(&r->disks, &found.disk[i]))
				disk_list_add(&late, &found.disk[i]);
		disks_probe(&late, PROBE_TIMEOUT_MS);
		guarded_apply(&late, 0, GUARDED_DIR);
		for (size_t i = 0; i < late.n; i++) {
			late.disk[i].late_ms = (uint32_t)((clock_ns() - r->start_ns) / NS_PER_MS);
			disk_list_add(&r->disks, &late.disk[i]);
		}
		take_disks(r, first);
		look_at_disks(r, first);
	}
	disk_list_free(&found);
	disk_list_free(&late);
	return first;
}

/* Which disks there are, and whether they can be opened. A failure is a note, not the end. */
static void find_disks(struct run *r)
{
	int err = disks_discover(options_text(&r->options, OPT_ID_ROOT), &r->disks);

	if (err) {
		report_add_note(&r->report, "discovery", "no disks could be looked for: %s",
				strerror(-err));
		return;
	}
	disks_select(&r->disks, &r->options);
	disks_probe(&r->disks, PROBE_TIMEOUT_MS);
	if (guarded_apply(&r->disks, 0, GUARDED_DIR) > 0)
		report_add_note(&r->report, "guard", "the appliance set the disks read-only in "
				"the kernel before the run");
	take_disks(r, 0);
	look_at_disks(r, 0);
}

/*
 * What the disks from `first` on say of their health. A made-up tree has disks' names, not disks.
 */
static void read_health(struct run *r, size_t first, bool at_end)
{
	const struct health_request q = {
		.disks = &r->disks, .first = first, .when = at_end ? "end" : "start",
		.with_raw = !at_end, .with_hidden = first == 0,
		.deadline_ns = r->deadline_ns, .stop_fd = r->stop_fd,
	};
	size_t n = health_count(&r->disks, first);

	if (options_text(&r->options, OPT_ID_ROOT)[0])
		return;
	view_health(&r->view, n, at_end);
	if (health_read(&r->report, &q))
		report_add_note(&r->report, "health", "out of memory: the health of some disks "
				"is missing");
}

/* Option notes made so far go into the report, in order; those made later follow at the end. */
static void move_notes(struct run *r)
{
	uint32_t kept = r->options.note_n < OPT_NOTES_MAX ? r->options.note_n : OPT_NOTES_MAX;

	for (uint32_t i = 0; i < kept; i++) {
		fprintf(stderr, "bench: %s\n", r->options.note[i]);
		report_add_note(&r->report, "option", "%s", r->options.note[i]);
	}
	if (r->options.note_n > kept)
		report_add_note(&r->report, "option", "%u further problems with options",
				r->options.note_n - kept);
	r->options.note_n = 0;
}

/* What the kernel says of faults: it is this machine's kernel, not another tree's. */
static void read_faults(struct run *r)
{
	if (!options_text(&r->options, OPT_ID_ROOT)[0])
		machine_read_faults(&r->report.machine);
}

static void finish(struct run *r, enum supervise_end end)
{
	struct run_info *info = &r->report.run;

	move_notes(r);
	lldp_take(&r->lldp, &r->report.machine);
	lldp_end(&r->lldp);
	r->report.kernel_log = machine_kernel_log(KERNEL_LOG_BYTES);
	read_faults(r);
	if (end == SUPERVISE_DONE) {
		info->state = RUN_COMPLETE;
	} else {
		info->state = RUN_PARTIAL;
		snprintf(info->state_reason, sizeof(info->state_reason), "%s",
			 end == SUPERVISE_DEADLINE ? "the run's deadline was reached"
			 : r->stopped_before_writing ?
			 "the run was stopped in the countdown: nothing was written" :
			 "the run was stopped by a signal");
	}
	save(r);
	view_finish(&r->view, &r->report, r->out, r->save_err);
}

/*
 * Termination and interrupts arrive as something to read, so that the loop above stays in one
 * thread.
 */
static int block_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC);
}

/*
 * Makes the folder and writes DIR/run-id: even a run that dies at once leaves its name. Returns 0
 * or -errno with the reason in `why`.
 */
static int prepare_out(struct run *r, char *why, size_t why_bytes)
{
	char path[PATH_MAX], kept[PATH_MAX];
	int err = run_id_new(r->report.run.id);

	if (!err) {
		r->lock_fd = folder_open(r->out, r->report.run.id, why, why_bytes);
		if (r->lock_fd < 0)
			return r->lock_fd;
		err = folder_keep_older(r->out, kept, sizeof(kept));
	}
	if (err > 0)
		report_add_note(&r->report, "folder", "the report of an earlier run is kept as %s",
				kept);
	if (err >= 0) {
		snprintf(path, sizeof(path), "%s/run-id", r->out);
		err = file_replace(path, r->report.run.id, strlen(r->report.run.id));
	}
	snprintf(why, why_bytes, "%s", err < 0 ? strerror(-err) : "");
	return err;
}

/* False where disks were typed as a flag and not one of the words names a device. */
static bool is_any_named(struct options *o)
{
	struct disk_list found = { 0 };
	char item[DISK_PATH_BYTES];
	const char *root = options_text(o, OPT_ID_ROOT);
	bool any = options_number(o, OPT_ID_DISKS) == 0 ||
		   o->value[OPT_ID_DISKS].source != OPT_FROM_FLAG;
	bool *hit = NULL;

	if (!any && disks_discover(root, &found) == 0)
		hit = calloc(found.n + 1, sizeof(*hit));
	for (unsigned i = 0; hit && options_item(o, OPT_ID_DISKS, i, item, sizeof(item)); i++)
		any |= match_disks(&found, root, item, hit) > 0;
	any |= !hit;	/* what cannot be known is told by the run itself */
	free(hit);
	disk_list_free(&found);
	return any;
}

/*
 * What failed in the network is told, but no reason to call the run incomplete: a server far away
 * may be down, and a machine need not reach the Internet at all.
 */
static int exit_code(const struct run *r)
{
	bool measured = false;

	if (r->save_err)
		return CMD_FAILED;
	if (r->report.run.state != RUN_COMPLETE)
		return CMD_PARTIAL;
	for (size_t i = 0; i < r->report.result_n; i++) {
		enum result_status status = r->report.result[i].status;

		if ((status == RESULT_FAILED || status == RESULT_TIMEOUT) &&
		    strcmp(r->report.result[i].phase, test_phase_words[PHASE_NETWORK]))
			return CMD_PARTIAL;
		measured |= status == RESULT_OK;
	}
	return measured ? CMD_OK : CMD_PARTIAL;
}

static int run_all(struct run *r)
{
	enum supervise_end end = SUPERVISE_DONE;
	const char *root = options_text(&r->options, OPT_ID_ROOT);
	struct power_meter power;
	size_t late;
	int err;

	if (!root[0])
		(void)lldp_begin(&r->lldp);
	power_begin(root, &power);
	facts_fill(&r->report, &r->options, r->out);
	read_faults(r);
	find_disks(r);
	power_finish(root, &power, &r->report.machine);
	move_notes(r);
	save(r);
	read_health(r, 0, false);
	err = measure(r, 0, false, &end);
	if (!err && end == SUPERVISE_DONE) {
		late = add_late_disks(r);
		if (late < r->disks.n) {
			read_health(r, late, false);
			err = measure(r, late, true, &end);
		}
	}
	if (end == SUPERVISE_DONE)
		read_health(r, 0, true);
	if (err)
		report_add_note(&r->report, "run", "out of memory: not everything was measured");
	finish(r, end);
	return exit_code(r);
}

int cmd_run(int argc, char **argv)
{
	static struct run r;	/* large, and the only one */
	char why[RESULT_REASON_BYTES];
	int first, err;

	options_init(&r.options);
	first = options_load(&r.options, argc, argv, OPT_IN_RUN);
	if (first == -ECANCELED) {
		print_help();
		return CMD_OK;
	}
	if (first < 0 || first < argc) {
		fprintf(stderr, "bench run: %s\n", first < 0 ? options_last_note(&r.options) :
			"disks are named by --disks; see bench run --help");
		return CMD_USAGE;
	}
	if (options_number(&r.options, OPT_ID_DEADLINE) == 0) {
		fprintf(stderr, "bench run: --deadline 0 leaves no time for anything\n");
		return CMD_USAGE;
	}
	if (plan_check_tests(&r.options) || nodes_check(&r.options)) {
		fprintf(stderr, "bench run: %s; see bench plan\n", options_last_note(&r.options));
		return CMD_USAGE;
	}
	if (!is_any_named(&r.options)) {
		fprintf(stderr, "bench run: --disks %s names no device here; see bench plan\n",
			options_text(&r.options, OPT_ID_DISKS));
		return CMD_USAGE;
	}
	r.start_ns = clock_ns();
	r.deadline_ns = r.start_ns + options_number(&r.options, OPT_ID_DEADLINE) * NS_PER_S;
	r.out = options_text(&r.options, OPT_ID_OUT);
	r.stop_fd = block_signals();
	report_init(&r.report);
	view_init(&r.view, stdout);
	err = prepare_out(&r, why, sizeof(why));
	if (err) {
		fprintf(stderr, "bench run: %s: %s: name another folder with --out\n", r.out, why);
		return CMD_FAILED;
	}
	err = run_all(&r);
	report_free(&r.report);
	disk_list_free(&r.disks);
	close(r.lock_fd);
	if (r.stop_fd >= 0)
		close(r.stop_fd);
	return err;
}
