/* SPDX-License-Identifier: MIT */
/*
 * test_state_policy.c - the policy in force after changes and undos
 * tests/property/undo.c compares random changes with the live entries alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include <string.h>

#include "tests/scene.h"

static double weight(const struct scene *sc, enum prio_factor f)
{
	return scene_view(sc)->policy.weights.factor[f];
}

static double night_weight(const struct scene *sc)
{
	const struct snapshot *s = scene_view(sc);

	assert_true(snapshot_count(s, TABLE_PARTITIONS) > 1);
	return snapshot_partitions(s)[1].weights.factor[PRIO_SERV_XFACTOR];
}

static struct scene *configured(void)
{
	struct scene *sc = scene_new(2, 2);

	scene_config(
		sc,
		"xfactorweight = 10\nuser john { priority = 5 }\npartition night { xfactorweight = 30 }\n");
	return sc;
}

static void newest_setting_overrides_the_configuration(void **state)
{
	struct scene *sc = configured();

	(void)state;
	assert_true(weight(sc, PRIO_SERV_XFACTOR) == 10);
	scene_set(sc, "xfactorweight", "20");
	scene_set(sc, "XFACTORWEIGHT", "21.5");
	assert_true(weight(sc, PRIO_SERV_XFACTOR) == 21.5);
	scene_free(sc);
}

static void undoing_a_setting_restores_the_previous_one(void **state)
{
	struct scene *sc = configured();
	uint64_t first = scene_set(sc, "xfactorweight", "20"), second = scene_set(sc, "xfactorweight", "21");

	(void)state;
	scene_undo(sc, first);
	assert_true(weight(sc, PRIO_SERV_XFACTOR) == 21);
	scene_undo(sc, second);
	assert_true(weight(sc, PRIO_SERV_XFACTOR) == 10);
	scene_free(sc);
}

static void an_undo_can_be_undone(void **state)
{
	struct scene *sc = configured();
	uint64_t undo, redo;

	(void)state;
	undo = scene_undo(sc, scene_set(sc, "xfactorweight", "20"));
	redo = scene_undo(sc, undo);
	assert_true(weight(sc, PRIO_SERV_XFACTOR) == 20);
	scene_undo(sc, redo);
	assert_true(weight(sc, PRIO_SERV_XFACTOR) == 10);
	scene_free(sc);
}

static void partitions_inherit_the_weights_of_all(void **state)
{
	struct scene *sc = configured();
	const struct snapshot *s;

	(void)state;
	scene_set(sc, "procweight", "4");
	s = scene_view(sc);
	assert_true(snapshot_partitions(s)[1].weights.factor[PRIO_RES_PROC] == 4);
	scene_set(sc, "xfactorweight", "11");
	assert_true(night_weight(sc) == 30);
	scene_undo(sc, scene_set(sc, "partition[night].xfactorweight", "31"));
	assert_true(night_weight(sc) == 30);
	scene_free(sc);
}

static void a_new_configuration_keeps_live_changes(void **state)
{
	struct scene *sc = configured();
	uint64_t seq = scene_set(sc, "xfactorweight", "20");

	(void)state;
	scene_config(sc, "xfactorweight = 12\nprocweight = 3\n");
	assert_true(weight(sc, PRIO_SERV_XFACTOR) == 20);
	assert_true(weight(sc, PRIO_RES_PROC) == 3);
	assert_true(night_weight(sc) == 20);
	scene_undo(sc, seq);
	assert_true(weight(sc, PRIO_SERV_XFACTOR) == 12);
	scene_free(sc);
}

static void credentials_can_be_set_before_they_are_used(void **state)
{
	struct scene *sc = configured();
	uint32_t at;

	(void)state;
	scene_set(sc, "qos[new].qtweight", "7");
	at = snapshot_find_cred(scene_view(sc), CRED_QOS, "new");
	assert_true(at != INDEX_NONE);
	assert_true(snapshot_creds(scene_view(sc))[at].attr.qt_weight == 7);
	assert_false(scene_view(sc)->ranks_equal);
	scene_free(sc);
}

static void ranks_are_equal_only_if_all_weights_are_zero(void **state)
{
	struct scene *sc = scene_new(1, 1);

	(void)state;
	assert_false(scene_view(sc)->ranks_equal);
	scene_set(sc, "queuetimeweight", "0");
	assert_true(scene_view(sc)->ranks_equal);
	scene_undo(sc, scene_set(sc, "partition[night].procweight", "1"));
	assert_true(scene_view(sc)->ranks_equal);
	scene_set(sc, "qos[hi].xfweight", "1");
	assert_false(scene_view(sc)->ranks_equal);
	scene_free(sc);
}

static void ranks_drift_if_time_alone_changes_the_order(void **state)
{
	struct scene *sc = scene_new(1, 1);
	uint64_t set;

	(void)state;
	assert_false(scene_view(sc)->ranks_drift); /* queue time grows equally for all jobs */
	set = scene_set(sc, "xfactorweight", "1");
	assert_true(scene_view(sc)->ranks_drift);
	scene_undo(sc, set);
	scene_set(sc, "procweight", "1");
	assert_true(scene_view(sc)->ranks_drift);
	scene_set(sc, "queuetimeweight", "0");
	assert_false(scene_view(sc)->ranks_drift); /* requests do not change with time */
	scene_set(sc, "fsuserweight", "1");
	assert_false(scene_view(sc)->ranks_drift); /* fairshare usage is not measured */
	scene_set(sc, "fspolicy", "dedicatedps");
	assert_true(scene_view(sc)->ranks_drift);
	scene_set(sc, "fsweight", "0");
	assert_false(scene_view(sc)->ranks_drift);
	scene_set(sc, "qos[hi].qtweight", "1");
	assert_true(scene_view(sc)->ranks_drift);
	scene_free(sc);
}

static void ranks_are_equal_while_fairshare_measures_nothing(void **state)
{
	struct scene *sc = scene_new(1, 1);
	uint64_t policy;

	(void)state;
	scene_set(sc, "queuetimeweight", "0");
	scene_set(sc, "fsuserweight", "1");
	assert_true(scene_view(sc)->ranks_equal);
	policy = scene_set(sc, "fspolicy", "dedicatedps");
	assert_false(scene_view(sc)->ranks_equal);
	scene_undo(sc, policy);
	assert_true(scene_view(sc)->ranks_equal);
	scene_free(sc);
}

static const struct cred_attr *attr_of(const struct scene *sc, enum cred_type type, const char *name)
{
	uint32_t i = snapshot_find_cred(scene_view(sc), type, name);

	assert_true(i != INDEX_NONE);
	return &snapshot_creds(scene_view(sc))[i].attr;
}

static void F_26_every_kind_of_credential_has_a_target(void **state)
{
	struct scene *sc = scene_new(1, 1);
	uint64_t seq;

	(void)state;
	scene_config(sc, "user a { fstarget = 50 }\ngroup b { fstarget = \"25.0+\" }\n"
			 "account c { fstarget = \"10.5-\" }\nqos d { fstarget = \"50000^\" }\n"
			 "class DEFAULT { fstarget = \"5%\" }\n");
	assert_true(attr_of(sc, CRED_USER, "a")->fs_target == 50);
	assert_int_equal(attr_of(sc, CRED_USER, "a")->fs_mode, FS_TARGET);
	assert_int_equal(attr_of(sc, CRED_GROUP, "b")->fs_mode, FS_FLOOR);
	assert_true(attr_of(sc, CRED_ACCOUNT, "c")->fs_target == 10.5);
	assert_int_equal(attr_of(sc, CRED_ACCOUNT, "c")->fs_mode, FS_CEILING);
	assert_int_equal(attr_of(sc, CRED_QOS, "d")->fs_mode, FS_CAP_ABSOLUTE);
	assert_int_equal(attr_of(sc, CRED_CLASS, CRED_DEFAULT)->fs_mode, FS_CAP_RELATIVE);
	seq = scene_set(sc, "user[a].fstarget", "none");
	assert_int_equal(attr_of(sc, CRED_USER, "a")->fs_mode, FS_NO_TARGET);
	scene_undo(sc, seq);
	assert_int_equal(attr_of(sc, CRED_USER, "a")->fs_mode, FS_TARGET);
	scene_free(sc);
}

static void M_15_a_live_list_of_availability_replaces_the_whole_list(void **state)
{
	struct scene *sc = scene_new(1, 1);
	const uint8_t *available;

	(void)state;
	scene_config(sc, "nodeavailabilitypolicy = {\"utilized\", \"dedicated:mem\"}\n");
	available = scene_view(sc)->policy.available;
	assert_int_equal(available[AVAILABLE_PROCS], AVAILABLE_UTILIZED);
	assert_int_equal(available[AVAILABLE_MEM], AVAILABLE_DEDICATED);
	scene_set(sc, "nodeavailabilitypolicy", "dedicated:disk");
	available = scene_view(sc)->policy.available;
	assert_int_equal(available[AVAILABLE_PROCS], AVAILABLE_COMBINED);
	assert_int_equal(available[AVAILABLE_MEM], AVAILABLE_COMBINED);
	assert_int_equal(available[AVAILABLE_DISK], AVAILABLE_DEDICATED);
	scene_free(sc);
}

static const struct node *node_of(const struct scene *sc, const char *name)
{
	uint32_t i = state_find_node(sc->st, name);

	assert_true(i != INDEX_NONE);
	return &snapshot_nodes(scene_view(sc))[i];
}

static void N_18_N_22_priorities_of_nodes_and_their_default(void **state)
{
	struct scene *sc = scene_new(0, 0);
	const struct snapshot *s;

	(void)state;
	scene_config(sc, "node DEFAULT { procs = 4 priorityf = \"-LOAD - 5*USAGE\" priority = 7 }\n"
			 "node batch1 { priority = 1000 priorityf = \"PRIORITY + APROCS\" }\n"
			 "node other { }\nnode zero { priority = 0 }\n");
	s = scene_view(sc);
	assert_string_equal(snapshot_string(s, s->priorityf), "-LOAD - 5*USAGE");
	assert_true(node_of(sc, "batch1")->priority == 1000);
	assert_string_equal(snapshot_string(s, node_of(sc, "batch1")->priorityf), "PRIORITY + APROCS");
	assert_true(node_of(sc, "other")->priority == 7);
	assert_int_equal(node_of(sc, "other")->priorityf, 0);
	assert_true(node_of(sc, "zero")->priority == 0);
	scene_free(sc);
}

static void N_18_priorities_of_nodes_are_changed_live(void **state)
{
	struct scene *sc = scene_new(2, 1);
	const struct snapshot *s;
	uint64_t own, usual;

	(void)state;
	own = scene_set(sc, "node[n001].priorityf", "JOBCOUNT");
	usual = scene_set(sc, "node[DEFAULT].priorityf", "SPEED");
	scene_set(sc, "node[DEFAULT].priority", "3");
	scene_set(sc, "node[n002].priority", "-5");
	s = scene_view(sc);
	assert_string_equal(snapshot_string(s, node_of(sc, "n001")->priorityf), "JOBCOUNT");
	assert_string_equal(snapshot_string(s, s->priorityf), "SPEED");
	assert_true(node_of(sc, "n001")->priority == 3);
	assert_true(node_of(sc, "n002")->priority == -5);
	scene_undo(sc, own);
	scene_undo(sc, usual);
	assert_int_equal(node_of(sc, "n001")->priorityf, 0);
	assert_int_equal(scene_view(sc)->priorityf, 0);
	scene_free(sc);
}

static void N_18_a_node_reported_later_gets_its_settings(void **state)
{
	struct scene *sc = scene_new(1, 1);
	struct event ev = {.kind = EVENT_NODE, .node = {.name = "late", .procs = 1}};

	(void)state;
	scene_config(
		sc,
		"node DEFAULT { procs = 1 priority = 7 }\nnode late { priority = 8 priorityf = SPEED }\n");
	scene_set(sc, "node[DEFAULT].priority", "9");
	ev.node.name = "later";
	scene_apply(sc, &ev);
	ev.node.name = "late";
	scene_apply(sc, &ev);
	assert_true(node_of(sc, "later")->priority == 9);
	assert_true(node_of(sc, "late")->priority == 8);
	assert_string_equal(snapshot_string(scene_view(sc), node_of(sc, "late")->priorityf), "SPEED");
	assert_true(node_of(sc, "n001")->priority == 9);
	scene_free(sc);
}

static void N_10_the_local_allocation_program_is_stored(void **state)
{
	struct scene *sc = scene_new(1, 1);
	const struct snapshot *s;

	(void)state;
	scene_config(
		sc,
		"nodeallocationpolicy = local\nlocalnodeallocation = \"/opt/nodes\"\nlocaltimeout = 2s\n");
	s = scene_view(sc);
	assert_string_equal(snapshot_string(s, s->local_program), "/opt/nodes");
	assert_int_equal(s->policy.local_timeout_s, 2);
	assert_int_equal(s->policy.allocation, ALLOCATE_LOCAL);
	scene_set(sc, "localnodeallocation", "");
	assert_int_equal(scene_view(sc)->local_program, 0);
	scene_free(sc);
}

static const char *site_text(const struct scene *sc, enum site_text which)
{
	const char *text = snapshot_site_text(scene_view(sc), which);

	return text != NULL ? text : "nothing";
}

static void site_settings_for_real_jobs_are_stored(void **state)
{
	struct scene *sc = scene_new(1, 1), *twin;
	const struct site_rules *site;
	uint64_t seq;

	(void)state;
	site = &scene_view(sc)->policy.site;
	assert_int_equal(site->grace_s, 30);
	assert_true(site->bind_cpus && site->allow_root);
	assert_false(site->no_new_privs);
	assert_int_equal(site->job_processes, SITE_JOB_PROCESSES_DEFAULT);
	assert_string_equal(site_text(sc, SITE_PROLOG), "nothing");
	scene_config(
		sc,
		"jobgrace = 2m\nwarnsignal = usr1\nwarntime = 5m\nprolog = \"/opt/p\"\nepilog = \"/opt/e\"\n"
		"cpubinding = no\ndevices = \"0,GPU-1\"\nallowroot = no\nsystemprocs = 2\n"
		"systemmemory = 4gb\numask = \"027\"\nmetricsfile = \"/m\"\nmetricsinterval = 5s\n"
		"notifyprogram = \"/n\"\nmailprogram = \"/s\"\n"
		"pamservice = \"kahu-batch\"\njobnonewprivs = true\njobprocesses = 99\n");
	site = &scene_view(sc)->policy.site;
	assert_int_equal(site->grace_s, 120);
	assert_int_equal(site->warn_signal, WARN_USR1);
	assert_int_equal(site->warn_s, 300);
	assert_int_equal(site->keep_procs, 2);
	assert_int_equal(site->keep_mem_mb, 4096);
	assert_int_equal(site->umask, 027);
	assert_int_equal(site->metrics_interval_s, 5);
	assert_false(site->bind_cpus || site->allow_root);
	assert_true(site->no_new_privs);
	assert_int_equal(site->job_processes, 99);
	assert_string_equal(site_text(sc, SITE_PAM_SERVICE), "kahu-batch");
	assert_string_equal(site_text(sc, SITE_EPILOG), "/opt/e");
	assert_string_equal(site_text(sc, SITE_METRICS_FILE), "/m");
	assert_string_equal(site_text(sc, SITE_NOTIFY_PROGRAM), "/n");
	assert_string_equal(site_text(sc, SITE_MAIL_PROGRAM), "/s");
	seq = scene_set(sc, "devices", "none");
	assert_string_equal(site_text(sc, SITE_DEVICES), "none");
	twin = scene_copy(sc); /* strings are moved */
	assert_string_equal(site_text(twin, SITE_DEVICES), "none");
	assert_string_equal(site_text(twin, SITE_PROLOG), "/opt/p");
	scene_free(twin);
	scene_undo(sc, seq);
	assert_string_equal(site_text(sc, SITE_DEVICES), "0,GPU-1");
	scene_config(sc, "");
	assert_string_equal(site_text(sc, SITE_DEVICES), "nothing");
	scene_free(sc);
}

static void M_16_class_features_add_up_or_are_replaced(void **state)
{
	struct scene *sc = scene_new(1, 1);
	uint64_t seq, tape, fast, big;

	(void)state;
	scene_config(sc, "class a { default.features = {\"tape\", \"fast\"} }\n");
	seq = scene_set(sc, "class[a].default.features", "big");
	tape = UINT64_C(1) << snapshot_find_trait(scene_view(sc), TRAIT_FEATURE, "tape");
	fast = UINT64_C(1) << snapshot_find_trait(scene_view(sc), TRAIT_FEATURE, "fast");
	big = UINT64_C(1) << snapshot_find_trait(scene_view(sc), TRAIT_FEATURE, "big");
	assert_true(attr_of(sc, CRED_CLASS, "a")->default_features == big);
	scene_undo(sc, seq);
	assert_true(attr_of(sc, CRED_CLASS, "a")->default_features == (tape | fast));
	scene_free(sc);
}

static void settings_that_cannot_be_live_are_rejected(void **state)
{
	static const struct {
		const char *name, *value, *message;
	} row[] = {
		{"node[n001].procs", "8", "procs of a node cannot be changed while the scheduler runs"},
		{"node[n001].features", "x", "features of a node cannot be changed"},
		{"node[DEFAULT].memory", "8", "memory of a node cannot be changed"},
		{"node[n009].priority", "8", "there is no node n009"},
		{"node[n001].priorityf", "SPEED / 0", "column"},
		{"node[n001].priorityf", "SPEEED", "column 1"},
		{"user[a].maxjob", "0", "a limit must be at least 1"},
		{"user[a].fstarget", "25*", "a target must be"},
	};
	struct scene *sc = scene_new(1, 1);

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		struct event ev = {.kind = EVENT_SETTING, .setting = {row[i].name, row[i].value}};
		struct err err;
		const char *error = scene_try(sc, &ev, &err);

		if (strstr(error, row[i].message) == NULL)
			fail_msg("expected '%s', got '%s'", row[i].message, error);
	}
	scene_free(sc);
}

static void each_kind_of_hold_is_set_and_released_separately(void **state)
{
	struct scene *sc = scene_new(1, 1);
	uint64_t job = scene_add(sc, (struct scene_job){.holds = JOB_HOLD_USER}), system, all;

	(void)state;
	system = scene_hold(sc, job, JOB_HOLD_SYSTEM);
	assert_int_equal(scene_job_of(sc, job)->holds, JOB_HOLD_USER | JOB_HOLD_SYSTEM);
	all = scene_release(sc, job, JOB_HOLD_ALL);
	assert_int_equal(scene_job_of(sc, job)->holds, 0);
	assert_int_equal(scene_job_of(sc, job)->base_holds, JOB_HOLD_USER);
	scene_undo(sc, system);
	assert_int_equal(scene_job_of(sc, job)->holds, 0);
	scene_undo(sc, all);
	assert_int_equal(scene_job_of(sc, job)->holds, JOB_HOLD_USER);
	scene_free(sc);
}

static void the_newest_live_priority_is_in_force(void **state)
{
	struct scene *sc = scene_new(1, 1);
	uint64_t job = scene_submit(sc, 1, 100), relative, absolute;

	(void)state;
	relative = scene_priority(sc, job, JOB_ADJUST_RELATIVE, -40);
	absolute = scene_priority(sc, job, JOB_ADJUST_ABSOLUTE, 5);
	assert_int_equal(scene_view(sc)->adjusted, 1);
	scene_undo(sc, relative);
	assert_int_equal(scene_job_of(sc, job)->adjust, JOB_ADJUST_ABSOLUTE);
	assert_int_equal(scene_job_of(sc, job)->points, 5);
	scene_undo(sc, absolute);
	assert_int_equal(scene_job_of(sc, job)->adjust, JOB_ADJUST_NONE);
	assert_int_equal(scene_job_of(sc, job)->points, 0);
	assert_int_equal(scene_view(sc)->adjusted, 0);
	scene_free(sc);
}

static void changes_leave_with_their_job(void **state)
{
	struct scene *sc = scene_new(1, 1);
	uint64_t job = scene_submit(sc, 1, 100), setting = scene_set(sc, "xfactorweight", "2");

	(void)state;
	scene_undo(sc, scene_hold(sc, job, JOB_HOLD_USER));
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_CHANGES), 3);
	scene_pass(sc);
	scene_end(sc, job);
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_CHANGES), 1);
	assert_int_equal(state_find_change(scene_view(sc), setting)->seq, setting);
	assert_null(state_find_change(scene_view(sc), setting + 1));
	scene_free(sc);
}

/* --- hidden names ------------------------------------------------------------------------- */

static void assert_hidden(struct scene *sc, const char *name, const char *value, bool hidden)
{
	struct err err = {""};

	assert_int_equal(!state_check_setting(sc->st, name, value, &err), hidden);
	if (hidden)
		assert_non_null(strstr(err.text, "hidden here (hidenames)"));
}

static void masked_state_allows_visible_limits_to_be_tried(void **state)
{
	struct scene *sc = configured();

	(void)state;
	scene_add(sc, (struct scene_job){.user = "eva", .group = "staff"});
	state_header(sc->st)->masked = 1;
	assert_hidden(sc, "system.maxjob", "3", false);
	assert_hidden(sc, "user[eva].maxjob", "3", false);
	assert_hidden(sc, "user[nobody].maxjob", "3", true);
	assert_hidden(sc, "user[-].maxjob", "3", true);
	assert_hidden(sc, "user[eva].maxjob", "GROUP:staff=3", false);
	assert_hidden(sc, "user[eva].maxjob", "GROUP:others=3", true);
	assert_hidden(sc, "user[eva].priority", "3", true);
	assert_hidden(sc, "xfactorweight", "3", true);
	assert_hidden(sc, "nonsense", "3", true);
	assert_hidden(sc, "user[eva].maxjob", "nonsense", true);
	state_header(sc->st)->masked = 0;
	assert_hidden(sc, "xfactorweight", "3", false);
	scene_free(sc);
}

/* The policy in force is kept, and changed limits of visible credentials are added to it. */
static void a_masked_state_keeps_the_policy_in_force(void **state)
{
	struct scene *sc = configured();
	uint32_t limits;
	uint64_t seq;

	(void)state;
	scene_add(sc, (struct scene_job){.user = "eva"});
	scene_set(sc, "xfactorweight", "20");
	limits = snapshot_count(scene_view(sc), TABLE_LIMITS);
	state_header(sc->st)->masked = 1;
	state_header(sc->st)->table[TABLE_VALUES].count =
		0; /* as in a copy for users without access to the configuration */
	seq = scene_set(sc, "user[eva].maxjob", "3");
	assert_true(weight(sc, PRIO_SERV_XFACTOR) == 20);
	assert_int_equal(snapshot_count(scene_view(sc), TABLE_LIMITS), limits + 1);
	assert_true(seq > 0);
	scene_free(sc);
}

/* A job can overtake another one when another factor is weighted beside queue time. */
static void every_weight_beside_queue_time_makes_ranks_drift(void **state)
{
	(void)state;
	for (enum prio_factor f = 0; f < PRIO_FACTOR_COUNT; f++) {
		const struct prio_factor_info *info = policy_factor_info(f);
		struct scene *sc = scene_new(1, 1);
		char name[64];
		bool drifts = f != PRIO_SERV_QUEUETIME && info->component != PRIO_USAGE;

		scene_config(sc, "fspolicy = dedicatedps\n");
		snprintf(name, sizeof name, "%sweight", info->keyword);
		scene_set(sc, name, "1");
		if ((scene_view(sc)->ranks_drift != 0) != drifts)
			fail_msg("with %s = 1 ranks are said %sto drift", name, drifts ? "not " : "");
		scene_free(sc);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(masked_state_allows_visible_limits_to_be_tried),
		cmocka_unit_test(a_masked_state_keeps_the_policy_in_force),
		cmocka_unit_test(newest_setting_overrides_the_configuration),
		cmocka_unit_test(undoing_a_setting_restores_the_previous_one),
		cmocka_unit_test(an_undo_can_be_undone),
		cmocka_unit_test(partitions_inherit_the_weights_of_all),
		cmocka_unit_test(a_new_configuration_keeps_live_changes),
		cmocka_unit_test(credentials_can_be_set_before_they_are_used),
		cmocka_unit_test(ranks_are_equal_only_if_all_weights_are_zero),
		cmocka_unit_test(ranks_drift_if_time_alone_changes_the_order),
		cmocka_unit_test(ranks_are_equal_while_fairshare_measures_nothing),
		cmocka_unit_test(F_26_every_kind_of_credential_has_a_target),
		cmocka_unit_test(M_15_a_live_list_of_availability_replaces_the_whole_list),
		cmocka_unit_test(N_18_N_22_priorities_of_nodes_and_their_default),
		cmocka_unit_test(N_18_priorities_of_nodes_are_changed_live),
		cmocka_unit_test(N_18_a_node_reported_later_gets_its_settings),
		cmocka_unit_test(N_10_the_local_allocation_program_is_stored),
		cmocka_unit_test(site_settings_for_real_jobs_are_stored),
		cmocka_unit_test(M_16_class_features_add_up_or_are_replaced),
		cmocka_unit_test(settings_that_cannot_be_live_are_rejected),
		cmocka_unit_test(each_kind_of_hold_is_set_and_released_separately),
		cmocka_unit_test(the_newest_live_priority_is_in_force),
		cmocka_unit_test(changes_leave_with_their_job),
		cmocka_unit_test(every_weight_beside_queue_time_makes_ranks_drift),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
