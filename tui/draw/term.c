/* SPDX-License-Identifier: MIT */
/*
 * term.c - how do canvases reach a terminal, and keys come from it?
 *
 * Curses keeps what the screen shows and sends what differs; `shown` keeps what was
 * given to curses, so that unchanged rows cost a comparison. Input is read byte by byte
 * and put together here: curses would ask the locale what a character is.
 */
#include "term.h"

#include <curses.h>
#include <langinfo.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "term_rescue.h"

#define ESC_DELAY_MS 50
#define PASTE_MAX    (64 * 1024)
#define OSC52_MAX    56000 /* bytes; what terminals take, before base64 */

/* Codes given to curses, beyond those it gives itself. */
#define CODE_PASTE_BEGIN 2000
#define CODE_PASTE_END   2001

#define PASTE_ON  "\033[?2004h"
#define PASTE_OFF "\033[?2004l"

#define PAIRS_MAX 255

struct pair {
	int16_t fg, bg;
};

struct term {
	SCREEN *screen;
	FILE *in, *out;
	char type[64]; /* the terminal's name that worked */
	bool utf8, mouse, lost, suspended;
	bool caret_shown;
	enum colour_depth depth;
	struct theme theme;
	struct pair pair[PAIRS_MAX]; /* pair[i] is curses' pair i + 1 */
	int pairs, pairs_max;
	struct canvas shown; /* what curses was given */
	struct str run;      /* bytes of one run while drawing */

	char partial[4]; /* bytes of a character that is not complete */
	size_t partial_len;
	bool pasting;
	struct str paste;
};

/* ---- opening ---- */

/* The names to try: $TERM, what is like it, what nearly every terminal understands. */
static bool open_screen(struct term *t, const char *type)
{
	const char *const names[] = {type, strncmp(type, "xterm", 5) == 0 ? "xterm-256color" : NULL, "ansi",
				     "vt100"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (!names[i])
			continue;
		t->screen = newterm(names[i], t->out, t->in);
		if (t->screen) {
			snprintf(t->type, sizeof t->type, "%s", names[i]);
			return true;
		}
	}
	return false;
}

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
	t->pairs_max = COLOR_PAIRS - 1 < PAIRS_MAX ? COLOR_PAIRS - 1 : PAIRS_MAX;
}

static void set_modes(void)
{
	raw();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	meta(stdscr, TRUE);
	intrflush(stdscr, FALSE);
	idlok(stdscr, TRUE);
	curs_set(0);
	if (!getenv("ESCDELAY"))
		set_escdelay(ESC_DELAY_MS);
	define_key("\033[200~", CODE_PASTE_BEGIN);
	define_key("\033[201~", CODE_PASTE_END);
}

/* Writes past curses, which has sent all it has after doupdate. */
static void write_raw(const struct term *t, const char *bytes, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fileno(t->out), bytes, len);

		if (n <= 0)
			return;
		bytes += n;
		len -= (size_t)n;
	}
}

/* A capability without its padding ("$<5>"), which a signal handler cannot wait for. */
static void add_capability(struct str *out, const char *name)
{
	const char *value = tigetstr(name);

	if (!value || value == (const char *)-1)
		return;
	for (; *value; value++) {
		if (value[0] == '$' && value[1] == '<' && strchr(value, '>'))
			value = strchr(value, '>');
		else
			str_add_char(out, *value);
	}
}

static void arm_rescue(void)
{
	struct str sequence = {0};

	str_add(&sequence, PASTE_OFF "\033[?1000l\033[?1006l");
	add_capability(&sequence, "sgr0");
	add_capability(&sequence, "cnorm");
	add_capability(&sequence, "rmkx");
	add_capability(&sequence, "rmcup");
	term_rescue_arm(str_text(&sequence));
	str_free(&sequence);
}

static bool can_place_cursor(void)
{
	const char *value = tigetstr("cup");

	return value && value != (const char *)-1;
}

static bool refuse_terminal(struct term *t, struct err *err)
{
	endwin();
	return err_set(err,
		       "terminal type '%s' cannot place its cursor; set TERM to what your terminal is "
		       "(for most: xterm-256color), or use a verb such as 'kahu queue'",
		       t->type);
}

static bool start(struct term *t, const struct term_options *options, struct err *err)
{
	const char *type = options->type ? options->type : getenv("TERM");

	if (!type || !type[0])
		return err_set(err,
			       "TERM is not set; set it to what your terminal is (for most: xterm-256color)");
	if (!isatty(fileno(t->in)) || !isatty(fileno(t->out)) || !term_rescue_open(fileno(t->out)))
		return err_set(err,
			       "the console needs a terminal as input and output; without one use --script "
			       "or a verb such as 'kahu queue'");
	if (!open_screen(t, type)) {
		term_rescue_close();
		return err_set(err,
			       "terminal type '%s' is not known here; set TERM=xterm-256color or install its "
			       "terminfo entry",
			       type);
	}
	if (!can_place_cursor()) {
		refuse_terminal(t, err);
		term_rescue_close();
		return false;
	}
	arm_rescue();
	set_modes();
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
		if (t->screen)
			delscreen(t->screen);
		free(t);
		return NULL;
	}
	write_raw(t, PASTE_ON, strlen(PASTE_ON));
	if (options->mouse)
		term_use_mouse(t, true);
	return t;
}

static void leave_screen(struct term *t)
{
	if (!t->lost) {
		write_raw(t, PASTE_OFF, strlen(PASTE_OFF));
		endwin();
	}
	term_rescue_disarm();
}

void term_close(struct term *t)
{
	if (!t)
		return;
	if (!t->suspended)
		leave_screen(t);
	term_rescue_close();
	delscreen(t->screen);
	canvas_free(&t->shown);
	str_free(&t->run);
	str_free(&t->paste);
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
	t->pairs = 0;
	canvas_resize(&t->shown, 0, 0);
}

void term_use_mouse(struct term *t, bool on)
{
	mmask_t wanted = BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED;

	t->mouse = on;
	mouseinterval(0);
	mousemask(on ? wanted : 0, NULL);
}

/* ---- drawing ---- */

/* Eight-colour terminals show the bright colours as bold ones. */
static int16_t known_colour(int16_t colour)
{
	return colour >= COLORS && colour < 16 ? (int16_t)(colour - 8) : colour;
}

/* The pair of two colours; 0, the terminal's own colours, when there are no more. */
static short find_pair(struct term *t, int16_t fg, int16_t bg)
{
	struct pair wanted = {known_colour(fg), known_colour(bg)};

	if (fg == STYLE_DEFAULT_COLOUR && bg == STYLE_DEFAULT_COLOUR)
		return 0;
	for (int i = 0; i < t->pairs; i++)
		if (t->pair[i].fg == wanted.fg && t->pair[i].bg == wanted.bg)
			return (short)(i + 1);
	if (t->pairs == t->pairs_max || init_pair((short)(t->pairs + 1), wanted.fg, wanted.bg) == ERR)
		return 0;
	t->pair[t->pairs++] = wanted;
	return (short)t->pairs;
}

static void use_style(struct term *t, const struct cell *cell)
{
	enum role over = cell->over == CELL_NO_OVERLAY ? ROLE_COUNT : (enum role)cell->over;
	struct style style = theme_style(&t->theme, (enum role)cell->role, over, t->depth);
	attr_t attr = A_NORMAL;

	if (style.attr & STYLE_BOLD || (style.fg >= COLORS && style.fg < 16))
		attr |= A_BOLD;
	if (style.attr & STYLE_DIM)
		attr |= A_DIM;
	if (style.attr & STYLE_ITALIC)
		attr |= A_ITALIC;
	if (style.attr & STYLE_UNDERLINE)
		attr |= A_UNDERLINE;
	if (style.attr & STYLE_REVERSE)
		attr |= A_REVERSE;
	attr_set(attr, find_pair(t, style.fg, style.bg), NULL);
}

/* Would the terminal, as far as the C library knows, take as many cells for it as we do? */
static bool is_agreed(const struct term *t, const struct cell *cell)
{
	int expected = cell->width;

	if (!t->utf8)
		return false;
	for (size_t i = 0; i < cell->len;) {
		uint32_t code;

		i += text_decode(cell->bytes + i, cell->len - i, &code);
		if (wcwidth((wchar_t)code) != expected)
			return false;
		expected = 0;
	}
	return true;
}

static void add_cell(struct term *t, const struct cell *cell)
{
	bool is_ascii = cell->len == 1 && (unsigned char)cell->bytes[0] < 0x80;

	if (is_ascii || is_agreed(t, cell))
		str_add_bytes(&t->run, cell->bytes, cell->len);
	else
		str_add_bytes(&t->run, "??", cell->width);
}

static bool same_look(const struct cell *a, const struct cell *b)
{
	return a->role == b->role && a->over == b->over;
}

/* Gives curses a row, one call for each run of cells that look the same. */
static void draw_line(struct term *t, const struct canvas *c, int y, int width)
{
	for (int x = 0, next; x < width; x = next) {
		const struct cell *first = canvas_at(c, x, y);

		str_clear(&t->run);
		for (next = x; next < width && same_look(first, canvas_at(c, next, y)); next++)
			add_cell(t, canvas_at(c, next, y));
		use_style(t, first);
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

static bool can_write(const struct term *t)
{
	struct pollfd fd = {.fd = fileno(t->out), .events = POLLOUT};

	return poll(&fd, 1, 0) == 1 && (fd.revents & (POLLOUT | POLLHUP | POLLERR)) == POLLOUT;
}

bool term_show(struct term *t, const struct canvas *c)
{
	int w, h;

	if (t->lost || t->suspended || !can_write(t))
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
	int code;
	struct key key;
} key_codes[] = {
	{KEY_UP, {.code = KBD_UP}},
	{KEY_DOWN, {.code = KBD_DOWN}},
	{KEY_LEFT, {.code = KBD_LEFT}},
	{KEY_RIGHT, {.code = KBD_RIGHT}},
	{KEY_HOME, {.code = KBD_HOME}},
	{KEY_END, {.code = KBD_END}},
	{KEY_PPAGE, {.code = KBD_PAGE_UP}},
	{KEY_NPAGE, {.code = KBD_PAGE_DOWN}},
	{KEY_IC, {.code = KBD_INSERT}},
	{KEY_DC, {.code = KBD_DELETE}},
	{KEY_ENTER, {.code = KBD_ENTER}},
	{KEY_BACKSPACE, {.code = KBD_BACKSPACE}},
	{KEY_BTAB, {.code = KBD_TAB, .mods = KBD_SHIFT}},
	{KEY_SR, {.code = KBD_UP, .mods = KBD_SHIFT}},
	{KEY_SF, {.code = KBD_DOWN, .mods = KBD_SHIFT}},
	{KEY_SLEFT, {.code = KBD_LEFT, .mods = KBD_SHIFT}},
	{KEY_SRIGHT, {.code = KBD_RIGHT, .mods = KBD_SHIFT}},
	{KEY_SHOME, {.code = KBD_HOME, .mods = KBD_SHIFT}},
	{KEY_SEND, {.code = KBD_END, .mods = KBD_SHIFT}},
	{KEY_SPREVIOUS, {.code = KBD_PAGE_UP, .mods = KBD_SHIFT}},
	{KEY_SNEXT, {.code = KBD_PAGE_DOWN, .mods = KBD_SHIFT}},
	{KEY_SDC, {.code = KBD_DELETE, .mods = KBD_SHIFT}},
	{KEY_SIC, {.code = KBD_INSERT, .mods = KBD_SHIFT}},
	{KEY_A1, {.code = KBD_HOME}},
	{KEY_A3, {.code = KBD_PAGE_UP}},
	{KEY_C1, {.code = KBD_END}},
	{KEY_C3, {.code = KBD_PAGE_DOWN}},
};

/* terminfo's names of keys with modifiers end in 1 + Shift 1 + Alt 2 + Ctrl 4: kUP5 is <C-Up>. */
static const struct {
	const char *name;
	enum kbd code;
} modified_names[] = {
	{"kUP", KBD_UP},     {"kDN", KBD_DOWN},   {"kLFT", KBD_LEFT},    {"kRIT", KBD_RIGHT},
	{"kHOM", KBD_HOME},  {"kEND", KBD_END},   {"kPRV", KBD_PAGE_UP}, {"kNXT", KBD_PAGE_DOWN},
	{"kDC", KBD_DELETE}, {"kIC", KBD_INSERT},
};

static struct key modified_key(int code)
{
	const char *name = keyname(code);
	size_t len = name ? strlen(name) : 0;
	struct key key = {.code = KBD_NONE};
	unsigned bits;

	if (len < 4 || name[len - 1] < '2' || name[len - 1] > '8')
		return key;
	bits = (unsigned)(name[len - 1] - '1');
	for (size_t i = 0; i < sizeof modified_names / sizeof modified_names[0]; i++)
		if (strlen(modified_names[i].name) == len - 1 &&
		    strncmp(modified_names[i].name, name, len - 1) == 0)
			key.code = modified_names[i].code;
	if (key.code == KBD_NONE)
		return key;
	key.mods = (bits & 1 ? KBD_SHIFT : 0u) | (bits & 2 ? KBD_ALT : 0u) | (bits & 4 ? KBD_CTRL : 0u);
	return key;
}

static struct key key_of_code(int code)
{
	for (size_t i = 0; i < sizeof key_codes / sizeof key_codes[0]; i++)
		if (key_codes[i].code == code)
			return key_codes[i].key;
	if (code >= KEY_F(1) && code <= KEY_F(12))
		return (struct key){.code = (enum kbd)(KBD_F1 + code - KEY_F(1))};
	if (code >= KEY_F(13) && code <= KEY_F(24))
		return (struct key){.code = (enum kbd)(KBD_F1 + code - KEY_F(13)), .mods = KBD_SHIFT};
	return modified_key(code);
}

/* Drops the rest of a control sequence that curses does not know: up to its final byte. */
static void skip_sequence(int kind)
{
	int c;

	while ((c = getch()) != ERR) {
		if (kind == '[' && c >= 0x40 && c <= 0x7E)
			return;
		if (kind == 'O' || c == '\a' || c == 0x9C)
			return;
		if (c == 0x1B) {
			getch(); /* the \ of ESC \ */
			return;
		}
	}
}

/* What an ESC byte was: the key, the start of a sequence, or Alt with the next key. */
static struct key read_escape(void)
{
	int c = getch();
	struct key key = {.code = KBD_ESC};

	if (c == ERR)
		return key;
	if (c == '[' || c == 'O' || c == ']' || c == 'P') {
		skip_sequence(c);
		return (struct key){.code = KBD_NONE};
	}
	if (c == 0x1B || c >= 0x80) {
		ungetch(c);
		return key;
	}
	key = key_of_char((uint32_t)c);
	key.mods |= KBD_ALT;
	return key;
}

/* Adds a byte of a character beyond ASCII. True when one is complete. */
static bool add_partial(struct term *t, int byte, struct key *key)
{
	uint32_t code;

	t->partial[t->partial_len++] = (char)byte;
	text_decode(t->partial, t->partial_len, &code);
	if (code != TEXT_INVALID) {
		t->partial_len = 0;
		*key = key_of_char(code);
		return true;
	}
	if ((unsigned char)t->partial[0] < 0xC2 || t->partial_len == sizeof t->partial)
		t->partial_len = 0;
	return false;
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

/* Between the brackets of a paste everything is text; what curses took for keys is left out. */
static bool add_to_paste(struct term *t, int code, struct term_event *out)
{
	if (code == CODE_PASTE_END) {
		t->pasting = false;
		*out = (struct term_event){
			.kind = TERM_PASTE, .text = str_text(&t->paste), .len = t->paste.len};
		return true;
	}
	if (code < 0x100 && t->paste.len < PASTE_MAX)
		str_add_char(&t->paste, (char)code);
	return false;
}

static bool take_key(struct key key, struct term_event *out)
{
	*out = (struct term_event){.kind = TERM_KEY, .key = key};
	return key.code != KBD_NONE;
}

/* Turns one code of curses into an event, if it completes one. */
static bool take_code(struct term *t, int code, struct term_event *out)
{
	struct key key;

	if (code == KEY_RESIZE) {
		canvas_resize(&t->shown, 0, 0);
		*out = (struct term_event){.kind = TERM_RESIZE};
		return true;
	}
	if (t->pasting)
		return add_to_paste(t, code, out);
	if (code >= 0x80 && code < 0x100)
		return add_partial(t, code, &key) && take_key(key, out);
	t->partial_len = 0;
	if (code == CODE_PASTE_BEGIN) {
		t->pasting = true;
		str_clear(&t->paste);
		return false;
	}
	if (code == KEY_MOUSE)
		return read_mouse(out);
	if (code == 0x1B)
		return take_key(read_escape(), out);
	return take_key(code < 0x80 ? key_of_char((uint32_t)code) : key_of_code(code), out);
}

/* Hung up, or at its end: poll would say "readable" for ever. */
static bool is_gone(int fd)
{
	struct pollfd state = {.fd = fd, .events = POLLIN};
	int waiting = 0;

	if (poll(&state, 1, 0) <= 0)
		return false;
	if (state.revents & (POLLHUP | POLLERR | POLLNVAL))
		return true;
	return ioctl(fd, FIONREAD, &waiting) == 0 && waiting == 0;
}

bool term_read(struct term *t, struct term_event *out)
{
	int code;

	if (t->lost || t->suspended)
		return false;
	while ((code = getch()) != ERR)
		if (take_code(t, code, out))
			return true;
	if (is_gone(fileno(t->in))) {
		t->lost = true;
		term_rescue_disarm();
	}
	return false;
}

/* ---- leaving and coming back ---- */

void term_suspend(struct term *t)
{
	if (t->suspended)
		return;
	leave_screen(t);
	t->suspended = true;
}

void term_resume(struct term *t)
{
	struct winsize size;

	if (!t->suspended || t->lost)
		return;
	t->suspended = false;
	if (ioctl(fileno(t->out), TIOCGWINSZ, &size) == 0 && size.ws_row && size.ws_col)
		resizeterm(size.ws_row, size.ws_col);
	arm_rescue();
	term_repaint(t);
	refresh();
	write_raw(t, PASTE_ON, strlen(PASTE_ON));
}

/* ---- signals to the person ---- */

void term_bell(struct term *t)
{
	if (!t->lost && !t->suspended && can_write(t))
		beep();
}

static void add_base64(struct str *out, const unsigned char *in, size_t len)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < len; i += 3) {
		size_t have = len - i < 3 ? len - i : 3;
		unsigned bits = (unsigned)in[i] << 16;

		if (have > 1)
			bits |= (unsigned)in[i + 1] << 8;
		if (have > 2)
			bits |= in[i + 2];
		for (size_t digit = 0; digit < 4; digit++)
			str_add_char(out, digit <= have ? digits[bits >> (18 - 6 * digit) & 63] : '=');
	}
}

/* Terminals that would print the sequence instead of obeying it. */
static bool has_clipboard(const struct term *t)
{
	return strncmp(t->type, "linux", 5) != 0 && strncmp(t->type, "vt", 2) != 0 &&
	       strcmp(t->type, "ansi") != 0;
}

bool term_copy(struct term *t, const char *text, size_t len)
{
	struct str sequence = {0};

	if (t->lost || t->suspended || len > OSC52_MAX || !has_clipboard(t) || !can_write(t))
		return false;
	str_add(&sequence, "\033]52;c;");
	add_base64(&sequence, (const unsigned char *)text, len);
	str_add_char(&sequence, '\a');
	write_raw(t, str_text(&sequence), sequence.len);
	str_free(&sequence);
	return true;
}
