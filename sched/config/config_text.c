/* SPDX-License-Identifier: MIT */
/*
 * config_text.c - parsing of limits, targets, lists and other texts with a grammar
 *
 * Each grammar has one parser, which also checks the values of option rows: a text that was accepted in a
 * configuration can always be parsed again. Amounts are 64-bit integers with a bound, so that their sums
 * cannot overflow.
 *
 * Source: Maui Administrator's Guide 5.4 (availability), 6.2 (limits), 6.3 (suffixes of targets), 7.3 (QOS
 * access); Appendix F.
 */
#include "config_inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sched/base/duration.h"
#include "sched/base/str.h"
#include "sched/model/expr.h"

#define NAME_SEPARATORS " \t,"
#define BLANKS          " \t"

/* Buffer size for a part of a text, such as an amount; longer parts are invalid. */
#define PIECE_TEXT 64

#define TARGET_PERCENT_MAX 1e6
#define TARGET_CYCLES_MAX  1e18
#define GRES_COUNT_MAX     1000000
#define PRIORITYF_MAX      256
#define DEVICES_MAX        64 /* as in sched/rm/host_info.h */
#define DEVICE_NAME_ROOM   48

/* Copies a part of a text without surrounding blanks. Returns false if it is too long to be valid. */
static bool take_piece(const char *from, size_t len, char piece[static PIECE_TEXT])
{
	while (len > 0 && strchr(BLANKS, *from)) {
		from++;
		len--;
	}
	while (len > 0 && strchr(BLANKS, from[len - 1]))
		len--;
	if (len >= PIECE_TEXT)
		return false;
	memcpy(piece, from, len);
	piece[len] = '\0';
	return true;
}

static bool is_word(const char *word, size_t len, const char *other)
{
	char piece[PIECE_TEXT];

	return take_piece(word, len, piece) && str_same_word(piece, other);
}

/* --- limits ------------------------------------------------------------------------------ */

static const char *amount_noun(enum limit_kind kind)
{
	return kind == LIMIT_WC ? "a duration" : kind == LIMIT_MEM ? "a size" : "a whole number";
}

static bool read_by_kind(enum limit_kind kind, const char *piece, int64_t *out)
{
	if (kind == LIMIT_WC)
		return duration_parse(piece, out, NULL);
	if (kind == LIMIT_MEM)
		return memory_parse(piece, out, NULL);
	return str_read_whole(piece, out);
}

static bool read_amount(enum limit_kind kind, const char *text, size_t len, int64_t *out, struct err *err)
{
	char piece[PIECE_TEXT];

	if (is_word(text, len, "unlimited")) {
		*out = LIMIT_UNLIMITED;
		return true;
	}
	if (!take_piece(text, len, piece) || !read_by_kind(kind, piece, out) || *out > CONFIG_LIMIT_MAX)
		return err_set(err, "'%.*s' is not %s of at most %" PRId64 ", nor \"unlimited\"", (int)len,
			       text, amount_noun(kind), CONFIG_LIMIT_MAX);
	if (*out < 1)
		return err_set(err, "a limit must be at least 1; \"unlimited\" removes it");
	return true;
}

/* Parses the second credential of a limit, "user:steve" or "group". */
static bool read_second(const char *text, size_t len, struct config_limit *out, struct err *err)
{
	const char *colon = memchr(text, ':', len);
	size_t type_len = colon ? (size_t)(colon - text) : len;
	char type[PIECE_TEXT];

	out->second_type = take_piece(text, type_len, type) ? cred_type_find(type) : CRED_TYPE_COUNT;
	if (out->second_type == CRED_TYPE_COUNT)
		return err_set(err,
			       "unknown credential type %.*s; types: user, group, account, qos and class",
			       (int)type_len, text);
	if (!colon)
		return true;
	out->second = colon + 1;
	out->second_len = len - type_len - 1;
	if (out->second_len == 0 || is_word(out->second, out->second_len, CRED_DEFAULT))
		return err_set(err, "write '%s' without ':' for a limit on each %s",
			       cred_type_name(out->second_type), cred_type_name(out->second_type));
	if (memchr(out->second, '[', out->second_len) || memchr(out->second, ']', out->second_len))
		return err_set(err, "the name of a credential must not contain a bracket");
	return out->second_len < CONFIG_TITLE ||
	       err_set(err, "the name of a credential is longer than %d bytes", CONFIG_TITLE - 1);
}

static bool read_amounts(const char *text, struct config_limit *out, struct err *err)
{
	const char *comma = strchr(text, ',');
	const char *hard = comma ? comma + 1 : text;

	if (!read_amount(out->kind, hard, strlen(hard), &out->hard, err))
		return false;
	out->soft = out->hard;
	if (comma && !read_amount(out->kind, text, (size_t)(comma - text), &out->soft, err))
		return false;
	out->soft_beyond = out->soft > out->hard;
	if (out->soft_beyond)
		out->soft = out->hard;
	return true;
}

bool config_limit_read(const struct option *row, const char *second, size_t second_len, const char *text,
		       struct config_limit *out, struct err *err)
{
	const char *equals = strrchr(text, '=');

	*out = (struct config_limit){.scope = (enum limit_scope)(row->offset / LIMIT_KIND_COUNT),
				     .kind = (enum limit_kind)(row->offset % LIMIT_KIND_COUNT),
				     .second_type = CRED_TYPE_COUNT};
	if (second && equals)
		return err_set(err, "the option name already contains %.*s; leave it out of the value",
			       (int)second_len, second);
	if (second && !read_second(second, second_len, out, err))
		return false;
	if (equals && !read_second(text, (size_t)(equals - text), out, err))
		return false;
	return read_amounts(equals ? equals + 1 : text, out, err);
}

bool config_check_limit(const struct option *row, const char *text, struct err *err)
{
	struct config_limit limit;

	return config_limit_read(row, NULL, 0, text, &limit, err);
}

/* --- fairshare targets ------------------------------------------------------------------- */

static enum fs_mode mode_of(char suffix)
{
	switch (suffix) {
	case '+':
		return FS_FLOOR;
	case '-':
		return FS_CEILING;
	case '^':
		return FS_CAP_ABSOLUTE;
	case '%':
		return FS_CAP_RELATIVE;
	default:
		return FS_TARGET;
	}
}

bool config_target_read(const char *text, double *target, uint8_t *mode, struct err *err)
{
	size_t len = strlen(text);
	enum fs_mode read = mode_of(text[len > 0 ? len - 1 : 0]);
	double max = read == FS_CAP_ABSOLUTE ? TARGET_CYCLES_MAX : TARGET_PERCENT_MAX;
	char piece[PIECE_TEXT];

	if (str_same_word(text, CRED_NONE)) {
		*target = 0;
		*mode = FS_NO_TARGET;
		return true;
	}
	if (!take_piece(text, len - (read != FS_TARGET), piece) || !str_read_real(piece, target))
		return err_set(
			err,
			"a target must be a number in percent, with + for a floor, - for a ceiling, %% for a "
			"cap, or processor-seconds with ^; \"none\" removes it");
	if (!(*target > 0) || *target > max)
		return err_set(err, "a target must be more than 0 and at most %g", max);
	*mode = (uint8_t)read;
	return true;
}

bool config_check_target(const struct option *row, const char *text, struct err *err)
{
	double target;
	uint8_t mode;

	(void)row;
	return config_target_read(text, &target, &mode, err);
}

/* --- names ------------------------------------------------------------------------------- */

const char *config_word(const char **at, size_t *len)
{
	const char *word = *at + strspn(*at, NAME_SEPARATORS);

	*len = strcspn(word, NAME_SEPARATORS);
	*at = word + *len;
	return *len > 0 ? word : NULL;
}

static bool check_length(const char *word, size_t len, struct err *err)
{
	return len < CONFIG_TITLE ||
	       err_set(err, "the name %.20s... is longer than %d bytes", word, CONFIG_TITLE - 1);
}

typedef bool check_word(const char *word, size_t len, struct err *err);

/*
 * Checks each word of a text with `check`. Returns false with err set if a word is invalid or there is none.
 */
static bool check_words(const char *text, check_word *check, struct err *err)
{
	const char *at = text, *word;
	size_t len;
	bool any = false;

	while ((word = config_word(&at, &len)) != NULL) {
		if (!check(word, len, err))
			return false;
		any = true;
	}
	return any || err_set(err, "a name is missing");
}

bool config_check_names(const struct option *row, const char *text, struct err *err)
{
	(void)row;
	return check_words(text, check_length, err);
}

bool config_check_name(const struct option *row, const char *text, struct err *err)
{
	(void)row;
	if (text[0] == '\0' || text[strcspn(text, NAME_SEPARATORS)] != '\0')
		return err_set(err, "a single name is required, without blanks or commas");
	return check_length(text, strlen(text), err);
}

/* A name in a list of QOS may have a suffix, & or ^. */
static bool check_qos(const char *word, size_t len, struct err *err)
{
	size_t name_len = len - (word[len - 1] == '&' || word[len - 1] == '^');

	return name_len > 0 ? check_length(word, name_len, err)
			    : err_set(err, "the name of a QOS is missing before %.*s", (int)len, word);
}

bool config_check_qlist(const struct option *row, const char *text, struct err *err)
{
	(void)row;
	return check_words(text, check_qos, err);
}

/* --- generic resources ------------------------------------------------------------------- */

bool config_gres_read(const char *word, size_t len, size_t *name_len, uint32_t *count, struct err *err)
{
	const char *colon = memchr(word, ':', len);
	char piece[PIECE_TEXT];
	int64_t whole = 1;

	*name_len = colon ? (size_t)(colon - word) : len;
	if (*name_len == 0)
		return err_set(err, "the name of a generic resource is missing before %.*s", (int)len, word);
	if (colon && (!take_piece(colon + 1, len - *name_len - 1, piece) || !str_read_whole(piece, &whole) ||
		      whole < 0 || whole > GRES_COUNT_MAX))
		return err_set(err, "the count must be a whole number from 0 to %d, as in gpu:4",
			       GRES_COUNT_MAX);
	*count = (uint32_t)whole;
	return check_length(word, *name_len, err);
}

static bool check_gres(const char *word, size_t len, struct err *err)
{
	size_t name_len;
	uint32_t count;

	return config_gres_read(word, len, &name_len, &count, err);
}

bool config_check_gres(const struct option *row, const char *text, struct err *err)
{
	(void)row;
	return check_words(text, check_gres, err);
}

/* --- availability ------------------------------------------------------------------------ */

static bool find_word(const char *const *names, const char *word, size_t len, uint8_t *out)
{
	for (uint8_t i = 0; names[i]; i++)
		if (is_word(word, len, names[i])) {
			*out = i;
			return true;
		}
	return false;
}

const char *const config_available_policy[] = {
	[AVAILABLE_COMBINED] = "combined",
	[AVAILABLE_DEDICATED] = "dedicated",
	[AVAILABLE_UTILIZED] = "utilized",
	NULL,
};

const char *const config_available_resource[] = {
	[AVAILABLE_PROCS] = "proc",
	[AVAILABLE_MEM] = "mem",
	[AVAILABLE_SWAP] = "swap",
	[AVAILABLE_DISK] = "disk",
	NULL,
};

bool config_available_read(const char *word, size_t len, uint8_t available[static AVAILABLE_RESOURCE_COUNT],
			   struct err *err)
{
	const char *colon = memchr(word, ':', len);
	size_t policy_len = colon ? (size_t)(colon - word) : len;
	uint8_t policy, resource;

	if (!find_word(config_available_policy, word, policy_len, &policy))
		return err_set(err, "unknown policy %.*s; policies: combined, dedicated and utilized",
			       (int)policy_len, word);
	if (!colon) {
		memset(available, policy, AVAILABLE_RESOURCE_COUNT);
		return true;
	}
	if (!find_word(config_available_resource, colon + 1, len - policy_len - 1, &resource))
		return err_set(err, "unknown resource %.*s; resources: proc, mem, swap and disk",
			       (int)(len - policy_len - 1), colon + 1);
	available[resource] = policy;
	return true;
}

static bool check_available(const char *word, size_t len, struct err *err)
{
	uint8_t available[AVAILABLE_RESOURCE_COUNT];

	return config_available_read(word, len, available, err);
}

bool config_check_available(const struct option *row, const char *text, struct err *err)
{
	(void)row;
	return check_words(text, check_available, err);
}

/* --- expressions and programs -------------------------------------------------------------------- */

bool config_check_priorityf(const struct option *row, const char *text, struct err *err)
{
	struct expr expr;

	(void)row;
	if (strlen(text) > PRIORITYF_MAX)
		return err_set(err, "the expression is longer than %d bytes", PRIORITYF_MAX);
	return expr_read(text, &expr, err);
}

bool config_check_program(const struct option *row, const char *text, struct err *err)
{
	(void)row;
	return text[0] == '\0' || text[0] == '/' || err_set(err, "the path must be absolute");
}

/* --- settings for real jobs ----------------------------------------------------------- */

static bool check_device(const char *list, const char *item, size_t len, struct err *err)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:/";

	if (len == 0 || strspn(item, letters) < len)
		return err_set(err, "devices must be numbers or names separated by commas, without blanks");
	if (len >= DEVICE_NAME_ROOM)
		return err_set(err, "the device %.20s... is longer than %d bytes", item,
			       DEVICE_NAME_ROOM - 1);
	for (const char *other = list; other < item; other += strcspn(other, ",") + 1)
		if (strcspn(other, ",") == len && strncmp(other, item, len) == 0)
			return err_set(err, "the device %.*s is listed twice", (int)len, item);
	return true;
}

/* The name of a PAM service is the name of a file in /etc/pam.d. */
bool config_check_pam_service(const struct option *row, const char *text, struct err *err)
{
	size_t len = strlen(text);

	if (len <= 64 && text[0] != '.' &&
	    strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
			 "0123456789-_.") == len)
		return true;
	return err_set(err, "%s must consist of at most 64 letters, digits, '-', '_' and '.', got \"%s\"",
		       row->name, text);
}

bool config_check_devices(const struct option *row, const char *text, struct err *err)
{
	unsigned count = 0;

	(void)row;
	for (const char *item = text;; item++) {
		size_t len = strcspn(item, ",");

		if (!check_device(text, item, len, err))
			return false;
		item += len;
		if (++count > DEVICES_MAX)
			return err_set(err, "there are more than %d devices", DEVICES_MAX);
		if (*item == '\0')
			return true;
	}
}

bool config_check_admins(const struct option *row, const char *text, struct err *err)
{
	(void)row;
	return text[0] == '\0' || check_words(text, check_length, err);
}

bool config_umask_read(const char *text, uint32_t *out, struct err *err)
{
	size_t len = strlen(text);

	*out = 0;
	if (len == 0 || len > 4 || strspn(text, "01234567") != len)
		return err_set(err, "permissions must be up to four octal digits, as in 027");
	for (const char *digit = text; *digit != '\0'; digit++)
		*out = *out * 8 + (uint32_t)(*digit - '0');
	return *out <= 0777 || err_set(err, "permissions must be at most 777");
}

bool config_check_umask(const struct option *row, const char *text, struct err *err)
{
	uint32_t mask;

	(void)row;
	return config_umask_read(text, &mask, err);
}
