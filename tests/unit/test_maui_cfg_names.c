/* SPDX-License-Identifier: MIT */
/*
 * test_maui_cfg_names.c - parameters of maui.cfg
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/trace/maui_cfg_names.h"

/* The weights of the guide's table of factors (P-10 .. P-36) and of their components, each with its cap. */
static const char *const factors[] = {
	"CRED",
	"USER",
	"GROUP",
	"ACCOUNT",
	"QOS",
	"CLASS",
	"FS",
	"FSUSER",
	"FSGROUP",
	"FSACCOUNT",
	"FSQOS",
	"FSCLASS",
	"RES",
	"NODE",
	"PROC",
	"MEM",
	"SWAP",
	"DISK",
	"PS",
	"PE",
	"WALLTIME",
	"QUEUETIME",
	"XFACTOR",
	"BYPASS",
	"TARGET",
	"TARGETXFACTOR",
	"TARGETQUEUETIME",
	"USAGE",
	"USAGECONSUMED",
	"USAGEREMAINING",
	"USAGEPERCENT",
	"USAGEEXECUTIONTIME",
};

/* Other parameters of sections 5.1.2, 5.2, 6.2 and 6.3 of the guide, and related ones. */
static const char *const imported[] = {
	"SERVICEWEIGHT",
	"SERVICEWCAP",
	"USERCFG",
	"GROUPCFG",
	"ACCOUNTCFG",
	"QOSCFG",
	"CLASSCFG",
	"NODECFG",
	"SYSCFG",
	"SYSTEMCFG",
	"FSPOLICY",
	"FSINTERVAL",
	"FSDEPTH",
	"FSDECAY",
	"AFSWEIGHT",
	"XFMINWCLIMIT",
	"ENABLENEGJOBPRIORITY",
	"REJECTNEGPRIOJOBS",
	"JOBPRIOACCRUALPOLICY",
	"QOSQTTARGET",
	"QOSXFTARGET",
	"QOSQTWEIGHT",
	"QOSXFWEIGHT",
	"QOSPRIORITY",
	"NODEALLOCATIONPOLICY",
	"NODEACCESSPOLICY",
	"NODEAVAILABILITYPOLICY",
	"BACKFILLPOLICY",
	"BACKFILLMETRIC",
	"BACKFILLDEPTH",
	"RESERVATIONPOLICY",
	"RESERVATIONDEPTH",
	"RESERVATIONQOSLIST",
	"SYSTEMMAXPROCPERJOB",
	"SYSTEMMAXJOBWALLTIME",
	"SYSTEMMAXPROCSECONDPERJOB",
	"SYSTEMDEFAULTJOBWALLTIME",
	"DEFERTIME",
	"DEFERCOUNT",
	"DEFERSTARTCOUNT",
	"RMPOLLINTERVAL",
	"ADMIN1",
	"ADMIN2",
	"ADMIN3",
};

/* The other parameters of the guide's Appendix F, which must not be reported as misspelled. */
static const char *const not_imported[] = {
	"AMCFG",
	"BFCHUNKDURATION",
	"BFCHUNKSIZE",
	"BFPRIORITYPOLICY",
	"CHECKPOINTEXPIRATIONTIME",
	"CHECKPOINTFILE",
	"CHECKPOINTINTERVAL",
	"CLIENTCFG",
	"CLIENTTIMEOUT",
	"DEFAULTCLASSLIST",
	"DISPLAYFLAGS",
	"DOWNNODEDELAYTIME",
	"ENABLEMULTINODEJOBS",
	"ENABLEMULTIREQJOBS",
	"FEATURENODETYPEHEADER",
	"FEATUREPARTITIONHEADER",
	"FEATUREPROCSPEEDHEADER",
	"FEEDBACKPROGRAM",
	"FSCONFIGFILE",
	"FSENFORCEMENT",
	"JOBAGGREGATIONTIME",
	"JOBMAXOVERRUN",
	"JOBMAXSTARTTIME",
	"JOBNODEMATCHPOLICY",
	"JOBSIZEPOLICY",
	"JOBSYNCTIME",
	"LOGDIR",
	"LOGFACILITY",
	"LOGFILE",
	"LOGFILEMAXSIZE",
	"LOGFILEROLLDEPTH",
	"LOGLEVEL",
	"MAXJOBPERUSERCOUNT",
	"MAXJOBQUEUEDPERUSERCOUNT",
	"MAXNODEPERUSERCOUNT",
	"MAXPEPERUSERCOUNT",
	"MAXPROCPERUSERCOUNT",
	"MAXPSPERUSER",
	"MAXWCPERUSER",
	"NODEDOWNSTATEDELAYTIME",
	"NODELOADPOLICY",
	"NODEMAXLOAD",
	"NODEPOLLFREQUENCY",
	"NODESETATTRIBUTE",
	"NODESETDELAY",
	"NODESETLIST",
	"NODESETPOLICY",
	"NODESETPRIORITYTYPE",
	"NODESETTOLERANCE",
	"NODESYNCTIME",
	"NOTIFICATIONPROGRAM",
	"PLOTMAXPROC",
	"PLOTMAXTIME",
	"PLOTMINPROC",
	"PLOTMINTIME",
	"PLOTPROCSCALE",
	"PLOTTIMESCALE",
	"PREEMPTPOLICY",
	"PURGETIME",
	"QOSFEATURES",
	"QOSFLAGS",
	"RESCTLPOLICY",
	"RESDEPTH",
	"RESERVATIONRETRYTIME",
	"RESOURCELIMITPOLICY",
	"RMAUTHTYPE",
	"RMCFG",
	"RMNMPORT",
	"RMPORT",
	"RMSERVER",
	"RMTIMEOUT",
	"RMTYPE",
	"SERVERHOST",
	"SERVERMODE",
	"SERVERNAME",
	"SERVERPORT",
	"SIMAUTOSHUTDOWN",
	"SIMCPUSCALINGPERCENT",
	"SIMDEFAULTJOBFLAGS",
	"SIMEXITITERATION",
	"SIMFLAGS",
	"SIMIGNOREJOBFLAGS",
	"SIMINITIALQUEUEDEPTH",
	"SIMJOBSUBMISSIONPOLICY",
	"SIMNODECONFIGURATION",
	"SIMNODECOUNT",
	"SIMRESOURCETRACEFILE",
	"SIMRMRANDOMDELAY",
	"SIMSTOPITERATION",
	"SIMTIMERATIO",
	"SIMWORKLOADTRACEFILE",
	"SRACCESS",
	"SRACCOUNTLIST",
	"SRCHARGEACCOUNT",
	"SRCFG",
	"SRCLASSLIST",
	"SRDAYS",
	"SRDEPTH",
	"SRENDTIME",
	"SRFEATURES",
	"SRFLAGS",
	"SRGROUPLIST",
	"SRHOSTLIST",
	"SRMAXTIME",
	"SRNAME",
	"SRPARTITION",
	"SRPERIOD",
	"SRQOSLIST",
	"SRRESOURCES",
	"SRSTARTTIME",
	"SRTASKCOUNT",
	"SRTIMELOGIC",
	"SRTPN",
	"SRUSERLIST",
	"SRWENDTIME",
	"SRWSTARTTIME",
	"STATDIR",
	"TARGWEIGHT",
	"TASKDISTRIBUTIONPOLICY",
	"TRAPFUNCTION",
	"TRAPJOB",
	"TRAPNODE",
	"TRAPRES",
	"USEMACHINESPEED",
	"USESYSTEMQUEUETIME",
	"WCVIOLATIONACTION",
};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static bool is_option(const char *scope, const char *name)
{
	return option_find(config_rows, config_row_count, scope, name) != NULL;
}

/* Is the parameter imported as an existing option or section? */
static bool is_imported(const char *parameter)
{
	const struct import_name *name = import_name_find("", parameter);

	if (!name)
		return import_weight(parameter) != NULL;
	switch (name->use) {
	case USE_OPTION:
		return is_option("", name->what);
	case USE_QOS:
		return is_option("qos", name->what);
	case USE_LEVEL:
		return is_option("reservationlevel", name->what);
	case USE_SECTION:
		return is_option(name->what, strcmp(name->what, "node") == 0 ? "speed" : "maxjob");
	default:
		return false;
	}
}

static void weight_and_cap_of_every_factor_are_imported(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(factors); i++) {
		char name[64];

		snprintf(name, sizeof name, "%sWEIGHT", factors[i]);
		if (!is_imported(name))
			fail_msg("%s is not carried over", name);
		snprintf(name, sizeof name, "%sCAP", factors[i]);
		if (!is_imported(name))
			fail_msg("%s is not carried over", name);
	}
}

static void every_policy_parameter_is_imported(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(imported); i++)
		if (!is_imported(imported[i]))
			fail_msg("%s is not carried over", imported[i]);
}

static void the_rest_of_appendix_f_is_known_but_not_imported(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(not_imported); i++)
		if (!import_name_find("", not_imported[i]) || is_imported(not_imported[i]))
			fail_msg("%s is not known for what it is", not_imported[i]);
}

static void attributes_are_imported_as_options_of_their_section(void **state)
{
	static const char *const nodes[] = {"ACCESS", "CLASS", "CLASSLIST", "FRAME", "SLOT", "MEM"};
	static const char *const classes[] = {"MAXPROCPERJOB", "MAXNODEPERJOB"};

	(void)state;
	for (size_t i = 0; i < COUNT(nodes); i++)
		assert_true(is_option("node", import_name_find("node", nodes[i])->what));
	for (size_t i = 0; i < COUNT(classes); i++)
		assert_true(is_option("class", import_name_find("class", classes[i])->what));
	assert_null(import_name_find("user", "SLOT"));
}

static void names_of_limits_are_parsed(void **state)
{
	static const char *const kinds[] = {"JOB", "PROC", "NODE", "PS", "PE", "WC", "MEM"};
	const char *per;

	(void)state;
	for (size_t i = 0; i < COUNT(kinds); i++) {
		char name[32];

		snprintf(name, sizeof name, "MAX%s", kinds[i]);
		assert_non_null(import_limit("system", name, &per));
		assert_string_equal(per, "");
		snprintf(name, sizeof name, "maxi%s", kinds[i]);
		assert_non_null(import_limit("class", name, &per));
		snprintf(name, sizeof name, "OMAXI%s", kinds[i]);
		assert_non_null(import_limit("qos", name, &per));
		assert_null(import_limit("user", name, &per));
		snprintf(name, sizeof name, "MAX%sPERGROUP", kinds[i]);
		assert_non_null(import_limit("account", name, &per));
		assert_string_equal(per, "GROUP");
	}
	assert_null(import_limit("user", "MAXQUEUED", &per));
	assert_null(import_limit("user", "PERUSER", &per));
	assert_null(import_limit("user", "PRIORITY", &per));
	assert_null(import_limit("node", "MAXJOB", &per));
}

static void check_near(const char *scope, const char *name, const char *expected)
{
	struct str near = {0};

	import_nearest(scope, name, &near);
	assert_string_equal(str_text(&near), expected);
	str_free(&near);
}

static void nearest_name_is_suggested(void **state)
{
	(void)state;
	check_near("", "BACKFILPOLICY", "BACKFILLPOLICY");
	check_near("", "xfactorwieght", "XFACTORWEIGHT");
	check_near("", "hardpass", "");
	check_near("user", "MAXJBO", "MAXJOB");
	check_near("class", "MAX.WCLIMT", "MAX.WCLIMIT");
	check_near("node", "PRIORITYFF", "PRIORITYF");
	check_near("node", "QQQ", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(weight_and_cap_of_every_factor_are_imported),
		cmocka_unit_test(every_policy_parameter_is_imported),
		cmocka_unit_test(the_rest_of_appendix_f_is_known_but_not_imported),
		cmocka_unit_test(attributes_are_imported_as_options_of_their_section),
		cmocka_unit_test(names_of_limits_are_parsed),
		cmocka_unit_test(nearest_name_is_suggested),
	};

	return cmocka_run_group_tests_name("maui_cfg_names", tests, NULL, NULL);
}
