/* SPDX-License-Identifier: MIT */
/*
 * bench_frame.c - CPU time and bytes of a frame of the console
 *
 * The console on a scheduler whose time does not advance, in a pty that a thread reads and
 * counts. CPU time is that of the console's own thread, from the key or the new state to the end
 * of the frame; meanwhile its worker makes plans. Bytes are all bytes that reached the
 * terminal, up to a mark that is written after each frame.
 */
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/host/host.h"
#include "tests/bench/queue_state.h"
#include "tui/console/console.h"
#include "tui/draw/term.h"
#include "tui/serve/session.h"

#define NODES 1000
#define TIMES 200
#define MARK  '\0' /* curses never writes it */

static void fail(const char *what, const struct err *err)
{
	fprintf(stderr, "bench_frame: %s%s%s\n", what, err ? ": " : "", err ? err->text : "");
	exit(EXIT_FAILURE);
}

/* --- the terminal --------------------------------------------------------------------------- */

struct line {
	int master, slave;
	FILE *in, *out;
	pthread_t reader;
	pthread_mutex_t lock;
	pthread_cond_t marked;
	size_t bytes, marks; /* number read so far; bytes does not count marks */
};

static void *count_bytes(void *self)
{
	struct line *l = self;
	char buf[16384];
	ssize_t n;

	while ((n = read(l->master, buf, sizeof buf)) > 0) {
		size_t marks = 0;

		for (ssize_t i = 0; i < n; i++)
			marks += buf[i] == MARK;
		pthread_mutex_lock(&l->lock);
		l->marks += marks;
		l->bytes += (size_t)n - marks;
		pthread_cond_signal(&l->marked);
		pthread_mutex_unlock(&l->lock);
	}
	return NULL;
}

static struct line *line_open(int w, int h)
{
	struct winsize size = {.ws_row = (unsigned short)h, .ws_col = (unsigned short)w};
	struct line *l = mem_zero(1, sizeof *l);

	if (openpty(&l->master, &l->slave, NULL, NULL, &size) != 0)
		fail("there is no pty", NULL);
	l->in = fdopen(dup(l->slave), "r");
	l->out = fdopen(dup(l->slave), "w");
	pthread_mutex_init(&l->lock, NULL);
	pthread_cond_init(&l->marked, NULL);
	if (!l->in || !l->out || pthread_create(&l->reader, NULL, count_bytes, l) != 0)
		fail("the pty cannot be read", NULL);
	return l;
}

static void line_close(struct line *l)
{
	fclose(l->in);
	fclose(l->out);
	close(l->slave); /* the reader ends when the last slave is closed */
	pthread_join(l->reader, NULL);
	close(l->master);
	pthread_cond_destroy(&l->marked);
	pthread_mutex_destroy(&l->lock);
	free(l);
}

/* The number of bytes written so far. */
static size_t line_bytes(struct line *l)
{
	const char mark = MARK;
	size_t marks, bytes;

	pthread_mutex_lock(&l->lock);
	marks = l->marks;
	pthread_mutex_unlock(&l->lock);
	if (write(l->slave, &mark, 1) != 1)
		fail("the pty cannot be written to", NULL);
	pthread_mutex_lock(&l->lock);
	while (l->marks == marks)
		pthread_cond_wait(&l->marked, &l->lock);
	bytes = l->bytes;
	pthread_mutex_unlock(&l->lock);
	return bytes;
}

/* --- the console ---------------------------------------------------------------------------- */

struct bench {
	struct session session;
	struct console *c;
	struct term *term;
	struct line *line;
	int w, h;
	uint32_t jobs;
};

static void console_open(struct bench *b)
{
	struct term_options options = {.type = "xterm-256color"};
	static struct theme theme;
	struct err err;

	b->line = line_open(b->w, b->h);
	options.in = b->line->in;
	options.out = b->line->out;
	b->term = term_open(&options, &err);
	if (!b->term || !theme_load(NULL, THEME_AT_FIRST, &theme, &err))
		fail("no terminal", &err);
	term_use_theme(b->term, &theme);
}

static void console_close(struct bench *b)
{
	console_free(b->c);
	b->c = NULL;
	term_close(b->term);
	line_close(b->line);
}

static void show(struct bench *b)
{
	while (!term_show(b->term, console_draw(b->c)))
		poll(&(struct pollfd){.fd = b->line->slave, .events = POLLOUT}, 1, 1000);
}

/* --- frames --------------------------------------------------------------------------------- */

static void first_frame(struct bench *b)
{
	struct err err;

	b->c = console_new(&b->session, NULL, true, &err);
	if (!b->c)
		fail("no console", &err);
	console_resize(b->c, b->w, b->h);
	(void)console_rest(b->c, -1);
	show(b);
}

static void same_frame(struct bench *b)
{
	show(b);
}

static void key_down(struct bench *b)
{
	console_key(b->c, key_of_char('j'));
	console_turn(b->c);
	show(b);
}

static void clock_frame(struct bench *b)
{
	console_advance(b->c, console_now_s(b->c) + 1);
	(void)console_rest(b->c, -1);
	show(b);
}

struct frames {
	double cpu_ms[TIMES], bytes[TIMES];
};

/* Sorted, so that the median is at TIMES / 2. */
static void measure(struct bench *b, void (*frame)(struct bench *b), size_t times, struct frames *out)
{
	for (size_t i = 0; i < times; i++) {
		size_t bytes = line_bytes(b->line);
		double begin_s = bench_cpu_s();

		frame(b);
		out->cpu_ms[i] = (bench_cpu_s() - begin_s) * 1000;
		out->bytes[i] = (double)(line_bytes(b->line) - bytes);
	}
	qsort(out->cpu_ms, times, sizeof out->cpu_ms[0], queue_by_size);
	qsort(out->bytes, times, sizeof out->bytes[0], queue_by_size);
}

static void report(const struct bench *b, const char *what, double value, const char *unit, const char *gate)
{
	struct str row = {0};

	str_addf(&row, "frame %dx%d, %u jobs: %s", b->w, b->h, b->jobs, what);
	bench_report(str_text(&row), value, unit, gate);
	str_free(&row);
}

static void measure_kind(struct bench *b, const char *what, void (*frame)(struct bench *b), size_t times)
{
	struct frames f;

	measure(b, frame, times, &f);
	report(b, what, f.cpu_ms[times / 2], "ms CPU", NULL);
	report(b, what, f.bytes[times / 2], "bytes", NULL);
	if (frame == key_down)
		report(b, "key, p99 (budget 5)", f.cpu_ms[times * 99 / 100], "ms CPU", "<=20");
}

static void measure_size(struct bench *b, int w, int h)
{
	b->w = w;
	b->h = h;
	console_open(b);
	measure_kind(b, "first", first_frame, 1);
	measure_kind(b, "unchanged", same_frame, TIMES);
	measure_kind(b, "key down", key_down, TIMES);
	measure_kind(b, "clock", clock_frame, b->jobs > 10000 ? 9 : 50);
	console_close(b);
}

/* --- the scheduler -------------------------------------------------------------------------- */

static bool load(void *self, struct state *st, struct err *err)
{
	(void)err;
	queue_fill(st, &queue_usual_site, NODES, *(const uint32_t *)self);
	return true;
}

static bool commit(void *self, const struct ledger_step *step, struct err *err)
{
	(void)self;
	(void)step;
	(void)err;
	return true;
}

static void measure_queue(uint32_t jobs)
{
	static const struct ledger_ops ops = {.load = load, .commit = commit};
	struct bench b = {.session = {.simulated = true, .color = true, .who = "bench"}, .jobs = jobs};
	struct driver *d = driver_new((struct rm){0}, (struct ledger){&ops, &jobs}, NULL);
	struct err err = {""};

	if (!d || !session_start(&b.session, d, QUEUE_NOW_S, 0, &err))
		fail("no scheduler", &err);
	measure_size(&b, 80, 24);
	measure_size(&b, 200, 60);
	session_close(&b.session);
}

int main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	unsetenv("LINES");
	unsetenv("COLUMNS");
	unsetenv("NO_COLOR");
	measure_queue(1000);
	measure_queue(100000);
	return EXIT_SUCCESS;
}
