/* SPDX-License-Identifier: MIT */
/*
 * test_slurm_query.c - questions to stand-ins for Slurm's commands that answer, fail, hang or are missing
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sched/base/str.h"
#include "sched/rm/monotonic.h"
#include "sched/rm/slurm_query.h"

#define PATIENCE_MS 20000

/* The answers of a cluster with one node and one job. The job's line is in the format that is asked for. */
#define NODE_ANSWER "NodeName=n1 CPUTot=4 State=IDLE Partitions=main"
#define SCONTROL                                                                                             \
	"case \"$*\" in\n"                                                                                   \
	"*'show node') echo '" NODE_ANSWER "' ;;\n"                                                          \
	"*'show partition') echo 'PartitionName=main State=UP' ;;\n"                                         \
	"*'show reservation') echo 'No reservations in the system' ;;\n"                                     \
	"*) exit 9 ;;\n"                                                                                     \
	"esac\n"
/* The mark is the suffix of the first field. */
#define SQUEUE                                                                                               \
	"mark=${SQUEUE_FORMAT2#jobarrayid:0}; mark=${mark%%^*}\n"                                            \
	"echo "                                                                                              \
	"\"1$mark^PENDING^eva^s^a^q^main^1^1^1^1^1:00^2026-11-29T02:51:39^N/A^N/"                            \
	"A^Priority^1^cpu=1^^^^^^^OK^^^^0^0^^job\"\n"

struct stage {
	char folder[64];
	struct slurm_query *query;
	struct slurm_cluster cluster;
	struct err err;
};

static void write_program(const struct stage *s, const char *name, const char *text)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", s->folder, name);
	f = fopen(path, "we");
	assert_non_null(f);
	fprintf(f, "#!/bin/sh\n%s", text);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(chmod(path, 0700), 0);
}

static struct stage begin(const char *scontrol, const char *squeue, int timeout_ms)
{
	struct stage s = {.folder = "/tmp/kahu-slurm.XXXXXX"};
	struct slurm_setup setup = {
		.path = s.folder, .config = "/nowhere/slurm.conf", .timeout_ms = timeout_ms};

	assert_non_null(mkdtemp(s.folder));
	if (scontrol != NULL)
		write_program(&s, "scontrol", scontrol);
	if (squeue != NULL)
		write_program(&s, "squeue", squeue);
	s.query = slurm_query_new(&setup, &s.err);
	assert_non_null(s.query);
	return s;
}

static void end(struct stage *s)
{
	char path[128];

	slurm_query_free(s->query);
	slurm_cluster_free(&s->cluster);
	for (int i = 0; i < 3; i++) {
		static const char *const name[] = {"scontrol", "squeue", "seen"};

		snprintf(path, sizeof path, "%s/%s", s->folder, name[i]);
		unlink(path);
	}
	assert_int_equal(rmdir(s->folder), 0);
}

/* Asks, and waits for the result as the scheduler does. No turn may take long. */
static enum slurm_query_state ask(struct stage *s)
{
	int64_t until_ms = monotonic_ms() + PATIENCE_MS;
	enum slurm_query_state state;
	int left_ms;

	slurm_query_begin(s->query);
	while ((state = slurm_query_turn(s->query, &left_ms)) == QUERY_RUNNING) {
		struct pollfd fd = {.fd = slurm_query_fd(s->query), .events = POLLIN};

		assert_true(monotonic_ms() < until_ms);
		assert_true(left_ms >= 0);
		poll(&fd, 1, left_ms);
	}
	return state;
}

static void assert_fault(struct stage *s, const char *expected)
{
	if (ask(s) == QUERY_ANSWERED)
		assert_false(slurm_query_read(s->query, &s->cluster, &s->err));
	else
		err_set(&s->err, "%s", slurm_query_fault(s->query));
	if (strstr(s->err.text, expected) == NULL)
		fail_msg("'%s' is not in '%s'", expected, s->err.text);
	assert_int_equal(s->cluster.nodes + s->cluster.jobs, 0);
}

static void answers_are_read(void **state)
{
	struct stage s = begin(SCONTROL, SQUEUE, PATIENCE_MS);

	(void)state;
	for (int i = 0; i < 3; i++) { /* with another mark each time */
		assert_int_equal(ask(&s), QUERY_ANSWERED);
		assert_true(slurm_query_read(s.query, &s.cluster, &s.err));
		assert_int_equal(s.cluster.nodes, 1);
		assert_int_equal(s.cluster.partitions, 1);
		assert_int_equal(s.cluster.jobs, 1);
		assert_string_equal(s.cluster.job[0].id, "1");
	}
	end(&s);
}

/* Nothing but questions: squeue, and scontrol with show. */
static void only_questions_are_asked(void **state)
{
	struct stage s = begin("echo \"$*\" >>${0%/*}/seen\n" SCONTROL,
			       "echo \"squeue $*\" >>${0%/*}/seen\n" SQUEUE, PATIENCE_MS);
	char path[128], line[256];
	unsigned lines = 0;
	FILE *f;

	(void)state;
	assert_int_equal(ask(&s), QUERY_ANSWERED);
	snprintf(path, sizeof path, "%s/seen", s.folder);
	f = fopen(path, "re");
	assert_non_null(f);
	for (; fgets(line, sizeof line, f) != NULL; lines++)
		if (strncmp(line, "-o -a show ", 11) != 0 &&
		    strncmp(line, "squeue -h -a -r --noconvert -t all\n", 35) != 0)
			fail_msg("%s", line);
	fclose(f);
	assert_int_equal(lines, 4);
	end(&s);
}

static void the_environment_is_that_of_the_setup(void **state)
{
	struct stage s = begin("[ \"$TZ $SLURM_TIME_FORMAT $SLURM_CONF $SQUEUE_USERS\" = 'UTC0 standard "
			       "/nowhere/slurm.conf ' ] || exit 4\n" SCONTROL,
			       SQUEUE, PATIENCE_MS);

	(void)state;
	assert_int_equal(setenv("SQUEUE_USERS", "nobody", 1), 0);
	assert_int_equal(ask(&s), QUERY_ANSWERED);
	unsetenv("SQUEUE_USERS");
	end(&s);
}

static void a_missing_command_is_named(void **state)
{
	struct stage s = begin(SCONTROL, NULL, PATIENCE_MS);

	(void)state;
	assert_fault(&s, "squeue: the command is not installed, or not in $PATH");
	end(&s);
	s = begin(NULL, SQUEUE, PATIENCE_MS);
	assert_fault(&s, "scontrol show node: the command is not installed");
	write_program(&s, "scontrol", SCONTROL); /* it recovers by itself */
	assert_int_equal(ask(&s), QUERY_ANSWERED);
	assert_true(slurm_query_read(s.query, &s.cluster, &s.err));
	end(&s);
}

static void the_words_of_a_failing_command_are_repeated(void **state)
{
	struct stage s = begin(
		SCONTROL, "echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1\n",
		PATIENCE_MS);

	(void)state;
	assert_fault(
		&s,
		"Slurm cannot be read: squeue: slurm_load_jobs error: Unable to contact slurm controller");
	end(&s);
	s = begin("exit 3\n", SQUEUE, PATIENCE_MS);
	assert_fault(&s, "it ended with status 3");
	end(&s);
	s = begin(SCONTROL, "kill -9 $$\n", PATIENCE_MS);
	assert_fault(&s, "squeue: it was ended by signal 9");
	end(&s);
}

static void a_hung_command_is_killed_with_its_children(void **state)
{
	struct stage s = begin(SCONTROL, "trap '' TERM INT HUP\nsleep 1000 & sleep 1000\n", 300);
	int64_t began_ms = monotonic_ms();

	(void)state;
	assert_fault(&s, "squeue: no answer within its time limit");
	assert_true(monotonic_ms() - began_ms < PATIENCE_MS / 2);
	end(&s);
}

/* A child that keeps the output open must not delay the answer beyond the time limit. */
static void an_output_that_stays_open_is_given_up(void **state)
{
	struct stage s = begin(SCONTROL, SQUEUE "sleep 1000 &\n", 300);

	(void)state;
	assert_fault(&s, "no answer within its time limit");
	end(&s);
}

static void half_an_answer_is_not_used(void **state)
{
	struct stage s = begin(SCONTROL, SQUEUE "printf '2'\n", PATIENCE_MS);

	(void)state;
	assert_fault(&s, "squeue: the answer of squeue was cut off");
	end(&s);
	s = begin("printf 'NodeName=n1 CPUT'\n", SQUEUE, PATIENCE_MS);
	assert_fault(&s, "scontrol show node: the answer of scontrol was cut off");
	end(&s);
	s = begin("exit 0\n", SQUEUE, PATIENCE_MS);
	assert_fault(&s, "names no node");
	end(&s);
}

static void a_long_answer_is_read_in_pieces(void **state)
{
	struct stage s = begin(SCONTROL,
			       SQUEUE "i=2; while [ $i -le 2000 ]; do echo "
				      "\"$i$mark^PENDING^eva^s^a^q^main^1^1^1^1^1:00^2026-11-29T02:51:39^N/"
				      "A^N/A^Priority^1^cpu=1^^^^^^^OK^^^^0^0^^"
				      "a long name of a job, which makes the answer longer than a pipe"
				      "\"; i=$((i + 1)); done\n",
			       PATIENCE_MS);

	(void)state;
	assert_int_equal(ask(&s), QUERY_ANSWERED);
	assert_true(slurm_query_read(s.query, &s.cluster, &s.err));
	assert_int_equal(s.cluster.jobs, 2000);
	end(&s);
}

/* Slurm's commands print warnings about slurm.conf, and answer nevertheless. */
static void warnings_of_any_length_do_not_spoil_the_answer(void **state)
{
	static const char warnings[] =
		"i=0; while [ $i -lt 3000 ]; do echo \"squeue: warning: line $i of slurm.conf "
		"has an option that is out of date\" >&2 || exit 5; i=$((i + 1)); done\n";
	struct stage s;
	char squeue[1024];

	(void)state;
	snprintf(squeue, sizeof squeue, "%s%s", warnings, SQUEUE);
	s = begin(SCONTROL, squeue, PATIENCE_MS);
	assert_int_equal(ask(&s), QUERY_ANSWERED);
	assert_true(slurm_query_read(s.query, &s.cluster, &s.err));
	assert_int_equal(s.cluster.jobs, 1);
	end(&s);
	snprintf(squeue, sizeof squeue, "%sexit 3\n", warnings);
	s = begin(SCONTROL, squeue, PATIENCE_MS);
	assert_fault(&s, "squeue: warning: line 0 of slurm.conf");
	end(&s);
}

/* Others could put another program there. */
static void a_program_that_others_can_change_is_not_run(void **state)
{
	struct stage s = begin(SCONTROL, SQUEUE, PATIENCE_MS);
	char path[128];

	(void)state;
	snprintf(path, sizeof path, "%s/squeue", s.folder);
	assert_int_equal(chmod(path, 0777), 0);
	assert_fault(&s, "squeue: ");
	end(&s);
}

static void a_question_can_be_given_up(void **state)
{
	struct stage s = begin(SCONTROL, "sleep 1000\n", PATIENCE_MS);

	(void)state;
	slurm_query_begin(s.query);
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_are_read),
		cmocka_unit_test(only_questions_are_asked),
		cmocka_unit_test(the_environment_is_that_of_the_setup),
		cmocka_unit_test(a_missing_command_is_named),
		cmocka_unit_test(the_words_of_a_failing_command_are_repeated),
		cmocka_unit_test(a_hung_command_is_killed_with_its_children),
		cmocka_unit_test(an_output_that_stays_open_is_given_up),
		cmocka_unit_test(half_an_answer_is_not_used),
		cmocka_unit_test(a_long_answer_is_read_in_pieces),
		cmocka_unit_test(warnings_of_any_length_do_not_spoil_the_answer),
		cmocka_unit_test(a_program_that_others_can_change_is_not_run),
		cmocka_unit_test(a_question_can_be_given_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
