/* SPDX-License-Identifier: MIT */
/*
 * fuzz_socket.c - requests of a hostile user and of administrators, from the socket into a state
 *
 * The input chooses the user, the events, and a value for each field: valid values, values at a boundary and
 * hostile ones. The request is written as a client writes it; its records are damaged, truncated, repeated or
 * reordered, and their checksums are corrected. It then passes all steps: request_read,
 * authorize_events, event_apply on a copy of the state as in driver_accept, then a pass. After each request
 * the state must be consistent; after a request of a user without rights, the jobs of other users, nodes,
 * settings and reservations must be unchanged.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"
#include "sched/pass/cycle.h"
#include "sched/pass/enact.h"
#include "sched/rm/launch.h"
#include "store/codec.h"
#include "tui/serve/authorization.h"
#include "tui/serve/request.h"

#define REQUESTS_MAX 8 /* of one input */
#define EVENTS_MAX   3 /* of one request */
#define RECORDS_MAX  (4 * EVENTS_MAX + 2)
#define NOW_S        INT64_C(1774368000)
#define HOSTILE      "mallory"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static void fail(const char *what, const char *why)
{
	fprintf(stderr, "%s: %s\n", what, why);
	abort();
}

/* --- choices by the input --------------------------------------------------------------------------- */

struct choice {
	const uint8_t *at, *end;
	struct arena arena; /* strings and arrays of the current request */
	bool tame;          /* the current request has only valid values, so it is mostly accepted */
};

static uint8_t take(struct choice *c)
{
	return c->at < c->end ? *c->at++ : 0;
}

static uint32_t below(struct choice *c, uint32_t limit)
{
	return take(c) % limit;
}

static uint64_t raw(struct choice *c)
{
	uint64_t value = 0;

	for (int i = 0; i < 8; i++)
		value = value << 8 | take(c);
	return value;
}

/* True once in `of` choices, never in a tame request. */
static bool rarely(struct choice *c, uint32_t of)
{
	return below(c, of) == 0 && !c->tame;
}

/* A number: mostly a small one, which may be valid, otherwise one at a boundary or any number. */
static int64_t number(struct choice *c)
{
	static const int64_t boundary[] = {0,
					   -1,
					   1,
					   INT64_MAX,
					   INT64_MIN,
					   INT64_MAX - 1,
					   INT64_MIN + 1,
					   INT32_MAX,
					   INT32_MIN,
					   UINT32_MAX,
					   (int64_t)UINT32_MAX + 1,
					   UINT32_MAX - 1,
					   65535,
					   65536,
					   9999999,
					   10000000,
					   9999,
					   10000,
					   10001,
					   NOW_S,
					   NOW_S - 1,
					   NOW_S + 1,
					   NOW_S + 86400,
					   MOMENT_MAX_S,
					   MOMENT_MAX_S + 1,
					   MEMORY_MAX_MB,
					   MEMORY_MAX_MB + 1,
					   1000000000,
					   1000000001,
					   -1024,
					   1023,
					   1024};
	uint8_t what = take(c);

	if (what < 160 || c->tame)
		return what % 18;
	return what < 240 ? boundary[below(c, COUNT(boundary))] : (int64_t)raw(c);
}

#define NAMES_TAME 17 /* the first names, which tame requests use */
static const char *const names[] = {"a",
				    "long",
				    "hi",
				    "fast",
				    "n1",
				    "n2",
				    "victim",
				    HOSTILE,
				    "root",
				    "sched",
				    "DEFAULT",
				    "ALL",
				    "gpu",
				    "night",
				    "maint",
				    "mine",
				    "r2",
				    "",
				    "x y",
				    "a\033[2J",
				    "a\nb",
				    "\xff",
				    "a\xc2\x9b",
				    "zo\xc3\xab",
				    "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijkl",
				    "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklm",
				    "%s%n%d",
				    "../../etc/passwd"};

static const char *const attributes[] = {"walltime", "starttime", "qos",        "partition", "nodes",
					 "tpn",      "mem",       "swap",       "disk",      "gres",
					 "features", "prefer",    "hosts",      "access",    "nallocpolicy",
					 "throttle", "depend",    "dependency", "name",      "WallTime"};

static const char *const settings[] = {"xfactorweight",
				       "queuetimeweight",
				       "reservationdepth",
				       "reservationpolicy",
				       "backfillpolicy",
				       "nodeallocationpolicy",
				       "nodeaccesspolicy",
				       "fspolicy",
				       "fsinterval",
				       "fsdepth",
				       "fsdecay",
				       "user[mallory].maxjob",
				       "user[victim].priority",
				       "user[eva].fstarget",
				       "node[n1].drained",
				       "node[n1].procs",
				       "class[long].default.features",
				       "maxuserqueuable",
				       "systemmaxproc",
				       "admin2",
				       "hidenames",
				       "allowroot",
				       "userreservations",
				       "deferTime",
				       "qos[hi].qttarget",
				       "partition[night].xfactorweight",
				       "xfactorcap",
				       "rmpollinterval"};

static const char *const values[] = {"0",
				     "1",
				     "-1",
				     "60",
				     "1:00:00",
				     "none",
				     "true",
				     "highest",
				     "never",
				     "firstfit",
				     "dedicatedps",
				     "dedicatedpes",
				     "9223372036854775807",
				     "-9223372036854775808",
				     "18446744073709551616",
				     "4294967295",
				     "4294967296",
				     "253402300799",
				     "253402300800",
				     "1e308",
				     "1e-308",
				     "nan",
				     "1,1000000000000000",
				     "gpu:4",
				     "gpu:1000000 tape:1",
				     "gpu:-1",
				     "fast tape",
				     "n1 n2",
				     "n1,n1",
				     "+1:00:00",
				     "2026-03-25T16:00",
				     "1969-12-31T23:59:59",
				     "1tb",
				     "9999999999tb",
				     "25.0+",
				     "afterok:2",
				     "afterany:9,afterok:3[]",
				     "afterok:3[2]",
				     "afterok:3[99999999]",
				     "afterok:18446744073709551615",
				     "afterok:9:9:9:9",
				     "after:2+",
				     "singlejob",
				     "contiguous",
				     "b\nc"};

static const char *const reservations[] = {
	"start=1774368000 end=1774371600 personal node=n3 user=mallory",
	"start=1774368000 end=1774371600 personal node=n3*2 user=mallory user=victim",
	"start=1774368000 personal nodes=ALL user=mallory",
	"start=1774400000 end=1774400100 personal nodes=ALL user=mallory reason=x y",
	"start=1774368000 end=1774371600 node=n1 user=victim",
	"start=0 nodes=ALL",
	"start=1774368000 end=253402300799 node=n4*8 job=2 account=a reason=z",
	"start=253402300798 end=253402300799 nodes=ALL",
	"start=1774368000 end=1774371600 personal node=n3*4294967295 user=mallory",
	"start=1774368000 end=1774371600 personal node=n3 node=n3 user=mallory",
	"start=1774368000 node=n9",
	"start=9223372036854775807 nodes=ALL",
	"start=1 end=2 personal nodes=ALL node=n1 user=mallory",
	"start=1774368000 end=1774371600 personal nodes=ALL",
	"start=1774368000 nodes=ALL job=18446744073709551615",
	"",
	"x",
};

/* Valid values of attributes and settings, including the largest. */
static const struct pair {
	const char *name, *value;
} modifies[] = {{"walltime", "253402300799"},
		{"walltime", "1"},
		{"starttime", "253402300799"},
		{"starttime", "none"},
		{"qos", "hi"},
		{"qos", ""},
		{"partition", "night"},
		{"nodes", "4294967295"},
		{"tpn", "4294967295"},
		{"mem", "1tb"},
		{"swap", "400000000000"},
		{"disk", "0"},
		{"gres", "gpu:1000000"},
		{"features", "fast"},
		{"features", "a b c d e f g h"},
		{"prefer", "tape"},
		{"hosts", "n1 n2"},
		{"access", "singlejob"},
		{"nallocpolicy", "contiguous"},
		{"throttle", "1"},
		{JOB_DEPEND_ATTRIBUTE, "afterany:9,afterok:3[]"},
		{JOB_DEPEND_ATTRIBUTE, "after:8:10[1]:11"},
		{JOB_DEPEND_ATTRIBUTE, ""}},
  sets[] = {{"xfactorweight", "1000000"},
	    {"queuetimeweight", "-1000000"},
	    {"reservationdepth", "100"},
	    {"reservationpolicy", "never"},
	    {"backfillpolicy", "bestfit"},
	    {"nodeallocationpolicy", "minresource"},
	    {"nodeaccesspolicy", "singleuser"},
	    {"fspolicy", "dedicatedpes"},
	    {"fsinterval", "1"},
	    {"fsdepth", "1"},
	    {"user[mallory].maxjob", "1,2"},
	    {"user[victim].priority", "1000000000"},
	    {"user[eva].fstarget", "25.0+"},
	    {"node[n1].drained", "true"},
	    {"maxuserqueuable", "1"},
	    {"admin2", "mallory"},
	    {"userreservations", "0"},
	    {"defertime", "1"},
	    {"qos[hi].qttarget", "1"},
	    {"xfactorcap", "1"},
	    {"class[long].default.features", "x y"},
	    {"partition[night].xfactorweight", "1000000"}};

static const char *pick(struct choice *c, const char *const *list, size_t count)
{
	return list[below(c, (uint32_t)count)];
}
#define PICK(c, list) pick((c), (list), COUNT(list))

/* A string from a list, none, or rarely random bytes. */
static const char *text(struct choice *c, const char *const *list, size_t count)
{
	uint8_t what = take(c);
	size_t len = what % 32;
	char *any;

	if (what < 64)
		return NULL;
	if (c->tame && list == names)
		return pick(c, list, NAMES_TAME);
	if (what < 240 || c->tame)
		return pick(c, list, count);
	any = arena_take(&c->arena, len + 1);
	for (size_t i = 0; i < len; i++) {
		any[i] = (char)take(c);
		if (any[i] == '\0')
			any[i] = ' ';
	}
	any[len] = '\0';
	return any;
}
#define TEXT(c, list) text((c), (list), COUNT(list))

/* --- the grammar of requests ------------------------------------------------------------------------- */

static const char *const no_words[] = {NULL};

static void add_launch(struct choice *c, struct event *ev)
{
	static const char *const command[] = {"true", NULL};
	static const char *const paths[] = {"/tmp/o%j", "/", "tmp", "/a%z", "/\033[2J", "/%"};
	static const char *const mails[] = {"e", "abe", "x", "", "aaaa"};
	static const char *const addresses[] = {"a@b", "-oQ", "a\nb", ",,", "root"};
	static const char *const environment[] = {"A=b", "=c", "D", "E F=g", "LD_PRELOAD=/x"};
	uint32_t what = c->tame ? 8 : below(c, 8);
	struct str bytes = {0};
	struct launch launch = {.command = {command, 1}, .output = "/tmp/o%j"};

	if (what == 0)
		return;
	if (what == 1) {
		launch.command = (struct launch_words){no_words, 0};
		launch.dir = TEXT(c, paths);
		launch.errors = TEXT(c, paths);
		launch.mail = TEXT(c, mails);
		launch.mail_to = TEXT(c, addresses);
		launch.environment = (struct launch_words){environment + below(c, 4), 1};
		launch.script = "#!";
		launch.script_size = below(c, 3);
		launch.umask = (uint32_t)number(c);
		launch.flags = (uint32_t)number(c);
		launch.job = raw(c);
		launch.user = "root";
		launch.prolog = "/bin/sh";
		launch.wall_limit_s = number(c);
	}
	launch_write(&launch, &bytes);
	if (what == 2)
		bytes.data[below(c, (uint32_t)bytes.len)] = (char)take(c);
	if (what == 3)
		bytes.len = below(c, (uint32_t)bytes.len);
	ev->submit.launch = arena_copy(&c->arena, bytes.data, bytes.len);
	ev->submit.launch_size = (uint32_t)bytes.len;
	str_free(&bytes);
}

static void add_lists(struct choice *c, struct job_record *r)
{
	struct depend *depend = arena_take(&c->arena, 3 * sizeof *depend);
	struct array_range *range = arena_take(&c->arena, 3 * sizeof *range);
	struct alloc_run *run = arena_take(&c->arena, sizeof *run);

	r->depend_count = below(c, 4) == 0 ? 1 + below(c, 3) : 0;
	for (uint32_t i = 0; i < r->depend_count; i++) {
		depend[i] = (struct depend){.on = (uint64_t)number(c), .type = (uint8_t)below(c, 4)};
		depend[i].of = (uint8_t)below(c, DEPEND_OF_COUNT);
		depend[i].number = depend[i].of == DEPEND_ON_TASK ? (uint32_t)number(c) : 0;
		depend[i].state = rarely(c, 8);
	}
	r->depend = depend;
	r->range_count = below(c, 3) == 0 ? 1 + below(c, 3) : 0;
	for (uint32_t i = 0; i < r->range_count; i++) {
		bool right = !rarely(c, 4);
		int64_t first = below(c, 20);

		range[i] = right ? (struct array_range){first + 40 * i, first + 40 * i + below(c, 20),
							1 + below(c, 3)}
				 : (struct array_range){number(c), number(c), number(c)};
	}
	r->ranges = range;
	*run = (struct alloc_run){.nodes = 1, .procs = 1, .tasks = 1};
	r->runs = run;
	r->run_count = rarely(c, 32);
}

/* A submission, sometimes with fields that a client may not set. */
static void add_submit(struct choice *c, struct event *ev)
{
	struct job_record *r = &ev->submit;
	struct job *job = &r->job;

	*job = (struct job){.not_before_s = TIME_NONE, .wall_limit_s = 60 + below(c, 200), .tasks = 1};
	job->tasks += below(c, 6);
	job->task_procs = 1 + below(c, 3);
	job->real = JOB_REAL_LAUNCH;
	if (rarely(c, 2)) {
		int64_t *const large[] = {&job->wall_limit_s, &job->not_before_s, &job->mem_mb,
					  &job->swap_mb,      &job->disk_mb,      &job->true_run_s,
					  &job->submit_s,     &job->start_s,      &job->planned_s,
					  &job->used_ps,      &job->points,       &job->defer_until_s,
					  &job->accrual_s};
		uint32_t *const small[] = {&job->tasks,       &job->task_procs,  &job->nodes,
					   &job->bypass,      &job->array_limit, &job->tasks_per_node,
					   &job->procs_held,  &job->defer_count, &job->start_count,
					   &job->array_index, &job->tasks,       &job->task_procs};
		uint8_t *const tiny[] = {&job->state,      &job->base_holds,  &job->holds,
					 &job->adjust,     &job->flags,       &job->access,
					 &job->allocation, &job->access_held, &job->real};

		*large[below(c, COUNT(large))] = number(c);
		*small[below(c, COUNT(small))] = (uint32_t)number(c);
		*tiny[below(c, COUNT(tiny))] = (uint8_t)below(c, 8);
		job->base_points = (int32_t)number(c);
		job->array = (uint64_t)number(c);
	}
	if (below(c, 2) == 0) {
		const char **const field[] = {&r->cred[0],     &r->cred[1],   &r->cred[2],    &r->cred[3],
					      &r->cred[4],     &r->partition, &r->label,      &r->name,
					      &r->hosts,       &r->order,     &r->qos_asked,  &r->features,
					      &r->hold_reason, &r->prefer,    &r->base_reason};

		*field[below(c, COUNT(field))] = TEXT(c, names);
		*field[below(c, COUNT(field))] = TEXT(c, names);
		r->gres = TEXT(c, values);
	}
	add_lists(c, r);
	add_launch(c, ev);
}

static void add_part(struct choice *c, struct event *ev)
{
	struct alloc_run *runs = arena_take(&c->arena, 3 * sizeof *runs);
	struct used_by *used = arena_take(&c->arena, sizeof *used);
	const struct pair *pair;

	switch (ev->kind) {
	case EVENT_SUBMIT:
		add_submit(c, ev);
		break;
	case EVENT_START:
	case EVENT_PLAN:
		ev->start.count = c->tame ? 1 : below(c, 4);
		for (uint32_t i = 0; i < 3; i++) {
			runs[i] =
				(struct alloc_run){.node = below(c, 5), .nodes = 1, .procs = 1 + below(c, 8)};
			runs[i].tasks = below(c, 4);
			if (rarely(c, 4))
				runs[i].nodes = (uint32_t)number(c);
			if (rarely(c, 8))
				runs[i].node = (uint32_t)number(c);
		}
		if (c->tame)
			runs[0] = (struct alloc_run){
				.node = runs[0].node % 4, .nodes = 1, .procs = 2, .tasks = 2};
		if (ev->kind == EVENT_START)
			ev->start.runs = runs;
		else
			ev->plan.count = 0;
		break;
	case EVENT_HOLD:
		ev->hold.bits = (uint8_t)below(c, 8);
		ev->hold.on = below(c, 2);
		ev->hold.reason = TEXT(c, names);
		break;
	case EVENT_PRIORITY:
		ev->priority.adjust = (uint8_t)below(c, 3);
		ev->priority.points = number(c);
		break;
	case EVENT_SETTING:
		pair = &sets[below(c, COUNT(sets))];
		ev->setting.name = rarely(c, 8) ? TEXT(c, names) : PICK(c, settings);
		ev->setting.value = PICK(c, values);
		if (below(c, 4) > 0) {
			ev->setting.name = pair->name;
			ev->setting.value = pair->value;
		}
		break;
	case EVENT_UNDO:
	case EVENT_KEEP:
		ev->undo.seq = below(c, 2) == 0 ? below(c, 64) : (uint64_t)number(c);
		break;
	case EVENT_DEFER:
		ev->defer.until_s = rarely(c, 4) ? number(c) : TIME_NONE;
		ev->defer.failed_start = rarely(c, 8);
		ev->defer.reason = TEXT(c, names);
		break;
	case EVENT_MODIFY:
		pair = &modifies[below(c, COUNT(modifies))];
		ev->modify.name = rarely(c, 8) ? TEXT(c, names) : PICK(c, attributes);
		ev->modify.value = rarely(c, 4) ? TEXT(c, names) : PICK(c, values);
		if (below(c, 4) > 0) {
			ev->modify.name = pair->name;
			ev->modify.value = pair->value;
		}
		break;
	case EVENT_SIGNAL:
		ev->signal.number = c->tame ? 1 + (uint8_t)below(c, 64) : take(c);
		break;
	case EVENT_SUSPEND:
		ev->suspend.on = below(c, 2);
		break;
	case EVENT_HALT:
		ev->halt.on = below(c, 2);
		ev->halt.after = (uint32_t)number(c);
		break;
	case EVENT_RESERVE:
	case EVENT_UNRESERVE:
		ev->reserve.name = below(c, 4) > 0 ? "mine" : TEXT(c, names);
		ev->reserve.text = PICK(c, reservations);
		break;
	case EVENT_USAGE:
		*used = (struct used_by){.type = below(c, 7), .name = TEXT(c, names), .amount = number(c)};
		ev->usage = (struct usage_window){.begin_s = number(c), .length_s = number(c), .item = used};
		ev->usage.count = below(c, 2);
		ev->usage.total = number(c);
		break;
	case EVENT_NODE:
		ev->node = (struct node_record){.name = "n1", .procs = (uint32_t)number(c)};
		break;
	case EVENT_END:
		ev->end.status = (int32_t)number(c);
		break;
	case EVENT_CONFIG:
		ev->config.file = "x";
		ev->config.text = "queuetimeweight = 1\n";
		break;
	default:
		break;
	}
}

static struct event make_event(struct choice *c)
{
	static const uint8_t usual[] = {
		EVENT_SUBMIT,  EVENT_SUBMIT, EVENT_SUBMIT,   EVENT_SUBMIT,  EVENT_MODIFY,    EVENT_MODIFY,
		EVENT_MODIFY,  EVENT_HOLD,   EVENT_CANCEL,   EVENT_RESERVE, EVENT_UNRESERVE, EVENT_SETTING,
		EVENT_SETTING, EVENT_UNDO,   EVENT_PRIORITY, EVENT_START,   EVENT_SUSPEND,   EVENT_REQUEUE,
		EVENT_SIGNAL,  EVENT_DEFER,  EVENT_HALT,     EVENT_KEEP,    EVENT_USAGE};
	uint8_t what = take(c);
	struct event ev = {.kind = what < 240 || c->tame ? usual[what % COUNT(usual)]
							 : 1 + what % (EVENT_KIND_COUNT - 1)};

	ev.job = rarely(c, 8) ? (uint64_t)number(c) : 1 + below(c, 20);
	ev.who = rarely(c, 8) ? "root" : NULL;
	if (event_can_undo(ev.kind) && below(c, 4) == 0)
		ev.until_s = NOW_S + 60 * below(c, 100);
	if (rarely(c, 4)) {
		ev.seq = raw(c);
		ev.time_s = number(c);
		ev.until_s = number(c);
		ev.why = TEXT(c, names);
	}
	add_part(c, &ev);
	return ev;
}

/* --- records ----------------------------------------------------------------------------------------- */

struct piece {
	uint16_t type, version;
	const unsigned char *fields;
	size_t size;
};

static size_t split(const struct str *bytes, struct piece out[static RECORDS_MAX])
{
	const unsigned char *at = (const unsigned char *)bytes->data, *end = at + bytes->len;
	size_t count = 0;

	while (at < end && count < RECORDS_MAX / 2) {
		struct piece *p = &out[count++];

		*p = (struct piece){(uint16_t)(at[0] | at[1] << 8), (uint16_t)(at[2] | at[3] << 8),
				    at + RECORD_HEADER, at[4] | (size_t)at[5] << 8 | (size_t)at[6] << 16};
		at = p->fields + p->size;
	}
	return count;
}

/* Writes the records with the keys and checksums of their current places. */
static void join(const struct piece *piece, size_t count, struct str *out)
{
	uint64_t place = 0;

	for (size_t i = 0; i < count; i++) {
		struct key key;
		size_t at = record_begin(out, (enum record_type)piece[i].type, piece[i].version);

		place += i > 0 && piece[i].type != RECORD_LAUNCH;
		key = key_number(place);
		str_add_bytes(out, piece[i].fields, piece[i].size);
		record_end(out, at, &key);
	}
}

/* Changes records of half of the requests that are not tame. */
static void damage(struct choice *c, struct str *bytes)
{
	struct piece piece[RECORDS_MAX];
	size_t count = split(bytes, piece), at = below(c, (uint32_t)count), to = below(c, (uint32_t)count);
	uint8_t what = c->tame ? 0 : take(c);
	struct piece kept = piece[at];
	struct str out = {0};
	unsigned char *fields = arena_copy(&c->arena, kept.fields, kept.size);

	if (what < 128)
		return;
	for (uint32_t flips = what < 200 ? 1 + below(c, 3) : 0; flips > 0 && kept.size > 0; flips--)
		fields[raw(c) % kept.size] ^= (unsigned char)(1U << below(c, 8));
	piece[at].fields = fields;
	if (what >= 200 && what < 215)
		piece[at].size = kept.size > 0 ? raw(c) % kept.size : 0;
	if (what >= 215 && what < 230)
		piece[count++] = kept;
	if (what >= 230 && what < 245) {
		piece[at] = piece[to];
		piece[to] = kept;
	}
	if (what >= 245 && what < 250)
		count = at;
	if (what >= 250)
		piece[at].version = (uint16_t)below(c, 9);
	join(piece, count, &out);
	str_clear(bytes);
	str_add_bytes(bytes, out.data, out.len);
	str_free(&out);
}

static void make_request(struct choice *c, struct str *out)
{
	struct event event[EVENTS_MAX];
	uint8_t was[EVENTS_MAX] = {JOB_NONE, JOB_NONE, JOB_NONE};
	struct request_text request = {.kind = ASK_CHANGE,
				       .event = event,
				       .count = below(c, 3) > 0 ? 1 : 1 + below(c, EVENTS_MAX),
				       .was = was};

	for (size_t i = 0; i < request.count; i++)
		event[i] = make_event(c);
	request_write(&request, out);
	damage(c, out);
}

/* --- the state --------------------------------------------------------------------------------------- */

static void apply(struct state *st, struct event ev)
{
	struct err err;

	ev.time_s = NOW_S - 1000 + (int64_t)state_view(st)->seq;
	ev.who = ev.who == NULL ? "root" : ev.who;
	if (!event_apply(st, &ev, &err))
		fail("the state cannot be made", err.text);
}

static void submit(struct state *st, const char *user, uint32_t tasks)
{
	static const struct array_range range = {0, 3, 1};
	struct event ev = {.kind = EVENT_SUBMIT};

	ev.submit = (struct job_record){
		.job = {.not_before_s = TIME_NONE, .wall_limit_s = 3600, .tasks = 2, .task_procs = 1},
		.cred = {[CRED_USER] = user, [CRED_GROUP] = "users", [CRED_ACCOUNT] = "a"},
		.ranges = &range,
		.range_count = tasks > 1,
	};
	ev.submit.job.submit_s = NOW_S - 500;
	ev.who = user;
	apply(st, ev);
}

static void start(struct state *st, uint64_t job, uint32_t node)
{
	const struct alloc_run run = {.node = node, .nodes = 1, .procs = 2, .tasks = 2};

	apply(st, (struct event){.kind = EVENT_START, .job = job, .start = {.runs = &run, .count = 1}});
}

/* Jobs 1 to 7 are the victim's, 8 to 14 the hostile user's; each has a running and an idle job, an array, and
 * a held job. */
static struct state *make_state(void)
{
	static const char config[] =
		"queuetimeweight = 1\nxfactorweight = 10\nreservationpolicy = highest\n"
		"userreservations = 4\nallowroot = true\nfspolicy = dedicatedps\n"
		"qos hi { priority = 9 qttarget = 2h }\nuser victim { qlist = {\"hi\"} }\n"
		"class long { default.features = \"fast\" default.wclimit = 2h }\n"
		"user mallory { maxjob = {\"3\"} fstarget = 10 }\n";
	static const char *const node[] = {"n1", "n2", "n3", "n4"};
	static const char *const user[] = {"victim", HOSTILE};
	struct state *st = state_new();

	apply(st, (struct event){.kind = EVENT_CONFIG, .config = {"kahu.conf", config}});
	for (size_t i = 0; i < COUNT(node); i++)
		apply(st, (struct event){.kind = EVENT_NODE,
					 .node = {.name = node[i],
						  .partition = i == 3 ? "night" : NULL,
						  .procs = 8,
						  .mem_mb = 8192,
						  .features = "fast",
						  .gres = "gpu:4",
						  .used = NODE_NOT_MEASURED}});
	for (size_t u = 0; u < COUNT(user); u++) {
		uint64_t first = 7 * u;

		submit(st, user[u], 1);
		submit(st, user[u], 1);
		submit(st, user[u], 4);
		submit(st, user[u], 1);
		start(st, first + 1, (uint32_t)u);
		apply(st, (struct event){.kind = EVENT_HOLD,
					 .job = first + 7,
					 .hold = {.bits = JOB_HOLD_SYSTEM, .on = true, .reason = "no"}});
		apply(st, (struct event){.kind = EVENT_MODIFY,
					 .job = first + 2,
					 .who = user[u],
					 .modify = {"walltime", "1:30:00"}});
	}
	apply(st, (struct event){.kind = EVENT_SETTING, .setting = {"xfactorweight", "7"}});
	apply(st, (struct event){.kind = EVENT_PRIORITY, .job = 2, .priority = {JOB_ADJUST_RELATIVE, 5}});
	apply(st, (struct event){.kind = EVENT_RESERVE,
				 .reserve = {"maint", "start=1774500000 end=1774600000 nodes=ALL"}});
	apply(st, (struct event){.kind = EVENT_DEFER, .job = 9, .defer = {.until_s = NOW_S + 900}});
	return st;
}

/* --- what must be unchanged -------------------------------------------------------------------------- */

static bool is_hostile(const struct snapshot *s, const struct job *job)
{
	const char *user = snapshot_job_cred(s, job, CRED_USER);

	return user != NULL && strcmp(user, HOSTILE) == 0;
}

/* False if the change is about a reservation, a job of the hostile user, or a job that no longer exists. */
static bool is_others(const struct state *st, const struct change *change)
{
	const struct snapshot *s = state_view(st);
	const struct change *moved = state_change_moved(s, change);
	uint32_t slot = change->job != 0 ? state_find(st, change->job) : INDEX_NONE;

	if (moved != NULL && (moved->kind == CHANGE_RESERVE || moved->kind == CHANGE_UNRESERVE))
		return false;
	return change->job == 0 || (slot != INDEX_NONE && !is_hostile(s, &snapshot_jobs(s)[slot]));
}

/*
 * Everything that does not belong to the hostile user, as bytes. The state of dependencies is omitted,
 * because an administrator may make another user's job depend on one of the hostile user's. Reservations that
 * are over are omitted, because the next event that counts reservations removes them.
 */
static void describe_others(const struct state *st, int64_t now_s, struct str *out)
{
	static struct state_parts parts;
	const struct snapshot *s = state_view(st);
	struct key key = key_number(0);

	str_clear(out);
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_JOBS); i++) {
		const struct job *job = &snapshot_jobs(s)[i];
		struct job_record record;

		if (job->state == JOB_NONE || is_hostile(s, job))
			continue;
		state_job_record(s, i, &record, &parts);
		for (uint32_t d = 0; d < record.depend_count; d++)
			parts.depend[d].state = DEPEND_OPEN;
		put_job(out, &key, &record);
	}
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_NODES); i++) {
		struct node_record record;

		state_node_record(s, i, &record, &parts);
		put_node(out, &key, &record);
		str_addf(out, "%u %u", snapshot_nodes(s)[i].procs_busy, snapshot_nodes(s)[i].drained);
	}
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_CHANGES); i++) {
		const struct change *change = &snapshot_changes(s)[i];

		if (is_others(st, change) &&
		    strcmp(snapshot_string(s, change->name), JOB_DEPEND_ATTRIBUTE) != 0)
			str_addf(out, "%llu %d %d %s=%s\n", (unsigned long long)change->seq, change->kind,
				 change->dead, snapshot_string(s, change->name),
				 snapshot_string(s, change->value));
	}
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_ADVANCES); i++) {
		const struct advance *a = &snapshot_advances(s)[i];

		if (strcmp(snapshot_string(s, a->owner), HOSTILE) != 0 && !advance_is_over(a, now_s))
			str_addf(out, "%s %lld %lld\n", snapshot_string(s, a->name), (long long)a->begin_s,
				 (long long)a->end_s);
	}
	str_addf(out, "%d", s->halted);
	str_add_bytes(out, &s->policy.weights, sizeof s->policy.weights);
}

/* --- the steps of a request -------------------------------------------------------------------------- */

static bool accept(struct state *st, struct event *ev, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!event_apply(st, &ev[i], NULL))
			return false;
	return true;
}

/* As in request_server.c and driver_accept: the events are applied to a copy of the state. */
static void ask(struct state **st, const struct person *by, int64_t now_s, const struct str *bytes)
{
	/* A copy of the exact size, so that sanitizers find a read past its end. */
	void *exact = mem_alloc(bytes->len + 1);
	struct authorization authorization = {.by = by, .st = *st, .now_s = now_s};
	struct arena arena = {0};
	struct request_text request;
	struct state *trial;
	struct err err = {""};

	memcpy(exact, bytes->data, bytes->len);
	if (!request_read(exact, bytes->len, &arena, &request, &err)) {
		if (err.text[0] == '\0')
			fail("a request was refused", "without a message");
	} else if (authorize_events(&authorization, request.event, request.count, &arena, &err)) {
		trial = state_from_snapshot(state_view(*st));
		if (accept(trial, request.event, request.count)) {
			state_free(*st);
			*st = trial;
		} else {
			state_free(trial);
		}
	} else if (err.text[0] == '\0') {
		fail("an authorization was refused", "without a message");
	}
	arena_free(&arena);
	free(exact);
}

static void check(const struct state *st)
{
	struct err err;

	if (!state_check(st, &err))
		fail("the state is not consistent", err.text);
}

/* Undoes temporary changes that are over, then runs one pass. */
static void pass(struct state *st, int64_t now_s)
{
	static struct cycle *cycle;
	struct cycle_result result;
	struct enact enact = {.result = &result};
	struct event ev = {.time_s = now_s, .who = "sched"};
	uint32_t at = UINT32_MAX;
	struct err err;

	while (event_returns(st, now_s, &at, &ev)) {
		if (!event_apply(st, &ev, &err))
			fail("a temporary change cannot end", err.text);
		ev = (struct event){.time_s = now_s, .who = "sched"};
	}
	if (cycle == NULL)
		cycle = cycle_new();
	cycle_run(cycle, state_view(st), now_s, false, &result);
	while (enact_next(&enact, &ev)) {
		ev.time_s = now_s;
		ev.who = "sched";
		if (!event_apply(st, &ev, &err))
			fail("a decision of a pass cannot be made", err.text);
	}
	enact_clear(&enact);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct person people[] = {{1001, 100, HOSTILE, "users", ADMIN_NONE, ACCOUNT_FOUND, 0},
					       {1001, 100, HOSTILE, "users", ADMIN_NONE, ACCOUNT_FOUND, 0},
					       {1002, 100, "ops", "users", ADMIN_JOBS, ACCOUNT_FOUND, 0},
					       {0, 0, "root", "root", ADMIN_ALL, ACCOUNT_FOUND, 0},
					       {1003, 100, "viewer", "users", ADMIN_SEES, ACCOUNT_FOUND, 0}};
	static struct state *base;
	static struct str before, after, bytes;
	struct choice c = {.at = data, .end = data + size};
	int64_t now_s = NOW_S;
	struct state *st;

	if (base == NULL)
		base = make_state();
	st = state_from_snapshot(state_view(base));
	for (int i = 0; i < REQUESTS_MAX && c.at < c.end; i++) {
		const struct person *by = &people[below(&c, COUNT(people))];

		c.tame = below(&c, 4) > 0;
		str_clear(&bytes);
		make_request(&c, &bytes);
		describe_others(st, now_s, &before);
		ask(&st, by, now_s, &bytes);
		check(st);
		describe_others(st, now_s, &after);
		if (by->uid == 1001 &&
		    (before.len != after.len || memcmp(before.data, after.data, after.len) != 0))
			fail("a user without rights", "changed what is not theirs");
		now_s += below(&c, 4) == 0 ? 3600 : 0;
		arena_reset(&c.arena);
	}
	pass(st, now_s);
	check(st);
	state_free(st);
	arena_free(&c.arena);
	return 0;
}
