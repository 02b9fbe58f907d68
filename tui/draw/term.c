/* SPDX-License-Identifier: MIT */
/*
 * term.c - how do canvases reach a terminal, and keys come from it?
 *
 * Curses keeps what the screen shows and sends what differs; `shown` keeps what was
 * given to curses, so that unchanged rows cost a comparison. Of the input curses decodes
 * function keys only; characters are put together by term_input.c, as curses would ask
 * the locale what a character is.
 */
#include "term.h"

#include <curses.h>
#include <errno.h>
#include <langinfo.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "clipboard.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "term_input.h"
#include "term_line.h"
#include "term_rescue.h"
#include "term_type.h"

#define ESC_DELAY_MS 50

/* Codes given to curses, beyond those it gives itself. */
#define CODE_PASTE_BEGIN 2000
#define CODE_PASTE_END   2001

#define PASTE_ON  "\033[?2004h"
#define PASTE_OFF "\033[?2004l"

struct term {
	SCREEN *screen;
	WINDOW *keys; /* never shown: reading from it repaints nothing */
	FILE *in, *out;
	struct term_type type;
	bool utf8, lost, caret_shown;
	enum colour_depth depth;
	struct theme theme;
	struct canvas shown; /* what curses was given */
	struct str run;      /* bytes of one run while drawing */
	struct term_input input;
};

/* ---- opening ---- */

static bool wants_no_colour(const struct term_options *options)
{
	const char *variable = getenv("NO_COLOR");

	return options->no_colour || (variable && variable[0]);
}

static void open_colours(struct term *t, const struct term_options *options)
{
	t->depth = COLOUR_NONE;
	if (wants_no_colour(options) || !has_colors() || start_color() == ERR || COLORS < 8)
		return;
	use_default_colors();
	t->depth = COLORS >= 256 ? COLOUR_256 : COLOUR_16;
}

static void set_modes(WINDOW *keys)
{
	raw();
	noecho();
	nonl();
	keypad(keys, TRUE);
	nodelay(keys, TRUE);
	meta(keys, TRUE);
	intrflush(keys, FALSE);
	idlok(stdscr, TRUE);
	curs_set(0);
	if (!getenv("ESCDELAY"))
		set_escdelay(ESC_DELAY_MS);
	define_key("\033[200~", CODE_PASTE_BEGIN);
	define_key("\033[201~", CODE_PASTE_END);
}

/* All that can be wrong with a terminal. */
static bool check(struct term *t, const char *type, struct err *err)
{
	int fd = fileno(t->out);

	if (!type || !type[0])
		return err_set(err,
			       "TERM is not set; set it to what your terminal is (for most: xterm-256color)");
	if (!isatty(fileno(t->in)) || !isatty(fd))
		return err_set(err,
			       "the console needs a terminal as input and output; without one use --script "
			       "or a verb such as 'kahu queue'");
	if (!term_type_find(type, fd, &t->type))
		return err_set(err,
			       "terminal type '%s' is not known here; set TERM=xterm-256color or install its "
			       "terminfo entry",
			       type);
	if (!t->type.places_cursor)
		return err_set(
			err,
			"terminal type '%s' cannot place its cursor; set TERM to what your terminal is "
			"(for most: xterm-256color), or use a verb such as 'kahu queue'",
			t->type.name);
	return true;
}

static bool start(struct term *t, const struct term_options *options, struct err *err)
{
	if (!check(t, options->type ? options->type : getenv("TERM"), err))
		return false;
	if (!term_rescue_open(fileno(t->out)))
		return err_set(err, "the terminal's modes cannot be read: %s", strerror(errno));
	t->screen = newterm(t->type.name, t->out, t->in);
	if (!t->screen) {
		term_rescue_close();
		return err_set(err, "curses cannot use the terminal type '%s'", t->type.name);
	}
	term_rescue_arm(t->type.rescue);
	t->keys = newpad(1, 1);
	set_modes(t->keys);
	open_colours(t, options);
	return true;
}

struct term *term_open(const struct term_options *options, struct err *err)
{
	struct term *t = mem_zero(1, sizeof *t);

	t->in = options->in ? options->in : stdin;
	t->out = options->out ? options->out : stdout;
	t->utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	if (!start(t, options, err)) {
		free(t);
		return NULL;
	}
	line_write(fileno(t->out), PASTE_ON, strlen(PASTE_ON));
	if (options->mouse)
		term_use_mouse(t, true);
	return t;
}

static void leave_screen(struct term *t)
{
	if (!t->lost) {
		line_write(fileno(t->out), PASTE_OFF, strlen(PASTE_OFF));
		endwin();
	}
	term_rescue_disarm();
}

void term_close(struct term *t)
{
	if (!t)
		return;
	leave_screen(t);
	term_rescue_close();
	delwin(t->keys);
	delscreen(t->screen);
	canvas_free(&t->shown);
	str_free(&t->run);
	term_input_free(&t->input);
	free(t);
}

/* ---- what it is ---- */

void term_size(const struct term *t, int *w, int *h)
{
	(void)t;
	getmaxyx(stdscr, *h, *w);
}

enum colour_depth term_depth(const struct term *t)
{
	return t->depth;
}

bool term_is_utf8(const struct term *t)
{
	return t->utf8;
}

int term_fd(const struct term *t)
{
	return fileno(t->in);
}

bool term_lost(const struct term *t)
{
	return t->lost;
}

void term_repaint(struct term *t)
{
	canvas_resize(&t->shown, 0, 0);
	clearok(curscr, TRUE);
}

void term_use_theme(struct term *t, const struct theme *theme)
{
	t->theme = *theme;
	canvas_resize(&t->shown, 0, 0);
}

void term_use_mouse(struct term *t, bool on)
{
	mmask_t wanted = BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED;

	(void)t;
	mouseinterval(0);
	mousemask(on ? wanted : 0, NULL);
}

/* ---- drawing ---- */

/* Eight-colour terminals show the bright colours as bold ones. */
static bool is_bright(int16_t colour)
{
	return colour >= COLORS && colour < 16;
}

/* Curses' pair of two colours; 0, the terminal's own colours, when it has none for them. */
static short colour_pair(int16_t fg, int16_t bg)
{
	int pair;

	if (fg == STYLE_DEFAULT_COLOUR && bg == STYLE_DEFAULT_COLOUR)
		return 0;
	pair = alloc_pair(is_bright(fg) ? fg - 8 : fg, is_bright(bg) ? bg - 8 : bg);
	if (pair < 0 || pair > SHRT_MAX)
		return 0;
	return (short)pair;
}

static void use_style(struct term *t, const struct cell *cell)
{
	static const struct {
		enum style_attr ours;
		attr_t theirs;
	} attrs[] = {{STYLE_BOLD, A_BOLD},
		     {STYLE_DIM, A_DIM},
		     {STYLE_ITALIC, A_ITALIC},
		     {STYLE_UNDERLINE, A_UNDERLINE},
		     {STYLE_REVERSE, A_REVERSE}};
	enum role over = cell->over == CELL_NO_OVERLAY ? ROLE_COUNT : (enum role)cell->over;
	struct style style = theme_style(&t->theme, (enum role)cell->role, over, t->depth);
	attr_t attr = is_bright(style.fg) ? A_BOLD : A_NORMAL;

	for (size_t i = 0; i < sizeof attrs / sizeof attrs[0]; i++)
		if (style.attr & attrs[i].ours)
			attr |= attrs[i].theirs;
	attr_set(attr, colour_pair(style.fg, style.bg), NULL);
}

/* Gives curses a row, one call for each run of cells that look the same. */
static void draw_line(struct term *t, const struct canvas *c, int y, int width)
{
	for (int x = 0, next; x < width; x = next) {
		next = line_next_run(c, x, y, width, t->utf8, &t->run);
		use_style(t, canvas_at(c, x, y));
		mvaddnstr(y, x, str_text(&t->run), (int)t->run.len);
	}
}

static bool is_line_shown(const struct term *t, const struct canvas *c, int y)
{
	return t->shown.w == c->w && y < t->shown.h &&
	       memcmp(canvas_at(&t->shown, 0, y), canvas_at(c, 0, y), (size_t)c->w * sizeof *c->cell) == 0;
}

/* The caret is moved last: what curses is given moves its cursor. */
static void place_caret(struct term *t, const struct canvas *c)
{
	bool wanted = canvas_at(c, c->caret_x, c->caret_y) != NULL;

	if (wanted)
		move(c->caret_y, c->caret_x);
	if (wanted != t->caret_shown)
		curs_set(wanted ? 1 : 0);
	t->caret_shown = wanted;
}

static bool takes_output(const struct term *t)
{
	return !t->lost && line_takes_output(fileno(t->out));
}

bool term_show(struct term *t, const struct canvas *c)
{
	int w, h;

	if (!takes_output(t))
		return false;
	term_size(t, &w, &h);
	for (int y = 0; y < c->h && y < h && c->w > 0; y++)
		if (!is_line_shown(t, c, y))
			draw_line(t, c, y, c->w < w ? c->w : w);
	place_caret(t, c);
	wnoutrefresh(stdscr);
	doupdate();
	canvas_copy(&t->shown, c);
	return true;
}

/* ---- reading ---- */

static const struct {
	int theirs;
	enum kbd code;
	unsigned mods;
} key_codes[] = {
	{KEY_UP, KBD_UP, 0},
	{KEY_DOWN, KBD_DOWN, 0},
	{KEY_LEFT, KBD_LEFT, 0},
	{KEY_RIGHT, KBD_RIGHT, 0},
	{KEY_HOME, KBD_HOME, 0},
	{KEY_END, KBD_END, 0},
	{KEY_PPAGE, KBD_PAGE_UP, 0},
	{KEY_NPAGE, KBD_PAGE_DOWN, 0},
	{KEY_IC, KBD_INSERT, 0},
	{KEY_DC, KBD_DELETE, 0},
	{KEY_ENTER, KBD_ENTER, 0},
	{KEY_BACKSPACE, KBD_BACKSPACE, 0},
	{KEY_BTAB, KBD_TAB, KBD_SHIFT},
	{KEY_SR, KBD_UP, KBD_SHIFT},
	{KEY_SF, KBD_DOWN, KBD_SHIFT},
	{KEY_SLEFT, KBD_LEFT, KBD_SHIFT},
	{KEY_SRIGHT, KBD_RIGHT, KBD_SHIFT},
	{KEY_SHOME, KBD_HOME, KBD_SHIFT},
	{KEY_SEND, KBD_END, KBD_SHIFT},
	{KEY_SDC, KBD_DELETE, KBD_SHIFT},
};

static struct key key_of_code(int code)
{
	for (size_t i = 0; i < sizeof key_codes / sizeof key_codes[0]; i++)
		if (key_codes[i].theirs == code)
			return (struct key){.code = key_codes[i].code, .mods = key_codes[i].mods};
	if (code >= KEY_F(1) && code <= KEY_F(12))
		return (struct key){.code = (enum kbd)(KBD_F1 + code - KEY_F(1))};
	if (code >= KEY_F(13) && code <= KEY_F(24))
		return (struct key){.code = (enum kbd)(KBD_F1 + code - KEY_F(13)), .mods = KBD_SHIFT};
	return term_input_named(keyname(code));
}

static bool read_mouse(struct term_event *out)
{
	MEVENT event;

	if (getmouse(&event) == ERR)
		return false;
	*out = (struct term_event){.kind = TERM_MOUSE, .x = event.x, .y = event.y};
	if (event.bstate & BUTTON4_PRESSED)
		out->key.code = KBD_UP;
	else if (event.bstate & BUTTON5_PRESSED)
		out->key.code = KBD_DOWN;
	else
		out->key.code = KBD_ENTER;
	return true;
}

static bool take_resize(struct term *t, struct term_event *out)
{
	canvas_resize(&t->shown, 0, 0);
	*out = (struct term_event){.kind = TERM_RESIZE};
	return true;
}

/* Turns one code of curses into an event, if it completes one. */
static bool take_code(struct term *t, int code, struct term_event *out)
{
	if (code < 0x100)
		return term_input_byte(&t->input, (unsigned char)code, out);
	switch (code) {
	case KEY_RESIZE:
		return take_resize(t, out);
	case CODE_PASTE_BEGIN:
		term_input_paste_begin(&t->input);
		return false;
	case CODE_PASTE_END:
		return term_input_paste_end(&t->input, out);
	case KEY_MOUSE:
		return read_mouse(out);
	default:
		return term_input_key(&t->input, key_of_code(code), out);
	}
}

bool term_read(struct term *t, struct term_event *out)
{
	int code;

	if (t->lost)
		return false;
	while ((code = wgetch(t->keys)) != ERR)
		if (take_code(t, code, out))
			return true;
	if (term_input_idle(&t->input, out))
		return true;
	if (line_is_gone(fileno(t->in))) {
		t->lost = true;
		term_rescue_disarm();
	}
	return false;
}

bool term_copy(struct term *t, const char *text, size_t len)
{
	struct str sequence = {0};

	if (len > CLIPBOARD_MAX || !clipboard_is_known(t->type.name) || !takes_output(t))
		return false;
	clipboard_sequence(&sequence, text, len);
	line_write(fileno(t->out), str_text(&sequence), sequence.len);
	str_free(&sequence);
	return true;
}
