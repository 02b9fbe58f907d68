/* SPDX-License-Identifier: MIT */
/*
 * fsfile.c - Maui's FS.<epoch> files
 *
 * The text is copied once and split into lines and words in place; the names point into the copy. Amounts are
 * parsed as decimal fractions, without floating point, so that values with three decimals round-trip.
 */
#include "fsfile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "line.h"
#include "sched/base/duration.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"

/* Larger amounts are rejected as errors: no machine has as many processor-seconds in ten years. */
#define PS_MAX INT64_C(1000000000000000)
#define PER_PS 1000

#define WORDS_MAX 3

struct reader {
	const char *file;
	struct fsfile *out;
	uint32_t line;       /* the current line, from 1        */
	uint32_t total_line; /* line of TOTAL; 0 = not yet      */
	struct err *err;
};

bool fsfile_epoch(const char *file, int64_t *begin_s)
{
	const char *slash = strrchr(file, '/');
	const char *name = slash ? slash + 1 : file;
	int64_t s;

	if (strncmp(name, "FS.", 3) != 0 || !str_read_whole(name + 3, &s) || s < 0 || s > MOMENT_MAX_S)
		return false;
	*begin_s = s;
	return true;
}

/* --- parsing ---------------------------------------------------------------------------- */

/* Parses the digits after the decimal point as thousandths; the fourth digit decides how to round. */
static int64_t take_decimals(struct span *s)
{
	static const int64_t unit[] = {100, 10, 1};
	const char *first = s->at;
	int64_t thousandths = 0;

	for (; s->at < s->end && *s->at >= '0' && *s->at <= '9'; s->at++) {
		if (s->at - first < 3)
			thousandths += unit[s->at - first] * (*s->at - '0');
		else if (s->at - first == 3)
			thousandths += *s->at >= '5';
	}
	return thousandths;
}

static bool read_amount(const struct reader *r, struct span word, int64_t *out)
{
	struct span rest = word;
	int64_t ps;
	bool good = line_digits(&rest, &ps) && rest.at > word.at && ps <= PS_MAX;

	*out = good ? ps * PER_PS : 0;
	if (rest.at < rest.end && *rest.at == '.') {
		rest.at++;
		*out += take_decimals(&rest);
	}
	if (!good || rest.at < rest.end || *out > PS_MAX * PER_PS)
		return err_set(r->err,
			       "%s:%u: '%.40s' is not an amount of processor-seconds such as 20000.000",
			       r->file, r->line, word.at);
	return true;
}

/* Takes the length of the window from the header comment; ignores all other comments. */
static bool read_comment(struct reader *r, struct span line)
{
	static const char mark[] = "(Duration:";
	const char *at = strstr(line.at, mark);
	struct span rest;
	int64_t s;

	if (!at)
		return true;
	rest = (struct span){at + sizeof mark - 1, line.end};
	line_skip_blanks(&rest);
	if (!line_digits(&rest, &s) || s < 1 || s > DURATION_MAX_S)
		return err_set(r->err,
			       "%s:%u: the window's duration is not a number of seconds from 1 to %" PRId64,
			       r->file, r->line, DURATION_MAX_S);
	r->out->length_s = s;
	return true;
}

static bool read_total(struct reader *r, const struct span *word, size_t words)
{
	if (words != 2 && words != 3)
		return err_set(r->err, "%s:%u: TOTAL requires one amount", r->file, r->line);
	if (r->total_line != 0)
		return err_set(r->err, "%s:%u: TOTAL is already on line %u", r->file, r->line, r->total_line);
	r->total_line = r->line;
	return read_amount(r, word[words - 1], &r->out->total);
}

static bool read_use(struct reader *r, const struct span *word, size_t words)
{
	struct fsfile *f = r->out;
	struct fs_use use = {.type = cred_type_find(word[0].at), .line = r->line};

	if (use.type == CRED_TYPE_COUNT)
		return err_set(r->err,
			       "%s:%u: a line must begin with User, Group, Account, QOS, Class or TOTAL, not "
			       "with '%.40s'",
			       r->file, r->line, word[0].at);
	if (words != 3)
		return err_set(r->err, "%s:%u: '%s' requires a name and an amount", r->file, r->line,
			       word[0].at);
	if (!read_amount(r, word[2], &use.amount))
		return false;
	use.name = word[1].at;
	f->use = vec_room(f->use, &f->room, f->count + 1, sizeof *f->use);
	f->use[f->count++] = use;
	return true;
}

/* Terminates a line or word of the copy with NUL, in place of the blank or newline after it. */
static void end_string(const struct reader *r, struct span piece)
{
	r->out->text[piece.end - r->out->text] = '\0';
}

static bool read_line(struct reader *r, struct span line)
{
	struct span word[WORDS_MAX];
	size_t words;

	end_string(r, line);
	words = line_words(line, word, WORDS_MAX);
	if (words == 0)
		return true;
	if (*word[0].at == '#')
		return read_comment(r, line);
	for (size_t i = 0; i < words && i < WORDS_MAX; i++)
		end_string(r, word[i]);
	return str_same_word(word[0].at, "TOTAL") ? read_total(r, word, words) : read_use(r, word, words);
}

static bool read_lines(struct reader *r, struct span text)
{
	struct span line;

	line_skip_mark(&text);
	while (line_next(&text, &line)) {
		r->line++;
		if (!read_line(r, line))
			return false;
	}
	return true;
}

static int by_name(const void *left, const void *right)
{
	const struct fs_use *a = *(const struct fs_use *const *)left;
	const struct fs_use *b = *(const struct fs_use *const *)right;
	int order;

	if (a->type != b->type)
		return a->type < b->type ? -1 : 1;
	order = strcmp(a->name, b->name);
	if (order != 0)
		return order;
	return a->line < b->line ? -1 : a->line > b->line;
}

/* Returns false with err set if a credential occurs twice. */
static bool names_differ(const struct reader *r)
{
	const struct fsfile *f = r->out;
	const struct fs_use **use = mem_alloc(f->count * sizeof *use);
	bool differ = true;

	for (size_t i = 0; i < f->count; i++)
		use[i] = &f->use[i];
	qsort(use, f->count, sizeof *use, by_name);
	for (size_t i = 1; i < f->count && differ; i++)
		if (use[i]->type == use[i - 1]->type && strcmp(use[i]->name, use[i - 1]->name) == 0)
			differ = err_set(r->err, "%s:%u: %s %s is already on line %u", r->file, use[i]->line,
					 cred_type_name(use[i]->type), use[i]->name, use[i - 1]->line);
	free(use);
	return differ;
}

static bool read_text(struct reader *r, const char *text, size_t len)
{
	char *copy = r->out->text = mem_alloc(len + 1);

	if (len > 0)
		memcpy(copy, text, len);
	copy[len] = '\0';
	if (strlen(copy) != len)
		return err_set(r->err, "%s: this is not text: it contains a NUL byte", r->file);
	if (!read_lines(r, (struct span){copy, copy + len}))
		return false;
	if (r->total_line == 0)
		return err_set(r->err, "%s: the file is incomplete: it has no TOTAL line", r->file);
	return names_differ(r);
}

bool fsfile_read(const char *file, const char *text, size_t len, struct fsfile *out, struct err *err)
{
	struct reader r = {.file = file, .out = out, .err = err};

	*out = (struct fsfile){0};
	if (!fsfile_epoch(file, &out->begin_s))
		return err_set(err,
			       "%s: the file must be named FS.<epoch>, where <epoch> is the start of the "
			       "window in seconds since 1970",
			       file);
	if (read_text(&r, text, len))
		return true;
	fsfile_clear(out);
	return false;
}

void fsfile_clear(struct fsfile *f)
{
	free(f->use);
	free(f->text);
	*f = (struct fsfile){0};
}

/* --- writing ---------------------------------------------------------------------------- */

static void write_amount(int64_t amount, struct str *out)
{
	str_addf(out, "%" PRId64 ".%03" PRId64 "\n", amount / PER_PS, amount % PER_PS);
}

static void write_name(const char *name, struct str *out)
{
	for (; *name != '\0'; name++) {
		bool breaks_word = (unsigned char)*name <= ' ' || *name == '\x7f';

		str_add_bytes(out, breaks_word ? "_" : name, 1);
	}
}

static void write_uses(const struct fsfile *f, enum cred_type type, const char *word, struct str *out)
{
	for (size_t i = 0; i < f->count; i++) {
		if (f->use[i].type != type)
			continue;
		str_addf(out, "%s ", word);
		write_name(f->use[i].name, out);
		str_add_char(out, ' ');
		write_amount(f->use[i].amount, out);
	}
}

/* Writes the total with two decimals, as in the guide's sample, or with three if the third is not 0. */
static void write_total(int64_t total, struct str *out)
{
	str_add(out, "TOTAL ");
	if (total % 10 == 0)
		str_addf(out, "%" PRId64 ".%02" PRId64 "\n", total / PER_PS, total % PER_PS / 10);
	else
		write_amount(total, out);
}

void fsfile_write(const struct fsfile *f, struct str *out)
{
	static const char *const word[CRED_TYPE_COUNT] = {
		[CRED_USER] = "User", [CRED_GROUP] = "Group", [CRED_ACCOUNT] = "Account",
		[CRED_QOS] = "QOS",   [CRED_CLASS] = "Class",
	};
	char moment[MOMENT_TEXT];

	str_addf(out, "# Fairshare Data File (Duration: %" PRId64 " Seconds) Starting: %s\n", f->length_s,
		 moment_long(moment, f->begin_s));
	for (int type = 0; type < CRED_TYPE_COUNT; type++)
		write_uses(f, (enum cred_type)type, word[type], out);
	write_total(f->total, out);
}
