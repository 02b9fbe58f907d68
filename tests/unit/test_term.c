/* SPDX-License-Identifier: MIT */
/*
 * test_term.c - output, input and restoration of the terminal
 *
 * The terminal is a pty. A thread reads everything written to it, because a frame may exceed the buffer of a
 * pty. With libvterm, the thread also maintains the screen, whose text is compared; without libvterm, these
 * tests are skipped.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "sched/base/str.h"
#include "tests/many.h"
#include "tests/seed.h"
#include "tui/draw/term.h"

#ifdef HAVE_VTERM
#include <vterm.h>
#endif

#define WIDTH 40

#define HEIGHT 6

#define PATIENCE 10 /* seconds after which waiting has failed */

static struct {
	int master, slave;
	FILE *in, *out;
	pthread_t reader;
	bool has_reader;
	pthread_mutex_t lock;
	pthread_cond_t more;
	size_t bytes;   /* read so far   */
	struct str raw; /* all bytes read */
#ifdef HAVE_VTERM
	VTerm *vterm;
	VTermScreen *screen;
	bool alternate;
#endif
} pty;

static struct term *term;

static struct canvas canvas;

static struct theme theme;

/* ---- the terminal's side ---- */

#ifdef HAVE_VTERM
static int note_property(VTermProp property, VTermValue *value, void *self)
{
	(void)self;
	if (property == VTERM_PROP_ALTSCREEN)
		pty.alternate = value->boolean;
	return 1;
}

static const VTermScreenCallbacks callbacks = {.settermprop = note_property};

static void start_screen(int w, int h)
{
	pty.vterm = vterm_new(h, w);
	vterm_set_utf8(pty.vterm, 1);
	pty.screen = vterm_obtain_screen(pty.vterm);
	vterm_screen_set_callbacks(pty.screen, &callbacks, NULL);
	vterm_screen_enable_altscreen(pty.screen, 1);
	vterm_screen_reset(pty.screen, 1);
}

static void feed_screen(const char *bytes, size_t len)
{
	vterm_input_write(pty.vterm, bytes, len);
}

static void stop_screen(void)
{
	vterm_free(pty.vterm);
}
#else
static void start_screen(int w, int h)
{
	(void)w;
	(void)h;
}

static void feed_screen(const char *bytes, size_t len)
{
	(void)bytes;
	(void)len;
}

static void stop_screen(void)
{
}
#endif

static void *read_master(void *self)
{
	char buf[4096];
	ssize_t n;

	(void)self;
	while ((n = read(pty.master, buf, sizeof buf)) > 0) {
		pthread_mutex_lock(&pty.lock);
		feed_screen(buf, (size_t)n);
		str_add_bytes(&pty.raw, buf, (size_t)n);
		pty.bytes += (size_t)n;
		pthread_cond_broadcast(&pty.more);
		pthread_mutex_unlock(&pty.lock);
	}
	return NULL;
}

/* Waits until a condition on the terminal's input is true; fails after PATIENCE. The caller holds the lock.
 */
static void wait_until(bool (*holds)(const void *arg), const void *arg)
{
	struct timespec end;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += PATIENCE;
	while (!holds(arg)) {
		if (pthread_cond_timedwait(&pty.more, &pty.lock, &end) == ETIMEDOUT) {
			pthread_mutex_unlock(&pty.lock);
			fail_msg("the terminal did not get what was waited for");
		}
	}
}

static bool has_text(const void *text)
{
	return strstr(str_text(&pty.raw), text) != NULL;
}

static void wait_for_bytes(const char *text)
{
	pthread_mutex_lock(&pty.lock);
	wait_until(has_text, text);
	pthread_mutex_unlock(&pty.lock);
}

/* ---- opening and closing ---- */

static int open_pty(void **state)
{
	struct winsize size = {.ws_row = HEIGHT, .ws_col = WIDTH};

	(void)state;
	memset(&pty, 0, sizeof pty);
	pthread_mutex_init(&pty.lock, NULL);
	pthread_cond_init(&pty.more, NULL);
	if (openpty(&pty.master, &pty.slave, NULL, NULL, &size) != 0)
		return -1;
	pty.in = fdopen(dup(pty.slave), "r");
	pty.out = fdopen(dup(pty.slave), "w");
	start_screen(WIDTH, HEIGHT);
	return 0;
}

static void start_reader(void)
{
	assert_int_equal(pthread_create(&pty.reader, NULL, read_master, NULL), 0);
	pty.has_reader = true;
}

static struct term_options options(const char *type)
{
	return (struct term_options){.type = type, .in = pty.in, .out = pty.out};
}

static void open_term(const char *type)
{
	struct term_options wanted = options(type);
	struct err err = {""};

	start_reader();
	term = term_open(&wanted, &err);
	if (!term)
		fail_msg("%s", err.text);
	assert_true(theme_load(NULL, "default", &theme, &err));
	term_use_theme(term, &theme);
	canvas_resize(&canvas, WIDTH, HEIGHT);
}

static int close_pty(void **state)
{
	(void)state;
	term_close(term);
	term = NULL;
	fclose(pty.in);
	fclose(pty.out);
	close(pty.slave);
	if (pty.has_reader)
		pthread_join(pty.reader,
			     NULL); /* its read fails when the last descriptor of the slave is closed */
	if (pty.master >= 0)
		close(pty.master);
	stop_screen();
	str_free(&pty.raw);
	canvas_free(&canvas);
	pthread_cond_destroy(&pty.more);
	pthread_mutex_destroy(&pty.lock);
	return 0;
}

/* ---- output ---- */

/* Shows the canvas and waits until the terminal has read the whole frame. */
static void show(void)
{
	static int frame;
	char mark[32];

	assert_true(term_show(term, &canvas));
	snprintf(mark, sizeof mark, "\033]0;frame %d\a", ++frame);
	fputs(mark, pty.out); /* a window title does not appear on the screen */
	fflush(pty.out);
	wait_for_bytes(mark);
}

static size_t bytes_read(void)
{
	size_t bytes;

	pthread_mutex_lock(&pty.lock);
	bytes = pty.bytes;
	pthread_mutex_unlock(&pty.lock);
	return bytes;
}

static void forget_bytes(void)
{
	pthread_mutex_lock(&pty.lock);
	str_clear(&pty.raw);
	pthread_mutex_unlock(&pty.lock);
}

/* Shows the canvas and returns the size of the frame, without the mark, in bytes. */
static size_t bytes_of_frame(void)
{
	static const char mark[] = "\033]0;end\a";
	size_t before = bytes_read();

	forget_bytes();
	assert_true(term_show(term, &canvas));
	fputs(mark, pty.out);
	fflush(pty.out);
	wait_for_bytes(mark);
	return bytes_read() - before - (sizeof mark - 1);
}

#ifdef HAVE_VTERM
static VTermScreenCell cell_at(int x, int y)
{
	VTermScreenCell cell;

	pthread_mutex_lock(&pty.lock);
	vterm_screen_get_cell(pty.screen, (VTermPos){.row = y, .col = x}, &cell);
	pthread_mutex_unlock(&pty.lock);
	return cell;
}

static bool is_alternate(void)
{
	bool alternate;

	pthread_mutex_lock(&pty.lock);
	alternate = pty.alternate;
	pthread_mutex_unlock(&pty.lock);
	return alternate;
}

/* Compares line y of the screen without trailing blanks. */
static void assert_line(int y, const char *expected)
{
	char text[512] = {0};
	size_t len;

	pthread_mutex_lock(&pty.lock);
	len = vterm_screen_get_text(
		pty.screen, text, sizeof text - 1,
		(VTermRect){.start_row = y, .end_row = y + 1, .start_col = 0, .end_col = WIDTH});
	pthread_mutex_unlock(&pty.lock);
	while (len > 0 && text[len - 1] == ' ')
		len--;
	text[len] = '\0';
	assert_string_equal(text, expected);
}

static void the_screen_shows_the_canvas(void **state)
{
	struct rect all;

	(void)state;
	open_term("xterm-256color");
	all = canvas_rect(&canvas);
	canvas_put(&canvas, all, 0, 0, ROLE_TEXT, "plain größe 日本 e\xCC\x81 \033[31m end");
	canvas_put(&canvas, all, 0, 1, ROLE_ERROR, "error");
	canvas_put(&canvas, all, WIDTH - 4, HEIGHT - 1, ROLE_TEXT, "last");
	show();
	assert_line(0, "plain größe 日本 e\xCC\x81 \\x1b[31m end");
	assert_line(1, "error");
	assert_line(HEIGHT - 1, "                                    last");
	assert_true(cell_at(0, 1).attrs.bold && cell_at(0, 1).attrs.reverse);
	assert_false(cell_at(0, 0).attrs.bold || cell_at(0, 0).attrs.reverse);
	assert_int_equal(cell_at(12, 0).width, 2);
}

static void overwritten_text_disappears(void **state)
{
	struct rect all;

	(void)state;
	open_term("xterm-256color");
	all = canvas_rect(&canvas);
	canvas_put(&canvas, all, 0, 0, ROLE_TEXT, "日本語日本語");
	show();
	canvas_clear(&canvas);
	canvas_put(&canvas, all, 1, 0, ROLE_TEXT, "x");
	show();
	assert_line(0, " x");
	assert_line(1, "");
}

static void the_cursor_row_is_visible_without_colours(void **state)
{
	struct term_options wanted = options("xterm-256color");

	(void)state;
	start_reader();
	wanted.no_colour = true;
	term = term_open(&wanted, NULL);
	assert_non_null(term);
	assert_int_equal(term_depth(term), COLOUR_NONE);
	assert_true(theme_load(NULL, "default", &theme, NULL));
	term_use_theme(term, &theme);
	canvas_resize(&canvas, WIDTH, HEIGHT);
	canvas_put(&canvas, canvas_rect(&canvas), 0, 0, ROLE_JOB_RUNNING, "job");
	canvas_overlay(&canvas, (struct rect){0, 0, WIDTH, 1}, ROLE_CURSOR);
	show();
	assert_true(cell_at(0, 0).attrs.reverse);
	assert_true(cell_at(0, 0).fg.type & VTERM_COLOR_DEFAULT_FG);
	pthread_mutex_lock(&pty.lock);
	assert_false(has_text("\033[38;5"));
	pthread_mutex_unlock(&pty.lock);
}

static void the_screen_is_restored_on_close(void **state)
{
	struct termios before, after;

	(void)state;
	tcgetattr(pty.slave, &before);
	open_term("xterm-256color");
	canvas_put(&canvas, canvas_rect(&canvas), 0, 0, ROLE_TEXT, "hello");
	show();
	assert_true(is_alternate());
	assert_line(0, "hello");
	forget_bytes();
	term_close(term);
	term = NULL;
	wait_for_bytes("\033[?1049l");
	tcgetattr(pty.slave, &after);
	assert_int_equal(after.c_lflag, before.c_lflag);
	assert_int_equal(after.c_oflag, before.c_oflag);
}

static void resize_to(int w, int h)
{
	struct winsize size = {.ws_row = (unsigned short)h, .ws_col = (unsigned short)w};
	struct term_event event;

	pthread_mutex_lock(&pty.lock);
	vterm_set_size(pty.vterm, h, w);
	pthread_mutex_unlock(&pty.lock);
	ioctl(pty.master, TIOCSWINSZ, &size);
	raise(SIGWINCH);
	assert_true(term_read(term, &event));
	assert_int_equal(event.kind, TERM_RESIZE);
}

static void a_resize_is_an_event_and_any_size_is_drawn(void **state)
{
	struct rng rng = seeded("a_resize_is_an_event_and_any_size_is_drawn");

	(void)state;
	open_term("xterm-256color");
	for (int i = 0; i < 60; i++) {
		int w = 1 + (int)rng_below(&rng, 300), h = 1 + (int)rng_below(&rng, 100), got_w, got_h;

		if (i == 0)
			w = h = 1;
		resize_to(w, h);
		term_size(term, &got_w, &got_h);
		assert_int_equal(got_w, w);
		assert_int_equal(got_h, h);
		canvas_resize(&canvas, w, h);
		for (int y = 0; y < h; y++)
			canvas_putf(&canvas, canvas_rect(&canvas), 0, y, ROLE_TEXT, "line %d 日本 %d", y, i);
		show();
	}
	resize_to(WIDTH, HEIGHT);
	canvas_resize(&canvas, WIDTH, HEIGHT);
	canvas_put(&canvas, canvas_rect(&canvas), 3, 2, ROLE_TEXT, "done");
	show();
	assert_line(2, "   done");
	assert_line(0, "");
}

/* Draws random texts, fills, rules and overlays, sometimes on a cleared canvas. */
static void draw_randomly(struct rng *rng)
{
	static const char *const parts[] = {
		"job",        "日本", "größe ", "e\xCC\x81",        "█▌▒×", "\033[31m", "\xFF", "한국어",
		"          ", "~",    "ｆｕ",   "\xF0\x9F\x98\x80", "🇯🇵",   "12:00:00", " "};
	struct rect all = canvas_rect(&canvas);
	int w = canvas.w + 1, h = canvas.h + 1;

	if (rng_below(rng, 12) == 0)
		canvas_clear(&canvas);
	for (uint64_t i = 0, count = rng_below(rng, 12); i < count; i++) {
		struct rect r = {(int)rng_below(rng, (uint32_t)w), (int)rng_below(rng, (uint32_t)h),
				 (int)rng_below(rng, (uint32_t)w), 1 + (int)rng_below(rng, 3)};
		enum role role = (enum role)rng_below(rng, ROLE_COUNT);

		switch (rng_below(rng, 8)) {
		case 0:
			canvas_fill(&canvas, r, role);
			break;
		case 1:
			canvas_overlay(&canvas, r, rng_below(rng, 2) ? ROLE_CURSOR : role);
			break;
		case 2:
			canvas_rule(&canvas, all, r.x, r.y, role);
			break;
		default:
			for (int x = r.x; x < canvas.w - 1 && rng_below(rng, 6) > 0;)
				x += canvas_put(&canvas, all, x, r.y, role,
						parts[rng_below(rng, sizeof parts / sizeof parts[0])]);
		}
	}
	canvas.caret_x = (int)rng_below(rng, (uint32_t)w) - 1;
	canvas.caret_y = (int)rng_below(rng, (uint32_t)h) - 1;
}

/* Moves rows as scrolling a list does, for which curses may use the scrolling of the terminal. */
static void scroll_rows(struct rng *rng)
{
	int by = 1 + (int)rng_below(rng, 3);
	size_t row = (size_t)canvas.w, kept;

	if (canvas.h <= by)
		return;
	kept = row * (size_t)(canvas.h - by) * sizeof *canvas.cell;
	if (rng_below(rng, 2))
		memmove(canvas.cell, canvas.cell + row * (size_t)by, kept);
	else
		memmove(canvas.cell + row * (size_t)by, canvas.cell, kept);
}

/* Returns all cells of the terminal and the cursor position; the caller frees the cells. */
static VTermScreenCell *copy_cells(int w, int h, VTermPos *cursor)
{
	VTermScreenCell *cells = calloc((size_t)w * (size_t)h, sizeof *cells);

	pthread_mutex_lock(&pty.lock);
	for (int y = 0; y < h; y++)
		for (int x = 0; x < w; x++)
			vterm_screen_get_cell(pty.screen, (VTermPos){.row = y, .col = x}, &cells[y * w + x]);
	vterm_state_get_cursorpos(vterm_obtain_state(pty.vterm), cursor);
	pthread_mutex_unlock(&pty.lock);
	return cells;
}

/* Returns the first character of a cell; a cell that was never written contains a blank. */
static uint32_t first_char(const VTermScreenCell *cell)
{
	return cell->chars[0] ? cell->chars[0] : ' ';
}

/* Styles are ignored in the second cell of a wide character, where libvterm keeps the previous style. */
static bool looks_the_same(const VTermScreenCell *a, const VTermScreenCell *b)
{
	if (a->chars[0] == UINT32_MAX || b->chars[0] == UINT32_MAX)
		return a->chars[0] == b->chars[0];
	if (first_char(a) != first_char(b) || a->width != b->width)
		return false;
	for (int i = 1; i < VTERM_MAX_CHARS_PER_CELL && a->chars[i - 1]; i++)
		if (a->chars[i] != b->chars[i])
			return false;
	return a->attrs.bold == b->attrs.bold && a->attrs.underline == b->attrs.underline &&
	       a->attrs.italic == b->attrs.italic && a->attrs.reverse == b->attrs.reverse &&
	       vterm_color_is_equal(&a->fg, &b->fg) && vterm_color_is_equal(&a->bg, &b->bg);
}

static void open_pty_of(int w, int h)
{
	struct winsize size = {.ws_row = (unsigned short)h, .ws_col = (unsigned short)w};

	assert_int_equal(open_pty(NULL), 0);
	vterm_set_size(pty.vterm, h, w);
	ioctl(pty.master, TIOCSWINSZ, &size);
}

/* Shows the canvas on a new terminal and compares all cells. */
static void assert_same_on_a_new_terminal(unsigned round)
{
	struct canvas last = {0};
	VTermPos cursor, wanted_cursor;
	VTermScreenCell *cells = copy_cells(canvas.w, canvas.h, &cursor), *wanted;

	canvas_copy(&last, &canvas);
	close_pty(NULL);
	open_pty_of(last.w, last.h);
	open_term("xterm-256color");
	canvas_copy(&canvas, &last);
	show();
	wanted = copy_cells(last.w, last.h, &wanted_cursor);
	for (int y = 0; y < last.h; y++)
		for (int x = 0; x < last.w; x++)
			if (!looks_the_same(&cells[y * last.w + x], &wanted[y * last.w + x]))
				fail_msg("round %u: cell %d,%d of %dx%d shows U+%04X, width %d; on a new "
					 "terminal U+%04X, width %d",
					 round, x, y, last.w, last.h, first_char(&cells[y * last.w + x]),
					 cells[y * last.w + x].width, first_char(&wanted[y * last.w + x]),
					 wanted[y * last.w + x].width);
	if (canvas_at(&last, last.caret_x, last.caret_y)) {
		assert_int_equal(cursor.row, wanted_cursor.row);
		assert_int_equal(cursor.col, wanted_cursor.col);
	}
	free(cells);
	free(wanted);
	canvas_free(&last);
}

static void resize_both(int w, int h)
{
	resize_to(w, h);
	canvas_resize(&canvas, w, h);
}

static void after_many_frames_the_screen_equals_the_last_frame(void **state)
{
	struct rng rng = seeded("frames at random");
	unsigned shown = 0;

	(void)state;
	open_term("xterm-256color");
	for (unsigned round = 0; round < many(60); round++) {
		for (uint64_t i = 0, frames = 1 + rng_below(&rng, 12); i < frames; i++) {
			switch (rng_below(&rng, 8)) {
			case 0:
				resize_both(1 + (int)rng_below(&rng, 120), 1 + (int)rng_below(&rng, 40));
				break;
			case 1:
				scroll_rows(&rng);
				break;
			default:
				break;
			}
			draw_randomly(&rng);
			forget_bytes();
			show();
			shown++;
		}
		assert_same_on_a_new_terminal(round);
	}
	printf("# soak 1 %u 0\n", shown);
}
#else
static void without_libvterm_screens_are_not_compared(void **state)
{
	(void)state;
	print_message(
		"built without libvterm (Debian: libvterm-dev): what the terminal shows is not compared\n");
	skip();
}
#endif

static void a_frame_contains_only_changed_cells(void **state)
{
	struct rect all;
	size_t first, same, clock, repaint;

	(void)state;
	open_term("xterm-256color");
	all = canvas_rect(&canvas);
	for (int y = 0; y < HEIGHT; y++)
		canvas_put(&canvas, all, 0, y, y % 2 ? ROLE_TEXT : ROLE_JOB_RUNNING,
			   "some text in this line");
	first = bytes_of_frame();
	same = bytes_of_frame();
	canvas_put(&canvas, all, 10, 2, ROLE_JOB_RUNNING, "9");
	clock = bytes_of_frame();
	term_repaint(term);
	repaint = bytes_of_frame();
	assert_true(first > 100);
	assert_int_equal(same, 0);
	assert_in_range(clock, 1, 40);
	assert_true(repaint > 100);
}

/* Writes bytes and reads events as the console does, after poll until none is left. Returns the keys' names.
 */
static const char *read_key_names(const char *bytes, int expected)
{
	static char names[256];
	struct pollfd fd = {.fd = term_fd(term), .events = POLLIN};
	struct term_event event;

	names[0] = '\0';
	assert_int_equal(write(pty.master, bytes, strlen(bytes)), strlen(bytes));
	while (expected > 0) {
		char name[KEY_TEXT];

		if (poll(&fd, 1, PATIENCE * 1000) != 1)
			fail_msg("no key came; so far: %s", names);
		while (term_read(term, &event)) {
			assert_int_equal(event.kind, TERM_KEY);
			snprintf(names + strlen(names), sizeof names - strlen(names), "%s ",
				 key_text(name, event.key));
			expected--;
		}
	}
	return names;
}

static void key_sequences_are_decoded(void **state)
{
	(void)state;
	open_term("xterm-256color");
	assert_string_equal(read_key_names("jé日\r\003\032\023", 7), "j é 日 <Enter> <C-c> <C-z> <C-s> ");
	assert_string_equal(read_key_names("\033OA\033OB\033[5~\033[6~", 4), "<Up> <Down> <PgUp> <PgDn> ");
	assert_string_equal(read_key_names("\033OP\033[24~\033[Z\177\033[3~", 5),
			    "<F1> <F12> <S-Tab> <BS> <Del> ");
	assert_string_equal(read_key_names("\033[1;5C\033[1;2A", 2), "<C-Right> <S-Up> ");
	assert_string_equal(read_key_names("\033", 1), "<Esc> ");
	assert_string_equal(read_key_names("\033x\033[99;99~k", 2), "<A-x> k ");
}

static void a_paste_is_one_event(void **state)
{
	static const char bytes[] = "\033[200~hold 1\rq\033[201~";
	struct pollfd fd = {.fd = 0, .events = POLLIN};
	struct term_event event = {.kind = TERM_RESIZE};
	bool got = false;

	(void)state;
	open_term("xterm-256color");
	wait_for_bytes("\033[?2004h");
	fd.fd = term_fd(term);
	assert_int_equal(write(pty.master, bytes, sizeof bytes - 1), sizeof bytes - 1);
	while (!got && poll(&fd, 1, PATIENCE * 1000) == 1)
		got = term_read(term, &event);
	assert_true(got);
	assert_int_equal(event.kind, TERM_PASTE);
	assert_int_equal(event.len, 8);
	assert_memory_equal(event.text, "hold 1\rq", 8);
}

/* Without the reader thread, so that closing the master is the last close. */
static void a_terminal_that_hangs_up_is_reported_as_lost(void **state)
{
	struct term_options wanted = options("xterm-256color");
	struct term_event event;

	(void)state;
	term = term_open(&wanted, NULL);
	assert_non_null(term);
	assert_false(term_read(term, &event));
	assert_false(term_lost(term));
	close(pty.master);
	pty.master = -1;
	assert_false(term_read(term, &event));
	assert_true(term_lost(term));
	canvas_resize(&canvas, WIDTH, HEIGHT);
	assert_false(term_show(term, &canvas));
	assert_false(term_read(term, &event));
}

static void assert_refused(const char *type, const char *why)
{
	struct term_options wanted = options(type);
	struct err err = {""};

	term = term_open(&wanted, &err);
	assert_null(term);
	if (!strstr(err.text, why))
		fail_msg("'%s' does not say '%s'", err.text, why);
}

static void unsuitable_terminals_are_refused_with_an_error(void **state)
{
	FILE *file = fopen("/dev/null", "r+");
	struct termios before, after;

	(void)state;
	tcgetattr(pty.slave, &before);
	start_reader();
	assert_refused("dumb", "'dumb' cannot move its cursor");
	assert_refused("", "TERM is not set");
	tcgetattr(pty.slave, &after);
	assert_int_equal(after.c_lflag, before.c_lflag);
	fclose(pty.in);
	pty.in = file;
	assert_refused("xterm-256color", "needs a terminal");
}

static void an_unknown_terminal_type_falls_back_to_a_common_one(void **state)
{
	(void)state;
	open_term("no-such-terminal");
	canvas_put(&canvas, canvas_rect(&canvas), 0, 0, ROLE_TEXT, "hello");
	show();
}

static void terminals_with_sixteen_or_no_colours_are_supported(void **state)
{
	(void)state;
	open_term("linux");
	assert_int_equal(term_depth(term), COLOUR_16);
	canvas_put(&canvas, canvas_rect(&canvas), 0, 0, ROLE_ERROR, "hello");
	show();
	close_pty(state);
	open_pty(state);
	open_term("vt100");
	assert_int_equal(term_depth(term), COLOUR_NONE);
	canvas_put(&canvas, canvas_rect(&canvas), 0, 0, ROLE_ERROR, "hello");
	show();
}

/* Opens the terminal and ends by a signal, in a child process without assertions. */
static void die_of(int number)
{
	struct term_options wanted = options("xterm-256color");

	if (!term_open(&wanted, NULL))
		_exit(1);
	raise(number);
	_exit(2);
}

/* Reads the output without a thread, because the test forks; the output fits into the buffer of the pty. */
static void read_output(void)
{
	struct pollfd fd = {.fd = pty.master, .events = POLLIN};
	char buf[4096];

	str_clear(&pty.raw);
	while (poll(&fd, 1, 0) == 1) {
		ssize_t n = read(pty.master, buf, sizeof buf);

		assert_true(n > 0);
		str_add_bytes(&pty.raw, buf, (size_t)n);
	}
}

static void the_terminal_is_restored_before_a_fatal_signal(void **state)
{
	static const int signals[] = {SIGTERM, SIGHUP, SIGABRT};

	(void)state;
	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
		struct termios before, after;
		int status;
		pid_t child;

		tcgetattr(pty.slave, &before);
		child = fork();
		if (child == 0)
			die_of(signals[i]);
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), signals[i]);
		read_output();
		assert_true(has_text("\033[?1049h"));
		assert_true(has_text("\033[?1049l"));
		tcgetattr(pty.slave, &after);
		assert_int_equal(after.c_lflag, before.c_lflag);
		assert_int_equal(after.c_iflag, before.c_iflag);
	}
}

/* --- runs of characters, and hang-ups --------------------------------------- */

static struct str run;

static int end(void **state)
{
	(void)state;
	canvas_free(&canvas);
	str_free(&run);
	return 0;
}

static void a_run_of_characters_ends_where_the_style_changes(void **state)
{
	struct rect all;

	(void)state;
	canvas_resize(&canvas, 10, 1);
	all = canvas_rect(&canvas);
	canvas_put(&canvas, all, 0, 0, ROLE_TEXT, "abc");
	canvas_put(&canvas, all, 3, 0, ROLE_ERROR, "defg");
	canvas_overlay(&canvas, (struct rect){5, 0, 1, 1}, ROLE_MATCH);
	assert_int_equal(line_next_run(&canvas, 0, 0, 10, true, &run), 3);
	assert_string_equal(str_text(&run), "abc");
	assert_int_equal(line_next_run(&canvas, 3, 0, 10, true, &run), 5);
	assert_string_equal(str_text(&run), "de");
	assert_int_equal(line_next_run(&canvas, 5, 0, 10, true, &run), 6);
	assert_int_equal(line_next_run(&canvas, 6, 0, 7, true, &run), 7);
	assert_int_equal(line_next_run(&canvas, 7, 0, 9, true, &run), 9);
	assert_string_equal(str_text(&run), "  ");
}

/* Curses would put the character at the beginning of the next line. */
static void half_of_a_wide_character_at_the_edge_becomes_a_question_mark(void **state)
{
	(void)state;
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		skip();
	canvas_resize(&canvas, 6, 1);
	canvas_put(&canvas, canvas_rect(&canvas), 0, 0, ROLE_TEXT, "a日本");
	assert_int_equal(line_next_run(&canvas, 0, 0, 5, true, &run), 5);
	assert_string_equal(str_text(&run), "a日本");
	assert_int_equal(line_next_run(&canvas, 0, 0, 4, true, &run), 4);
	assert_string_equal(str_text(&run), "a日?");
	setlocale(LC_CTYPE, "C");
}

static void characters_unknown_to_the_locale_become_question_marks(void **state)
{
	(void)state;
	canvas_resize(&canvas, 6, 1);
	canvas_put(&canvas, canvas_rect(&canvas), 0, 0, ROLE_TEXT, "aé日─");
	assert_int_equal(line_next_run(&canvas, 0, 0, 6, false, &run), 6);
	assert_string_equal(str_text(&run), "a???? ");
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		skip();
	line_next_run(&canvas, 0, 0, 6, true, &run);
	assert_string_equal(str_text(&run), "aé日─ ");
	setlocale(LC_CTYPE, "C");
}

static void a_hang_up_of_the_terminal_is_detected(void **state)
{
	int master, slave;

	(void)state;
	assert_int_equal(openpty(&master, &slave, NULL, NULL, NULL), 0);
	assert_true(line_takes_output(slave));
	assert_false(line_is_gone(slave));
	line_write(slave, "hello", 5);
	close(master);
	assert_true(line_is_gone(slave));
	assert_false(line_takes_output(slave));
	close(slave);
}

static void a_full_pipe_accepts_no_output(void **state)
{
	char block[4096] = {0};
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	for (int i = 0; i < 1000 && line_takes_output(ends[1]); i++)
		assert_int_equal(write(ends[1], block, sizeof block), sizeof block);
	assert_false(line_takes_output(ends[1]));
	close(ends[0]);
	close(ends[1]);
}

/* --- the clipboard sequence, against the examples of RFC 4648 ----------------------------------------- */

static void the_clipboard_sequence_matches_rfc_4648(void **state)
{
	static const char *const rows[][2] = {{"", ""},
					      {"f", "Zg=="},
					      {"fo", "Zm8="},
					      {"foo", "Zm9v"},
					      {"foob", "Zm9vYg=="},
					      {"fooba", "Zm9vYmE="},
					      {"foobar", "Zm9vYmFy"}};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct str made = {0}, expected = {0};

		clipboard_sequence(&made, rows[i][0], strlen(rows[i][0]));
		str_addf(&expected, "\033]52;c;%s\a", rows[i][1]);
		assert_string_equal(str_text(&made), str_text(&expected));
		str_free(&made);
		str_free(&expected);
	}
}

static void the_clipboard_sequence_encodes_any_byte(void **state)
{
	struct str made = {0};

	(void)state;
	clipboard_sequence(&made, "\xFF\x00\xFE", 3);
	assert_string_equal(str_text(&made), "\033]52;c;/wD+\a");
	str_free(&made);
}

static void terminals_without_a_clipboard_are_recognised(void **state)
{
	(void)state;
	assert_true(clipboard_is_known("xterm-256color"));
	assert_true(clipboard_is_known("tmux"));
	assert_false(clipboard_is_known("linux"));
	assert_false(clipboard_is_known("vt100"));
	assert_false(clipboard_is_known("ansi"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#ifdef HAVE_VTERM
		cmocka_unit_test_setup_teardown(the_screen_shows_the_canvas, open_pty, close_pty),
		cmocka_unit_test_setup_teardown(overwritten_text_disappears, open_pty, close_pty),
		cmocka_unit_test_setup_teardown(the_cursor_row_is_visible_without_colours, open_pty,
						close_pty),
		cmocka_unit_test_setup_teardown(the_screen_is_restored_on_close, open_pty, close_pty),
		cmocka_unit_test_setup_teardown(a_resize_is_an_event_and_any_size_is_drawn, open_pty,
						close_pty),
		cmocka_unit_test_setup_teardown(after_many_frames_the_screen_equals_the_last_frame, open_pty,
						close_pty),
#else
		cmocka_unit_test(without_libvterm_screens_are_not_compared),
#endif
		cmocka_unit_test_setup_teardown(a_frame_contains_only_changed_cells, open_pty, close_pty),
		cmocka_unit_test_setup_teardown(key_sequences_are_decoded, open_pty, close_pty),
		cmocka_unit_test_setup_teardown(a_paste_is_one_event, open_pty, close_pty),
		cmocka_unit_test_setup_teardown(a_terminal_that_hangs_up_is_reported_as_lost, open_pty,
						close_pty),
		cmocka_unit_test_setup_teardown(unsuitable_terminals_are_refused_with_an_error, open_pty,
						close_pty),
		cmocka_unit_test_setup_teardown(an_unknown_terminal_type_falls_back_to_a_common_one, open_pty,
						close_pty),
		cmocka_unit_test_setup_teardown(terminals_with_sixteen_or_no_colours_are_supported, open_pty,
						close_pty),
		cmocka_unit_test_setup_teardown(the_terminal_is_restored_before_a_fatal_signal, open_pty,
						close_pty),
		cmocka_unit_test_setup_teardown(a_run_of_characters_ends_where_the_style_changes, NULL, end),
		cmocka_unit_test_setup_teardown(half_of_a_wide_character_at_the_edge_becomes_a_question_mark,
						NULL, end),
		cmocka_unit_test_setup_teardown(characters_unknown_to_the_locale_become_question_marks, NULL,
						end),
		cmocka_unit_test_setup_teardown(a_hang_up_of_the_terminal_is_detected, NULL, end),
		cmocka_unit_test_setup_teardown(a_full_pipe_accepts_no_output, NULL, end),
		cmocka_unit_test(the_clipboard_sequence_matches_rfc_4648),
		cmocka_unit_test(the_clipboard_sequence_encodes_any_byte),
		cmocka_unit_test(terminals_without_a_clipboard_are_recognised),
	};

	setlocale(LC_ALL, "C.UTF-8");
	unsetenv("NO_COLOR");
	unsetenv("ESCDELAY");
	return cmocka_run_group_tests_name("term", tests, NULL, NULL);
}
