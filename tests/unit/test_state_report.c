/* SPDX-License-Identifier: MIT */
/*
 * test_state_report.c - precedence of configuration and resource manager for nodes
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sched/base/str.h"
#include "sched/state/event.h"

static const struct node_record hardware = {
	.name = "n1",
	.procs = 8,
	.mem_mb = 1000,
	.disk_mb = 50,
	.features = "tape big",
	.classes = "batch",
	.gres = "gpu:2",
	.rack = 3,
	.used = NODE_NOT_MEASURED,
};

static void report(struct state *st, const struct node_record *node)
{
	struct event ev = {.kind = EVENT_NODE, .who = "sched", .node = *node};
	struct err err;

	if (!event_apply(st, &ev, &err))
		fail_msg("%s", err.text);
}

static void configure(struct state *st, const char *text)
{
	struct event ev = {.kind = EVENT_CONFIG, .who = "ann", .config = {.file = "a.conf", .text = text}};
	struct err err;

	if (!event_apply(st, &ev, &err))
		fail_msg("%s", err.text);
}

/* "8 procs 1000 MB swap 0 disk 50 rack 3 speed 1 [tape big] [batch] [gpu:2]" */
static void check_node(const struct state *st, const char *expected)
{
	struct state_parts parts = {.run = NULL};
	struct node_record r;
	struct str text = {0};

	state_node_record(state_view(st), state_find_node(st, "n1"), &r, &parts);
	str_addf(&text, "%u procs %lld MB swap %lld disk %lld rack %u speed ", r.procs, (long long)r.mem_mb,
		 (long long)r.swap_mb, (long long)r.disk_mb, r.rack);
	str_add_real(&text, r.speed);
	str_addf(&text, " [%s] [%s] [%s]", r.features ? r.features : "", r.classes ? r.classes : "",
		 r.gres ? r.gres : "");
	assert_string_equal(str_text(&text), expected);
	str_free(&text);
	state_parts_free(&parts);
}

#define SECTIONS                                                                                             \
	"node DEFAULT { procs = 2 memory = 77 swap = 66 speed = 3 }\n"                                       \
	"node n1 { disk = 9 speed = 1.5 features = {\"fast\", \"new\"} }\n"

static void without_a_configuration_a_node_is_as_reported(void **state)
{
	struct state *st = state_new();

	(void)state;
	report(st, &hardware);
	check_node(st, "8 procs 1000 MB swap 0 disk 50 rack 3 speed 1 [tape big] [batch] [gpu:2]");
	state_free(st);
}

static void own_section_overrides_the_report_and_default_fills_gaps(void **state)
{
	struct state *st = state_new();

	(void)state;
	configure(st, SECTIONS);
	report(st, &hardware);
	check_node(st, "8 procs 1000 MB swap 66 disk 9 rack 3 speed 1.5 [fast new] [batch] [gpu:2]");
	state_free(st);
}

static void order_of_report_and_configuration_does_not_matter(void **state)
{
	struct state *first = state_new(), *last = state_new();

	(void)state;
	configure(first, SECTIONS);
	report(first, &hardware);
	report(last, &hardware);
	configure(last, SECTIONS);
	report(last, &hardware); /* as a driver does after a configuration */
	check_node(last, "8 procs 1000 MB swap 66 disk 9 rack 3 speed 1.5 [fast new] [batch] [gpu:2]");
	assert_int_equal(state_view(first)->mem_mb_total, state_view(last)->mem_mb_total);
	state_free(first);
	state_free(last);
}

static void reported_value_returns_when_the_setting_is_removed(void **state)
{
	struct state *st = state_new();

	(void)state;
	report(st, &hardware);
	configure(st, "node n1 { procs = 4 memory = 500 }\n");
	report(st, &hardware);
	check_node(st, "4 procs 500 MB swap 0 disk 50 rack 3 speed 1 [tape big] [batch] [gpu:2]");
	configure(st, "xfactorweight = 1\n");
	report(st, &hardware);
	check_node(st, "8 procs 1000 MB swap 0 disk 50 rack 3 speed 1 [tape big] [batch] [gpu:2]");
	state_free(st);
}

static void unchanged_report_is_no_change(void **state)
{
	struct state *st = state_new();
	struct node_record other = hardware;

	(void)state;
	assert_true(state_report_is_news(st, &hardware));
	configure(st, SECTIONS);
	report(st, &hardware);
	assert_false(state_report_is_news(st, &hardware));
	other.features = "big tape"; /* the section overrides them */
	assert_false(state_report_is_news(st, &other));
	other.gres = "gpu:3";
	assert_true(state_report_is_news(st, &other));
	other = hardware;
	other.classes = "batch fast";
	assert_true(state_report_is_news(st, &other));
	other = hardware;
	other.mem_mb = 1001;
	assert_true(state_report_is_news(st, &other));
	other = hardware;
	other.disk_mb = 1001; /* the section overrides it */
	assert_false(state_report_is_news(st, &other));
	state_free(st);
}

static void report_is_checked_with_the_configuration_applied(void **state)
{
	struct state *st = state_new();
	struct node_record odd = hardware;
	struct event ev = {.kind = EVENT_NODE, .who = "sched"};
	struct err err;

	(void)state;
	assert_false(event_apply(st, &ev, &err));
	assert_string_equal(err.text, "a node was reported without a name");
	odd.mem_mb = -5;
	assert_false(state_check_report(st, &odd, &err));
	assert_non_null(strstr(err.text, "a negative amount of memory"));
	configure(st, "node n1 { memory = 100 }\n");
	assert_true(state_check_report(st, &odd, &err));
	state_free(st);
}

/* A report that differs in one field alone is news; the same report again is not. */
static void change_of_each_field_is_detected(void **state)
{
	struct node_record full = hardware, other;
	struct state *st = state_new();

	(void)state;
	full.swap_mb = 9;
	full.index = 4;
	full.speed = 2;
	full.procspeed = 5;
	full.partition = "day";
	full.access = ACCESS_SINGLEUSER;
	report(st, &full);
	assert_false(state_report_is_news(st, &full));
#define assert_news(field, value)                                                                            \
	do {                                                                                                 \
		other = full;                                                                                \
		other.field = (value);                                                                       \
		assert_true(state_report_is_news(st, &other));                                               \
	} while (0)
	assert_news(procs, 7);
	assert_news(mem_mb, 7);
	assert_news(swap_mb, 7);
	assert_news(disk_mb, 7);
	assert_news(rack, 7);
	assert_news(index, 7);
	assert_news(access, ACCESS_SHARED);
	assert_news(speed, 1.5);
	assert_news(speed, 2.5);
	assert_news(procspeed, 4.5);
	assert_news(procspeed, 5.5);
	assert_news(partition, "night");
	assert_news(features, "tape");
	assert_news(features, "tape big new");
	assert_news(classes, "slow");
	assert_news(gres, "gpu:1");
	assert_news(gres, "gpu:2 disk:1");
	assert_news(gres, NULL);
#undef assert_news
	other = full;
	other.gres = "gpu:2 disk:0"; /* zero is the amount of an unnamed resource */
	assert_false(state_report_is_news(st, &other));
	state_free(st);
}

/* DEFAULT provides only numbers that neither the section nor the report contains. */
static void default_fills_in_each_number(void **state)
{
	static const struct node_record bare = {.name = "n1", .procs = 8, .used = NODE_NOT_MEASURED};
	struct state *st = state_new();
	const struct node *node;

	(void)state;
	configure(st,
		  "node DEFAULT { procs = 2 memory = 77 swap = 66 disk = 55 speed = 3 procspeed = 4 rack = 5 "
		  "index = 6 nodeaccesspolicy = singlejob partition = day }\n");
	report(st, &bare);
	node = &snapshot_nodes(state_view(st))[state_find_node(st, "n1")];
	assert_int_equal(node->procs, 8);
	assert_true(node->mem_mb == 77 && node->swap_mb == 66 && node->disk_mb == 55);
	assert_true(node->speed == 3 && node->procspeed == 4 && node->rack == 5 && node->index == 6);
	assert_int_equal(node->access, ACCESS_SINGLEJOB);
	configure(st,
		  "node DEFAULT { procs = 2 memory = 77 swap = 66 disk = 55 speed = 3 procspeed = 4 rack = 5 "
		  "index = 6 nodeaccesspolicy = singlejob }\nnode n1 { procs = 7 memory = 11 swap = 12 disk "
		  "= 13 "
		  "speed = 1.5 procspeed = 14 rack = 15 index = 16 nodeaccesspolicy = shared }\n");
	report(st, &bare);
	node = &snapshot_nodes(state_view(st))[state_find_node(st, "n1")];
	assert_int_equal(node->procs, 7);
	assert_true(node->mem_mb == 11 && node->swap_mb == 12 && node->disk_mb == 13);
	assert_true(node->speed == 1.5 && node->procspeed == 14 && node->rack == 15 && node->index == 16);
	assert_int_equal(node->access, ACCESS_SHARED);
	state_free(st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(change_of_each_field_is_detected),
		cmocka_unit_test(default_fills_in_each_number),
		cmocka_unit_test(without_a_configuration_a_node_is_as_reported),
		cmocka_unit_test(own_section_overrides_the_report_and_default_fills_gaps),
		cmocka_unit_test(order_of_report_and_configuration_does_not_matter),
		cmocka_unit_test(reported_value_returns_when_the_setting_is_removed),
		cmocka_unit_test(unchanged_report_is_no_change),
		cmocka_unit_test(report_is_checked_with_the_configuration_applied),
	};

	return cmocka_run_group_tests_name("state_report", tests, NULL, NULL);
}
