/* SPDX-License-Identifier: MIT */
/*
 * test_config_lint_rules.c - every lint rule with a configuration that violates it, and its fix (X11)
 *
 * A row is a configuration with exactly one finding, that of its rule, at its line. The fix, set like a live
 * change, resolves the finding; if two weights are missing a second step may be needed. Rules that need a
 * state are in test_lint.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/lint/config_lint.h"

#define ROOM       8
#define STEPS_MOST 3

struct bad {
	const char *id;
	int line;
	bool has_fix;
	const char *text;
};

#define FIX   true
#define NOFIX false

static const struct bad bad[] = {
	{"W1", 1, FIX, "resweight = 10\n"},
	{"W2", 2, FIX, "resweight = 0\nprocweight = 5\n"},
	{"W3", 1, FIX, "xfactorcap = 50\n"},
	{"W4", 1, FIX, "userweight = 10\n"},
	{"W4", 2, FIX, "fspolicy = dedicatedps\nfsuserweight = 10\n"},
	{"W4", 1, FIX, "targetqueuetimeweight = 1\n"},
	{"W5", 2, FIX, "user john {\n  priority = 100\n}\n"},
	{"W5", 1, FIX, "qos hi { qttarget = \"4:00:00\" }\n"},
	{"W6", 0, FIX, "queuetimeweight = 0\n"},
	{"W7", 3, FIX, "userweight = 1\nuser eva { priority = -10 }\nuser bob { priority = -20 }\n"},
	{"W8", 5, FIX,
	 "queuetimeweight = 0\nreservationpolicy = highest\nrejectnegpriojobs = true\nuserweight = 1\nuser "
	 "eva { "
	 "priority = -10 }\n"},
	{"W9", 1, FIX, "reservationpolicy = never\n"},
	{"W9", 1, FIX, "reservationdepth = 0\n"},
	{"W10", 1, FIX, "hardpass = idleonly\n"},
	{"W10", 1, FIX, "userreservationtime = \"2:00:00\"\n"},
	{"W10", 1, FIX, "warntime = \"0:05:00\"\n"},
	{"W10", 1, FIX, "metricsinterval = \"0:05:00\"\n"},
	{"W10", 1, FIX, "localtimeout = \"0:00:09\"\n"},
	{"W11", 2, FIX, "xfactorweight = 10\nxfminwclimit = 0\n"},
	{"W13", 2, FIX, "qos hi { qttarget = \"4:00:00\" }\ntargetqueuetimeweight = 100\n"},
	{"W14", 1, FIX, "fsdecay = 0.5\n"},
	{"W14", 1, FIX, "user eva { fstarget = 25 }\n"},
	{"W15", 1, FIX, "user eva { fstarget = \"25%\" }\n"},
	{"W15", 2, FIX, "fspolicy = dedicatedps\nuser DEFAULT { fstarget = \"25%\" }\n"},
	{"W16", 3, FIX, "fspolicy = dedicatedps\nfsuserweight = 1\nuser eva { fstarget = 120 }\n"},
	{"W17", 1, FIX, "fspolicy = dedicatedps\n"},
	{"W18", 2, FIX, "user john {\n  maxjob = {\"9,4\"}\n}\n"},
	{"W19", 1, FIX, "user john { maxijob = {\"4,9\"} }\n"},
	{"W20", 1, FIX, "user john { maxjob = {\"4\", \"5\"} }\n"},
	{"W21", 1, FIX, "class a { min.proc = 8 max.proc = 4 }\n"},
	{"W21", 2, FIX, "systemmaxprocsecondperjob = 86400\nclass a { min.proc = 64 min.wclimit = 30m }\n"},
	{"W21", 2, FIX, "class DEFAULT { min.proc = 8 }\nclass a { max.proc = 4 }\n"},
	{"W22", 1, FIX, "class a { default.wclimit = 2h max.wclimit = 1h }\n"},
	{"W22", 1, FIX, "class a { max.wclimit = 30m }\n"},
	{"W22", 1, FIX, "class a { min.wclimit = 2h }\n"},
	{"W22", 2, FIX, "class DEFAULT { default.wclimit = 45m }\nclass a { max.wclimit = 30m }\n"},
	{"W22", 2, FIX,
	 "class DEFAULT { default.wclimit = 30m max.wclimit = 30m }\nclass a { min.wclimit = 40m max.wclimit "
	 "= 50m }\n"},
	{"W22", 2, FIX, "systemdefaultjobwalltime = 2h\nsystemmaxjobwalltime = 1h\n"},
	{"W22", 1, FIX, "systemmaxprocsecondperjob = 60\n"},
	{"W23", 1, FIX, "backfillpolicy = none\nuser DEFAULT { maxjob = \"2,8\" }\n"},
	{"W24", 1, FIX, "node DEFAULT { priorityf = SPEED }\n"},
	{"W24", 1, FIX, "nodeallocationpolicy = priority\n"},
	{"W24", 3, FIX,
	 "nodeallocationpolicy = priority\nnode DEFAULT { priorityf = SPEED }\nnode n1 { priority = 5 }\n"},
	{"W25", 1, FIX, "nodeallocationpolicy = local\n"},
	{"W25", 1, FIX, "localnodeallocation = \"/bin/nodes\"\n"},
	{"W26", 1, FIX, "queuetimeweight = 0\nprocweight = 1\n"},
	{"W27", 1, NOFIX, "reservationlevel 2 { reservationdepth = 5 }\n"},
	{"W28", 1, FIX, "user john { qlist = lo qdef = hi }\n"},
	{"W28", 2, FIX, "group staff { qlist = lo }\nuser john { qdef = hi }\n"},
	{"W29", 1, FIX, "node n1 { memory = 4gb }\n"},
	{"W30", 1, FIX, "queuetimeweight = -1\n"},
	{"W30", 1, FIX, "serviceweight = -1\nqueuetimeweight = 1\n"},
	{"W31", 1, FIX, "usageconsumedweight = 1\n"},
	{"W32", 2, FIX, "xfactorweight = 10\nxfactorcap = 1\n"},
	{"W33", 4, FIX,
	 "fspolicy = dedicatedps\nfsuserweight = 1\nuser eva { fstarget = 50 }\nuser bob { fstarget = "
	 "\"70+\" "
	 "}\n"},
	{"W34", 2, FIX, "fspolicy = dedicatedps\nuser eva { fstarget = \"100%\" }\n"},
	{"W35", 2, FIX, "fspolicy = dedicatedps fsuserweight = 1\nfsdecay = 0\nuser eva { fstarget = 20 }\n"},
	{"W36", 2, FIX,
	 "systemmaxjobwalltime = \"7:00:00:00\"\nfsinterval = \"12:00:00\" fspolicy = dedicatedps "
	 "fsuserweight = "
	 "1\nuser eva { fstarget = 20 }\n"},
	{"W36", 2, FIX,
	 "systemmaxjobwalltime = \"7:00:00:00\"\nfsinterval = \"1:00:00\" fspolicy = dedicatedps "
	 "fsuserweight = "
	 "1\nuser eva { fstarget = 20 }\n"},
	{"W37", 1, FIX, "user john { maxjob = {\"USER:steve=4\"} }\n"},
	{"W38", 2, FIX, "system { maxjob = {\"5\"} }\nuser john { maxjob = {\"9\"} }\n"},
	{"W38", 1, FIX, "user john { maxqueued = {\"5\"} maxijob = {\"9\"} }\n"},
	{"W38", 2, FIX, "maxuserqueuable = 10\nuser DEFAULT { maxijob = {\"20\"} }\n"},
	{"W38", 1, FIX, "user john { maxjob = {\"8\", \"CLASS:a=20\"} }\n"},
	{"W39", 2, FIX, "systemmaxprocperjob = 16\nclass a { max.proc = 32 }\n"},
	{"W39", 2, FIX, "systemmaxjobwalltime = \"10:00:00\"\nclass a { max.wclimit = \"20:00:00\" }\n"},
	{"W39", 1, FIX, "class a { max.proc = 8 maxproc = {\"2,4\"} }\n"},
	{"W39", 2, FIX, "class a {\nmax.node = 8 maxnode = {\"6\", \"USER:eva=2\"} maxinode = {\"4\"} }\n"},
	{"W40", 1, FIX, "class DEFAULT { default.wclimit = \"2:00:00\" maxwc = {\"1:30:00\"} }\n"},
	{"W40", 1, FIX, "user john { maxps = {\"1800\"} }\n"},
	{"W40", 1, FIX, "class a { default.wclimit = \"2:00:00\" maxwc = {\"1:30:00\"} }\n"},
	{"W40", 1, FIX, "user john { maxips = {\"1800\"} }\n"},
	{"W41", 1, FIX, "qos hi { omaxproc = {\"8\"} }\n"},
	{"W41", 2, FIX, "user eva { maxproc = {\"4\"} }\nqos hi { omaxproc = {\"USER=8\"} }\n"},
	{"W41", 2, FIX, "user eva { maxiproc = {\"4\"} maxnode = {\"4\"} }\nqos hi { omaxproc = {\"8\"} }\n"},
	{"W39", 1, FIX, "class a { max.proc = 8 maxproc = {\"4\"} maxiproc = {\"6\"} }\n"},
	{"W42", 2, FIX, "queuetimeweight = 10\nqos lo { qtweight = -10 }\n"},
	{"W43", 2, FIX,
	 "user DEFAULT { qlist = lo } qos lo { maxjob = 9 }\nqos hi { xfweight = 5 } xfactorweight = 1\n"},
	{"W44", 2, FIX, "warnsignal = usr1\nwarntime = \"2:00:00\"\n"},
	{"W45", 1, FIX, "umask = 777\n"},
	{"W46", 2, FIX, "admin1 = eva\nadmin2 = \"bob eva\"\n"},
	{"W47", 1, FIX, "user john { alist = bio adef = phys }\n"},
	{"W47", 2, FIX, "group staff { alist = bio }\nuser john { adef = phys }\n"},
	{"W47", 2, FIX, "accountaccess = listed\nclass a { adef = phys }\n"},
	{"W28", 1, FIX, "user john { qlist = {\"hx\", \"h\", \"high\"} qdef = hi }\n"},
	{"W28", 2, FIX, "user anna { qlist = hi }\nuser john { qlist = lo qdef = hi }\n"},
	{"W43", 2, FIX,
	 "user john { qlist = lo } qos lo { maxjob = 9 }\nqos hi { xfweight = 5 } xfactorweight = 1\n"},
	{"W43", 2, FIX,
	 "system { qlist = \"lo h high\" } user DEFAULT { qlist = lo } qos lo { maxjob = 9 } "
	 "qos h { maxjob = 9 } qos high { maxjob = 9 }\n"
	 "qos hi { xfweight = 5 } xfactorweight = 1\n"},
	{"W47", 1, FIX, "user john { alist = \"phyx ph\" adef = phys }\n"},
	{"W47", 2, FIX, "user anna { alist = phys }\nuser john { alist = bio adef = phys }\n"},
	{"W48", 2, NOFIX,
	 "account phys { maxjob = 8 } account DEFAULT { maxproc = 4 }\nuser john { alist = "
	 "\"phys phyx\" }\n"},
	{"W48", 2, NOFIX, "account phys { maxjob = 8 }\nuser john { alist = \"phys pyhs\" }\n"},
	{"W49", 2, NOFIX, "qos hi { maxjob = 8 }\nuser john { qlist = \"hi hy\" }\n"},
	{"W50", 2, FIX,
	 "fspolicy = dedicatedps fsuserweight = 1 user eva { fstarget = 20 }\nfsinterval = 1\n"},
	{"W51", 2, FIX, "systemdefaultjobmemory = 4\nuser eva { maxmem = {\"4\"} }\n"},
	{"W56", 1, FIX, "user eva { maxmem = {\"4gb\"} }\n"},
	{"W56", 2, FIX,
	 "user eva { maxjob = {\"4\"} }\nuser DEFAULT { maxmem = {\"100,4gb\"} maximem = {\"8gb\"} }\n"},
	{"W56", 2, FIX, "user eva { maxmem = unlimited }\nclass a { maxmem = {\"USER=4gb\"} }\n"},
	{"W40", 2, FIX, "systemdefaultjobmemory = 2gb\nuser eva { maxmem = {\"1gb\"} }\n"},
	{"W54", 2, FIX, "class big { min.proc = 8 }\nuser eva { maxproc = {\"4\"} }\n"},
	{"W54", 2, FIX,
	 "class big { min.wclimit = 7200 default.wclimit = 7200 }\nuser eva { maxwc = "
	 "{\"CLASS:big=1:30:00\"} }\n"},
	{"W40", 1, FIX, "system { maxps = 1000 }\n"},
	{"W40", 1, FIX, "class big { min.proc = 4 max.proc = 8 maxps = {\"10000\"} }\n"},
	{"W55", 1, FIX, "queuetimeweight = 1000000\n"},
	{"W55", 1, FIX, "userweight = 1000000 user eva { priority = 1000 }\n"},
	{"W8", 2, FIX,
	 "rejectnegpriojobs = true userweight = 1 queuetimeweight = 2 queuetimecap = 40\n"
	 "user eva { priority = -100 }\n"},
};

/* Rules that check node sections of the text; with a state, the nodes of the state are checked instead. */
static const struct bad bad_nodes[] = {
	{"W52", 1, NOFIX, "class a { default.features = \"fast gpux\" }\nnode n1 { features = fast }\n"},
	{"W53", 1, NOFIX,
	 "class a { maxjob = 8 }\nnode n1 { procs = 4 classes = b }\nclass b { maxjob = 9 }\n"},
	{"W53", 2, NOFIX, "node DEFAULT { classes = b }\nclass a { maxjob = 8 }\nclass b { maxjob = 9 }\n"},
};

static const char *const good_nodes[] = {
	"class a { default.features = fast }\nnode n1 { features = \"slow fast\" }\n",
	"class a { maxjob = 8 }\nnode n1 { procs = 4 classes = \"b a\" }\n",
	"class a { maxjob = 8 }\nnode n1 { procs = 4 classes = b }\nnode n2 { procs = 4 }\n",
	"class a { maxjob = 8 }\nnode n1 { procs = 4 }\n",
};

#define BAD_NODES_COUNT (sizeof bad_nodes / sizeof bad_nodes[0])
#define BAD_COUNT       (sizeof bad / sizeof bad[0])

/* Valid configurations similar to the bad ones. */
static const char *const good[] = {
	"qos hi { maxjob = 8 } qos lo { maxjob = 9 } user john { qlist = \"hi lo\" }\n",
	"fspolicy = dedicatedps fsuserweight = 1 user eva { fstarget = 20 } fsinterval = 60\n",
	"systemdefaultjobmemory = 1gb user eva { maxmem = {\"4gb\"} }\n",
	"systemdefaultjobmemory = 1gb user eva { maxmem = {\"512,1gb\"} }\n",
	"user eva { maxmem = unlimited }\n",
	"class big { min.proc = 8 } user eva { maxproc = {\"8\", \"CLASS:small=4\"} }\n",
	"class big { min.proc = 8 } qos hi { omaxproc = {\"8\"} } user eva { maxproc = {\"4\"} }\n",
	"queuetimeweight = 100000\n",
	"rejectnegpriojobs=true userweight=1 queuetimeweight=2 queuetimecap=60 user eva{priority=-100}\n",
	"fspolicy = dedicatedps fsuserweight = 1 user eva { fstarget = 50 } user bob { fstarget = 50 }\n",
	"fspolicy=dedicatedps fsuserweight=1 user a{fstarget=33.4}user b{fstarget=33.4}user c{fstarget=33.4}",
	"fspolicy = dedicatedps fsuserweight = 1 fsdecay = 0 fsdepth = 1 user eva { fstarget = 20 }\n",
	"class a { maxjob = {\"USER:steve=4\"} }\n",
	"system { maxjob = {\"9\"} }\nuser john { maxjob = {\"9\"} }\n",
	"system { maxjob = {\"9\"} }\nuser john { maxjob = {\"5,20\"} }\n",
	"user john { maxqueued = {\"9\"} maxijob = {\"9\"} maxjob = {\"8\"} }\n",
	"user john { maxjob = {\"8\", \"CLASS:a=8\", \"CLASS:b=4\"} }\n",
	"user john { maxjob = {\"8\"} maxproc = {\"CLASS:a=20\"} }\n",
	"class a { max.proc = 8 maxproc = {\"2,8\", \"USER=4\"} }\n",
	"class a { max.proc = 8 maxproc = {\"4\"} }\nqos hi { omaxproc = {\"8\"} }\n",
	"class a { default.wclimit = \"0:10:00\" }\nclass DEFAULT { maxwc = {\"0:30:00\"} }\n",
	"class DEFAULT { default.wclimit = 30m }\nclass a { max.wclimit = 30m }\nclass b { priority = 0 }\n",
	"systemmaxjobwalltime = 12h\nclass a { default.wclimit = 10h max.wclimit = 11h }\n",
	("fspolicy = dedicatedps systemmaxjobwalltime = 6d user a { fstarget = \"9%\" }\n"
	 "class a { max.wclimit = 5d }\n"),
	"class a { default.wclimit = \"0:30:00\" }\nuser john { maxps = {\"1800\"} }\n",
	"user DEFAULT { maxproc = {\"4\"} }\nqos hi { omaxproc = {\"8\"} }\n",
	"group staff { maxproc = {\"USER=4\"} }\nqos hi { omaxproc = {\"USER=8\"} }\n",
	"user DEFAULT { maxps = {\"360000\"} }\nqos hi { omaxps = {\"1800\"} }\n",
	"qos hi { omaxjob = {\"8\"} }\n",
	"queuetimeweight = 10\nqos lo { qtweight = -5 }\n",
	"user DEFAULT {qlist=\"lo hi\"} qos lo {maxjob=9}\nqos hi {xfweight=5} xfactorweight=1\n",
	"xfactorweight = 10 xfactorcap = 1.5\n",
	"warnsignal = usr1 warntime = \"0:05:00\"\n",
	"umask = 077\n",
	"admin1 = eva admin2 = \"bob @staff\" admin3 = carl\n",
	"xfactorweight = 1 qos lo { qtweight = -1000 } queuetimeweight = 0\n",
	"class a { adef = phys }\n",
	"user john { adef = none alist = bio }\n",
	"user john { alist = {\"phys\", \"bio\"} adef = phys }\n",
	"user DEFAULT { alist = phys }\nuser john { adef = phys }\n",
	"group a { alist = phys } group b { alist = bio }\nuser john { alist = chem adef = phys }\n",
	"account DEFAULT { maxjob = 8 }\nuser john { alist = phys }\n",
	"user john { qlist = lo }\nqos DEFAULT { xfweight = 5 } xfactorweight = 1\n",
	("group a { qlist = aa } account b { qlist = zz } class c { qlist = hi } "
	 "user john { qlist = lo qdef = hi }\n"),
	"user john { qlist = {\"lo&\", \"hi\"} qdef = hi } group staff { qlist = \"lo hi\" }\n",
	"accountaccess = open\nclass a { adef = phys }\n",
};

/* --- helpers -------------------------------------------------------------------------------------- */

static void read_list(const char *text, struct config_list *list)
{
	struct err err = {""};
	size_t kept = 0;

	if (!config_list_read("kahu.conf", text, strlen(text), list, &err))
		fail_msg("%s in: %s", err.text, text);
	for (size_t i = 0; i < list->count; i++) {
		if (list->item[i].value.row != NULL)
			list->item[kept++] = list->item[i];
		else
			free(list->item[i].words);
	}
	list->count = kept;
}

static void apply_fix(struct config_list *list, const struct config_finding *finding)
{
	char fix[sizeof finding->fix], title[CONFIG_TITLE], *sign;
	struct config_value value;
	struct err err = {""};

	snprintf(fix, sizeof fix, "%s", finding->fix);
	sign = strchr(fix, '=');
	assert_non_null(sign);
	*sign = '\0';
	if (!config_resolve(fix, sign + 1, &value, title, sizeof title, &err))
		fail_msg("%s: %s cannot be typed: %s", finding->id, finding->fix, err.text);
	config_list_set(list, &value);
}

static bool has_rule(const struct config_finding *finding, size_t count, const char *id)
{
	for (size_t i = 0; i < count && i < ROOM; i++)
		if (strcmp(finding[i].id, id) == 0)
			return true;
	return false;
}

/* --- tests ---------------------------------------------------------------------------------------- */

static void X11_each_bad_configuration_gives_exactly_its_rule_and_line(void **state)
{
	(void)state;
	for (size_t i = 0; i < BAD_COUNT; i++) {
		struct config_finding found[ROOM];
		struct config_list list = {0};
		size_t count;

		read_list(bad[i].text, &list);
		count = config_lint_list(&list, found, ROOM);
		config_list_free(&list);
		if (count != 1 || strcmp(found[0].id, bad[i].id) != 0)
			fail_msg("%zu findings, %s and %s, not %s alone, in: %s", count,
				 count > 0 ? found[0].id : "none", count > 1 ? found[1].id : "none",
				 bad[i].id, bad[i].text);
		if (found[0].line != bad[i].line)
			fail_msg("%s is said to be in line %d of: %s", bad[i].id, found[0].line, bad[i].text);
		assert_true(found[0].text[0] != '\0');
		if (bad[i].has_fix != (found[0].fix[0] != '\0'))
			fail_msg("%s: the fix is '%s', in: %s", bad[i].id, found[0].fix, bad[i].text);
	}
}

static void X11_fix_resolves_the_finding(void **state)
{
	(void)state;
	for (size_t i = 0; i < BAD_COUNT; i++) {
		struct config_finding found[ROOM];
		struct config_list list = {0};
		size_t count = 1;
		int steps = 0;

		read_list(bad[i].text, &list);
		count = config_lint_list(&list, found, ROOM);
		while (bad[i].has_fix && steps < STEPS_MOST && has_rule(found, count, bad[i].id)) {
			apply_fix(&list, &found[0]);
			count = config_lint_list(&list, found, ROOM);
			steps++;
		}
		if (bad[i].has_fix && has_rule(found, count, bad[i].id))
			fail_msg("%s is still there after '%s', in: %s", bad[i].id, found[0].fix,
				 bad[i].text);
		config_list_free(&list);
	}
}

/* --- order of statements -------------------------------------------------------------------------- */

#define STATEMENTS_MOST 16

/* Skips a word, a quoted text or a block in braces. */
static const char *after_value(const char *at)
{
	int depth = 0;

	do {
		if (*at == '"')
			at = strchr(at + 1, '"');
		depth += (*at == '{') - (*at == '}');
		at++;
	} while (depth > 0 || (at[-1] != '}' && strchr(" \n{}", *at) == NULL));
	return at;
}

/* Skips a statement: NAME = VALUE, or TYPE [TITLE] { ... }. */
static const char *after_statement(const char *at)
{
	while (*at != '=' && *at != '{')
		at++;
	return after_value(*at == '=' ? at + 1 + strspn(at + 1, " ") : at);
}

/* The start of each statement and the end of the last one; returns their number. */
static size_t find_statements(const char *text, const char *begin[static STATEMENTS_MOST + 1])
{
	size_t count = 0;

	for (text += strspn(text, " \n"); *text != '\0'; text += strspn(text, " \n")) {
		assert_true(count < STATEMENTS_MOST);
		begin[count++] = text;
		text = begin[count] = after_statement(text);
	}
	return count;
}

/* The statements rotated by `first`, one per line. */
static void rotate(const char *text, size_t first, struct str *out)
{
	const char *begin[STATEMENTS_MOST + 1];
	size_t count = find_statements(text, begin);

	str_clear(out);
	for (size_t i = 0; i < count; i++) {
		const char *at = begin[(first + i) % count];

		str_add_bytes(out, at, (size_t)(after_statement(at) - at));
		str_add_char(out, '\n');
	}
}

/* Every rotation of the text has only this finding; id NULL: none. */
static void expect_same_finding_in_any_order(const char *text, const char *id)
{
	const char *begin[STATEMENTS_MOST + 1];
	size_t count = find_statements(text, begin);
	struct str rotated = {0};

	for (size_t first = 0; first < count; first++) {
		struct config_finding found[ROOM];
		struct config_list list = {0};
		size_t findings;

		rotate(text, first, &rotated);
		read_list(str_text(&rotated), &list);
		findings = config_lint_list(&list, found, ROOM);
		config_list_free(&list);
		if (findings != (id != NULL) || (id != NULL && strcmp(found[0].id, id) != 0))
			fail_msg("%zu findings, %s, instead of %s in: %s", findings,
				 findings > 0 ? found[0].id : "none", id != NULL ? id : "none",
				 str_text(&rotated));
	}
	str_free(&rotated);
}

static void no_rule_depends_on_the_order_of_statements(void **state)
{
	(void)state;
	for (size_t i = 0; i < BAD_COUNT; i++)
		expect_same_finding_in_any_order(bad[i].text, bad[i].id);
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		expect_same_finding_in_any_order(good[i], NULL);
}

static void classes_and_features_that_no_node_section_names(void **state)
{
	(void)state;
	for (size_t i = 0; i < BAD_NODES_COUNT; i++) {
		struct config_finding found[ROOM];
		const char *text = bad_nodes[i].text;

		if (config_lint("kahu.conf", text, strlen(text), found, ROOM) != 1 ||
		    strcmp(found[0].id, bad_nodes[i].id) != 0 || found[0].line != bad_nodes[i].line)
			fail_msg("%s, line %d is not all, in: %s", bad_nodes[i].id, bad_nodes[i].line, text);
	}
	for (size_t i = 0; i < sizeof good_nodes / sizeof good_nodes[0]; i++)
		if (config_lint("kahu.conf", good_nodes[i], strlen(good_nodes[i]), NULL, 0) != 0)
			fail_msg("something is found in: %s", good_nodes[i]);
}

static void valid_texts_similar_to_bad_ones_have_no_findings(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		struct config_finding found[ROOM];
		struct config_list list = {0};
		size_t count;

		read_list(good[i], &list);
		count = config_lint_list(&list, found, ROOM);
		config_list_free(&list);
		if (count > 0)
			fail_msg("%s: %s, in: %s", found[0].id, found[0].text, good[i]);
	}
}

static void every_text_rule_is_tested(void **state)
{
	(void)state;
	for (size_t i = 0; i < config_rule_count; i++) {
		const char *id = config_rules[i].id;
		bool tried = id[0] != 'W' || strcmp(id, "W12") == 0;

		for (size_t j = 0; j < BAD_COUNT; j++)
			tried = tried || strcmp(bad[j].id, id) == 0;
		for (size_t j = 0; j < BAD_NODES_COUNT; j++)
			tried = tried || strcmp(bad_nodes[j].id, id) == 0;
		if (!tried)
			fail_msg("no bad configuration gives %s", id);
	}
}

static void rule_ids_are_unique(void **state)
{
	(void)state;
	assert_true(config_rule_count >= 30);
	for (size_t i = 0; i < config_rule_count; i++) {
		assert_ptr_equal(config_rule_find(config_rules[i].id), &config_rules[i]);
		assert_true(strlen(config_rules[i].says) > 10);
	}
	assert_null(config_rule_find("W99"));
}

static void setting_a_value_replaces_the_one_with_the_same_name(void **state)
{
	struct config_list list = {0};
	struct config_value value;
	char title[CONFIG_TITLE];

	(void)state;
	read_list("user a { maxjob = {\"4\", \"GROUP=2\"} }\nuser b { maxjob = 1 }\nxfactorweight = 1\n",
		  &list);
	assert_true(config_resolve("user[a].maxjob[group]", "7", &value, title, sizeof title, NULL));
	config_list_set(&list, &value);
	assert_int_equal(list.count, 4);
	assert_string_equal(list.item[1].value.value.text, "7");
	assert_true(config_resolve("user[a].priority", "5", &value, title, sizeof title, NULL));
	config_list_set(&list, &value);
	assert_int_equal(list.count, 5);
	assert_string_equal(list.item[2].value.row->name, "priority");
	assert_true(config_resolve("qos[c].priority", "5", &value, title, sizeof title, NULL));
	config_list_set(&list, &value);
	assert_int_equal(list.count, 6);
	assert_string_equal(list.item[5].value.title, "c");
	config_list_free(&list);
}

static enum config_subject subject_of(const char *id, const char *option)
{
	struct config_finding finding = {.id = id};

	snprintf(finding.option, sizeof finding.option, "%s", option);
	return config_finding_subject(&finding);
}

static void subject_comes_from_the_rule_or_the_option(void **state)
{
	(void)state;
	assert_int_equal(subject_of("W17", ""), SUBJECT_SHARES);
	assert_int_equal(subject_of("L7", ""), SUBJECT_LIMITS);
	assert_int_equal(subject_of("L11", "fsinterval"), SUBJECT_SHARES);
	assert_int_equal(subject_of("L11", "user[eva].fstarget"), SUBJECT_SHARES);
	assert_int_equal(subject_of("L11", "class[fast].maxproc[user:steve]"), SUBJECT_LIMITS);
	assert_int_equal(subject_of("L11", "xfactorweight"), SUBJECT_OTHER);
	assert_int_equal(subject_of("W6", ""), SUBJECT_OTHER);
	for (size_t i = 0; i < config_rule_count; i++)
		assert_int_not_equal(subject_of(config_rules[i].id, ""), SUBJECT_OF_OPTION);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(X11_each_bad_configuration_gives_exactly_its_rule_and_line),
		cmocka_unit_test(X11_fix_resolves_the_finding),
		cmocka_unit_test(no_rule_depends_on_the_order_of_statements),
		cmocka_unit_test(classes_and_features_that_no_node_section_names),
		cmocka_unit_test(valid_texts_similar_to_bad_ones_have_no_findings),
		cmocka_unit_test(every_text_rule_is_tested),
		cmocka_unit_test(rule_ids_are_unique),
		cmocka_unit_test(subject_comes_from_the_rule_or_the_option),
		cmocka_unit_test(setting_a_value_replaces_the_one_with_the_same_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
