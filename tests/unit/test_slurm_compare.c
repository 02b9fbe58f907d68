/* SPDX-License-Identifier: MIT */
/*
 * test_slurm_compare.c - what has changed in Slurm, as events that the state accepts
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sched/base/duration.h"
#include "sched/base/vec.h"
#include "sched/trace/slurm_compare.h"
#include "tests/slurm_output.h"

#define MARK "markmark"
#define NOW  INT64_C(1795920000) /* 2026-11-29T02:40:00 */

/* A scheduler that watches: its state, and what it has been told. */
struct watcher {
	struct state *st;
	struct slurm_memory memory;
	struct slurm_cluster c;
	char *text[4];
	int64_t now_s;
	struct str log; /* a word for each event */
	unsigned refused;
	struct err why; /* of the last refusal */
};

static void take(void *self, const struct event *reported)
{
	struct watcher *w = self;
	struct event ev = *reported;
	char *node = ev.kind == EVENT_NODE ? mem_string(ev.node.name) : NULL;
	struct err err;

	if (ev.time_s < state_view(w->st)->now_s)
		ev.time_s = state_view(w->st)->now_s;
	assert_true(ev.time_s <= w->now_s);
	if (!event_apply(w->st, &ev, &err)) {
		w->refused++;
		w->why = err;
		free(node);
		return;
	}
	if (node != NULL) /* the driver copies the event after it has changed the state */
		assert_string_equal(ev.node.name, node);
	free(node);
	str_addf(&w->log, "%s", event_kind_name(ev.kind));
	if (ev.job != 0)
		str_addf(&w->log, " %llu", (unsigned long long)ev.job);
	str_add(&w->log, ", ");
	if (!state_check(w->st, &err))
		fail_msg("%s", err.text);
}

static struct watcher *watch(void)
{
	struct watcher *w = mem_zero(1, sizeof *w);

	w->st = state_new();
	w->now_s = NOW;
	return w;
}

static void unwatch(struct watcher *w)
{
	state_free(w->st);
	slurm_memory_free(&w->memory);
	slurm_cluster_free(&w->c);
	for (int i = 0; i < 4; i++)
		free(w->text[i]);
	str_free(&w->log);
	free(w);
}

/* Reads the answers and compares. Returns the words of the events. */
static const char *poll_text(struct watcher *w, const char *nodes, const char *reservations, const char *jobs)
{
	const char *text[4] = {nodes, "PartitionName=main OverSubscribe=NO State=UP\n", reservations, jobs};
	struct err err;

	slurm_cluster_reset(&w->c);
	for (int i = 0; i < 4; i++) {
		free(w->text[i]);
		w->text[i] = mem_string(text[i]);
	}
	if (!slurm_read_nodes(&w->c, w->text[0], strlen(text[0]), &err) ||
	    !slurm_read_partitions(&w->c, w->text[1], strlen(text[1]), &err) ||
	    !slurm_read_reservations(&w->c, w->text[2], strlen(text[2]), &err) ||
	    !slurm_read_jobs(&w->c, w->text[3], strlen(text[3]), MARK, &err))
		fail_msg("%s", err.text);
	assert_int_equal(w->c.bad.count, 0);
	str_clear(&w->log);
	slurm_compare(&w->memory, &w->c, w->st, w->now_s, take, w);
	if (w->refused > 0)
		fail_msg("%s", w->why.text);
	w->now_s += 60;
	return str_text(&w->log);
}

/* Four nodes of 16 processors; Slurm allocates memory. */
#define NODE(name, more)                                                                                     \
	"NodeName=" name " CPUTot=16 CPUAlloc=0 RealMemory=4000 AllocMem=1 State=IDLE Partitions=main " more \
	"\n"
#define NODES NODE("n1", "") NODE("n2", "") NODE("n3", "Gres=gpu:a100:2") NODE("n4", "ActiveFeatures=fast")

static const char *poll_jobs(struct watcher *w, const char *jobs)
{
	return poll_text(w, NODES, "", jobs);
}

/* The line of a job. Members that are NULL or 0 have usual values. */
struct line {
	const char *id, *state, *user, *partition, *limit, *submit, *start, *end, *reason, *tres, *gres,
		*features, *depends, *sharing, *exit_code, *hosts;
	unsigned procs, nodes;
	bool held;
};

static const char * or (const char *text, const char *usual)
{
	return text != NULL ? text : usual;
}

static void add(struct str *out, struct line l)
{
	str_addf(out,
		 "%s" MARK "^%s^%s^staff^acc^normal^%s^%u^%u^1^1^%s^%s^%s^%s^%s^%s^%s^N/A^%s^N/A^N/"
		 "A^%s^%s^%s^^^^%s^0^%s^job\n",
		 l.id, l.state, or (l.user, "eva"), or (l.partition, "main"), l.procs ? l.procs : 1,
		 l.nodes ? l.nodes : 1, or (l.limit, "1:00:00"), or (l.submit, "2026-11-29T02:30:00"),
		 or (l.start, "N/A"), or (l.end, "N/A"),
		 or (l.reason, l.state[0] == 'P' ? "Priority" : "None"), l.held ? "0" : "100",
		 or (l.tres, "cpu=1,node=1"), or (l.gres, "N/A"), or (l.features, ""), or (l.depends, ""),
		 or (l.sharing, "OK"), or (l.exit_code, "0:0"), or (l.hosts, ""));
}

static const char *poll_lines(struct watcher *w, const struct line *line, size_t count)
{
	struct str text = {0};
	const char *log;

	for (size_t i = 0; i < count; i++)
		add(&text, line[i]);
	log = poll_jobs(w, str_text(&text));
	str_free(&text);
	return log;
}

#define POLL(w, ...)                                                                                         \
	poll_lines(w, (const struct line[]){__VA_ARGS__},                                                    \
		   sizeof((const struct line[]){__VA_ARGS__}) / sizeof(struct line))

static const struct job *job_of(const struct watcher *w, uint64_t id)
{
	uint32_t slot = state_find(w->st, id);

	if (slot == INDEX_NONE)
		fail_msg("there is no job %llu", (unsigned long long)id);
	return &snapshot_jobs(state_view(w->st))[slot];
}

static const char *text_at(const struct watcher *w, uint32_t at)
{
	return snapshot_string(state_view(w->st), at);
}

/* --- tests -------------------------------------------------------------------------------------------- */

static void a_job_waits_runs_and_ends(void **state)
{
	struct watcher *w = watch();
	const struct line waits = {
		.id = "12", .state = "PENDING", .procs = 4, .tres = "cpu=4,mem=800M,node=1"};
	struct line runs = {.id = "12",
			    .state = "RUNNING",
			    .procs = 4,
			    .tres = "cpu=4,mem=800M,node=1",
			    .start = "2026-11-29T02:40:20",
			    .hosts = "n2"};
	struct line ended = {.id = "12",
			     .state = "FAILED",
			     .procs = 4,
			     .tres = "cpu=4,mem=800M,node=1",
			     .start = "2026-11-29T02:40:20",
			     .end = "2026-11-29T02:41:30",
			     .hosts = "n2",
			     .exit_code = "3:0"};

	(void)state;
	assert_string_equal(POLL(w, waits), "node, node, node, node, submit 1, ");
	assert_string_equal(text_at(w, job_of(w, 1)->label), "12");
	assert_string_equal(text_at(w, job_of(w, 1)->said), "Priority");
	assert_int_equal(job_of(w, 1)->submit_s, NOW - 600);
	assert_int_equal(job_of(w, 1)->mem_mb, 800);
	assert_string_equal(POLL(w, waits), "");
	assert_string_equal(POLL(w, runs), "start 1, ");
	assert_int_equal(job_of(w, 1)->start_s, NOW + 20);
	assert_int_equal(snapshot_nodes(state_view(w->st))[1].procs_busy, 4);
	assert_int_equal(snapshot_nodes(state_view(w->st))[1].mem_busy_mb, 800);
	assert_string_equal(POLL(w, runs), "");
	assert_string_equal(POLL(w, ended), "end 1, ");
	assert_int_equal(snapshot_count(state_view(w->st), TABLE_RUNNING), 0);
	assert_string_equal(POLL(w, ended), "");
	unwatch(w);
}

/* The first answer may show jobs that have run for long. */
static void a_job_that_already_runs_keeps_its_start(void **state)
{
	struct watcher *w = watch();

	(void)state;
	assert_string_equal(POLL(w, {.id = "7",
				     .state = "RUNNING",
				     .procs = 32,
				     .nodes = 2,
				     .submit = "2026-11-28T01:00:00",
				     .start = "2026-11-28T02:40:00",
				     .limit = "2-00:00:00",
				     .hosts = "n[1-2]"}),
			    "node, node, node, node, submit 1, start 1, ");
	assert_int_equal(job_of(w, 1)->start_s, NOW - 86400);
	assert_int_equal(job_left_s(job_of(w, 1), NOW), 86400);
	assert_int_equal(state_view(w->st)->procs_busy, 32);
	unwatch(w);
}

static void what_happens_between_two_answers_is_reported_in_order(void **state)
{
	struct watcher *w = watch();

	(void)state;
	POLL(w, {.id = "1", .state = "PENDING"},
	     {.id = "2", .state = "RUNNING", .start = "2026-11-29T02:35:00", .hosts = "n1"});
	assert_string_equal(POLL(w,
				 {.id = "1",
				  .state = "COMPLETED",
				  .start = "2026-11-29T02:40:10",
				  .end = "2026-11-29T02:40:40",
				  .hosts = "n1"},
				 {.id = "2",
				  .state = "COMPLETED",
				  .start = "2026-11-29T02:35:00",
				  .end = "2026-11-29T02:40:05",
				  .hosts = "n1"},
				 {.id = "3",
				  .state = "COMPLETED",
				  .submit = "2026-11-29T02:40:20",
				  .start = "2026-11-29T02:40:25",
				  .end = "2026-11-29T02:40:30",
				  .hosts = "n2"},
				 {.id = "4",
				  .state = "RUNNING",
				  .submit = "2026-11-29T02:40:50",
				  .start = "2026-11-29T02:40:55",
				  .hosts = "n2"}),
			    "end 2, start 1, submit 3, start 3, end 3, end 1, submit 4, start 4, ");
	assert_int_equal(job_of(w, 4)->start_s, NOW + 55);
	unwatch(w);
}

/* What had ended before the scheduler was started is not news. */
static void jobs_that_ended_before_the_first_answer_are_ignored(void **state)
{
	struct watcher *w = watch();
	const struct line old = {.id = "1",
				 .state = "COMPLETED",
				 .start = "2026-11-29T02:35:00",
				 .end = "2026-11-29T02:39:00",
				 .hosts = "n1"};

	(void)state;
	assert_string_equal(POLL(w, old), "node, node, node, node, ");
	assert_string_equal(POLL(w, old), "");
	unwatch(w);
}

static void a_cancelled_and_a_vanished_job_leave(void **state)
{
	struct watcher *w = watch();
	const struct line a = {.id = "1", .state = "PENDING"},
			  b = {.id = "2", .state = "RUNNING", .start = "2026-11-29T02:35:00", .hosts = "n1"};
	const struct line gone = {.id = "1", .state = "CANCELLED", .end = "2026-11-29T02:40:10"};

	(void)state;
	POLL(w, a, b);
	assert_string_equal(POLL(w, gone, b), "cancel 1, ");
	assert_string_equal(poll_jobs(w, ""), "");
	assert_string_equal(poll_jobs(w, ""), "end 2, ");
	assert_string_equal(poll_jobs(w, ""), "");
	unwatch(w);
}

/* An answer without the job may be wrong once. */
static void a_job_that_is_missing_once_stays(void **state)
{
	struct watcher *w = watch();
	const struct line job = {.id = "1", .state = "PENDING"};

	(void)state;
	POLL(w, job);
	assert_string_equal(poll_jobs(w, ""), "");
	assert_string_equal(POLL(w, job), "");
	assert_string_equal(poll_jobs(w, ""), "");
	job_of(w, 1);
	unwatch(w);
}

static void a_requeued_job_waits_again_and_runs_again(void **state)
{
	struct watcher *w = watch();
	const struct line
		runs = {.id = "1", .state = "RUNNING", .start = "2026-11-29T02:35:00", .hosts = "n1"},
		waits = {.id = "1",
			 .state = "PENDING",
			 .reason = "BeginTime",
			 .start = "2026-11-29T02:50:00"},
		again = {.id = "1", .state = "RUNNING", .start = "2026-11-29T02:41:30", .hosts = "n2"};

	(void)state;
	POLL(w, runs);
	assert_string_equal(POLL(w, waits), "requeue 1, end 1, describe 1, ");
	assert_int_equal(job_of(w, 1)->state, JOB_IDLE);
	assert_int_equal(job_of(w, 1)->not_before_s, NOW + 600);
	assert_string_equal(POLL(w, again), "start 1, ");
	assert_int_equal(job_of(w, 1)->start_s, NOW + 90);
	unwatch(w);
}

/* Slurm's clock is ahead: the job seems to start in the future. */
static void a_clock_that_is_ahead_does_not_start_a_job_twice(void **state)
{
	struct watcher *w = watch();
	const struct line runs = {
		.id = "1", .state = "RUNNING", .start = "2026-11-29T02:40:50", .hosts = "n1"};

	(void)state;
	assert_string_equal(POLL(w, runs), "node, node, node, node, submit 1, start 1, ");
	for (int i = 0; i < 5; i++)
		assert_string_equal(POLL(w, runs), "");
	unwatch(w);
}

static void a_job_that_runs_again_was_requeued(void **state)
{
	struct watcher *w = watch();

	(void)state;
	POLL(w, {.id = "1", .state = "RUNNING", .start = "2026-11-29T02:35:00", .hosts = "n1"});
	assert_string_equal(
		POLL(w, {.id = "1", .state = "RUNNING", .start = "2026-11-29T02:40:30", .hosts = "n2"}),
		"requeue 1, end 1, start 1, ");
	assert_int_equal(snapshot_nodes(state_view(w->st))[1].procs_busy, 1);
	unwatch(w);
}

static void a_changed_limit_and_a_new_reason_describe_the_job_anew(void **state)
{
	struct watcher *w = watch();

	(void)state;
	POLL(w, {.id = "1", .state = "PENDING"},
	     {.id = "2", .state = "RUNNING", .start = "2026-11-29T02:35:00", .hosts = "n1"});
	assert_string_equal(POLL(w, {.id = "1", .state = "PENDING", .limit = "2:00:00"},
				 {.id = "2",
				  .state = "RUNNING",
				  .start = "2026-11-29T02:35:00",
				  .hosts = "n1",
				  .limit = "3:00:00"}),
			    "describe 1, describe 2, ");
	assert_int_equal(job_of(w, 1)->wall_limit_s, 7200);
	assert_int_equal(job_of(w, 2)->wall_limit_s, 10800);
	assert_int_equal(job_of(w, 2)->state, JOB_RUNNING);
	assert_string_equal(POLL(w,
				 {.id = "1",
				  .state = "PENDING",
				  .limit = "2:00:00",
				  .reason = "Resources",
				  .start = "2026-11-29T03:40:00"},
				 {.id = "2",
				  .state = "RUNNING",
				  .start = "2026-11-29T02:35:00",
				  .hosts = "n1",
				  .limit = "3:00:00"}),
			    "describe 1, ");
	assert_string_equal(text_at(w, job_of(w, 1)->said), "Resources");
	assert_int_equal(job_of(w, 1)->expected_s, NOW + 3600);
	unwatch(w);
}

/* The expected start moves at every poll; only a large change is worth an entry of the journal. */
static void a_small_change_of_the_expected_start_is_not_reported(void **state)
{
	struct watcher *w = watch();

	(void)state;
	POLL(w, {.id = "1", .state = "PENDING", .start = "2026-11-29T12:40:00"});
	assert_string_equal(POLL(w, {.id = "1", .state = "PENDING", .start = "2026-11-29T12:44:00"}), "");
	assert_string_equal(POLL(w, {.id = "1", .state = "PENDING", .start = "2026-11-29T13:10:00"}), "");
	assert_string_equal(POLL(w, {.id = "1", .state = "PENDING", .start = "2026-11-29T18:40:00"}),
			    "describe 1, ");
	unwatch(w);
}

static void holds_follow_the_reasons_of_slurm(void **state)
{
	struct watcher *w = watch();

	(void)state;
	POLL(w, {.id = "1", .state = "PENDING", .reason = "JobHeldUser", .held = true},
	     {.id = "2", .state = "PENDING", .reason = "PartitionTimeLimit"},
	     {.id = "3_1", .state = "PENDING", .reason = "JobArrayTaskLimit"},
	     {.id = "4", .state = "PENDING", .reason = "AssocGrpCpuLimit"});
	assert_int_equal(job_of(w, 1)->holds, JOB_HOLD_USER);
	assert_int_equal(job_of(w, 2)->holds, JOB_HOLD_BATCH);
	assert_string_equal(text_at(w, job_of(w, 2)->hold_reason), "PartitionTimeLimit");
	assert_int_equal(job_of(w, 3)->holds, JOB_HOLD_BATCH);
	assert_int_equal(job_of(w, 4)->holds, 0); /* a limit of Slurm: the scheduler has its own */
	assert_string_equal(POLL(w, {.id = "1", .state = "PENDING"},
				 {.id = "2", .state = "PENDING", .reason = "PartitionTimeLimit"},
				 {.id = "3_1", .state = "PENDING", .reason = "JobArrayTaskLimit"},
				 {.id = "4", .state = "PENDING", .reason = "AssocGrpCpuLimit"}),
			    "describe 1, ");
	assert_int_equal(job_of(w, 1)->holds, 0);
	unwatch(w);
}

static void dependencies_on_single_jobs_are_kept_and_others_hold(void **state)
{
	struct watcher *w = watch();

	(void)state;
	POLL(w,
	     {.id = "2",
	      .state = "PENDING",
	      .reason = "Dependency",
	      .depends = "afterok:1(unfulfilled)",
	      .submit = "2026-11-29T02:31:00"},
	     {.id = "1", .state = "PENDING"},
	     {.id = "3",
	      .state = "PENDING",
	      .reason = "Dependency",
	      .depends = "afterok:1_*(unfulfilled)",
	      .submit = "2026-11-29T02:32:00"},
	     {.id = "4",
	      .state = "PENDING",
	      .reason = "Dependency",
	      .depends = "afterok:1(unfulfilled)?afterany:2(unfulfilled)",
	      .submit = "2026-11-29T02:33:00"});
	assert_true(job_of(w, 2)->depend != INDEX_NONE);
	assert_int_equal(snapshot_depends(state_view(w->st))[job_of(w, 2)->depend].on, 1);
	assert_int_equal(job_of(w, 2)->holds, 0);
	assert_int_equal(job_of(w, 3)->holds, JOB_HOLD_BATCH);
	assert_int_equal(job_of(w, 4)->holds, JOB_HOLD_BATCH);
	assert_int_equal(w->memory.map.notes.count[NOTE_DEPENDS], 2);
	unwatch(w);
}

static void typed_gpus_features_and_exclusive_use_are_requests_of_the_job(void **state)
{
	struct watcher *w = watch();
	const struct snapshot *s;

	(void)state;
	POLL(w, {.id = "1", .state = "PENDING", .procs = 2, .gres = "gres:gpu:a100:1"},
	     {.id = "2", .state = "PENDING", .features = "fast"},
	     {.id = "3", .state = "PENDING", .sharing = "NO"},
	     {.id = "4", .state = "PENDING", .features = "fast|slow"},
	     {.id = "5",
	      .state = "RUNNING",
	      .procs = 2,
	      .gres = "gres/gpu:2",
	      .start = "2026-11-29T02:35:00",
	      .hosts = "n3"});
	s = state_view(w->st);
	assert_int_equal(job_of(w, 1)->gres[snapshot_find_trait(s, TRAIT_GRES, "gpu")], 1);
	assert_int_equal(job_of(w, 1)->gres[snapshot_find_trait(s, TRAIT_GRES, "gpu_a100")], 1);
	assert_true(job_of(w, 2)->features == UINT64_C(1) << snapshot_find_trait(s, TRAIT_FEATURE, "fast"));
	assert_int_equal(job_of(w, 3)->access, ACCESS_SINGLEJOB);
	assert_int_equal(job_of(w, 4)->features, 0);
	assert_int_equal(w->memory.map.notes.count[NOTE_FEATURES], 1);
	assert_int_equal(snapshot_nodes(s)[2].gres_busy[snapshot_find_trait(s, TRAIT_GRES, "gpu")], 2);
	unwatch(w);
}

/* With OverSubscribe=FORCE:2, Slurm gives the same processors to two jobs. */
static void a_node_has_at_least_what_its_jobs_hold(void **state)
{
	struct watcher *w = watch();
	const struct line a = {.id = "1",
			       .state = "RUNNING",
			       .procs = 16,
			       .start = "2026-11-29T02:35:00",
			       .hosts = "n1"},
			  b = {.id = "2",
			       .state = "RUNNING",
			       .procs = 16,
			       .start = "2026-11-29T02:36:00",
			       .hosts = "n1"};
	const struct line ended = {.id = "2",
				   .state = "COMPLETED",
				   .procs = 16,
				   .start = "2026-11-29T02:36:00",
				   .end = "2026-11-29T02:40:30",
				   .hosts = "n1"};

	(void)state;
	POLL(w, a, b);
	assert_int_equal(snapshot_nodes(state_view(w->st))[0].procs, 32);
	assert_int_equal(snapshot_nodes(state_view(w->st))[0].procs_busy, 32);
	assert_string_equal(POLL(w, a, ended), "end 2, node, ");
	assert_int_equal(snapshot_nodes(state_view(w->st))[0].procs, 16);
	unwatch(w);
}

static void processors_that_are_no_multiple_of_the_nodes_are_spread(void **state)
{
	struct watcher *w = watch();

	(void)state;
	POLL(w, {.id = "1",
		 .state = "RUNNING",
		 .procs = 20,
		 .nodes = 3,
		 .start = "2026-11-29T02:35:00",
		 .hosts = "n[1-3]"});
	assert_int_equal(snapshot_nodes(state_view(w->st))[0].procs_busy, 7);
	assert_int_equal(snapshot_nodes(state_view(w->st))[1].procs_busy, 7);
	assert_int_equal(snapshot_nodes(state_view(w->st))[2].procs_busy, 6);
	unwatch(w);
}

static void a_drained_and_a_vanished_node_accept_no_jobs(void **state)
{
	struct watcher *w = watch();
	const struct snapshot *s;

	(void)state;
	poll_text(w, NODES, "", "");
	poll_text(w,
		  NODE("n1", "") "NodeName=n2 CPUTot=16 State=IDLE+DRAIN Partitions=main Reason=disk "
				 "[root@x]\n" NODE("n3", "Gres=gpu:a100:2"),
		  "", "");
	s = state_view(w->st);
	assert_false(snapshot_nodes(s)[0].drained);
	assert_true(snapshot_nodes(s)[1].drained);
	assert_string_equal(text_at(w, snapshot_nodes(s)[1].said), "IDLE+DRAIN: disk [root@x]");
	assert_true(snapshot_nodes(s)[3].drained);
	poll_text(w, NODES, "", "");
	s = state_view(w->st);
	assert_false(snapshot_nodes(s)[1].drained);
	assert_false(snapshot_nodes(s)[3].drained);
	unwatch(w);
}

/* The state grows while nodes are reported, and its texts move. */
static void nodes_that_come_and_go_keep_their_names(void **state)
{
	struct watcher *w = watch();
	struct slurm_model m = {.seed = 5, .version = 2205, .nodes = 200, .now_s = NOW};
	struct str nodes = {0};

	(void)state;
	slurm_output_nodes(&m, &nodes);
	for (int i = 0; i < 64; i++) {
		poll_text(w, str_text(&nodes), "", "");
		poll_text(w, NODE("other", ""), "", "");
	}
	for (uint32_t i = 0; i < 200; i++)
		assert_true(snapshot_nodes(state_view(w->st))[i].shut);
	assert_false(snapshot_nodes(state_view(w->st))[200].shut);
	str_free(&nodes);
	unwatch(w);
}

static void reservations_are_made_moved_and_released(void **state)
{
	static const char first[] =
		"ReservationName=maint StartTime=2026-11-30T02:00:00 EndTime=2026-11-30T04:00:00 "
		"Nodes=n[1-2] Users=root,-eva Accounts=(null)\n"
		"ReservationName=day.1 StartTime=2026-11-30T02:00:00 EndTime=2026-11-30T04:00:00 "
		"Nodes=n[1-2] Users=root Accounts=phys\n";
	static const char moved[] = "ReservationName=day.1 StartTime=2026-12-01T02:00:00 "
				    "EndTime=2026-12-01T04:00:00 Nodes=n[1-2] Users=root Accounts=phys\n";
	struct watcher *w = watch();
	const struct advance *a;

	(void)state;
	assert_string_equal(poll_text(w, NODES, first, ""), "node, node, node, node, reserve, ");
	assert_int_equal(w->memory.map.notes.count[NOTE_CORES], 1);
	a = &snapshot_advances(state_view(w->st))[0];
	assert_string_equal(text_at(w, a->name), "day.1");
	assert_int_equal(a->guest_count, 2);
	assert_string_equal(poll_text(w, NODES, first, ""), "");
	assert_string_equal(poll_text(w, NODES, moved, ""), "unreserve, reserve, ");
	assert_string_equal(poll_text(w, NODES, "", ""), "unreserve, ");
	assert_int_equal(snapshot_count(state_view(w->st), TABLE_ADVANCES), 0);
	unwatch(w);
}

static void a_reservation_of_an_operator_is_not_replaced_by_one_of_slurm(void **state)
{
	static const char other[] = "ReservationName=day StartTime=2026-11-30T02:00:00 "
				    "EndTime=2026-11-30T04:00:00 Nodes=n[1-2] Users=root\n";
	struct str text = {0};
	struct event ev = {.kind = EVENT_RESERVE, .time_s = NOW, .who = "root", .reserve = {.name = "day"}};
	struct watcher *w = watch();
	struct err err = {{0}};

	(void)state;
	poll_text(w, NODES, "", "");
	str_addf(&text, "start=%lld end=%lld node=n1", (long long)NOW + 600, (long long)NOW + 4200);
	ev.reserve.text = str_text(&text);
	if (!event_apply(w->st, &ev, &err))
		fail_msg("%s", err.text);
	for (int i = 0; i < 2; i++) {
		assert_string_equal(poll_text(w, NODES, other, ""), "");
		assert_int_equal(w->memory.map.notes.count[NOTE_TAKEN], 1);
	}
	assert_string_equal(poll_text(w, NODES, "", ""), "");
	assert_int_equal(snapshot_count(state_view(w->st), TABLE_ADVANCES), 1);
	str_free(&text);
	unwatch(w);
}

static void a_suspended_job_keeps_its_processors(void **state)
{
	struct watcher *w = watch();

	(void)state;
	POLL(w, {.id = "1", .state = "RUNNING", .start = "2026-11-29T02:35:00", .hosts = "n1"});
	assert_string_equal(
		POLL(w, {.id = "1", .state = "SUSPENDED", .start = "2026-11-29T02:35:00", .hosts = "n1"}),
		"suspend 1, ");
	assert_true(job_is_suspended(job_of(w, 1)));
	assert_int_equal(state_view(w->st)->procs_busy, 1);
	assert_string_equal(
		POLL(w, {.id = "1", .state = "RUNNING", .start = "2026-11-29T02:35:00", .hosts = "n1"}),
		"suspend 1, ");
	assert_false(job_is_suspended(job_of(w, 1)));
	unwatch(w);
}

/* A scheduler that is started again continues from its state, without a memory of the last answer. */
static void a_new_memory_reports_nothing_twice(void **state)
{
	struct watcher *w = watch();
	struct slurm_model m = {
		.seed = 3, .version = 2205, .nodes = 64, .jobs = 500, .busy_pct = 75, .now_s = NOW};
	struct str nodes = {0}, jobs = {0};

	(void)state;
	slurm_output_nodes(&m, &nodes);
	slurm_output_jobs(&m, MARK, &jobs);
	poll_text(w, str_text(&nodes), "", str_text(&jobs));
	assert_int_equal(snapshot_count(state_view(w->st), TABLE_RUNNING), 96);
	assert_int_equal(snapshot_count(state_view(w->st), TABLE_WAITING), 404);
	slurm_memory_free(&w->memory);
	assert_string_equal(poll_text(w, str_text(&nodes), "", str_text(&jobs)), "");
	str_free(&nodes);
	str_free(&jobs);
	unwatch(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_waits_runs_and_ends),
		cmocka_unit_test(a_job_that_already_runs_keeps_its_start),
		cmocka_unit_test(what_happens_between_two_answers_is_reported_in_order),
		cmocka_unit_test(jobs_that_ended_before_the_first_answer_are_ignored),
		cmocka_unit_test(a_cancelled_and_a_vanished_job_leave),
		cmocka_unit_test(a_job_that_is_missing_once_stays),
		cmocka_unit_test(a_requeued_job_waits_again_and_runs_again),
		cmocka_unit_test(a_clock_that_is_ahead_does_not_start_a_job_twice),
		cmocka_unit_test(a_job_that_runs_again_was_requeued),
		cmocka_unit_test(a_changed_limit_and_a_new_reason_describe_the_job_anew),
		cmocka_unit_test(a_small_change_of_the_expected_start_is_not_reported),
		cmocka_unit_test(holds_follow_the_reasons_of_slurm),
		cmocka_unit_test(dependencies_on_single_jobs_are_kept_and_others_hold),
		cmocka_unit_test(typed_gpus_features_and_exclusive_use_are_requests_of_the_job),
		cmocka_unit_test(a_node_has_at_least_what_its_jobs_hold),
		cmocka_unit_test(processors_that_are_no_multiple_of_the_nodes_are_spread),
		cmocka_unit_test(a_drained_and_a_vanished_node_accept_no_jobs),
		cmocka_unit_test(nodes_that_come_and_go_keep_their_names),
		cmocka_unit_test(reservations_are_made_moved_and_released),
		cmocka_unit_test(a_reservation_of_an_operator_is_not_replaced_by_one_of_slurm),
		cmocka_unit_test(a_suspended_job_keeps_its_processors),
		cmocka_unit_test(a_new_memory_reports_nothing_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
