/* SPDX-License-Identifier: MIT */
/*
 * test_local_faults.c - failing system calls in the resource manager of this host
 *
 * Each operation of the manager (start a job, adopt it, give it orders, report its end) is repeated, and each
 * time the next system call fails, until no call is left. Nothing may be lost: a failed operation has an
 * error message; a job whose start failed has not run; a job that was started is reported once, with its real
 * outcome; and if the manager cannot be opened, the next manager does all this. No descriptor stays open.
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

#define CALLS_MAX 1000000 /* more calls than any operation makes */

static struct store_dir root;
static char spool_folder[700], out_file[700], err_file[700];
static struct host_info host;

enum report {
	REPORT_NONE,
	REPORT_END,
	REPORT_LOST,
	REPORT_DEFER /* the job was deferred, or its start failed */
};

struct stage {
	struct scene *sc;
	struct rm rm;
	uint64_t job;
	int64_t now_s; /* time passed to the manager; advanced without waiting */
	enum report report;
	unsigned report_count; /* number of reports */
	bool has_why;
	int32_t status;
	bool started, refused, passes;
};

static void record_event(void *self, const struct event *ev)
{
	struct stage *st = self;
	struct event mine = *ev;

	if (ev->kind == EVENT_DEFER || ev->kind == EVENT_END)
		st->report_count++;
	if (ev->kind == EVENT_DEFER) {
		st->report = REPORT_DEFER;
		st->has_why = ev->defer.reason != NULL && ev->defer.reason[0] != '\0';
	} else if (ev->kind == EVENT_END) {
		st->report = ev->end.lost ? REPORT_LOST : REPORT_END;
		st->has_why = ev->end.why != NULL && ev->end.why[0] != '\0';
		st->status = ev->end.status;
	}
	scene_apply(st->sc, &mine);
}

/* --- operations ----------------------------------------------------------------------------------- */

static void close_manager(struct stage *st)
{
	if (st->rm.ops != NULL)
		st->rm.ops->close(st->rm.self);
	st->rm = (struct rm){.ops = NULL};
}

/* False: the manager cannot be opened; `err` has the reason. */
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
	st->rm.ops->nodes(st->rm.self, scene_view(st->sc), record_event, st);
	return true;
}

static const struct job *job_of(const struct stage *st)
{
	return scene_job_of(st->sc, st->job);
}

static void start_job(struct stage *st)
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

/* Advances the time of the manager by 2 s. */
static void poll_once(struct stage *st)
{
	struct pollfd one = {.fd = st->rm.ops->fd(st->rm.self), .events = POLLIN};

	REAL(poll)(&one, 1, 10);
	st->rm.ops->poll(st->rm.self, st->now_s += 2, record_event, st);
}

static void release_job(void)
{
	close(REAL(openat)(AT_FDCWD, in_home("go"), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
}

static void poll_until_reported(struct stage *st)
{
	for (int i = 0; i < 1000 && st->report == REPORT_NONE; i++)
		poll_once(st);
	poll_once(st); /* removes files, and must not report anything twice */
}

static void run_start(struct stage *st)
{
	if (!open_manager(st))
		return;
	scene_start(st->sc, st->job, 0, 1, 1);
	start_job(st);
	release_job();
	if (st->started)
		poll_until_reported(st);
	close_manager(st);
}

/* Adopts the job of another manager, then lets it end. */
static void run_adoption(struct stage *st)
{
	if (!open_manager(st))
		return;
	st->rm.ops->poll(st->rm.self, st->now_s, record_event, st);
	release_job();
	poll_until_reported(st);
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
	ev.suspend.how = SUSPEND_RESUMED; /* its processors are available */
	scene_apply(st->sc, &ev);
}

/* A refused order must have a reason. It is repeated, as operators do. */
static bool succeeded_or_has_reason(bool good)
{
	return good || err.text[0] != '\0';
}

static void run_orders(struct stage *st)
{
	const struct rm_ops *ops;

	if (!open_manager(st))
		return;
	ops = st->rm.ops;
	err = (struct err){{0}};
	suspend_in_state(st, true);
	assert_true(succeeded_or_has_reason(ops->suspend(st->rm.self, job_of(st), true, &err)));
	assert_true(succeeded_or_has_reason(ops->signal(st->rm.self, job_of(st), SIGCONT, st->now_s, &err)));
	suspend_in_state(st, false);
	assert_true(succeeded_or_has_reason(ops->suspend(st->rm.self, job_of(st), false, &err)));
	/* Twice, because the first order may not have reached the shepherd. */
	for (int i = 0; i < 2; i++) {
		poll_once(st);
		if (st->report == REPORT_NONE) {
			ops->suspend(st->rm.self, job_of(st), false, &err);
			ops->cancel(st->rm.self, job_of(st), st->now_s, &err);
		}
	}
	/* Release only a job that has not been cancelled; otherwise its own end races with the order. */
	if (st->report != REPORT_NONE)
		release_job();
	poll_until_reported(st);
	close_manager(st);
}

/* --- one trial ------------------------------------------------------------------------------------ */

struct trial {
	void (*work)(struct stage *st);
	bool runs;         /* another manager has started the job              */
	bool killed;       /* its shepherd has been killed                     */
	bool other_boot;   /* the spool folder is of another boot              */
	bool left_behind;  /* the folder has files of jobs that have ended     */
	bool is_cancelled; /* the operation cancels the job                    */
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

static bool file_exists(const char *name)
{
	return REAL(access)(in_home(name), F_OK) == 0;
}

static bool ran_once(void)
{
	return strcmp(text_of(in_home("ran")), "once\n") == 0;
}

static bool all_children_exited(void)
{
	pid_t pid;

	while ((pid = REAL(waitpid)(-1, NULL, WNOHANG)) > 0)
		continue;
	return pid < 0;
}

static void remove_files(void)
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
	char path_of_file[800];

	remove_files();
	*st = (struct stage){.sc = scene_new(0, 0), .now_s = (int64_t)time(NULL)};
	scene_go(st->sc, st->now_s);
	assert_true(open_manager(st)); /* adds the node to the state */
	st->job = scene_submit(st->sc, 1, 600);
	poll_once(st); /* records the boot of the folder */
	if (t->work != run_start)
		scene_start(st->sc, st->job, 0, 1, 1);
	if (t->runs) {
		start_job(st);
		assert_true(st->started);
		st->started = false;
		WAIT_UNTIL(ran_once());
	}
	close_manager(st);
	if (t->killed)
		kill_shepherd(st);
	if (t->other_boot) {
		snprintf(path_of_file, sizeof path_of_file, "%s/boot", spool_folder);
		put_file(path_of_file, "00000000-0000-4000-8000-000000000000", 0600);
	}
	if (t->left_behind) {
		close(spool_create(folder, 77, 1));
		close(spool_create(folder, 78, 2));
		snprintf(path_of_file, sizeof path_of_file, "%s/77.x", spool_folder);
		put_file(path_of_file, "", 0600);
	}
}

/* Returns what is wrong after a trial; NULL: nothing. */
static const char *find_fault(const struct trial *t, const struct stage *st, int why)
{
	/* A file that cannot be read counts as damaged. */
	bool may_be_lost = t->killed || t->other_boot || why == EIO;

	if (st->report_count > 1)
		return "is reported twice";
	if (file_exists("ran") && !ran_once())
		return "has run twice";
	if (st->refused)
		return err.text[0] == '\0'  ? "cannot be started, and nobody says why"
		       : file_exists("ran") ? "is said not to have been started"
					    : NULL;
	switch (st->report) {
	case REPORT_NONE:
		return "is never reported";
	case REPORT_END:
		return !ran_once()                                           ? "has not run"
		       : st->status != (t->is_cancelled ? 256 + SIGTERM : 7) ? "has another status"
									     : NULL;
	case REPORT_LOST:
		return !may_be_lost ? "is lost" : !st->has_why ? "is lost for no reason" : NULL;
	case REPORT_DEFER:
		return file_exists("ran") ? "has run, and is given back"
		       : !st->has_why     ? "is given back for no reason"
					  : NULL;
	}
	return "?";
}

static unsigned wrong_trials; /* number of trials with a fault */

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
	if (!st.started && !st.refused && st.report == REPORT_NONE) { /* the manager could not be opened */
		if (err.text[0] == '\0')
			fault = "has no manager, and nobody says why";
		t->work(&st);
	}
	if (fault == NULL)
		fault = find_fault(t, &st, why);
	/* Also wait after a lost job: its processes wait for the file "go", which the next trial removes. */
	WAIT_UNTIL(all_children_exited());
	scene_free(st.sc);
	if (fault == NULL && count_files() != files)
		fault = "leaves a descriptor open";
	if (fault != NULL) {
		print_error("call %ld, %s, failed (%s): the job %s (told %d, status %d, %s)\n", number,
			    faulty->failed, strerror(why), fault, (int)st.report, (int)st.status, err.text);
		wrong_trials++;
	}
	return failed;
}

/* Fails about one of `each` calls: an operation that looks at all processes makes many. */
static void fail_calls_apart(const struct trial *t, long each, int why)
{
	long number = 1;

	wrong_trials = 0;
	while (number < CALLS_MAX && try_once(t, number, why))
		number += many_apart(each);
	assert_true(number > 1 && number < CALLS_MAX);
	assert_int_equal(wrong_trials, 0);
}

static void fail_calls(const struct trial *t, int why)
{
	fail_calls_apart(t, 1, why);
}

/* --- tests ------------------------------------------------------------------------------------------ */

static void starting_a_job(void **state)
{
	const struct trial t = {.work = run_start};

	(void)state;
	fail_calls(&t, EIO);
	fail_calls(&t, EMFILE);
	fail_calls(&t, EINTR);
	fail_calls(&t, FAULTY_SHORT);
}

static void adopting_a_running_job(void **state)
{
	const struct trial t = {.work = run_adoption, .runs = true, .left_behind = true};

	(void)state;
	fail_calls(&t, EIO);
	fail_calls(&t, EMFILE);
}

static void suspending_signalling_and_cancelling_a_job(void **state)
{
	const struct trial t = {.work = run_orders, .runs = true, .is_cancelled = true};

	(void)state;
	fail_calls(&t, EIO);
}

static void adopting_a_job_without_a_spool_file(void **state)
{
	const struct trial t = {.work = run_adoption};

	(void)state;
	fail_calls(&t, EIO);
	fail_calls(&t, EMFILE);
}

static void adopting_a_job_whose_shepherd_was_killed(void **state)
{
	const struct trial t = {.work = run_adoption, .runs = true, .killed = true};

	(void)state;
	fail_calls_apart(&t, 151, EIO);
	fail_calls_apart(&t, 151, EMFILE);
}

static void adopting_a_job_of_another_boot(void **state)
{
	const struct trial t = {.work = run_adoption, .other_boot = true};

	(void)state;
	fail_calls(&t, EIO);
}

/* --- setup -------------------------------------------------------------------------------------------- */

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
		ON_A_HOST(starting_a_job),
		ON_A_HOST(adopting_a_running_job),
		ON_A_HOST(suspending_signalling_and_cancelling_a_job),
		ON_A_HOST(adopting_a_job_without_a_spool_file),
		ON_A_HOST(adopting_a_job_whose_shepherd_was_killed),
		ON_A_HOST(adopting_a_job_of_another_boot),
	};

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	faulty = faulty_share(NULL);
	if (faulty == NULL)
		return 1;
	return run_shepherd_tests("local_faults", tests, sizeof tests / sizeof tests[0]);
}
