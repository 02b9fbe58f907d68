/* SPDX-License-Identifier: MIT */
/*
 * test_request_check.c - validation of requests, and removal of duplicates from their lists
 *
 * Each case sends one event through request_write and request_read, as a client would.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sched/base/duration.h"
#include "sched/base/str.h"
#include "sched/rm/launch.h"
#include "tests/seed.h"
#include "tui/serve/request.h"
#include "tui/serve/request_check.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

/* Returns a text of the given length. */
static const char *long_text(size_t len)
{
	static char text[2 * REQUEST_VALUE_MAX];

	assert_true(len < sizeof text);
	memset(text, 'x', len);
	text[len] = '\0';
	return text;
}

/* --- valid events ------------------------------------------------------------------------------- */

struct scene {
	struct event ev;
	struct launch launch;
	struct depend depend;
	struct array_range range;
	struct alloc_run run;
	struct used_by used;
	struct str bytes; /* encoded launch */
};

static const char *const command[] = {"true", NULL};

/* Fills in a valid submission. */
static void begin(struct scene *s)
{
	*s = (struct scene){.launch = {.command = {command, 1}, .dir = "/", .output = "/tmp/o%j"},
			    .depend = {.on = 1},
			    .range = {0, 3, 1},
			    .run = {.nodes = 1, .procs = 1, .tasks = 1},
			    .used = {.type = CRED_USER, .name = "eva", .amount = 1},
			    .ev = {.kind = EVENT_SUBMIT}};
	s->ev.submit.job = (struct job){.not_before_s = TIME_NONE,
					.wall_limit_s = 60,
					.true_run_s = -1,
					.tasks = 1,
					.task_procs = 1,
					.real = JOB_REAL_LAUNCH};
}

/* Fills in a valid event of another kind. */
static void begin_kind(struct scene *s, enum event_kind kind)
{
	begin(s);
	s->ev = (struct event){.kind = kind, .job = 7};
	switch (kind) {
	case EVENT_START:
		s->ev.start.runs = &s->run;
		s->ev.start.count = 1;
		break;
	case EVENT_NODE:
		s->ev.node.name = "n";
		break;
	case EVENT_HOLD:
		s->ev.hold.bits = JOB_HOLD_USER;
		s->ev.hold.on = true;
		break;
	case EVENT_SETTING:
		s->ev.setting.name = "xfactorweight";
		s->ev.setting.value = "5";
		break;
	case EVENT_UNDO:
	case EVENT_KEEP:
		s->ev.undo.seq = 1;
		break;
	case EVENT_DEFER:
		s->ev.defer.until_s = TIME_NONE;
		break;
	case EVENT_MODIFY:
		s->ev.modify.name = "walltime";
		s->ev.modify.value = "60";
		break;
	case EVENT_SIGNAL:
		s->ev.signal.number = 15;
		break;
	case EVENT_RESERVE:
		s->ev.reserve.text = "start=1 end=2 nodes=ALL";
		s->ev.reserve.name = "r";
		break;
	case EVENT_UNRESERVE:
		s->ev.reserve.name = "r";
		break;
	case EVENT_USAGE:
		s->ev.usage = (struct usage_window){.length_s = 1, .item = &s->used, .count = 1};
		break;
	default:
		break;
	}
}

/* Encodes the event and decodes it as the scheduler does; texts of *got are allocated in the arena. */
static bool send_event(struct scene *s, struct arena *arena, struct event *got, struct err *err)
{
	struct request_text sent = {.kind = ASK_CHANGE, .event = &s->ev, .count = 1}, read;
	struct str bytes = {0};
	bool good;

	err->text[0] = '\0';
	if (s->ev.kind == EVENT_SUBMIT && s->ev.submit.launch == NULL && s->ev.submit.job.real != 0) {
		launch_write(&s->launch, &s->bytes);
		s->ev.submit.launch = s->bytes.data;
		s->ev.submit.launch_size = (uint32_t)s->bytes.len;
	}
	request_write(&sent, &bytes);
	good = request_read(bytes.data, bytes.len, arena, &read, err);
	if (good)
		*got = read.event[0];
	str_free(&bytes);
	str_free(&s->bytes);
	return good;
}

static void assert_accepted(struct scene *s, const char *what)
{
	struct arena arena = {0};
	struct event got;
	struct err err;

	if (!send_event(s, &arena, &got, &err))
		fail_msg("%s: %s", what, err.text);
	arena_free(&arena);
}

static void assert_refused(struct scene *s, const char *why)
{
	struct arena arena = {0};
	struct event got;
	struct err err;

	if (send_event(s, &arena, &got, &err))
		fail_msg("\"%s\" should have been said", why);
	if (strstr(err.text, why) == NULL)
		fail_msg("\"%s\" should have been said, not \"%s\"", why, err.text);
	arena_free(&arena);
}

/* --- kinds ---------------------------------------------------------------------------------------- */

static void a_suspend_may_only_set_release_or_keep(void **state)
{
	static const struct {
		bool on;
		uint8_t how;
		const char *why; /* NULL if accepted */
	} cases[] = {
		{true, 0, NULL},
		{true, SUSPEND_RELEASE, NULL},
		{true, SUSPEND_KEEP, NULL},
		{false, 0, NULL},
		{true, SUSPEND_RELEASE | SUSPEND_KEEP, "or keep the processors of its job, got 6"},
		{true, SUSPEND_BY_OWNER, "or keep the processors of its job, got 1"},
		{true, SUSPEND_RESUMED, "or keep the processors of its job, got 8"},
		{false, SUSPEND_RESUMED, "only a suspend can"},
		{false, SUSPEND_RELEASE, "only a suspend can"},
	};
	struct scene s;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		begin_kind(&s, EVENT_SUSPEND);
		s.ev.suspend.on = cases[i].on;
		s.ev.suspend.how = cases[i].how;
		if (cases[i].why == NULL)
			assert_accepted(&s, "a suspend");
		else
			assert_refused(&s, cases[i].why);
	}
}

static void event_kinds_of_clients_are_accepted(void **state)
{
	static const enum event_kind kinds[] = {
		EVENT_SUBMIT, EVENT_START,  EVENT_HOLD,   EVENT_PRIORITY, EVENT_SETTING,  EVENT_UNDO,
		EVENT_CANCEL, EVENT_DEFER,  EVENT_MODIFY, EVENT_USAGE,    EVENT_SUSPEND,  EVENT_REQUEUE,
		EVENT_HALT,   EVENT_SIGNAL, EVENT_KEEP,   EVENT_RESERVE,  EVENT_UNRESERVE};
	struct scene s;

	(void)state;
	for (size_t i = 0; i < COUNT(kinds); i++) {
		begin_kind(&s, kinds[i]);
		if (kinds[i] == EVENT_SUBMIT)
			begin(&s);
		assert_accepted(&s, event_kind_name(kinds[i]));
	}
}

static void event_kinds_of_the_scheduler_are_refused(void **state)
{
	static const enum event_kind kinds[] = {EVENT_CONFIG,   EVENT_NODE, EVENT_SIM,     EVENT_END,
						EVENT_PLAN,     EVENT_PASS, EVENT_ACCRUAL, EVENT_BYPASS,
						EVENT_ELIGIBLE, EVENT_USED, EVENT_LOAD,    EVENT_ORDER};
	struct scene s;

	(void)state;
	for (size_t i = 0; i < COUNT(kinds); i++) {
		begin_kind(&s, kinds[i]);
		assert_refused(&s, "is an event of the scheduler and cannot be requested");
	}
	begin_kind(&s, EVENT_DEFER);
	s.ev.defer.until_s = 100;
	assert_refused(&s, "'defer' is an event of the scheduler");
	begin_kind(&s, EVENT_DEFER);
	s.ev.defer.failed_start = true;
	assert_refused(&s, "'defer' is an event of the scheduler");
}

/* --- submissions: numbers -------------------------------------------------------------------------- */

static void numbers_of_a_submission_are_bounded(void **state)
{
#define FIELD(f) offsetof(struct job, f), sizeof((struct job *)0)->f
	static const struct {
		size_t offset, size;
		int64_t value;
		const char *why; /* NULL = accepted */
	} cases[] = {
		{FIELD(tasks), 0, "at least one processor"},
		{FIELD(task_procs), 0, "at least one processor"},
		{FIELD(tasks), UINT32_MAX, NULL},
		{FIELD(wall_limit_s), 0, NULL},
		{FIELD(wall_limit_s), -1, "a wallclock limit must be between"},
		{FIELD(wall_limit_s), INT64_MIN, "a wallclock limit must be between"},
		{FIELD(wall_limit_s), INT64_MAX, "a wallclock limit must be between"},
		{FIELD(wall_limit_s), MOMENT_MAX_S, NULL},
		{FIELD(wall_limit_s), MOMENT_MAX_S + 1, "a wallclock limit must be between"},
		{FIELD(not_before_s), 0, NULL},
		{FIELD(not_before_s), MOMENT_MAX_S, NULL},
		{FIELD(not_before_s), MOMENT_MAX_S + 1, "a start date must be between"},
		{FIELD(not_before_s), -1, "a start date must be between"},
		{FIELD(not_before_s), INT64_MAX, "a start date must be between"},
		{FIELD(not_before_s), INT64_MIN + 1, "a start date must be between"},
		{FIELD(mem_mb), -1, "a negative amount of memory"},
		{FIELD(mem_mb), INT64_MIN, "a negative amount of memory"},
		{FIELD(mem_mb), INT64_MAX, "MB of memory"},
		{FIELD(swap_mb), INT64_MAX, "MB of swap"},
		{FIELD(disk_mb), INT64_MAX, "MB of disk"},
		{FIELD(base_points), 1024, "priority points"},
		{FIELD(base_points), INT32_MIN, "priority points"},
		{FIELD(array_limit), 1, "only an array"},
		{FIELD(base_holds), JOB_HOLD_USER, NULL},
		{FIELD(base_holds), JOB_HOLD_SYSTEM, "a user hold or without holds, got hold bits 2"},
		{FIELD(base_holds), JOB_HOLD_BATCH, "a user hold or without holds, got hold bits 4"},
		{FIELD(base_holds), JOB_HOLD_ALL, "a user hold or without holds, got hold bits 7"},
		{FIELD(real), JOB_REAL_LAUNCH | JOB_REAL_FORCED, NULL},
		{FIELD(real), JOB_REAL_LAUNCH | JOB_REAL_OWNER, "cannot be marked as suspended or requeued"},
		{FIELD(real), JOB_REAL_LAUNCH | JOB_REAL_SUSPENDED,
		 "cannot be marked as suspended or requeued"},
		{FIELD(real), JOB_REAL_RERUN, "does not announce"},
		{FIELD(access), ACCESS_SINGLETASK + 1, "a value that this program does not know"},
		{FIELD(allocation), ALLOCATION_POLICY_COUNT + 1, "a value that this program does not know"},
		{FIELD(state), JOB_STATE_COUNT, "a value that this program does not know"},
		{FIELD(adjust), JOB_ADJUST_ABSOLUTE + 1, "a value that this program does not know"},
		{FIELD(base_holds), JOB_HOLD_ALL + 1, "a value that this program does not know"},
	};
#undef FIELD

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct scene s;

		begin(&s);
		memcpy((char *)&s.ev.submit.job + cases[i].offset, &cases[i].value, cases[i].size);
		if (cases[i].why == NULL)
			assert_accepted(&s, "a number within its bounds");
		else
			assert_refused(&s, cases[i].why);
	}
}

static void processors_and_memory_of_all_tasks_cannot_overflow(void **state)
{
	struct scene s;

	(void)state;
	begin(&s);
	s.ev.submit.job.tasks = s.ev.submit.job.task_procs = 65536;
	assert_refused(&s, "at most 4294967295 processors");
	begin(&s);
	s.ev.submit.job.tasks = s.ev.submit.job.task_procs = UINT32_MAX;
	assert_refused(&s, "at most 4294967295 processors");
	begin(&s);
	s.ev.submit.job.tasks = 2;
	s.ev.submit.job.mem_mb = MEMORY_MAX_MB;
	assert_refused(&s, "MB of memory");
}

static void invalid_array_ranges_are_refused(void **state)
{
	static const struct {
		struct array_range range;
		const char *why; /* NULL = accepted */
	} cases[] = {
		{{0, 3, 0}, "the step of an array must be at least 1, got 0"},
		{{0, 3, -1}, "the step of an array must be at least 1, got -1"},
		{{0, 3, INT64_MIN}, "the step of an array must be at least 1"},
		{{INT64_MIN, INT64_MAX, 1}, "a range of task numbers must be ascending"},
		{{3, 0, 1}, "a range of task numbers must be ascending"},
		{{0, INT64_MAX, INT64_MAX}, "a range of task numbers must be ascending"},
		{{0, ARRAY_TASKS_MAX, 1}, "at most 10000 tasks"},
		{{0, ARRAY_TASKS_MAX - 1, 1}, NULL},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct scene s;

		begin(&s);
		s.range = cases[i].range;
		s.ev.submit.ranges = &s.range;
		s.ev.submit.range_count = 1;
		if (cases[i].why == NULL)
			assert_accepted(&s, "a range within its bounds");
		else
			assert_refused(&s, cases[i].why);
	}
}

/* --- submissions: lists and texts -------------------------------------------------------------------- */

static void dependencies_of_a_submission_are_checked(void **state)
{
	static const struct {
		struct depend depend;
		const char *why;
	} cases[] = {
		{{.on = 0}, "a dependency is on job 0"},
		{{.on = 1, .type = DEPEND_TYPE_COUNT}, "a value that this program does not know"},
		{{.on = 1, .of = DEPEND_OF_COUNT}, "a value that this program does not know"},
		{{.on = 1, .number = 1}, "has task number 1, but is not on a task"},
		{{.on = 1, .of = DEPEND_ON_TASK, .number = ARRAY_INDEX_MAX + 1}, "but task numbers end at"},
		{{.on = 1, .state = DEPEND_MET}, "cannot mark a dependency as met"},
		{{.on = 1, .state = DEPEND_NEVER}, "cannot mark a dependency as met"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct scene s;

		begin(&s);
		s.depend = cases[i].depend;
		s.ev.submit.depend = &s.depend;
		s.ev.submit.depend_count = 1;
		assert_refused(&s, cases[i].why);
	}
}

static void a_submission_cannot_assign_nodes(void **state)
{
	struct scene s;

	(void)state;
	begin(&s);
	s.ev.submit.runs = &s.run;
	s.ev.submit.run_count = 1;
	assert_refused(&s, "cannot assign nodes");
}

static void names_of_a_submission_are_printable_and_short(void **state)
{
	static const char *const hostile[] = {"",          "a\033[2J",        "a\nb", "\xff\xfe",
					      "a\xc2\x9b", "a\xe2\x80\x8bxe", "\x7f"};
	const char **text;

	(void)state;
	for (size_t field = 0; field < 5; field++)
		for (size_t i = 0; i <= COUNT(hostile); i++) {
			struct scene s;
			const char **fields[] = {&s.ev.submit.name, &s.ev.submit.partition,
						 &s.ev.submit.cred[CRED_ACCOUNT],
						 &s.ev.submit.cred[CRED_CLASS], &s.ev.submit.cred[CRED_QOS]};

			begin(&s);
			text = fields[field];
			*text = i < COUNT(hostile) ? hostile[i] : long_text(CONFIG_TITLE);
			assert_refused(&s, i == 0               ? "is missing"
					   : i < COUNT(hostile) ? "has bytes that cannot be displayed"
								: "has 65 bytes, but at most 64 are allowed");
		}
	for (size_t field = 0; field < 4; field++)
		for (size_t i = 1; i <= COUNT(hostile); i++) {
			struct scene s;
			const char **fields[] = {&s.ev.submit.features, &s.ev.submit.prefer,
						 &s.ev.submit.gres, &s.ev.submit.hosts};

			begin(&s);
			*fields[field] = i < COUNT(hostile) ? hostile[i] : long_text(REQUEST_VALUE_MAX + 1);
			assert_refused(&s, i < COUNT(hostile)
						   ? "has bytes that cannot be displayed"
						   : "has 65537 bytes, but at most 65536 are allowed");
		}
}

/* A name is printed as one word of command lines, so it must not end an option or a command. */
static void shared_names_are_single_words(void **state)
{
	static const char *const hostile[] = {"DEFAULT].maxjob --reason x",
					      "x;touch${IFS}/tmp/y;",
					      "a b",
					      "a,b",
					      "-h",
					      "it's",
					      "a`id`",
					      "a\\b",
					      "a=b",
					      "a&b",
					      "a[b]"};

	(void)state;
	for (size_t field = 0; field < 4; field++)
		for (size_t i = 0; i < COUNT(hostile); i++) {
			struct scene s;
			const char **fields[] = {&s.ev.submit.partition, &s.ev.submit.cred[CRED_ACCOUNT],
						 &s.ev.submit.cred[CRED_CLASS], &s.ev.submit.cred[CRED_QOS]};

			begin(&s);
			*fields[field] = hostile[i];
			assert_refused(&s, "is not a valid name");
			begin_kind(&s, EVENT_MODIFY);
			s.ev.modify.name = "account";
			s.ev.modify.value = hostile[i];
			assert_refused(&s, "is not a valid name");
		}
}

/* Fields that the scheduler sets are cleared, whatever the client has sent in them. */
static void fields_of_the_scheduler_are_cleared(void **state)
{
	struct arena arena = {0};
	struct scene s;
	struct event got;
	struct err err;
	const struct job *job = &got.submit.job;

	(void)state;
	begin(&s);
	s.ev.seq = 99;
	s.ev.time_s = INT64_MAX;
	s.ev.job = 42;
	s.ev.who = "root";
	s.ev.submit.cred[CRED_USER] = s.ev.submit.cred[CRED_GROUP] = "root";
	s.ev.submit.label = "1";
	s.ev.submit.order = "n1 n2";
	s.ev.submit.qos_asked = "hi";
	s.ev.submit.hold_reason = s.ev.submit.base_reason = "\033[2J";
	s.ev.submit.job.id = 42;
	s.ev.submit.job.submit_s = s.ev.submit.job.accrual_s = INT64_MIN;
	s.ev.submit.job.true_run_s = 1;
	s.ev.submit.job.start_s = s.ev.submit.job.planned_s = 5;
	s.ev.submit.job.points = INT64_MAX;
	s.ev.submit.job.adjust = JOB_ADJUST_ABSOLUTE;
	s.ev.submit.job.defer_until_s = 7;
	s.ev.submit.job.used_ps = INT64_MAX;
	s.ev.submit.job.array = 1;
	s.ev.submit.job.array_index = 3;
	s.ev.submit.job.procs_held = s.ev.submit.job.bypass = 9;
	s.ev.submit.job.defer_count = s.ev.submit.job.start_count = 9;
	s.ev.submit.job.state = JOB_RUNNING;
	s.ev.submit.job.holds = JOB_HOLD_SYSTEM;
	s.ev.submit.job.flags = JOB_CANCELLED | JOB_BACKFILLED;
	s.ev.submit.job.access_held = ACCESS_SINGLEJOB;
	if (!send_event(&s, &arena, &got, &err))
		fail_msg("%s", err.text);
	assert_int_equal(got.seq, 0);
	assert_int_equal(got.time_s, 0);
	assert_int_equal(got.job, 0);
	assert_null(got.who);
	assert_null(got.submit.cred[CRED_USER]);
	assert_null(got.submit.cred[CRED_GROUP]);
	assert_true(got.submit.label == NULL && got.submit.order == NULL && got.submit.qos_asked == NULL);
	assert_true(got.submit.hold_reason == NULL && got.submit.base_reason == NULL);
	assert_true(job->id == 0 && job->submit_s == 0 && job->accrual_s == 0 && job->points == 0);
	assert_true(job->true_run_s == -1 && job->used_ps == -1 && job->adjust == 0);
	assert_true(job->start_s == TIME_NONE && job->defer_until_s == TIME_NONE);
	assert_true(job->planned_s == TIME_NEVER);
	assert_true(job->array == 0 && job->array_index == 0 && job->procs_held == 0 && job->bypass == 0);
	assert_true(job->defer_count == 0 && job->start_count == 0 && job->state == 0 && job->holds == 0);
	assert_true(job->flags == 0 && job->access_held == 0);
	arena_free(&arena);
}

/* --- launches -------------------------------------------------------------------------------- */

static void invalid_fields_of_a_launch_are_refused(void **state)
{
	static const char *const no_name[] = {"a b=1"};
	static char path[5000];
	const struct {
		struct launch launch;
		const char *why;
	} cases[] = {
		{{.dir = "/"}, "has no script or command"},
		{{.command = {command, 1}, .dir = "home"}, "dir in the launch data must begin with '/'"},
		{{.command = {command, 1}, .output = path}, "the path of the output has 4999 bytes"},
		{{.command = {command, 1}, .dir = path}, "the path of the working directory has 4999 bytes"},
		{{.command = {command, 1}, .output = "/o%z"}, "unknown % sequence in "},
		{{.command = {command, 1}, .waiter = path}, "the path of the waiter's socket has 4999 bytes"},
		{{.command = {command, 1}, .environment = {no_name, 1}}, "the name of a variable has blanks"},
		{{.command = {command, 1}, .mail = "x"},
		 "invalid mail events \"x\"; use one to three of the letters a, b and e"},
		{{.command = {command, 1}, .mail = "e", .mail_to = "-oQ/tmp"}, "-oQ"},
		{{.command = {command, 1}, .mail_to = "a@b"},
		 "the submission has mail addresses but no mail events"},
		{{.command = {command, 1}, .umask = 01000}, "umask in the launch data"},
		{{.command = {command, 1}, .flags = 16}, "flags in the launch data"},
	};

	(void)state;
	memset(path, 'x', sizeof path - 1);
	path[0] = '/';
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct scene s;

		begin(&s);
		s.launch = cases[i].launch;
		assert_refused(&s, cases[i].why);
	}
}

static void an_undecodable_launch_is_refused(void **state)
{
	struct scene s;

	(void)state;
	begin(&s);
	s.ev.submit.launch = "KL2";
	s.ev.submit.launch_size = 3;
	assert_refused(&s, "the launch data have an unknown format");
	begin(&s);
	s.ev.submit.launch = "KL1\1\377\377\377\377";
	s.ev.submit.launch_size = 8;
	assert_refused(&s, "the launch data are truncated");
}

/* --- other kinds --------------------------------------------------------------------------------------- */

static void fields_of_each_event_kind_are_bounded(void **state)
{
	struct scene s;

	(void)state;
	begin_kind(&s, EVENT_CANCEL);
	s.ev.job = 0;
	assert_refused(&s, "'cancel' names job 0");
	begin_kind(&s, EVENT_HOLD);
	s.ev.hold.bits = 0;
	assert_refused(&s, "no kind of hold was given");
	begin_kind(&s, EVENT_HOLD);
	s.ev.hold.reason = "a\033]0;b\a";
	assert_refused(&s, "the reason for a hold has bytes that cannot be displayed");
	begin_kind(&s, EVENT_CANCEL);
	s.ev.why = "a\nroot: b";
	assert_refused(&s, "a reason has bytes that cannot be displayed");
	begin_kind(&s, EVENT_CANCEL);
	s.ev.why = long_text(REQUEST_REASON_MAX + 1);
	assert_refused(&s, "a reason has 4097 bytes, but at most 4096 are allowed");
	begin_kind(&s, EVENT_PRIORITY);
	s.ev.priority.points = INT64_MAX;
	assert_refused(&s, "a priority change of 9223372036854775807 points exceeds");
	begin_kind(&s, EVENT_PRIORITY);
	s.ev.priority.points = INT64_MIN;
	assert_refused(&s, "exceeds the maximum of +-1000000000");
	begin_kind(&s, EVENT_SIGNAL);
	s.ev.signal.number = EVENT_SIGNAL_MAX + 1;
	assert_refused(&s, "there is no signal 65");
	begin_kind(&s, EVENT_UNDO);
	s.ev.undo.seq = 0;
	assert_refused(&s, "there is no entry 0");
	begin_kind(&s, EVENT_SETTING);
	s.ev.until_s = INT64_MAX;
	assert_refused(&s, "a temporary change must end between 1 and");
	begin_kind(&s, EVENT_SETTING);
	s.ev.until_s = -1;
	assert_refused(&s, "a temporary change must end between 1 and");
	begin_kind(&s, EVENT_SETTING);
	s.ev.setting.name = "";
	assert_refused(&s, "the name of a setting is missing");
	begin_kind(&s, EVENT_SETTING);
	s.ev.setting.name = long_text(REQUEST_NAME_MAX + 1);
	assert_refused(&s, "the name of a setting has 257 bytes");
	begin_kind(&s, EVENT_SETTING);
	s.ev.setting.value = "1\n2";
	assert_refused(&s, "the value of a setting has bytes that cannot be displayed");
	begin_kind(&s, EVENT_MODIFY);
	s.ev.modify.value = long_text(REQUEST_VALUE_MAX + 1);
	assert_refused(&s, "the value of a job's attribute has 65537 bytes");
	begin_kind(&s, EVENT_MODIFY);
	s.ev.modify.name = "";
	assert_refused(&s, "the name of a job's attribute is missing");
}

static void only_certain_event_kinds_can_be_temporary(void **state)
{
	static const enum event_kind can_be_temporary[] = {EVENT_HOLD,    EVENT_PRIORITY, EVENT_SETTING,
							   EVENT_UNDO,    EVENT_MODIFY,   EVENT_HALT,
							   EVENT_RESERVE, EVENT_UNRESERVE},
				     cannot_be_temporary[] = {EVENT_START, EVENT_CANCEL, EVENT_DEFER,
							      EVENT_USAGE, EVENT_SIGNAL, EVENT_REQUEUE,
							      EVENT_KEEP};
	struct scene s;

	(void)state;
	for (size_t i = 0; i < COUNT(can_be_temporary); i++) {
		begin_kind(&s, can_be_temporary[i]);
		s.ev.until_s = 1000;
		assert_accepted(&s, event_kind_name(can_be_temporary[i]));
	}
	for (size_t i = 0; i < COUNT(cannot_be_temporary); i++) {
		begin_kind(&s, cannot_be_temporary[i]);
		s.ev.until_s = 1000;
		assert_refused(&s, "cannot be temporary");
	}
	begin(&s);
	s.ev.until_s = 1000;
	assert_refused(&s, "'submit' cannot be temporary");
	begin_kind(&s, EVENT_SUSPEND);
	s.ev.suspend.on = true;
	s.ev.until_s = 1000;
	assert_accepted(&s, "a suspend");
	s.ev.suspend.on = false;
	assert_refused(&s, "a resume cannot be temporary");
}

static void nodes_of_a_start_cannot_overflow(void **state)
{
	static const struct alloc_run hostile[] = {
		{.node = UINT32_MAX, .nodes = 1, .procs = 1},
		{.node = 1, .nodes = UINT32_MAX, .procs = 1},
		{.node = 0, .nodes = 0, .procs = 1},
		{.node = 0, .nodes = 1, .procs = 0},
	};
	struct scene s;

	(void)state;
	for (size_t i = 0; i < COUNT(hostile); i++) {
		begin_kind(&s, EVENT_START);
		s.run = hostile[i];
		if (i == 0)
			s.run.nodes = 2;
		assert_refused(&s, "a group of nodes that cannot exist");
	}
	begin_kind(&s, EVENT_START);
	s.ev.start.count = 0;
	assert_refused(&s, "a start must name between 1 and 65536 groups of nodes, got 0");
}

static void invalid_reservations_are_refused(void **state)
{
	static const struct {
		const char *name, *text, *why;
	} cases[] = {
		{"", "start=1 nodes=ALL", "the name of the reservation is missing"},
		{"a b", "start=1 nodes=ALL", "letters, digits"},
		{"r", "start=1 end=1 nodes=ALL", "ends before it starts"},
		{"r", "start=99999999999999999 nodes=ALL", "a reservation time"},
		{"r", "start=-1 nodes=ALL", "a reservation time"},
		{"r", "start=1 node=n1*0", "a node of a reservation must be"},
		{"r", "start=1 nodes=ALL reason=a\033[2J", "control characters"},
		{"r", "start=1 nodes=ALL reason=a\xe2\x80\x8b", "bytes that cannot be displayed"},
		{"r", "start=1 nodes=ALL user=\xff", "bytes that cannot be displayed"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct scene s;

		begin_kind(&s, EVENT_RESERVE);
		s.ev.reserve.name = cases[i].name;
		s.ev.reserve.text = cases[i].text;
		assert_refused(&s, cases[i].why);
	}
}

static void reasons_and_guest_names_of_reservations_are_bounded(void **state)
{
	struct str text = {0};
	struct scene s;

	(void)state;
	for (size_t over = 0; over < 2; over++) {
		str_clear(&text);
		str_addf(&text, "start=1 nodes=ALL reason=%s", long_text(REQUEST_REASON_MAX + over));
		begin_kind(&s, EVENT_RESERVE);
		s.ev.reserve.text = str_text(&text);
		if (over == 0)
			assert_accepted(&s, "a long reason");
		else
			assert_refused(
				&s,
				"the reason for a reservation has 4097 bytes, but at most 4096 are allowed");
		str_clear(&text);
		str_addf(&text, "start=1 nodes=ALL account=%s", long_text(CONFIG_TITLE - 1 + over));
		begin_kind(&s, EVENT_RESERVE);
		s.ev.reserve.text = str_text(&text);
		if (over == 0)
			assert_accepted(&s, "a long name");
		else
			assert_refused(&s, "the name of a guest of a reservation has 65 bytes, but at most "
					   "64 are allowed");
	}
	str_free(&text);
}

static void fairshare_usage_is_bounded(void **state)
{
	struct scene s;

	(void)state;
	begin_kind(&s, EVENT_USAGE);
	s.ev.usage.begin_s = INT64_MIN;
	assert_refused(&s, "a window of fairshare usage must begin between");
	begin_kind(&s, EVENT_USAGE);
	s.ev.usage.length_s = 0;
	assert_refused(&s, "a window of fairshare usage must begin between");
	begin_kind(&s, EVENT_USAGE);
	s.ev.usage.total = INT64_MAX;
	assert_refused(&s, "the total usage of a fairshare window");
	begin_kind(&s, EVENT_USAGE);
	s.used.amount = -1;
	assert_refused(&s, "fairshare usage must be between 0 and");
	begin_kind(&s, EVENT_USAGE);
	s.used.name = "a\033b";
	assert_refused(&s, "has bytes that cannot be displayed");
}

static void an_invalid_event_refuses_the_whole_request(void **state)
{
	struct event ev[2] = {{.kind = EVENT_CANCEL, .job = 7}, {.kind = EVENT_END, .job = 7}};
	struct request_text sent = {.kind = ASK_CHANGE, .event = ev, .count = 2}, got;
	struct arena arena = {0};
	struct str bytes = {0};
	struct err err;

	(void)state;
	request_write(&sent, &bytes);
	assert_false(request_read(bytes.data, bytes.len, &arena, &got, &err));
	assert_string_equal(err.text, "'end' is an event of the scheduler and cannot be requested");
	str_free(&bytes);
	arena_free(&arena);
}

static void labels_in_queries_are_printable_and_short(void **state)
{
	static const struct {
		const char *label, *why;
	} cases[] = {{"a\033[2J", "cannot be displayed"}, {NULL, "has 257 bytes"}};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct job_ref name = {.label = cases[i].label};
		struct request_text sent = {.kind = ASK_JOBS, .name = &name, .name_count = 1}, got;
		struct arena arena = {0};
		struct str bytes = {0};
		struct err err;

		if (name.label == NULL)
			name.label = long_text(REQUEST_NAME_MAX + 1);
		request_write(&sent, &bytes);
		assert_false(request_read(bytes.data, bytes.len, &arena, &got, &err));
		assert_non_null(strstr(err.text, cases[i].why));
		str_free(&bytes);
		arena_free(&arena);
	}
}

/* --- queries of ended jobs --------------------------------------------------------------- */

static bool is_accepted(enum request_kind_of kind, struct past_wish filter)
{
	const struct request_text request = {.kind = kind, .past = filter};
	struct request_text out;
	struct arena arena = {0};
	struct str bytes = {0};
	struct err err;
	bool good;

	request_write(&request, &bytes);
	good = request_read(bytes.data, bytes.len, &arena, &out, &err);
	str_free(&bytes);
	arena_free(&arena);
	return good;
}

static void filters_of_ended_jobs_are_checked(void **state)
{
	const struct history_filter good = {.after = {INT64_MIN, UINT64_MAX - 1},
					    .before = {INT64_MAX, UINT64_MAX},
					    .backward = true,
					    .ran = true,
					    .user = "eva",
					    .id = {{0, 3}, {4, UINT64_MAX}},
					    .id_count = 2};
	struct history_filter wish = good;

	(void)state;
	assert_true(is_accepted(ASK_PAST, (struct past_wish){.jobs = good}));
	assert_false(is_accepted(ASK_PAST, (struct past_wish){.journal = true, .jobs = good}));
	assert_false(is_accepted(ASK_MOMENT, (struct past_wish){.jobs = good}));
	assert_true(is_accepted(ASK_PAST, (struct past_wish){.own = true}));
	assert_false(is_accepted(ASK_PAST, (struct past_wish){.journal = true, .own = true}));
	assert_false(is_accepted(ASK_MOMENT, (struct past_wish){.own = true}));
	wish.id[1].first = 3;
	assert_false(is_accepted(ASK_PAST, (struct past_wish){.jobs = wish}));
	wish.id[1] = (struct history_ids){5, 4};
	assert_false(is_accepted(ASK_PAST, (struct past_wish){.jobs = wish}));
	wish = good;
	wish.after.job = UINT64_MAX;
	assert_false(is_accepted(ASK_PAST, (struct past_wish){.jobs = wish}));
	wish = good;
	wish.user = "";
	assert_false(is_accepted(ASK_PAST, (struct past_wish){.jobs = wish}));
	wish.user = "\033[2J";
	assert_false(is_accepted(ASK_PAST, (struct past_wish){.jobs = wish}));
	wish.user = long_text(REQUEST_NAME_MAX + 1);
	assert_false(is_accepted(ASK_PAST, (struct past_wish){.jobs = wish}));
}

/* --- removal of duplicates from the lists of a request ------------------------------------------------ */

static void a_list_without_duplicates_is_returned_unchanged(void **state)
{
	static const char *const lists[] = {"", "  ", "n1", "n1, n2 n3", "n1  n10"};
	struct arena arena = {0};

	(void)state;
	assert_null(distinct_words(NULL, false, &arena));
	for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
		assert_ptr_equal(distinct_words(lists[i], false, &arena), lists[i]);
	arena_free(&arena);
}

static void the_last_of_equal_words_is_kept(void **state)
{
	struct arena arena = {0};

	(void)state;
	assert_string_equal(distinct_words("n1 n2,n1", false, &arena), "n2 n1");
	assert_string_equal(distinct_words("a A a", false, &arena), "a");
	assert_string_equal(distinct_words("gpu:1 tape GPU:2", true, &arena), "tape GPU:2");
	assert_string_equal(distinct_words("gpu:1 gpu:2", false, &arena), "gpu:1 gpu:2");
	arena_free(&arena);
}

static void equal_dependencies_are_kept_once(void **state)
{
	static const struct depend list[] = {{.on = 7, .type = DEPEND_OK},
					     {.on = 7, .type = DEPEND_COMPLETE},
					     {.on = 7, .type = DEPEND_OK},
					     {.on = 7, .of = DEPEND_ON_TASK, .number = 3},
					     {.on = 7, .of = DEPEND_ON_TASK, .number = 4},
					     {.on = 7, .type = DEPEND_COMPLETE}};
	struct arena arena = {0};
	uint32_t count = 6;
	const struct depend *kept = distinct_depends(list, &count, &arena);

	(void)state;
	assert_int_equal(count, 4);
	assert_int_equal(kept[0].type, DEPEND_OK);
	assert_int_equal(kept[1].type, DEPEND_COMPLETE);
	assert_int_equal(kept[2].number, 3);
	assert_int_equal(kept[3].number, 4);
	count = 2;
	assert_ptr_equal(distinct_depends(list, &count, &arena), list);
	assert_int_equal(count, 2);
	arena_free(&arena);
}

static void duplicates_are_removed_from_submissions_and_changes(void **state)
{
	struct depend twice[2] = {{.on = 5}, {.on = 5}};
	struct event ev = {
		.kind = EVENT_SUBMIT,
		.submit = {.hosts = "n1 n1", .gres = "g:1 g:3", .depend = twice, .depend_count = 2}};
	static const char *const changes[][3] = {
		{"Hosts", "n1 n2 n1", "n2 n1"},
		{"gres", "gpu:1,gpu:2", "gpu:2"},
		{"prefer", "a b a", "b a"},
		{"depend", "afterok:1:1:2,afterok:1", "afterok:1,afterok:2"},
		{"depend", "nonsense:1:1", "nonsense:1:1"},
		{"qos", "hi hi", "hi hi"},
	};
	struct arena arena = {0};

	(void)state;
	distinct_lists(&ev, &arena);
	assert_string_equal(ev.submit.hosts, "n1");
	assert_string_equal(ev.submit.gres, "g:3");
	assert_int_equal(ev.submit.depend_count, 1);
	for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
		ev = (struct event){.kind = EVENT_MODIFY,
				    .modify = {.name = changes[i][0], .value = changes[i][1]}};
		distinct_lists(&ev, &arena);
		assert_string_equal(ev.modify.value, changes[i][2]);
	}
	arena_free(&arena);
}

/* Tells by a linear search whether the word is repeated later in the list. */
static bool is_repeated(const char *word, size_t len)
{
	const char *at = word + len, *other;
	size_t other_len;

	while ((other = config_word(&at, &other_len)) != NULL)
		if (other_len == len && strncmp(other, word, len) == 0)
			return true;
	return false;
}

static void random_lists_agree_with_a_linear_search(void **state)
{
	struct rng rng = seeded("distinct");

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct str list = {0}, wanted = {0};
		struct arena arena = {0};
		uint32_t words = (uint32_t)rng_below(&rng, 60), names = 1 + (uint32_t)rng_below(&rng, 40);
		const char *at, *word;
		size_t len;

		for (uint32_t i = 0; i < words; i++)
			str_addf(&list, "%sn%u", i > 0 ? " " : "", (unsigned)rng_below(&rng, names));
		at = str_text(&list);
		while ((word = config_word(&at, &len)) != NULL)
			if (!is_repeated(word, len))
				str_addf(&wanted, "%s%.*s", wanted.len > 0 ? " " : "", (int)len, word);
		assert_string_equal(distinct_words(str_text(&list), false, &arena), str_text(&wanted));
		arena_free(&arena);
		str_free(&list);
		str_free(&wanted);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(event_kinds_of_clients_are_accepted),
		cmocka_unit_test(a_suspend_may_only_set_release_or_keep),
		cmocka_unit_test(event_kinds_of_the_scheduler_are_refused),
		cmocka_unit_test(numbers_of_a_submission_are_bounded),
		cmocka_unit_test(processors_and_memory_of_all_tasks_cannot_overflow),
		cmocka_unit_test(invalid_array_ranges_are_refused),
		cmocka_unit_test(dependencies_of_a_submission_are_checked),
		cmocka_unit_test(a_submission_cannot_assign_nodes),
		cmocka_unit_test(names_of_a_submission_are_printable_and_short),
		cmocka_unit_test(shared_names_are_single_words),
		cmocka_unit_test(fields_of_the_scheduler_are_cleared),
		cmocka_unit_test(invalid_fields_of_a_launch_are_refused),
		cmocka_unit_test(an_undecodable_launch_is_refused),
		cmocka_unit_test(fields_of_each_event_kind_are_bounded),
		cmocka_unit_test(only_certain_event_kinds_can_be_temporary),
		cmocka_unit_test(nodes_of_a_start_cannot_overflow),
		cmocka_unit_test(invalid_reservations_are_refused),
		cmocka_unit_test(reasons_and_guest_names_of_reservations_are_bounded),
		cmocka_unit_test(fairshare_usage_is_bounded),
		cmocka_unit_test(an_invalid_event_refuses_the_whole_request),
		cmocka_unit_test(labels_in_queries_are_printable_and_short),
		cmocka_unit_test(filters_of_ended_jobs_are_checked),
		cmocka_unit_test(a_list_without_duplicates_is_returned_unchanged),
		cmocka_unit_test(the_last_of_equal_words_is_kept),
		cmocka_unit_test(equal_dependencies_are_kept_once),
		cmocka_unit_test(duplicates_are_removed_from_submissions_and_changes),
		cmocka_unit_test(random_lists_agree_with_a_linear_search),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
