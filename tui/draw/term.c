/* SPDX-License-Identifier: MIT */
/*
 * term.c - terminal: output of canvases, input of keys (curses)
 *
 * Curses remembers the screen and sends the differences. `shown` is the last canvas that was passed to
 * curses, so that an unchanged row costs only one comparison. Curses decodes function keys only; characters
 * are decoded by term_input.c, because curses would decode them according to the locale.
 */
#include "term.h"

#include <curses.h>
#include <errno.h>
#include <langinfo.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "term_input.h"
#include "term_type.h"

/* --- restoring the terminal when the process dies ----------------------------------------------------- */

/*
 * While the rescue is armed, the handler of a signal that ends the process writes a prepared sequence to the
 * terminal and restores its modes, with functions that are allowed in a signal handler. Then the signal has
 * its previous effect. The terminal is also restored at exit().
 *
 * The state is a static variable, because a signal handler gets no other data. Signals of faults are always
 * handled; TERM, HUP and INT only if the program has no handlers for them.
 */

static const struct {
	int number;
	bool is_fault;
} signals[] = {
	{SIGSEGV, true}, {SIGBUS, true},   {SIGABRT, true}, {SIGFPE, true},
	{SIGILL, true},  {SIGTERM, false}, {SIGHUP, false}, {SIGINT, false},
};

#define SIGNAL_COUNT (sizeof signals / sizeof signals[0])

static struct {
	volatile sig_atomic_t armed;
	int fd;
	struct termios modes;
	char sequence[RESCUE_SEQUENCE_MAX];
	size_t len;
	struct sigaction before[SIGNAL_COUNT];
	bool taken[SIGNAL_COUNT];
	bool at_exit;
} rescue;

/* Uses only functions that POSIX allows in a signal handler. */
static void restore_terminal(void)
{
	int saved_errno = errno;

	if (rescue.armed) {
		rescue.armed = 0;
		if (write(rescue.fd, rescue.sequence, rescue.len) < 0)
			errno = 0; /* the terminal was hung up: nothing to restore */
		tcsetattr(rescue.fd, TCSANOW, &rescue.modes);
	}
	errno = saved_errno;
}

static void handle_signal(int number)
{
	restore_terminal();
	for (size_t i = 0; i < SIGNAL_COUNT; i++)
		if (signals[i].number == number && rescue.taken[i])
			sigaction(number, &rescue.before[i], NULL);
	raise(number); /* delivered when this handler returns */
}

static void take_signals(void)
{
	struct sigaction action = {.sa_handler = handle_signal, .sa_flags = SA_ONSTACK};

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < SIGNAL_COUNT; i++) {
		rescue.taken[i] = false;
		if (sigaction(signals[i].number, NULL, &rescue.before[i]) != 0)
			continue;
		if (!signals[i].is_fault && rescue.before[i].sa_handler != SIG_DFL)
			continue;
		rescue.taken[i] = sigaction(signals[i].number, &action, NULL) == 0;
	}
}

static void give_signals_back(void)
{
	for (size_t i = 0; i < SIGNAL_COUNT; i++) {
		struct sigaction now;

		if (rescue.taken[i] && sigaction(signals[i].number, NULL, &now) == 0 &&
		    now.sa_handler == handle_signal)
			sigaction(signals[i].number, &rescue.before[i], NULL);
		rescue.taken[i] = false;
	}
}

/*
 * Saves the modes of the terminal fd and installs the signal handlers. Returns false if fd is not a terminal.
 */
static bool term_rescue_open(int fd)
{
	if (tcgetattr(fd, &rescue.modes) != 0)
		return false;
	rescue.fd = fd;
	rescue.armed = 0;
	if (!rescue.at_exit)
		rescue.at_exit = atexit(restore_terminal) == 0;
	take_signals();
	return true;
}

/* Arms the rescue with a sequence that makes the terminal usable, cut to its maximum length. */
static void term_rescue_arm(const char *sequence)
{
	snprintf(rescue.sequence, sizeof rescue.sequence, "%s", sequence);
	rescue.len = strlen(rescue.sequence);
	rescue.armed = 1;
}

static void term_rescue_disarm(void)
{
	rescue.armed = 0;
}

/* Restores the modes and the previous signal handlers. */
static void term_rescue_close(void)
{
	rescue.armed = 0;
	tcsetattr(rescue.fd, TCSANOW, &rescue.modes);
	give_signals_back();
}

/* --- the line to the terminal ------------------------------------------------------------------------- */

bool line_takes_output(int fd)
{
	struct pollfd state = {.fd = fd, .events = POLLOUT};

	return poll(&state, 1, 0) == 1 && state.revents == POLLOUT;
}

bool line_is_gone(int fd)
{
	struct pollfd state = {.fd = fd, .events = POLLIN};
	int waiting = 0;

	if (poll(&state, 1, 0) <= 0)
		return false;
	if (state.revents & (POLLHUP | POLLERR | POLLNVAL))
		return true;
	return ioctl(fd, FIONREAD, &waiting) == 0 && waiting == 0;
}

void line_write(int fd, const char *bytes, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, bytes, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		bytes += n;
		len -= (size_t)n;
	}
}

/* Does the C library, and so probably the terminal, use the same width for the character of a cell? */
static bool is_agreed(const struct cell *cell)
{
	int expected = cell->width;

	for (size_t i = 0; i < cell->len;) {
		uint32_t code;

		i += text_decode(cell->bytes + i, cell->len - i, &code);
		if (wcwidth((wchar_t)code) != expected)
			return false;
		expected = 0;
	}
	return true;
}

/*
 * Appends the character of a cell, or '?' for each of its columns. `room` is the number of cells up to the
 * right edge: curses would move a wide character that does not fit to the next line.
 */
static void add_cell(struct str *out, const struct cell *cell, int room, bool utf8)
{
	bool is_ascii = cell->len == 1 && (unsigned char)cell->bytes[0] < 0x80;

	if (is_ascii || (utf8 && cell->width <= room && is_agreed(cell)))
		str_add_bytes(out, cell->bytes, cell->len);
	else
		str_add_bytes(out, "??", cell->width < room ? cell->width : (size_t)room);
}

int line_next_run(const struct canvas *c, int x, int y, int width, bool utf8, struct str *out)
{
	const struct cell *first = canvas_at(c, x, y), *cell = first;

	str_clear(out);
	do {
		add_cell(out, cell, width - x, utf8);
		cell = ++x < width ? canvas_at(c, x, y) : NULL;
	} while (cell && cell->role == first->role && cell->over == first->over);
	return x;
}

/* --- the terminal's clipboard (OSC 52) ---------------------------------------------------------------- */

bool clipboard_is_known(const char *type)
{
	return strncmp(type, "linux", 5) != 0 && strncmp(type, "vt", 2) != 0 && strcmp(type, "ansi") != 0;
}

/* Appends one to three bytes as four base64 digits. */
static void add_base64(struct str *out, const unsigned char *in, size_t have)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	unsigned bits = 0;

	for (size_t i = 0; i < have; i++)
		bits |= (unsigned)in[i] << (16 - 8 * i);
	for (size_t i = 0; i < 4; i++)
		str_add_bytes(out, i <= have ? &digits[bits >> (18 - 6 * i) & 63] : "=", 1);
}

void clipboard_sequence(struct str *out, const char *text, size_t len)
{
	const unsigned char *bytes = (const unsigned char *)text;

	str_add(out, "\033]52;c;");
	for (size_t i = 0; i < len; i += 3)
		add_base64(out, bytes + i, len - i < 3 ? len - i : 3);
	str_add_char(out, '\a');
}

/* --- the terminal ------------------------------------------------------------------------------------- */

#define ESC_DELAY_MS 50

/* Key codes for the beginning and end of a paste, above those of curses. */
#define CODE_PASTE_BEGIN 2000

#define CODE_PASTE_END 2001

#define PASTE_ON "\033[?2004h"

#define PASTE_OFF "\033[?2004l"

struct term {
	SCREEN *screen;
	WINDOW *keys; /* a pad that is never shown, so that reading keys from it repaints nothing */
	FILE *in, *out;
	struct term_type type;
	bool utf8, lost, caret_shown;
	enum colour_depth depth;
	struct theme theme;
	struct canvas shown; /* the last canvas passed to curses */
	struct str run;      /* bytes of one run while drawing */
	struct term_input input;
};

/* --- opening and closing ------------------------------------------------------------------------------ */

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

/* Can the console run on this terminal? If not, returns false with err set. */
static bool check(struct term *t, const char *type, struct err *err)
{
	int fd = fileno(t->out);

	if (!type || !type[0])
		return err_set(
			err, "TERM is not set; set it to the type of your terminal (usually xterm-256color)");
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
		return err_set(err,
			       "terminal type '%s' cannot move its cursor; set TERM to the type of your "
			       "terminal (usually xterm-256color), or use a verb such as 'kahu queue'",
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
		return err_set(err,
			       "curses cannot use the terminal type '%s'; set TERM to another type, such as "
			       "xterm-256color",
			       t->type.name);
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

/* --- output ------------------------------------------------------------------------------------------- */

/* Must a colour be shown as bold, because the terminal has only eight colours? */
static bool is_bright(int16_t colour)
{
	return colour >= COLORS && colour < 16;
}

/* Returns the curses colour pair; 0, the default colours of the terminal, if curses has no pair left. */
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

/* Writes a row to curses, one call for each run of cells that look the same. */
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

/* The caret is moved last, because every write moves the cursor of curses. */
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

/* --- input -------------------------------------------------------------------------------------------- */

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

/* Handles one code from curses; true if it completes an event. */
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
