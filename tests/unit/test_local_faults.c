/* SPDX-License-Identifier: MIT */
/*
 * test_local_faults.c - what becomes of jobs when calls of the scheduler's manager fail?
 *
 * What it does with a job (start it, find it again, tell it what to do, report its end) is done again and
 * again, each time with the next call failing, until none is left to fail. Nothing may be lost: what failed
 * has a sentence, a job whose start failed has not run, one that was started is reported once, as it ended,
 * and when the manager cannot even begin the next one does all that. No descriptor stays open.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <poll.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/types.h>

#include "sched/rm/local_inside.h"
#include "sched/rm/shepherd.h"
#include "tests/fake_root.h"
#include "tests/faulty.h"
#include "tests/many.h"
#include "tests/scene.h"
#include "tests/shepherd_run.h"

#define CALLS_MAX 1000000 /* more than any of it makes */

static struct store_dir root;
static char spool_folder[700], out_file[700], err_file[700];
static struct host_info host;

enum told {
	TOLD_NOTHING,
	TOLD_END,
	TOLD_LOST,
	TOLD_BACK /* given back, or its start failed */
};

struct stage {
	struct scene *sc;
	struct rm rm;
	uint64_t job;
	int64_t now_s; /* as the manager is told: nobody waits for seconds */
	enum told told;
	unsigned times; /* that it was told */
	bool has_why;
	int32_t status;
	bool started, refused, passes;
};

static void take(void *self, const struct event *ev)
{
	struct stage *st = self;
	struct event mine = *ev;

	if (ev->kind == EVENT_DEFER || ev->kind == EVENT_END)
		st->times++;
	if (ev->kind == EVENT_DEFER) {
		st->told = TOLD_BACK;
		st->has_why = ev->defer.reason != NULL && ev->defer.reason[0] != '\0';
	} else if (ev->kind == EVENT_END) {
		st->told = ev->end.lost ? TOLD_LOST : TOLD_END;
		st->has_why = ev->end.why != NULL && ev->end.why[0] != '\0';
		st->status = ev->end.status;
	}
	scene_apply(st->sc, &mine);
}

/* --- what is done --------------------------------------------------------------------------------- */

static void close_manager(struct stage *st)
{
	if (st->rm.ops != NULL)
		st->rm.ops->close(st->rm.self);
	st->rm = (struct rm){.ops = NULL};
}

/* False: the manager cannot begin, and says why. */
static bool open_manager(struct stage *st)
{
	const struct local_setup setup = {
		.spool = spool_folder, .shepherd = program, .root = root.path, .host = &host};

	err = (struct err){{0}};
	st->rm = local_new(&setup, &err);
	if (st->rm.ops == NULL)
		return false;
	if (!st->rm.ops->adopt(st->rm.self, scene_view(st->sc), &err)) {
		close_manager(st);
		return false;
	}
	st->rm.ops->nodes(st->rm.self, scene_view(st->sc), take, st);
	return true;
}

static const struct job *job_of(const struct stage *st)
{
	return scene_job_of(st->sc, st->job);
}

static void start_it(struct stage *st)
{
	const struct alloc_run run = {.nodes = 1, .procs = 1, .tasks = 1, .next = INDEX_NONE};
	static const char script[] = "echo once >>ran\nuntil [ -e go ]; do sleep 0.01; done\nexit 7\n";
	struct launch launch = launch_script(script);
	struct rm_start order = {.runs = &run, .run_count = 1, .passes = &st->passes};
	struct str bytes = {0};

	launch.output = out_file;
	launch.errors = err_file;
	launch_write(&launch, &bytes);
	order.s = scene_view(st->sc);
	order.job = job_of(st);
	order.launch = bytes.data;
	order.launch_size = bytes.len;
	err = (struct err){{0}};
	st->started = st->rm.ops->start(st->rm.self, &order, st->now_s, &err);
	st->refused = !st->started;
	str_free(&bytes);
}

/* Each poll is 2 s after the one before, as the manager sees it. */
static void poll_once(struct stage *st)
{
	struct pollfd one = {.fd = st->rm.ops->fd(st->rm.self), .events = POLLIN};

	REAL(poll)(&one, 1, 10);
	st->rm.ops->poll(st->rm.self, st->now_s += 2, take, st);
}

static void go(void)
{
	close(REAL(openat)(AT_FDCWD, in_home("go"), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
}

static void poll_until_told(struct stage *st)
{
	for (int i = 0; i < 1000 && st->told == TOLD_NOTHING; i++)
		poll_once(st);
	poll_once(st); /* files go, and nothing is told twice */
}

static void live(struct stage *st)
{
	if (!open_manager(st))
		return;
	scene_start(st->sc, st->job, 0, 1, 1);
	start_it(st);
	go();
	if (st->started)
		poll_until_told(st);
	close_manager(st);
}

/* A job of another manager, which ends when this one has found it. */
static void find_again(struct stage *st)
{
	if (!open_manager(st))
		return;
	st->rm.ops->poll(st->rm.self, st->now_s, take, st);
	go();
	poll_until_told(st);
	close_manager(st);
}

static void suspend_in_state(struct stage *st, bool on)
{
	struct event ev = {.kind = EVENT_SUSPEND, .job = st->job};

	ev.suspend.on = on;
	ev.suspend.how = on ? SUSPEND_RELEASE : 0;
	scene_apply(st->sc, &ev);
	if (on)
		return;
	ev.suspend.how = SUSPEND_RESUMED; /* its processors are free */
	scene_apply(st->sc, &ev);
}

/* What the manager refuses has a reason; it is asked for again, as operators do. */
static bool has_reason(bool good)
{
	return good || err.text[0] != '\0';
}

static void give_orders(struct stage *st)
{
	const struct rm_ops *ops;

	if (!open_manager(st))
		return;
	ops = st->rm.ops;
	err = (struct err){{0}};
	suspend_in_state(st, true);
	assert_true(has_reason(ops->suspend(st->rm.self, job_of(st), true, &err)));
	assert_true(has_reason(ops->signal(st->rm.self, job_of(st), SIGCONT, st->now_s, &err)));
	suspend_in_state(st, false);
	assert_true(has_reason(ops->suspend(st->rm.self, job_of(st), false, &err)));
	/* Twice, as the first may not have reached it. */
	for (int i = 0; i < 2; i++) {
		poll_once(st);
		if (st->told == TOLD_NOTHING) {
			ops->suspend(st->rm.self, job_of(st), false, &err);
			ops->cancel(st->rm.self, job_of(st), st->now_s, &err);
		}
	}
	/* Only a job that is not told to end goes on: it would be a race of its own end with that order. */
	if (st->told != TOLD_NOTHING)
		go();
	poll_until_told(st);
	close_manager(st);
}

/* --- one trial ------------------------------------------------------------------------------------ */

struct trial {
	void (*work)(struct stage *st);
	bool runs;         /* the job was started before, by another manager */
	bool killed;       /* and its shepherd is dead since                 */
	bool other_boot;   /* the folder is of another boot                  */
	bool left_behind;  /* there are files of jobs that have ended        */
	bool is_cancelled; /* it ends by that                                */
};

static int count_files(void)
{
	DIR *folder_of_files = REAL(opendir)("/proc/self/fd");
	int count = 0;

	while (readdir(folder_of_files) != NULL)
		count++;
	closedir(folder_of_files);
	return count;
}

static bool is_there(const char *name)
{
	return REAL(access)(in_home(name), F_OK) == 0;
}

static bool ran_once(void)
{
	return strcmp(text_of(in_home("ran")), "once\n") == 0;
}

static bool all_are_gone(void)
{
	pid_t pid;

	while ((pid = REAL(waitpid)(-1, NULL, WNOHANG)) > 0)
		continue;
	return pid < 0;
}

static void forget_files(void)
{
	static const char *const names[] = {"ran", "go", "out", "err"};
	DIR *spools = REAL(opendir)(spool_folder);
	const struct dirent *entry;

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		unlink(in_home(names[i]));
	while ((entry = readdir(spools)) != NULL)
		if (entry->d_name[0] != '.')
			REAL(unlinkat)(folder, entry->d_name, 0);
	closedir(spools);
}

static void kill_shepherd(const struct stage *st)
{
	struct spool now;
	pid_t pid;

	assert_true(spool_read(folder, st->job, 1, &now, NULL) && now.has_begun);
	pid = (pid_t)now.begun.pid;
	kill(pid, SIGKILL);
	WAIT_UNTIL(!is_alive(pid));
}

static void prepare(const struct trial *t, struct stage *st)
{
	char at[800];

	forget_files();
	*st = (struct stage){.sc = scene_new(0, 0), .now_s = (int64_t)time(NULL)};
	scene_go(st->sc, st->now_s);
	assert_true(open_manager(st)); /* which makes the node known */
	st->job = scene_submit(st->sc, 1, 600);
	poll_once(st); /* of which boot the folder is */
	if (t->work != live)
		scene_start(st->sc, st->job, 0, 1, 1);
	if (t->runs) {
		start_it(st);
		assert_true(st->started);
		st->started = false;
		WAIT_UNTIL(ran_once());
	}
	close_manager(st);
	if (t->killed)
		kill_shepherd(st);
	if (t->other_boot) {
		snprintf(at, sizeof at, "%s/boot", spool_folder);
		put_file(at, "00000000-0000-4000-8000-000000000000", 0600);
	}
	if (t->left_behind) {
		close(spool_create(folder, 77, 1));
		close(spool_create(folder, 78, 2));
		snprintf(at, sizeof at, "%s/77.x", spool_folder);
		put_file(at, "", 0600);
	}
}

/* NULL: all is well. */
static const char *judge_stage(const struct trial *t, const struct stage *st, int why)
{
	/* A file that the disk does not give back is as good as damaged. */
	bool may_be_lost = t->killed || t->other_boot || why == EIO;

	if (st->times > 1)
		return "is reported twice";
	if (is_there("ran") && !ran_once())
		return "has run twice";
	if (st->refused)
		return err.text[0] == '\0' ? "cannot be started, and nobody says why"
		       : is_there("ran")   ? "is said not to have been started"
					   : NULL;
	switch (st->told) {
	case TOLD_NOTHING:
		return "is never reported";
	case TOLD_END:
		return !ran_once()                                           ? "has not run"
		       : st->status != (t->is_cancelled ? 256 + SIGTERM : 7) ? "has another status"
									     : NULL;
	case TOLD_LOST:
		return !may_be_lost ? "is lost" : !st->has_why ? "is lost for no reason" : NULL;
	case TOLD_BACK:
		return is_there("ran") ? "has run, and is given back"
		       : !st->has_why  ? "is given back for no reason"
				       : NULL;
	}
	return "?";
}

static unsigned wrong; /* trials */

/* False: no call was left to fail. */
static bool try_once(const struct trial *t, long number, int why)
{
	int files = count_files();
	const char *fault = NULL;
	struct stage st;
	bool failed;

	prepare(t, &st);
	faulty_begin(faulty, number, why, "");
	t->work(&st);
	failed = faulty_end(faulty);
	if (!st.started && !st.refused && st.told == TOLD_NOTHING) { /* the manager could not begin */
		if (err.text[0] == '\0')
			fault = "has no manager, and nobody says why";
		t->work(&st);
	}
	if (fault == NULL)
		fault = judge_stage(t, &st, why);
	/* Also after a lost job, whose processes wait for the file "go", which the next trial removes. */
	WAIT_UNTIL(all_are_gone());
	scene_free(st.sc);
	if (fault == NULL && count_files() != files)
		fault = "leaves a descriptor open";
	if (fault != NULL) {
		print_error("call %ld, %s, failed (%s): the job %s (told %d, status %d, %s)\n", number,
			    faulty->failed, strerror(why), fault, (int)st.told, (int)st.status, err.text);
		wrong++;
	}
	return failed;
}

/* One of so many calls: what looks at all processes makes many. */
static void fail_one_of(const struct trial *t, long each, int why)
{
	long number = 1;

	wrong = 0;
	while (number < CALLS_MAX && try_once(t, number, why))
		number += many_apart(each);
	assert_true(number > 1 && number < CALLS_MAX);
	assert_int_equal(wrong, 0);
}

static void fail_calls(const struct trial *t, int why)
{
	fail_one_of(t, 1, why);
}

/* --- tests ------------------------------------------------------------------------------------------ */

static void a_job_that_is_started(void **state)
{
	const struct trial t = {.work = live};

	(void)state;
	fail_calls(&t, EIO);
	fail_calls(&t, EMFILE);
	fail_calls(&t, EINTR);
	fail_calls(&t, FAULTY_SHORT);
}

static void a_job_that_is_found_again(void **state)
{
	const struct trial t = {.work = find_again, .runs = true, .left_behind = true};

	(void)state;
	fail_calls(&t, EIO);
	fail_calls(&t, EMFILE);
}

static void a_job_that_is_given_orders(void **state)
{
	const struct trial t = {.work = give_orders, .runs = true, .is_cancelled = true};

	(void)state;
	fail_calls(&t, EIO);
}

static void a_job_of_which_there_is_no_file(void **state)
{
	const struct trial t = {.work = find_again};

	(void)state;
	fail_calls(&t, EIO);
	fail_calls(&t, EMFILE);
}

static void a_job_whose_shepherd_was_killed(void **state)
{
	const struct trial t = {.work = find_again, .runs = true, .killed = true};

	(void)state;
	fail_one_of(&t, 151, EIO);
	fail_one_of(&t, 151, EMFILE);
}

static void a_job_of_another_boot(void **state)
{
	const struct trial t = {.work = find_again, .other_boot = true};

	(void)state;
	fail_calls(&t, EIO);
}

/* --- all kinds of events
 * ------------------------------------------------------------------------------------ */

static int make_host(void **state)
{
	int failed = as_ourselves(state);

	make_store_dir(&root);
	fake_cpus(&root, "0-3", "0-3");
	fake_file(&root, "proc/meminfo", "MemTotal: 8000000 kB\n");
	fake_file(&root, "proc/sys/kernel/hostname", "lab\n");
	fake_file(&root, "proc/uptime", "1.00 5.00\n");
	host_info_read(root.path, NULL, &host, &err);
	snprintf(spool_folder, sizeof spool_folder, "%s/spool", dir.path);
	snprintf(out_file, sizeof out_file, "%s/out", home);
	snprintf(err_file, sizeof err_file, "%s/err", home);
	return failed;
}

static int remove_host(void **state)
{
	remove_store_dir(&root);
	return remove_folder(state);
}

#define ON_A_HOST(test)                                                                                      \
	{                                                                                                    \
#test, test, make_host, remove_host, NULL                                                    \
	}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		ON_A_HOST(a_job_that_is_started),           ON_A_HOST(a_job_that_is_found_again),
		ON_A_HOST(a_job_that_is_given_orders),      ON_A_HOST(a_job_of_which_there_is_no_file),
		ON_A_HOST(a_job_whose_shepherd_was_killed), ON_A_HOST(a_job_of_another_boot),
	};

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	faulty = faulty_share(NULL);
	if (faulty == NULL)
		return 1;
	return run_shepherd_tests("local_faults", tests, sizeof tests / sizeof tests[0]);
}
