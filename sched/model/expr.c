/* SPDX-License-Identifier: MIT */
/*
 * expr.c - PRIORITYF expressions
 *
 * A recursive-descent parser for the grammar in the header. It emits the instructions of a stack machine in
 * postfix order: numbers and components push a value, operators pop their operands. The order in which the
 * functions call each other defines the precedence.
 */
#include "expr.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "sched/base/str.h"

enum op {
	OP_NUMBER,
	OP_COMPONENT,
	OP_NEGATE,
	OP_ADD,
	OP_SUBTRACT,
	OP_MULTIPLY,
	OP_DIVIDE
};

#define DEEPEST 32 /* maximum nesting of parentheses */

static const char *const component_names[EXPR_COMPONENT_COUNT] = {
	"ADISK",    "AMEM", "APROCS", "ASWAP",    "CDISK",       "CMEM",  "CPROCS", "CSWAP",
	"JOBCOUNT", "LOAD", "PREF",   "PRIORITY", "RESAFFINITY", "SPEED", "USAGE",
};

const char *expr_component_name(enum expr_component c)
{
	return component_names[c];
}

/* --- values --------------------------------------------------------------------------- */

/* Makes a result finite: infinity becomes the largest double of the same sign, NaN becomes 0. */
static double bounded(double value)
{
	if (isnan(value))
		return 0;
	return isinf(value) ? copysign(DBL_MAX, value) : value;
}

/* Tests for 0; value must be finite. */
static bool is_zero(double value)
{
	return !(fabs(value) > 0);
}

static double apply(enum op op, double a, double b)
{
	switch (op) {
	case OP_ADD:
		return bounded(a + b);
	case OP_SUBTRACT:
		return bounded(a - b);
	case OP_MULTIPLY:
		return bounded(a * b);
	default:
		return is_zero(b) ? 0 : bounded(a / b);
	}
}

/* Evaluates the instructions from `from` on, which compute one operand. */
static double value_from(const struct expr *e, unsigned from, const double *component)
{
	double stack[EXPR_STEPS] = {0};
	unsigned top = 0;

	for (unsigned i = from; i < e->count; i++) {
		const struct expr_step *step = &e->step[i];

		switch ((enum op)step->op) {
		case OP_NUMBER:
			stack[top++] = step->number;
			break;
		case OP_COMPONENT:
			stack[top++] = bounded(component[step->component]);
			break;
		case OP_NEGATE:
			stack[top - 1] = -stack[top - 1];
			break;
		case OP_ADD:
		case OP_SUBTRACT:
		case OP_MULTIPLY:
		case OP_DIVIDE:
			top--;
			stack[top - 1] = apply((enum op)step->op, stack[top - 1], stack[top]);
			break;
		}
	}
	return stack[0];
}

double expr_value(const struct expr *e, const double value[static EXPR_COMPONENT_COUNT])
{
	return value_from(e, 0, value);
}

bool expr_uses(const struct expr *e, enum expr_component c)
{
	for (unsigned i = 0; i < e->count; i++)
		if (e->step[i].op == OP_COMPONENT && e->step[i].component == c)
			return true;
	return false;
}

/* --- parsing ---------------------------------------------------------------------------- */

struct reader {
	const char *text, *at;
	struct expr *out;
	struct err *err;
	unsigned depth;
};

#define LONGEST_WORD 20 /* characters of the text that an error message quotes */

static int column(const struct reader *r)
{
	return (int)(r->at - r->text) + 1;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t word_len(const char *at)
{
	size_t len = 0;

	while (is_letter(at[len]) || is_digit(at[len]))
		len++;
	return len;
}

/* Skips blanks and returns the next character; NUL at the end. */
static char peek(struct reader *r)
{
	while (*r->at == ' ' || (*r->at >= '\t' && *r->at <= '\r'))
		r->at++;
	return *r->at;
}

/* Sets err to what was expected and what was found at the current column; returns false. */
static bool unexpected(struct reader *r, const char *wanted)
{
	size_t len = word_len(r->at);

	if (*r->at == '\0')
		return err_set(r->err, "column %d: expected %s, found the end of the expression", column(r),
			       wanted);
	if (len == 0)
		len = str_utf8_len(r->at, strlen(r->at));
	return err_set(r->err, "column %d: expected %s, found %.*s", column(r), wanted,
		       (int)(len == 0             ? 1
			     : len < LONGEST_WORD ? len
						  : LONGEST_WORD),
		       r->at);
}

static bool emit(struct reader *r, struct expr_step step)
{
	if (r->out->count == EXPR_STEPS)
		return err_set(r->err,
			       "column %d: the expression has more than %d numbers, components and operators",
			       column(r), EXPR_STEPS);
	r->out->step[r->out->count++] = step;
	return true;
}

static bool emit_op(struct reader *r, enum op op)
{
	return emit(r, (struct expr_step){.op = (unsigned char)op});
}

/* Returns the length in bytes of the number that begins at `at`. */
static size_t number_len(const char *at)
{
	size_t len = 0, exponent;

	while (is_digit(at[len]) || at[len] == '.')
		len++;
	if (at[len] != 'e' && at[len] != 'E')
		return len;
	exponent = len + 1;
	if (at[exponent] == '+' || at[exponent] == '-')
		exponent++;
	if (!is_digit(at[exponent]))
		return len;
	while (is_digit(at[exponent]))
		exponent++;
	return exponent;
}

static bool read_number(struct reader *r)
{
	struct expr_step step = {.op = OP_NUMBER};
	size_t len = number_len(r->at);
	char digits[64] = "";

	if (len < sizeof digits)
		memcpy(digits, r->at, len);
	if (!str_read_real(digits, &step.number))
		return err_set(r->err, "column %d: %.*s is not a number", column(r),
			       (int)(len < LONGEST_WORD ? len : LONGEST_WORD), r->at);
	r->at += len;
	return emit(r, step);
}

static bool no_component(struct reader *r, const char *name)
{
	const char *near = str_nearest(name, component_names, EXPR_COMPONENT_COUNT);

	if (near != NULL)
		return err_set(r->err, "column %d: unknown component %s; did you mean %s?", column(r), name,
			       near);
	return err_set(r->err,
		       "column %d: unknown component %s; components: ADISK AMEM APROCS ASWAP CDISK CMEM "
		       "CPROCS CSWAP JOBCOUNT LOAD PREF PRIORITY RESAFFINITY SPEED USAGE",
		       column(r), name);
}

static bool read_component(struct reader *r)
{
	struct expr_step step = {.op = OP_COMPONENT};
	size_t len = word_len(r->at);
	char name[LONGEST_WORD + 1] = "";

	memcpy(name, r->at, len < LONGEST_WORD ? len : LONGEST_WORD);
	while (step.component < EXPR_COMPONENT_COUNT && !str_same_word(name, component_names[step.component]))
		step.component++;
	if (step.component == EXPR_COMPONENT_COUNT)
		return no_component(r, name);
	r->at += len;
	return emit(r, step);
}

static bool read_sum(struct reader *r);

static bool read_parentheses(struct reader *r)
{
	if (r->depth == DEEPEST)
		return err_set(r->err, "column %d: parentheses are nested more than %d deep", column(r),
			       DEEPEST);
	r->depth++;
	r->at++;
	if (!read_sum(r))
		return false;
	if (peek(r) != ')')
		return unexpected(r, "an operator or )");
	r->at++;
	r->depth--;
	return true;
}

static bool read_operand(struct reader *r)
{
	char c = peek(r);

	if (c == '(')
		return read_parentheses(r);
	if (is_digit(c) || c == '.')
		return read_number(r);
	if (is_letter(c))
		return read_component(r);
	return unexpected(r, "a number, a component or (");
}

static bool read_factor(struct reader *r)
{
	bool negative = false;
	char c;

	while ((c = peek(r)) == '+' || c == '-') {
		negative ^= c == '-';
		r->at++;
	}
	return read_operand(r) && (!negative || emit_op(r, OP_NEGATE));
}

/*
 * Returns true if a divisor is always 0, as in LOAD/0, LOAD/(2-2) and 1/(SPEED-SPEED); this is an error. The
 * divisor is evaluated for two unrelated sets of whole numbers as component values; if both results are 0,
 * the divisor is considered to be always 0.
 */
static bool is_always_zero(const struct expr *e, unsigned from)
{
	double one[EXPR_COMPONENT_COUNT], other[EXPR_COMPONENT_COUNT];

	for (unsigned c = 0; c < EXPR_COMPONENT_COUNT; c++) {
		one[c] = 1009 + 307 * c * c;
		other[c] = 60013 + 1021 * c * (c + 1) * (c + 2);
	}
	return is_zero(value_from(e, from, one)) && is_zero(value_from(e, from, other));
}

static bool check_divisor(struct reader *r, unsigned from, int at)
{
	return !is_always_zero(r->out, from) || err_set(r->err, "column %d: this divides by zero", at);
}

static bool read_term(struct reader *r)
{
	char c;

	if (!read_factor(r))
		return false;
	while ((c = peek(r)) == '*' || c == '/') {
		unsigned from = r->out->count;
		int at = column(r);

		r->at++;
		if (!read_factor(r) || (c == '/' && !check_divisor(r, from, at)) ||
		    !emit_op(r, c == '*' ? OP_MULTIPLY : OP_DIVIDE))
			return false;
	}
	return true;
}

static bool read_sum(struct reader *r)
{
	char c;

	if (!read_term(r))
		return false;
	while ((c = peek(r)) == '+' || c == '-') {
		r->at++;
		if (!read_term(r) || !emit_op(r, c == '+' ? OP_ADD : OP_SUBTRACT))
			return false;
	}
	return true;
}

bool expr_read(const char *text, struct expr *out, struct err *err)
{
	struct reader r = {.text = text, .at = text, .out = out, .err = err};

	*out = (struct expr){0};
	if (!read_sum(&r))
		return false;
	return peek(&r) == '\0' || unexpected(&r, "an operator or the end");
}
