/* SPDX-License-Identifier: MIT */
/*
 * test_state_hash.c - differences between states that change the hash
 *
 * Each pair of states is made by the same number of events, so the counters are equal and only the part in
 * question differs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/state/state.h"
#include "tests/scene.h"

/* Three nodes of four processors; job 1 runs on the first, jobs 2 and 3 wait. */
static struct scene *simple_state(void)
{
	struct scene *sc = scene_new(3, 4);

	scene_start(sc, scene_submit(sc, 2, 100), 0, 1, 2);
	scene_submit(sc, 1, 50);
	scene_submit(sc, 1, 50);
	return sc;
}

static void reserve(struct scene *sc, const char *text)
{
	struct event ev = {.kind = EVENT_RESERVE, .who = "root", .reserve = {.name = "maint", .text = text}};

	scene_apply(sc, &ev);
}

static void hold(struct scene *sc, bool other)
{
	scene_hold(sc, other ? 3 : 2, JOB_HOLD_USER);
}

static void first_waiting(struct scene *sc, bool other)
{
	scene_cancel(sc, 2);
	scene_cancel(sc, 3);
	scene_submit(sc, 1, other ? 70 : 60);
}

static void running(struct scene *sc, bool other)
{
	scene_start(sc, scene_submit(sc, 1, other ? 70 : 60), 1, 1, 1); /* its end is the earliest */
}

static void priority(struct scene *sc, bool other)
{
	scene_priority(sc, 3, JOB_ADJUST_RELATIVE, other ? 7 : 6);
}

static void policy(struct scene *sc, bool other)
{
	scene_set(sc, "xfactorweight", other ? "7" : "6");
}

static void credential(struct scene *sc, bool other)
{
	scene_set(sc, "user[u1].priority", other ? "7" : "6");
}

static void limit(struct scene *sc, bool other)
{
	scene_set(sc, "user[u1].maxjob", other ? "7" : "6");
}

static void node(struct scene *sc, bool other)
{
	scene_set(sc, "node[n002].priority", other ? "7" : "6");
}

static void advance(struct scene *sc, bool other)
{
	reserve(sc, other ? "start=10 end=20 node=n003" : "start=10 end=21 node=n003");
}

static void usage(struct scene *sc, bool other)
{
	scene_set(sc, "fspolicy", "dedicatedps");
	scene_go(sc, other ? 40 : 30);
	scene_end(sc, 1);
	scene_go(sc, 50);
}

static void partition(struct scene *sc, bool other)
{
	scene_set(sc, "partition[night].xfactorweight", other ? "7" : "6");
}

static void array(struct scene *sc, bool other)
{
	scene_cancel(sc, 2);
	scene_cancel(sc, 3);
	scene_add(sc, (struct scene_job){.array = 2, .at_a_time = other ? 1 : 2});
}

static void second_limit(struct scene *sc, bool other)
{
	scene_set(sc, other ? "group[g1].maxjob[user]" : "group[g1].maxjob[class]", "6");
}

static void system_limit(struct scene *sc, bool other)
{
	scene_set(sc, "system.maxjob", other ? "7" : "6");
}

static void allowed_qos(struct scene *sc, bool other)
{
	scene_set(sc, "user[u1].qlist", other ? "hi" : "lo");
}

static void level(struct scene *sc, bool other)
{
	scene_set(sc, "reservationqoslist[1]", other ? "hi" : "lo");
}

static void default_account(struct scene *sc, bool other)
{
	scene_set(sc, "user[u1].adef", other ? "bio" : "chem");
}

static void accounts(struct scene *sc, bool other)
{
	scene_set(sc, "accountaccess", other ? "listed" : "open");
}

static void owner_suspends(struct scene *sc, bool other)
{
	scene_set(sc, "ownersuspend", other ? "keep" : "no");
}

static void pam(struct scene *sc, bool other)
{
	scene_set(sc, "pamservice", other ? "kahu" : "");
}

static void privileges(struct scene *sc, bool other)
{
	scene_set(sc, "jobnonewprivs", other ? "true" : "false");
}

static void processes(struct scene *sc, bool other)
{
	scene_set(sc, "jobprocesses", other ? "7" : "16384");
}

static void request_size(struct scene *sc, bool other)
{
	scene_set(sc, "maxrequestevents", other ? "7" : "1000");
}

static void features(struct scene *sc, bool other)
{
	scene_modify(sc, 3, "features", other ? "fast" : "big");
}

static void preferred(struct scene *sc, bool other)
{
	scene_modify(sc, 3, "prefer", other ? "fast" : "big");
}

static void resources(struct scene *sc, bool other)
{
	scene_modify(sc, 3, "gres", other ? "gpu:2" : "gpu:1");
}

static uint64_t hash_after(void (*change)(struct scene *, bool), bool other)
{
	struct scene *sc = simple_state();
	uint64_t hash;

	change(sc, other);
	hash = state_hash(scene_view(sc));
	scene_free(sc);
	return hash;
}

static void every_part_of_a_state_is_in_its_hash(void **state)
{
	static const struct {
		const char *name;
		void (*change)(struct scene *, bool);
	} part[] = {
		{"hold", hold},
		{"first waiting", first_waiting},
		{"running", running},
		{"priority", priority},
		{"policy", policy},
		{"credential", credential},
		{"limit", limit},
		{"node", node},
		{"advance", advance},
		{"usage", usage},
		{"partition", partition},
		{"array", array},
		{"limit for a second credential", second_limit},
		{"limit of the system", system_limit},
		{"allowed QOS", allowed_qos},
		{"level", level},
		{"default account", default_account},
		{"accounts", accounts},
		{"suspending by owners", owner_suspends},
		{"service of PAM", pam},
		{"privileges", privileges},
		{"processes of a job", processes},
		{"changes in a request", request_size},
		{"features", features},
		{"preferred features", preferred},
		{"generic resources", resources},
	};

	(void)state;
	for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
		assert_true(hash_after(part[i].change, false) == hash_after(part[i].change, false));
		if (hash_after(part[i].change, false) == hash_after(part[i].change, true))
			fail_msg("the hash does not show a difference of: %s", part[i].name);
	}
}

/* --- field by field ------------------------------------------------------------------------------ */

struct field {
	const char *name;
	size_t offset;
};

#define FIELD(type, member)                                                                                  \
	{                                                                                                    \
#type "." #member, offsetof(struct type, member)                                             \
	}
#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static void *items(struct snapshot *s, enum snapshot_table_id id)
{
	return (char *)s + s->table[id].offset;
}

/* Checks that flipping the lowest bit of each field changes the hash. */
static void assert_hashed(const struct snapshot *s, void *record, const struct field *field, size_t count)
{
	uint64_t hash = state_hash(s);

	for (size_t i = 0; i < count; i++) {
		unsigned char *byte = (unsigned char *)record + field[i].offset;

		*byte ^= 1;
		if (state_hash(s) == hash)
			fail_msg("the hash does not show %s", field[i].name);
		*byte ^= 1;
		assert_true(state_hash(s) == hash);
	}
}

/* Returns a state with every part that the hash covers; job 1 runs and job 2 depends on it. */
static struct scene *complete_state(void)
{
	struct scene *sc = scene_new(0, 0);
	struct event used = {.kind = EVENT_USED, .job = 1, .used = {.ps = 5}};

	scene_config(sc, "fspolicy = dedicatedps\nuser u1 { priority = 4 maxjob = 9 qlist = \"hi\" }\n"
			 "partition night { xfactorweight = 7 }\nreservationlevel 1 { reservationqoslist = "
			 "\"hi\" }\n");
	scene_node(sc, (struct node_record){.name = "n1",
					    .procs = 4,
					    .mem_mb = 100,
					    .features = "fast",
					    .classes = "batch",
					    .gres = "gpu:4"});
	scene_add(sc, (struct scene_job){.procs = 2, .gres = "gpu:1"});
	scene_start(sc, 1, 0, 1, 2);
	scene_add(sc, (struct scene_job){.depend = "afterok:1", .features = "fast", .label = "two"});
	scene_go(sc, 30);
	scene_apply(sc, &used);
	scene_hold(sc, 2, JOB_HOLD_USER);
	reserve(sc, "start=100 end=200 node=n1 user=u1");
	return sc;
}

static void every_field_of_a_job_is_in_the_hash(void **state)
{
	static const struct field field[] = {
		FIELD(job, id),
		FIELD(job, submit_s),
		FIELD(job, accrual_s),
		FIELD(job, not_before_s),
		FIELD(job, wall_limit_s),
		FIELD(job, true_run_s),
		FIELD(job, start_s),
		FIELD(job, planned_s),
		FIELD(job, mem_mb),
		FIELD(job, swap_mb),
		FIELD(job, disk_mb),
		FIELD(job, points),
		FIELD(job, tasks),
		FIELD(job, task_procs),
		FIELD(job, nodes),
		FIELD(job, bypass),
		FIELD(job, state),
		FIELD(job, base_holds),
		FIELD(job, holds),
		FIELD(job, adjust),
		FIELD(job, flags),
		FIELD(job, defer_until_s),
		FIELD(job, used_ps),
		FIELD(job, tasks_per_node),
		FIELD(job, procs_held),
		FIELD(job, defer_count),
		FIELD(job, start_count),
		FIELD(job, access),
		FIELD(job, allocation),
		FIELD(job, access_held),
		FIELD(job, real),
		FIELD(job, array),
		FIELD(job, array_index),
		FIELD(job, array_limit),
		FIELD(job, suspended_s),
		FIELD(job, suspended_at_s),
		FIELD(job, resume_s),
		FIELD(job, released_s),
		FIELD(job, held_since_s),
		FIELD(job, charged_ps),
		FIELD(job, base_points),
		FIELD(job, retries),
		FIELD(job, launch_size),
		FIELD(job, label),
		FIELD(job, name),
		FIELD(job, hosts),
		FIELD(job, order),
		FIELD(job, hold_reason),
		FIELD(job, base_reason),
		FIELD(job, unknown[UNKNOWN_FEATURES]),
		FIELD(job, unknown[UNKNOWN_PREFER]),
		FIELD(job, unknown[UNKNOWN_GRES]),
		FIELD(job, features),
		FIELD(job, prefer),
		FIELD(job, gres[0]),
	};
	struct scene *sc = complete_state();
	struct job *job = state_job(sc->st, state_find(sc->st, 2));

	(void)state;
	job->array = 1;
	job->suspended_s = job->released_s = 1;
	job->base_points = 6;
	job->retries = 2;
	job->launch_size = 2;
	assert_hashed(scene_view(sc), job, field, COUNT(field));
	scene_free(sc);
}

/* Each of these fields alone adds the optional part to the hash. */
static void optional_job_fields_are_in_the_hash(void **state)
{
	static const struct field field[] = {
		FIELD(job, array),        FIELD(job, suspended_s), FIELD(job, released_s),
		FIELD(job, held_since_s), FIELD(job, base_points), FIELD(job, retries),
		FIELD(job, launch_size),
	};
	static const struct field suspended[] = {FIELD(job, suspended_at_s), FIELD(job, resume_s)};
	static const struct field released[] = {FIELD(job, charged_ps)};
	struct scene *sc = complete_state();
	struct job *job = state_job(sc->st, state_find(sc->st, 2));

	(void)state;
	assert_hashed(scene_view(sc), job, field, COUNT(field));
	job->real |= JOB_REAL_SUSPENDED;
	assert_hashed(scene_view(sc), job, suspended, COUNT(suspended));
	job->real |= JOB_REAL_RELEASED;
	assert_hashed(scene_view(sc), job, released, COUNT(released));
	job->real = 0;
	job->held_since_s = 7;
	assert_hashed(scene_view(sc), job, released, COUNT(released));
	scene_free(sc);
}

static void runs_and_dependencies_are_in_the_hash(void **state)
{
	static const struct field run[] = {
		FIELD(alloc_run, node),
		FIELD(alloc_run, nodes),
		FIELD(alloc_run, procs),
		FIELD(alloc_run, tasks),
	};
	static const struct field depend[] = {
		FIELD(depend, on),
		FIELD(depend, type),
		FIELD(depend, state),
		FIELD(depend, of),
	};
	static const struct field number[] = {FIELD(depend, number)};
	struct scene *sc = complete_state();
	struct snapshot *s = state_header(sc->st);
	struct depend *first = items(s, TABLE_DEPENDS);

	(void)state;
	assert_hashed(s, items(s, TABLE_RUNS), run, COUNT(run));
	assert_hashed(s, first, depend, COUNT(depend));
	first->of = DEPEND_ON_TASK;
	assert_hashed(s, first, number, COUNT(number));
	scene_free(sc);
}

static void every_field_of_a_node_is_in_the_hash(void **state)
{
	static const struct field field[] = {
		FIELD(node, name),          FIELD(node, procs),        FIELD(node, procs_busy),
		FIELD(node, mem_mb),        FIELD(node, swap_mb),      FIELD(node, disk_mb),
		FIELD(node, used.mem_mb),   FIELD(node, used.swap_mb), FIELD(node, used.disk_mb),
		FIELD(node, used.load),     FIELD(node, used.procs),   FIELD(node, rack),
		FIELD(node, index),         FIELD(node, access),       FIELD(node, active_s),
		FIELD(node, active_from_s), FIELD(node, speed),        FIELD(node, procspeed),
		FIELD(node, priority),      FIELD(node, priorityf),    FIELD(node, features),
		FIELD(node, classes),       FIELD(node, gres[0]),
	};
	struct scene *sc = complete_state();
	struct snapshot *s = state_header(sc->st);

	(void)state;
	assert_hashed(s, items(s, TABLE_NODES), field, COUNT(field));
	scene_free(sc);
}

static void every_field_of_the_policy_is_in_the_hash(void **state)
{
	static const struct field field[] = {
		FIELD(policy, allow_negative),
		FIELD(policy, reject_negative),
		FIELD(policy, accrual),
		FIELD(policy, backfill),
		FIELD(policy, reservation),
		FIELD(policy, backfill_metric),
		FIELD(policy, idle_promotion),
		FIELD(policy, hard_pass),
		FIELD(policy, fs_policy),
		FIELD(policy, allocation),
		FIELD(policy, access),
		FIELD(policy, xfactor_min_wall_s),
		FIELD(policy, backfill_depth),
		FIELD(policy, default_wall_s),
		FIELD(policy, default_mem_mb),
		FIELD(policy, fs_interval_s),
		FIELD(policy, fs_depth),
		FIELD(policy, fs_decay),
		FIELD(policy, defer_time_s),
		FIELD(policy, defer_count),
		FIELD(policy, defer_start_count),
		FIELD(policy, max_job_procs),
		FIELD(policy, max_job_wall_s),
		FIELD(policy, max_job_ps),
		FIELD(policy, local_timeout_s),
		FIELD(policy, poll_interval_s),
		FIELD(policy, guard_delayed),
		FIELD(policy, user_reservations),
		FIELD(policy, user_reservation_s),
		FIELD(policy, user_reservation_procs),
		FIELD(policy, account_access),
		FIELD(policy, reservation_depth[0]),
		FIELD(policy, reservation_depth[RESERVATION_LEVELS - 1]),
		FIELD(policy, available[0]),
		FIELD(policy, available[AVAILABLE_RESOURCE_COUNT - 1]),
		FIELD(policy, weights.component[0]),
		FIELD(policy, weights.factor[PRIO_FACTOR_COUNT - 1]),
		FIELD(policy, site.grace_s),
		FIELD(policy, site.warn_s),
		FIELD(policy, site.keep_procs),
		FIELD(policy, site.keep_mem_mb),
		FIELD(policy, site.umask),
		FIELD(policy, site.metrics_interval_s),
		FIELD(policy, site.warn_signal),
		FIELD(policy, site.bind_cpus),
		FIELD(policy, site.allow_root),
		FIELD(policy, site.hide_names),
		FIELD(policy, site.user_jobs),
		FIELD(policy, site.journal_keep_s),
		FIELD(policy, site.history_keep_s),
		FIELD(policy, site.journal_max_mb),
		FIELD(policy, site.history_max_mb),
		FIELD(policy, site.disk_reserve_mb),
		FIELD(policy, site.owner_suspend),
		FIELD(policy, site.suspend_max_s),
		FIELD(policy, site.no_new_privs),
		FIELD(policy, site.job_processes),
		FIELD(policy, site.request_events),
		FIELD(policy, site.job_changes),
		FIELD(policy, site.user_changes),
		FIELD(policy, site.user_names),
		FIELD(policy, site.user_connections),
		FIELD(policy, site.user_requests),
		FIELD(policy, site.user_request_mb),
		FIELD(policy, site.user_answer_mb),
		FIELD(policy, site.user_cpu_pct),
		FIELD(policy, site.user_journal_mb),
		FIELD(policy, site.user_stored_mb),
		FIELD(policy, site.user_text_mb),
	};
	struct scene *sc = complete_state();
	struct snapshot *s = state_header(sc->st);

	(void)state;
	s->policy.site.owner_suspend = OWNER_SUSPEND_KEEP + 1;
	s->policy.site.job_processes = 100;
	assert_hashed(s, &s->policy, field, COUNT(field));
	scene_free(sc);
}

static void every_field_of_a_credential_and_its_limits_is_in_the_hash(void **state)
{
	static const struct field cred[] = {
		FIELD(cred, type),
		FIELD(cred, name),
		FIELD(cred, attr.qt_target_s),
		FIELD(cred, attr.fs_mode),
		FIELD(cred, attr.access),
		FIELD(cred, attr.default_wall_s),
		FIELD(cred, attr.max_wall_s),
		FIELD(cred, attr.min_wall_s),
		FIELD(cred, attr.max_procs),
		FIELD(cred, attr.min_procs),
		FIELD(cred, attr.max_nodes),
		FIELD(cred, attr.min_nodes),
		FIELD(cred, attr.priority),
		FIELD(cred, attr.qt_weight),
		FIELD(cred, attr.xf_weight),
		FIELD(cred, attr.xf_target),
		FIELD(cred, attr.fs_target),
		FIELD(cred, attr.default_features),
	};
	static const struct field limit[] = {
		FIELD(limit, cred),        FIELD(limit, kind), FIELD(limit, scope),
		FIELD(limit, second_type), FIELD(limit, soft), FIELD(limit, hard),
	};
	static const struct field permit[] = {FIELD(permit, owner), FIELD(permit, kind)};
	struct scene *sc = complete_state();
	struct snapshot *s = state_header(sc->st);
	struct cred *u1 = (struct cred *)items(s, TABLE_CREDS) + snapshot_find_cred(s, CRED_USER, "u1");

	(void)state;
	assert_hashed(s, u1, cred, COUNT(cred));
	assert_hashed(s, items(s, TABLE_LIMITS), limit, COUNT(limit));
	for (uint32_t i = 0; i < snapshot_count(s, TABLE_PERMITS); i++) {
		struct permit *one = (struct permit *)items(s, TABLE_PERMITS) + i, was = *one;
		uint64_t hash = state_hash(s);

		assert_hashed(s, one, permit, COUNT(permit));
		one->qos = INDEX_NONE;
		assert_true(state_hash(s) != hash);
		*one = was;
	}
	scene_free(sc);
}

static void every_field_of_a_window_a_change_and_a_reservation_is_in_the_hash(void **state)
{
	static const struct field window[] = {
		FIELD(fs_window, begin_s),
		FIELD(fs_window, length_s),
		FIELD(fs_window, total),
	};
	static const struct field change[] = {
		FIELD(change, seq),   FIELD(change, job),  FIELD(change, number), FIELD(change, until_s),
		FIELD(change, kind),  FIELD(change, on),   FIELD(change, dead),   FIELD(change, name),
		FIELD(change, value), FIELD(change, base),
	};
	static const struct field advance[] = {
		FIELD(advance, begin_s), FIELD(advance, end_s), FIELD(advance, personal),
		FIELD(advance, name),    FIELD(advance, owner), FIELD(advance, reason),
	};
	static const struct field guest[] = {
		FIELD(guest, job),
		FIELD(guest, type),
	};
	static const struct field run[] = {FIELD(alloc_run, node), FIELD(alloc_run, nodes),
					   FIELD(alloc_run, procs)};
	struct scene *sc = complete_state();
	struct snapshot *s = state_header(sc->st);

	(void)state;
	s->fs_window[0] = (struct fs_window){.begin_s = 1, .length_s = 100, .total = 9};
	assert_hashed(s, &s->fs_window[0], window, COUNT(window));
	assert_hashed(s, items(s, TABLE_CHANGES), change, COUNT(change));
	assert_hashed(s, items(s, TABLE_ADVANCES), advance, COUNT(advance));
	assert_hashed(s, items(s, TABLE_GUESTS), guest, COUNT(guest));
	assert_hashed(s, items(s, TABLE_KEPT_RUNS), run, COUNT(run));
	scene_free(sc);
}

static void every_number_and_text_of_the_header_is_in_the_hash(void **state)
{
	static const struct field field[] = {
		FIELD(snapshot, now_s),         FIELD(snapshot, seq),
		FIELD(snapshot, next_job_id),   FIELD(snapshot, ends_pending),
		FIELD(snapshot, stats_since_s), FIELD(snapshot, halted),
		FIELD(snapshot, halt_after),    FIELD(snapshot, set_back),
		FIELD(snapshot, sim.seed),      FIELD(snapshot, sim.load_pct),
		FIELD(snapshot, sim.last_s),    FIELD(snapshot, sim.next_index),
		FIELD(snapshot, sim.active),    FIELD(snapshot, sim.job_limit),
		FIELD(snapshot, config_file),   FIELD(snapshot, config_text),
		FIELD(snapshot, local_program), FIELD(snapshot, priorityf),
		FIELD(snapshot, site_text[0]),  FIELD(snapshot, site_text[SITE_PAM_SERVICE]),
	};
	struct scene *sc = complete_state();
	struct snapshot *s = state_header(sc->st);

	(void)state;
	assert_hashed(s, s, field, COUNT(field));
	scene_free(sc);
}

/* References of a job to credentials, the QOS requested and the partition. */
static void job_names_are_in_the_hash(void **state)
{
	struct scene *sc = complete_state();
	struct snapshot *s = state_header(sc->st);
	struct job *job = state_job(sc->st, state_find(sc->st, 2));
	uint32_t night = snapshot_find_partition(s, "night"), hi = snapshot_find_cred(s, CRED_QOS, "hi");
	uint64_t hash = state_hash(s);

	(void)state;
	assert_true(night != INDEX_NONE && night != job->partition && hi != INDEX_NONE);
	for (int t = 0; t < CRED_TYPE_COUNT; t++) {
		uint32_t was = job->cred[t];

		job->cred[t] = was == INDEX_NONE ? 0 : INDEX_NONE;
		assert_true(state_hash(s) != hash);
		job->cred[t] = was;
	}
	job->qos_asked = hi;
	assert_true(state_hash(s) != hash);
	job->qos_asked = INDEX_NONE;
	job->partition = night;
	assert_true(state_hash(s) != hash);
	job->partition = 0;
	assert_true(state_hash(s) == hash);
	s->qdef = s->qdef == INDEX_NONE ? hi : INDEX_NONE;
	assert_true(state_hash(s) != hash);
	scene_free(sc);
}

/* Journals contain hashes computed by earlier versions, so a state without newer fields must keep its hash.
 * If this test fails, journals of earlier versions no longer replay: add new fields to the hash only if a
 * state has them.
 */
static void hash_equals_that_of_earlier_versions(void **state)
{
	struct scene *plain = simple_state(), *rich = complete_state();
	struct job *job = state_job(rich->st, state_find(rich->st, 2));

	(void)state;
	assert_true(state_hash(scene_view(plain)) == UINT64_C(0x625378c7a075fcd1));
	assert_true(state_hash(scene_view(rich)) == UINT64_C(0xddafad0af162b05f));
	/* The smallest amount of each part that a usual job does not have. */
	job->base_points = 1;
	job->retries = 1;
	job->launch_size = 1;
	job->array = 1;
	job->suspended_s = 1;
	job->released_s = 1;
	assert_true(state_hash(scene_view(rich)) == UINT64_C(0x2585c009aba82fbf));
	job->released_s = 0;
	job->held_since_s = 1;
	assert_true(state_hash(scene_view(rich)) == UINT64_C(0x8ceb37ef55b88a1f));
	scene_free(plain);
	scene_free(rich);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_part_of_a_state_is_in_its_hash),
		cmocka_unit_test(hash_equals_that_of_earlier_versions),
		cmocka_unit_test(every_field_of_a_job_is_in_the_hash),
		cmocka_unit_test(optional_job_fields_are_in_the_hash),
		cmocka_unit_test(runs_and_dependencies_are_in_the_hash),
		cmocka_unit_test(every_field_of_a_node_is_in_the_hash),
		cmocka_unit_test(every_field_of_the_policy_is_in_the_hash),
		cmocka_unit_test(every_field_of_a_credential_and_its_limits_is_in_the_hash),
		cmocka_unit_test(every_field_of_a_window_a_change_and_a_reservation_is_in_the_hash),
		cmocka_unit_test(every_number_and_text_of_the_header_is_in_the_hash),
		cmocka_unit_test(job_names_are_in_the_hash),
	};

	return cmocka_run_group_tests_name("state_hash", tests, NULL, NULL);
}
