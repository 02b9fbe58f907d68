/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_fairshare.c - are shares, targets and windows told as the original told them?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/said.h"

/* The guide's John (F-23): 60, 0, 10, 50 of 110, 125, 100, 150 in windows of 12 hours, decay 0.5. */
static struct scene *john(const char *target)
{
	static const int64_t used[] = {60, 0, 10, 50}, total[] = {110, 125, 100, 150};
	struct scene *sc = scene_new(1, 1);
	struct str config = {0};

	sc->now_s = 4 * 43200 - 100;
	str_addf(&config,
		 "fspolicy = \"dedicatedps\"\nfsinterval = \"12:00:00\"\nfsdepth = 4\nfsdecay = 0.5\n%s",
		 target);
	scene_config(sc, str_text(&config));
	str_free(&config);
	for (int i = 0; i < 4; i++) {
		struct used_by john = {.type = CRED_USER, .name = "john", .amount = used[i] * 3600 * FS_UNIT};
		struct event ev = {.kind = EVENT_USAGE};

		ev.usage = (struct usage_window){.begin_s = (3 - i) * INT64_C(43200),
						 .length_s = 43200,
						 .item = &john,
						 .count = 1,
						 .total = total[i] * 3600 * FS_UNIT};
		scene_apply(sc, &ev);
	}
	return sc;
}

static void johns_share_is_31_79(void **state)
{
	struct scene *sc = john("user john { fstarget = \"25.0\" }\n");

	(void)state;
	check_lines(sc, "fairshare",
		    "Fairshare: DEDICATEDPS, depth 4 intervals of 12:00:00, decay 0.50\n"
		    "Window 0 closes Sat Jan 3 00:00:00, in 0:01:40\n");
	check_lines(sc, "fairshare",
		    "FSInterval % Target 0 1 2 3\n"
		    "FSWeight ------- ------- 1.0000 0.5000 0.2500 0.1250\n"
		    "TotalUsage 100.00 ------- 110.0 125.0 100.0 150.0\n"
		    "USER\n"
		    "john* 31.79 25.00 54.55 ------- 10.00 33.33\n");
	check_lines(sc, "diagnose -f", "john* 31.79 25.00 54.55 ------- 10.00 33.33\n");
	check_json(sc, "fairshare",
		   "{\"policy\":\"DEDICATEDPS\",\"percent\":false,\"interval_s\":43200,\"depth\":4,\"decay\":"
		   "0.5,");
	check_json(sc, "fairshare", "\"totals\":[396000,450000,360000,540000]");
	check_json(
		sc, "fairshare",
		"{\"type\":\"user\",\"name\":\"john\",\"target\":25,\"mode\":\"target\",\"usage_pct\":31.79");
	check_json(sc, "fairshare", "\"windows\":[216000,0,36000,180000]");
	scene_free(sc);
}

/* The mock-up's forecast: the machine goes on as busy as now, or stands idle. */
static void what_becomes_of_it_is_foretold(void **state)
{
	struct scene *sc = john("user john { fstarget = \"25.0\" }\n");

	(void)state;
	check_lines(sc, "fairshare",
		    "FORECAST NOW BUSY +1 +2 +3 +4 IDLE +1 +2 +3 +4\n"
		    "user john 31.79 14.97 7.21 3.64 0.00 31.65 34.78 54.55 -\n");
	check_json(sc, "fairshare", "\"forecast_idle\":[31.6455");
	check_json(sc, "fairshare", "54.54545454545455,null]");
	scene_free(sc);
}

/* F-33: off target is more than 5 points for a target, below a floor, above a ceiling. */
static void a_star_is_for_a_missed_target(void **state)
{
	static const struct {
		const char *target, *row;
	} cases[] = {
		{"user john { fstarget = \"35.0\" }\n", "john 31.79 35.00 54.55"},
		{"user john { fstarget = \"32.0+\" }\n", "john* 31.79 32.00+ 54.55"},
		{"user john { fstarget = \"31.0+\" }\n", "john 31.79 31.00+ 54.55"},
		{"user john { fstarget = \"31.0-\" }\n", "john* 31.79 31.00- 54.55"},
		{"user john { fstarget = \"50000^\" }\n", "31.79 50000.0^ 54.55"},
		{"user john { fstarget = \"25.0%\" }\n", "31.79 25.00% 54.55"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct scene *sc = john(cases[i].target);
		struct str out = {0}, squeezed = {0};
		struct cmd_changes changes = {0};
		struct err err;

		said_run(sc, "fairshare", false, &out, &changes, &err);
		said_squeeze(str_text(&out), &squeezed);
		said_expect(str_text(&squeezed), cases[i].row);
		str_free(&out);
		str_free(&squeezed);
		scene_free(sc);
	}
}

static void without_a_policy_it_is_off(void **state)
{
	struct scene *sc = scene_new(1, 1);

	(void)state;
	check_lines(sc, "fairshare", "Fairshare is off: FSPOLICY is NONE.\n");
	check_json(sc, "fairshare", "{\"policy\":\"NONE\",\"percent\":false");
	scene_free(sc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(johns_share_is_31_79),
		cmocka_unit_test(what_becomes_of_it_is_foretold),
		cmocka_unit_test(a_star_is_for_a_missed_target),
		cmocka_unit_test(without_a_policy_it_is_off),
	};

	return cmocka_run_group_tests_name("cmd_fairshare", tests, NULL, NULL);
}
