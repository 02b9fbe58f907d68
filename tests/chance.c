/* SPDX-License-Identifier: MIT */
/*
 * chance.c - what might happen to a scene, at random?
 *
 * Numbers are drawn one after the other, never two in the arguments of one call: compilers differ in which
 * they draw first, and a seed is to tell the same story everywhere.
 */
#include "chance.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"

#define PICK(rng, list) ((list)[chance_below((rng), (uint32_t)(sizeof(list) / sizeof *(list)))])

uint32_t chance_below(struct rng *rng, uint32_t limit)
{
	return (uint32_t)rng_below(rng, limit);
}

/* --- policies ----------------------------------------------------------------------------- */

/* Factors that stand still while a job waits, and those that do not. */
static const char *const steady_weight[] = {"userweight", "groupweight",    "qosweight",
					    "procweight", "walltimeweight", "memweight"};
static const char *const moving_weight[] = {
	"queuetimeweight",     "xfactorweight", "targetqueuetimeweight",
	"targetxfactorweight", "psweight",      "peweight",
};

/* Options so far: each once, the last value drawn stands. */
struct draft {
	struct {
		const char *name;
		char value[32];
	} item[24];
	size_t count;
};

__attribute__((format(printf, 3, 4))) static void draft(struct draft *d, const char *name, const char *format,
							...)
{
	va_list args;
	size_t i = 0;

	while (i < d->count && strcmp(d->item[i].name, name) != 0)
		i++;
	d->count += i == d->count;
	d->item[i].name = name;
	va_start(args, format);
	vsnprintf(d->item[i].value, sizeof d->item[i].value, format, args);
	va_end(args);
}

static void draft_weights(struct rng *rng, struct draft *d, unsigned kinds)
{
	draft(d, "queuetimeweight", "0");
	for (uint32_t i = chance_below(rng, 4); i > 0; i--) {
		int weight = (int)chance_below(rng, 20) - 8;

		draft(d, PICK(rng, steady_weight), "%d", weight);
	}
	if (kinds & CHANCE_STEADY)
		return;
	for (uint32_t i = chance_below(rng, 4); i > 0; i--) {
		uint32_t tenths = chance_below(rng, 10), units = chance_below(rng, 30);

		draft(d, PICK(rng, moving_weight), "%u.%u", units, tenths);
	}
	if (!(kinds & CHANCE_REPEATABLE) && chance_below(rng, 2)) {
		draft(d, "bypassweight", "%u", chance_below(rng, 30));
		draft(d, "bypasscap", "%u", chance_below(rng, 5));
	}
	if (chance_below(rng, 3) == 0) {
		draft(d, "xfactorcap", "%u", 1 + chance_below(rng, 4));
		draft(d, "servicecap", "%u", chance_below(rng, 90));
	}
}

static void draft_signs(struct rng *rng, struct draft *d, unsigned kinds)
{
	bool full = !(kinds & CHANCE_PLAIN) && chance_below(rng, 3) == 0;

	if (full)
		draft(d, "jobprioaccrualpolicy", "fullpolicy");
	if (full && (kinds & CHANCE_REPEATABLE))
		return;
	if (chance_below(rng, 3) == 0)
		draft(d, "enablenegjobpriority", "true");
	if (chance_below(rng, 3))
		return;
	draft(d, "rejectnegpriojobs", "true");
	draft(d, "userweight", "%u", 1 + chance_below(rng, 4)); /* u2 has a priority below 0 */
}

static void draft_all(struct rng *rng, struct draft *d, unsigned kinds)
{
	static const char *const kept[] = {"currenthighest", "currenthighest", "highest", "highest", "never"};
	uint32_t depth = chance_below(rng, 7), flavour = chance_below(rng, 4);

	draft(d, "reservationdepth", "%u", depth == 6 ? 1000000000 : depth);
	draft(d, "reservationpolicy", "%s", PICK(rng, kept));
	if (!(kinds & CHANCE_BACKFILL) && chance_below(rng, 5) == 0)
		draft(d, "backfillpolicy", "none");
	if (flavour == 0)
		draft(d, "queuetimeweight", "0");
	else if (flavour > 1)
		draft_weights(rng, d, kinds);
	if (flavour == 3)
		draft_signs(rng, d, kinds);
}

/* "3,7", "7": a soft and a hard value, or one for both. */
static void add_pair(struct rng *rng, struct str *text, uint32_t most)
{
	uint32_t hard = 1 + chance_below(rng, most);

	if (chance_below(rng, 2))
		str_addf(text, "%u,", 1 + chance_below(rng, hard));
	str_addf(text, "%u", hard);
}

static void add_limit(struct rng *rng, struct str *text, const char *name, const char *second, uint32_t most)
{
	str_addf(text, " %s = {\"%s", name, second);
	add_pair(rng, text, most);
	str_add(text, "\"}");
}

/* What a site may set for jobs of one credential; small, so that many jobs meet them. */
static void add_limits(struct rng *rng, struct str *text)
{
	if (chance_below(rng, 2))
		add_limit(rng, text, "maxjob", "", 4);
	if (chance_below(rng, 3) == 0)
		add_limit(rng, text, "maxproc", "", 12);
	if (chance_below(rng, 3) == 0)
		add_limit(rng, text, "maxps", "", 3000);
	if (chance_below(rng, 4) == 0)
		add_limit(rng, text, "maxwc", "", 1200);
	if (chance_below(rng, 3) == 0)
		add_limit(rng, text, "maxijob", "", 3);
	if (chance_below(rng, 5) == 0)
		add_limit(rng, text, "maxqueued", "", 6);
}

static void add_shares(struct rng *rng, struct str *text)
{
	static const char *const metric[] = {"dedicatedps", "dedicatedpes", "utilizedps", "\"dedicatedps%\""};
	uint32_t decay = 1 + chance_below(rng, 9), depth = 1 + chance_below(rng, 6);
	uint32_t minutes = 1 + chance_below(rng, 5), user_weight;

	str_addf(text, "fspolicy = %s\nfsinterval = \"0:0%u:00\"\nfsdepth = %u\nfsdecay = 0.%u\n",
		 PICK(rng, metric), minutes, depth, decay);
	user_weight = chance_below(rng, 50);
	str_addf(text, "fsweight = %u\nfsuserweight = %u\n", chance_below(rng, 3), user_weight);
}

/* Limits of users, groups, pairs, QOS and the system; classes; fairshare. */
static void add_throttling(struct rng *rng, struct str *text)
{
	static const char *const promotion[] = {"priority", "priority", "oldest", "newest"};
	static const char *const backfill[] = {"", "", "backfilldepth = 2\n", "backfillmetric = seconds\n"};

	const char *filling = PICK(rng, backfill), *pass = chance_below(rng, 3) ? "resources" : "idleonly";
	const char *share_mode;

	str_addf(text, "idlepromotion = %s\nhardpass = %s\n%s", PICK(rng, promotion), pass, filling);
	if (chance_below(rng, 2))
		add_shares(rng, text);
	str_add(text, "user DEFAULT { fstarget = 30.0");
	add_limits(rng, text);
	share_mode = chance_below(rng, 2) ? "%" : "+";
	str_addf(text, " }\nuser u1 { fstarget = \"%u.0%s\"", 20 + chance_below(rng, 60), share_mode);
	add_limits(rng, text);
	str_add(text, " }\ngroup DEFAULT {");
	add_limits(rng, text);
	str_add(text, " }\nclass short {");
	if (chance_below(rng, 2))
		str_add(text, " max.wclimit = 60");
	add_limit(rng, text, "maxjob", "USER=", 3);
	str_add(text, " }\n");
	if (chance_below(rng, 2))
		str_add(text, "systemmaxjobwalltime = 300\n");
}

char *chance_policy(struct rng *rng, unsigned kinds)
{
	struct draft d = {.count = 0};
	struct str text = {0};
	char *result;

	draft_all(rng, &d, kinds);
	for (size_t i = 0; i < d.count; i++)
		str_addf(&text, "%s = %s\n", d.item[i].name, d.item[i].value);
	if (!(kinds & CHANCE_STEADY) && chance_below(rng, 3) == 0)
		str_addf(&text, "partition night { xfactorweight = %u }\n", chance_below(rng, 50));
	if (kinds & CHANCE_LIMITS) {
		add_throttling(rng, &text);
		uint32_t jobs = 1 + chance_below(rng, 5);
		str_addf(&text,
			 "user u2 { priority = -30 }\nuser u3 { priority = 20 }\nqos hi { omaxproc = "
			 "{\"%u\"} omaxjob = {\"%u\"} }\n",
			 2 + chance_below(rng, 20), jobs);
	} else {
		str_add(&text, "user u2 { priority = -30 }\nuser u3 { priority = 20 }\n");
		if (!(kinds & CHANCE_STEADY) && chance_below(rng, 3) == 0)
			str_add(&text, "qos hi { qtweight = 5 qttarget = 60 }\n");
	}
	result = strdup(str_text(&text));
	str_free(&text);
	return result;
}

struct scene *chance_scene(struct rng *rng, unsigned kinds)
{
	uint32_t procs = 1 + chance_below(rng, 6);
	struct scene *sc = scene_new(1 + chance_below(rng, 5), procs);
	char *policy = chance_policy(rng, kinds);

	sc->now_s = 1774368000;
	scene_config(sc, policy);
	free(policy);
	return sc;
}

/* --- jobs ---------------------------------------------------------------------------------- */

uint64_t chance_submit(struct rng *rng, struct scene *sc, unsigned kinds)
{
	static const char *const user[] = {"u1", "u2", "u3"};
	static const char *const other[] = {NULL, NULL, "hi", "night"};
	static const int64_t wall_s[] = {10, 20, 30, 60, 100, 100, 300, 1000};
	static const char *const after[] = {"after", "afterany", "afterok", "afternotok"};
	char depend[40];
	uint32_t machine = (uint32_t)scene_view(sc)->procs_total;
	struct scene_job job = {.procs = 1 + chance_below(rng, machine), .wall_s = PICK(rng, wall_s)};

	if (chance_below(rng, 2))
		job.procs = 1 + chance_below(rng, 3);
	if (chance_below(rng, 30) == 0)
		job.procs = machine + 1; /* can never start */
	if ((kinds & CHANCE_TASKS) && chance_below(rng, 3) == 0) {
		job.task_procs = 1 + chance_below(rng, 4);
		job.procs = job.task_procs * (1 + chance_below(rng, 3));
	}
	job.run_s = chance_below(rng, 2) ? job.wall_s : 1 + chance_below(rng, (uint32_t)job.wall_s);
	job.user = PICK(rng, user);
	job.group = PICK(rng, user);
	job.qos = PICK(rng, other);
	job.partition = PICK(rng, other);
	if (kinds & CHANCE_TASKS) /* memory names nodes */
		job.mem_mb = chance_below(rng, 50);
	if ((kinds & CHANCE_DATES) && chance_below(rng, 5) == 0)
		job.not_before_s = sc->now_s + 1 + chance_below(rng, 100);
	if (kinds & CHANCE_LIMITS)
		job.class_name = chance_below(rng, 2) ? "short" : NULL;
	if ((kinds & CHANCE_LIMITS) && chance_below(rng, 8) == 0 && scene_view(sc)->next_job_id > 1) {
		uint32_t on = 1 + chance_below(rng, (uint32_t)scene_view(sc)->next_job_id - 1);

		snprintf(depend, sizeof depend, "%s:%u", PICK(rng, after), on);
		job.depend = depend;
	}
	if (!(kinds & CHANCE_PLAIN) && chance_below(rng, 10) == 0)
		job.holds = (uint8_t)(1 + chance_below(rng, 7));
	if ((kinds & CHANCE_ARRAYS) && chance_below(rng, 4) == 0) {
		job.procs = job.task_procs > 0 ? job.task_procs : 1 + chance_below(rng, 2);
		job.array = 1 + chance_below(rng, 6);
		job.at_a_time = chance_below(rng, 4);
	}
	return scene_add(sc, job);
}

/* --- operators ------------------------------------------------------------------------------- */

uint64_t chance_waiting(struct rng *rng, const struct scene *sc)
{
	const struct snapshot *s = scene_view(sc);
	uint32_t count = snapshot_count(s, TABLE_WAITING);

	return count == 0 ? 0 : snapshot_jobs(s)[snapshot_waiting(s)[chance_below(rng, count)].slot].id;
}

const char *chance_setting(struct rng *rng, unsigned kinds, char value[static 32])
{
	static const char *const rule[] = {"currenthighest", "highest", "never"};
	static const char *const place[] = {"user[u1].priority", "user[u3].priority", "qos[hi].priority"};

	switch (chance_below(rng, (kinds & CHANCE_STEADY) ? 5 : 7)) {
	case 0:
		snprintf(value, 32, "%u", chance_below(rng, 6));
		return "reservationdepth";
	case 1:
		snprintf(value, 32, "%s", PICK(rng, rule));
		return "reservationpolicy";
	case 2:
		snprintf(value, 32, "%s",
			 (kinds & CHANCE_BACKFILL) || chance_below(rng, 3) ? "firstfit" : "none");
		return "backfillpolicy";
	case 3:
		snprintf(value, 32, "%d", (int)chance_below(rng, 99) - 50);
		return PICK(rng, place);
	case 4:
		snprintf(value, 32, "%d", (int)chance_below(rng, 9) - 4);
		return PICK(rng, steady_weight);
	case 5:
		snprintf(value, 32, "%u", chance_below(rng, 100));
		return "partition[night].queuetimeweight";
	default:
		snprintf(value, 32, "%u.5", chance_below(rng, 9));
		return PICK(rng, moving_weight);
	}
}

/* A change that can still be undone, at random. */
static uint64_t change_seq(struct rng *rng, const struct snapshot *s)
{
	uint32_t count = snapshot_count(s, TABLE_CHANGES);

	return count == 0 ? 0 : snapshot_changes(s)[chance_below(rng, count)].seq;
}

/* Something is reserved under a name of its own, for some or for nobody, or released. */
static bool reserve(struct rng *rng, struct scene *sc)
{
	static const char *const whom[] = {"", "", " user=u1", " user=u2 group=g1"};
	const struct snapshot *s = scene_view(sc);
	uint32_t standing = snapshot_count(s, TABLE_ADVANCES), nodes = snapshot_count(s, TABLE_NODES);
	const char *node = snapshot_string(s, snapshot_nodes(s)[chance_below(rng, nodes)].name);
	struct event ev = {.kind = EVENT_UNRESERVE, .who = "eva"};
	char name[ADVANCE_NAME], text[160];
	struct err err;
	int64_t begin_s = sc->now_s + chance_below(rng, 100);

	if (standing > 0 && chance_below(rng, 3) == 0) {
		snprintf(name, sizeof name, "%s",
			 snapshot_string(s, snapshot_advances(s)[chance_below(rng, standing)].name));
	} else {
		const char *who = PICK(rng, whom), *part = chance_below(rng, 2) ? "*1" : "";
		long long end_s = (long long)begin_s + 1 + chance_below(rng, 200);

		ev.kind = EVENT_RESERVE;
		snprintf(name, sizeof name, "r%llu", (unsigned long long)s->seq);
		snprintf(text, sizeof text, "start=%lld end=%lld node=%s%s%s", (long long)begin_s, end_s,
			 node, part, who);
		ev.reserve.text = text;
	}
	ev.reserve.name = name;
	return scene_try(sc, &ev, &err)[0] == '\0';
}

bool chance_act(struct rng *rng, struct scene *sc, unsigned kinds)
{
	struct event ev = {.who = "eva", .job = chance_waiting(rng, sc)};
	char value[32];
	struct err err;

	if ((kinds & CHANCE_RESERVED) && chance_below(rng, 3) == 0)
		return reserve(rng, sc);

	switch (chance_below(rng, kinds & CHANCE_LIMITS ? 8 : 6)) {
	case 6:
	case 7:
		ev.kind = EVENT_DEFER;
		ev.defer.until_s = sc->now_s + 1 + chance_below(rng, 50);
		break;
	case 0:
	case 1:
		ev.kind = EVENT_HOLD;
		ev.hold.bits = (uint8_t)(1 + chance_below(rng, 7));
		ev.hold.on = chance_below(rng, 2);
		break;
	case 2:
		ev.kind = EVENT_PRIORITY;
		ev.priority.adjust = (uint8_t)chance_below(rng, 3);
		ev.priority.points = chance_below(rng, 100);
		break;
	case 3:
		ev.kind = EVENT_SETTING;
		ev.job = 0;
		ev.setting.name = chance_setting(rng, kinds, value);
		ev.setting.value = value;
		break;
	default:
		ev.kind = EVENT_UNDO;
		ev.job = 0;
		ev.undo.seq = change_seq(rng, scene_view(sc));
	}
	return scene_try(sc, &ev, &err)[0] == '\0';
}

/* --- time -------------------------------------------------------------------------------------- */

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

void chance_go(struct rng *rng, struct scene *sc, unsigned kinds)
{
	int64_t due_s = sc->result.next_due_s > sc->now_s ? sc->result.next_due_s : TIME_NEVER;
	int64_t next_s = earlier(due_s, scene_next_end_s(sc)), to_s = sc->now_s + chance_below(rng, 20);

	if (next_s != TIME_NEVER && chance_below(rng, 2))
		to_s = next_s;
	scene_go(sc, (kinds & CHANCE_LATE) ? to_s : earlier(to_s, next_s));
}

void chance_step(struct rng *rng, struct scene *sc, unsigned kinds, uint32_t calm)
{
	uint32_t arrivals = chance_below(rng, 4);

	chance_go(rng, sc, kinds);
	if (snapshot_count(scene_view(sc), TABLE_WAITING) > 25)
		arrivals = 0;
	while (arrivals-- > 0)
		chance_submit(rng, sc, kinds);
	if (calm > 0 && chance_below(rng, calm) == 0)
		chance_act(rng, sc, kinds);
}
