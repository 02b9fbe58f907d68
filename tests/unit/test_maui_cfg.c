/* SPDX-License-Identifier: MIT */
/*
 * test_maui_cfg.c - import of a maui.cfg
 *
 * The imported text is read as a configuration. Its values and the findings are compared with the expected
 * ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/config/config.h"
#include "sched/trace/maui_cfg.h"

/* A default of Maui that every import writes, and the finding that reports it. */
#define ALWAYS_IMPORTED "systemdefaultjobwalltime=10:00:00:00\n"
#define ALWAYS_REPORTED                                                                                      \
	"0 changed systemdefaultjobwalltime = 10:00:00:00: Maui's default differs from Kahu's, so it is "    \
	"written\n"

/* Imported values "name=text" and findings "LINE SEVERITY TEXT", one per line. */
struct result {
	struct str values, findings;
};

static void add_values(const struct maui_cfg *cfg, struct str *out)
{
	struct config_list list = {0};
	struct err err = {""};

	if (!config_list_read("out", str_text(&cfg->conf), cfg->conf.len, &list, &err))
		fail_msg("%s in\n%s", err.text, str_text(&cfg->conf));
	assert_int_equal(cfg->values, list.count);
	for (size_t i = 0; i < list.count; i++) {
		config_print_name(&list.item[i].value, out);
		str_addf(out, "=%s\n", config_value_text(&list.item[i].value));
	}
	config_list_free(&list);
}

static struct result import_text(const char *text)
{
	struct maui_cfg cfg;
	struct result r = {{0}, {0}};
	struct err err = {""};
	char *copy = mem_string(text);

	if (!maui_cfg_read("maui.cfg", copy, strlen(text), &cfg, &err))
		fail_msg("%s", err.text);
	free(copy);
	add_values(&cfg, &r.values);
	for (size_t i = 0; i < cfg.count; i++)
		str_addf(&r.findings, "%d %s %s\n", cfg.finding[i].line,
			 maui_severity_name(cfg.finding[i].severity), cfg.finding[i].text);
	maui_cfg_clear(&cfg);
	return r;
}

/* Checks all values and findings, except those of the default wallclock limit, which every import has. */
static void check(const char *text, const char *values, const char *findings)
{
	struct result r = import_text(text);
	size_t values_len = r.values.len, findings_len = r.findings.len;
	char *value = strstr(str_text(&r.values), ALWAYS_IMPORTED);
	char *finding = strstr(str_text(&r.findings), ALWAYS_REPORTED);

	assert_non_null(value);
	assert_non_null(finding);
	memmove(value, value + strlen(ALWAYS_IMPORTED),
		values_len - (size_t)(value - r.values.data) - strlen(ALWAYS_IMPORTED) + 1);
	memmove(finding, finding + strlen(ALWAYS_REPORTED),
		findings_len - (size_t)(finding - r.findings.data) - strlen(ALWAYS_REPORTED) + 1);
	assert_string_equal(values, str_text(&r.values));
	assert_string_equal(findings, str_text(&r.findings));
	str_free(&r.values);
	str_free(&r.findings);
}

static void check_refused(const char *text, size_t len, const char *sentence)
{
	struct maui_cfg cfg;
	struct err err = {""};

	assert_false(maui_cfg_read("maui.cfg", text, len, &cfg, &err));
	assert_string_equal(sentence, err.text);
	assert_int_equal(cfg.count, 0);
	assert_int_equal(cfg.conf.len, 0);
	assert_null(cfg.finding);
}

/* --- parameters ----------------------------------------------------------------------------- */

static void weights_and_caps_keep_their_names(void **state)
{
	(void)state;
	check("QUEUETIMEWEIGHT 10\nXFactorWeight 1000\nXFACTORCAP 50\nCREDWEIGHT -2\nRESCAP=7\nFSUSERWEIGHT "
	      "= 5\n",
	      "queuetimeweight=10\nxfactorweight=1000\nxfactorcap=50\ncredweight=-2\nrescap=7\nfsuserweight="
	      "5\n",
	      "");
}

static void names_used_only_by_maui_are_imported(void **state)
{
	(void)state;
	check("SERVICEWCAP 9\nUFSWEIGHT 1\nGFSWEIGHT 2\nAFSWEIGHT 3\nCONSUMEDWEIGHT 4\nREMAININGCAP 5\n"
	      "PERCENTWEIGHT 6\nUSAGEEXECUTIONTIMEWEIGHT 7\nBACKFILLTYPE NONE\n",
	      "servicecap=9\nfsuserweight=1\nfsgroupweight=2\nfsaccountweight=3\nusageconsumedweight=4\n"
	      "usageremainingcap=5\nusagepercentweight=6\nusageexecutiontimeweight=7\nbackfillpolicy=none\n",
	      "");
}

static void names_of_the_guide_are_imported(void **state)
{
	(void)state;
	check("USAGECONSUMEDWEIGHT 4\nUSAGEPERCENTCAP 3\n", "usageconsumedweight=4\nusagepercentcap=3\n", "");
}

static void parameters_unknown_to_maui_are_not_imported(void **state)
{
	(void)state;
	check("SERVWEIGHT 3\nTARGWEIGHT 2\nQUEUETIMEWIGHT 4\nFROBNICATE on\nQUEUETIMEWEIGHT 2\n",
	      "queuetimeweight=2\n",
	      "1 wrong SERVWEIGHT 3: Maui does not know SERVWEIGHT and ignored it; was SERVICEWEIGHT meant?\n"
	      "2 wrong TARGWEIGHT 2: Maui does not know TARGWEIGHT and ignored it; was TARGETWEIGHT meant?\n"
	      "3 wrong QUEUETIMEWIGHT 4: Maui does not know QUEUETIMEWIGHT and ignored it; was "
	      "QUEUETIMEWEIGHT meant?\n"
	      "4 wrong FROBNICATE on: Maui does not know FROBNICATE and ignored it\n");
}

static void weights_of_a_partition_are_in_its_section(void **state)
{
	(void)state;
	check("QUEUETIMEWEIGHT[0] 20\nQUEUETIMEWEIGHT[p1] 30\nXFACTORCAP[p1] 4\nRESWEIGHT[ALL] 2\n"
	      "BACKFILLPOLICY[p1] NONE\n",
	      "queuetimeweight=20\nresweight=2\npartition[p1].queuetimeweight=30\npartition[p1].xfactorcap="
	      "4\n",
	      "5 lost BACKFILLPOLICY[p1] NONE: Kahu sets backfillpolicy for the whole system, not for a "
	      "partition\n");
}

static void policies_are_imported(void **state)
{
	(void)state;
	check("BACKFILLPOLICY BESTFIT\nBACKFILLMETRIC NODES\nBACKFILLDEPTH 5\nRESERVATIONPOLICY HIGHEST\n"
	      "NODEALLOCATIONPOLICY MINRESOURCE\nNODEACCESSPOLICY SINGLEUSER\n"
	      "NODEAVAILABILITYPOLICY DEDICATED:PROCS COMBINED:MEM\nJOBPRIOACCRUALPOLICY FULLPOLICY\n"
	      "DEFERTIME 5:00\nDEFERCOUNT 12\nDEFERSTARTCOUNT 3\nRMPOLLINTERVAL 30\n",
	      "backfillpolicy=bestfit\nbackfillmetric=procs\nbackfilldepth=5\nreservationpolicy=highest\n"
	      "nodeallocationpolicy=minresource\nnodeaccesspolicy=singleuser\n"
	      "nodeavailabilitypolicy=dedicated:proc\nnodeavailabilitypolicy=combined:mem\n"
	      "jobprioaccrualpolicy=fullpolicy\ndefertime=0:05:00\ndefercount=12\ndeferstartcount=3\n"
	      "rmpollinterval=0:00:30\n",
	      "2 changed BACKFILLMETRIC NODES: Maui treats it as PROCS\n");
}

static void other_names_of_resources_are_imported(void **state)
{
	(void)state;
	check("NODEAVAILABILITYPOLICY DEDICATED:PROCS,UTILIZED:MEMORY COMBINED:SWAP\nFSPOLICY NONE%\n",
	      "nodeavailabilitypolicy=dedicated:proc\nnodeavailabilitypolicy=utilized:mem\n"
	      "nodeavailabilitypolicy=combined:swap\nfspolicy=none\n",
	      "");
}

static void switches_are_read_in_any_form(void **state)
{
	(void)state;
	check("ENABLENEGJOBPRIORITY TRUE\nREJECTNEGPRIOJOBS 0\n",
	      "enablenegjobpriority=true\nrejectnegpriojobs=false\n", "");
	check("ENABLENEGJOBPRIORITY Off\nREJECTNEGPRIOJOBS maybe\n", "enablenegjobpriority=off\n",
	      "2 wrong REJECTNEGPRIOJOBS maybe: rejectnegpriojobs must be true or false, got \"maybe\"\n");
}

static void no_limit_becomes_0(void **state)
{
	(void)state;
	check("XFMINWCLIMIT -1\nSYSTEMMAXPROCPERJOB -1\nSYSTEMMAXJOBWALLTIME 1:00:00:00\n"
	      "SYSTEMMAXPROCSECONDPERJOB 86400\n",
	      "xfminwclimit=0\nsystemmaxprocperjob=0\nsystemmaxjobwalltime=1:00:00:00\n"
	      "systemmaxprocsecondperjob=86400\n",
	      "");
}

static void numbers_are_converted_as_maui_reads_them(void **state)
{
	(void)state;
	check("QUEUETIMEWEIGHT 2.9\nXFACTORWEIGHT 010\nFSCAP 10.0\nPROCWEIGHT +5\nMEMWEIGHT many\n"
	      "FSWEIGHT 25%\nFSUSERWEIGHT 25%\n",
	      "queuetimeweight=2\nxfactorweight=8\nfscap=10\nprocweight=5\nfsweight=10\n",
	      "1 changed QUEUETIMEWEIGHT 2.9: Maui truncates it to a whole number; Kahu also accepts "
	      "fractions\n"
	      "2 changed XFACTORWEIGHT 010: Maui reads a number that begins with 0 as octal\n"
	      "5 wrong MEMWEIGHT many: memweight must be a number from -1000000000000 to 1000000000000, got "
	      "\"many\"\n"
	      "6 changed FSWEIGHT 25%: Maui treats any weight in percent as 10\n"
	      "7 wrong FSUSERWEIGHT 25%: fsuserweight must be a number from -1000000000000 to 1000000000000, "
	      "got \"25%\"\n");
	check("USERWEIGHT 1e3\nQOSWEIGHT 0\nGROUPWEIGHT -010\nCLASSWEIGHT 08\n",
	      "userweight=1000\nqosweight=0\ngroupweight=-8\nclassweight=0\n",
	      "3 changed GROUPWEIGHT -010: Maui reads a number that begins with 0 as octal\n"
	      "4 changed CLASSWEIGHT 08: Maui reads a number that begins with 0 as octal\n");
}

static void default_qos_is_added_to_the_access_list(void **state)
{
	(void)state;
	check("USERCFG[amy] QDEF=hi\n", "user[amy].qdef=hi\n", "");
	check("USERCFG[amy] QDEF=hi\nGROUPCFG[staff] QLIST=lo QDEF=mid\nCLASSCFG[fast] QLIST=hi& QDEF=hi\n",
	      "user[amy].qdef=hi\nuser[amy].qlist=hi\ngroup[staff].qlist=lo\ngroup[staff].qlist=mid\ngroup["
	      "staff].qdef=mid\n"
	      "class[fast].qlist=hi&\nclass[fast].qdef=hi\n",
	      "1 changed QDEF=hi of user amy: Maui permits this default even if QLIST does not list it, so "
	      "it is added to the list\n"
	      "2 changed QDEF=mid of group staff: Maui permits this default even if QLIST does not list it, "
	      "so it is added to the list\n");
}

static void accounts_are_imported(void **state)
{
	(void)state;
	check("USERCFG[amy] ALIST=bio,phys ADEF=bio\nGROUPCFG[staff] ADEF=phys\nCLASSCFG[fast] ALIST=bio\n",
	      "user[amy].alist=bio\nuser[amy].alist=phys\nuser[amy].adef=bio\ngroup[staff].adef=phys\n"
	      "group[staff].alist=phys\nclass[fast].alist=bio\n",
	      "2 changed ADEF=phys of group staff: Maui permits this default even if ALIST does not list it, "
	      "so it is added to the list\n");
}

static void fairshare_is_imported(void **state)
{
	(void)state;
	check("FSPOLICY DEDICATEDPES%\nFSINTERVAL 12:00:00\nFSDEPTH 4\nFSDECAY 0.5\nFSENFORCEMENT ON\n",
	      "fspolicy=dedicatedpes%\nfsinterval=12:00:00\nfsdepth=4\nfsdecay=0.5\n",
	      "5 unneeded FSENFORCEMENT ON: it has no effect in Maui either\n");
}

static void fairshare_imports_mauis_default_windows(void **state)
{
	(void)state;
	check("FSPOLICY PSDEDICATED\n", "fspolicy=dedicatedps\nfsinterval=12:00:00\nfsdepth=8\n",
	      "1 changed FSPOLICY PSDEDICATED: renamed DEDICATEDPS in Maui 3.2\n"
	      "0 changed fsinterval = 12:00:00: Maui's default differs from Kahu's, so it is written\n"
	      "0 changed fsdepth = 8: Maui's default differs from Kahu's, so it is written\n");
	check("FSPOLICY [NONE]\n", "fspolicy=none\n", "");
}

static void reservation_levels_keep_their_numbers(void **state)
{
	(void)state;
	check("RESERVATIONDEPTH 2\nRESERVATIONDEPTH[1] 5\nRESERVATIONQOSLIST[1] hi:lo\nRESERVATIONQOSLIST[0] "
	      "[ALL]\n"
	      "RESERVATIONDEPTH[x] 3\n",
	      "reservationdepth=2\nreservationdepth[1]=5\nreservationqoslist[1]=hi\n"
	      "reservationqoslist[1]=lo\nreservationqoslist[0]=ALL\n",
	      "5 wrong RESERVATIONDEPTH[x] 3: a reservation level is a number from 0 to 7, got x\n");
}

static void qos_parameters_of_maui_3_0_are_imported(void **state)
{
	(void)state;
	check("QOSPRIORITY[2] 1000\nQOSQTWEIGHT[2] 5\nQOSXFWEIGHT[2] 1000\nQOSQTTARGET[2] 2:00:00\n"
	      "QOSXFTARGET[3] 5.5\nQOSPRIORITY 4\n",
	      "qos[2].priority=1000\nqos[2].qtweight=5\nqos[2].xfweight=1000\nqos[2].qttarget=2:00:00\n"
	      "qos[3].xftarget=5.5\n",
	      "6 wrong QOSPRIORITY 4: the name of the qos must follow in brackets\n");
}

static void unsupported_parameters_are_reported(void **state)
{
	(void)state;
	check("SERVERPORT 40559\nRMCFG[base] TYPE=PBS\nSRCFG[x] PERIOD=DAY\nUPROCWEIGHT 3\nPREEMPTPOLICY "
	      "REQUEUE\n"
	      "AMCFG[bank] TYPE=QBANK\n",
	      "",
	      "1 unneeded SERVERPORT 40559: it configures Maui's daemon and its files\n"
	      "2 unneeded RMCFG[base] TYPE=PBS: it configures the connection between Maui and its resource "
	      "manager\n"
	      "3 lost SRCFG[x] PERIOD=DAY: standing and administrative reservations are not supported yet\n"
	      "4 unneeded UPROCWEIGHT 3: it has no effect in Maui either\n"
	      "5 lost PREEMPTPOLICY REQUEUE: preemption is not supported yet\n"
	      "6 lost AMCFG[bank] TYPE=QBANK: Kahu has no allocation bank\n");
}

static void missing_allocation_bank_is_unneeded(void **state)
{
	(void)state;
	check("AMCFG[bank] TYPE=NONE\nBANKTYPE none\nAMCFG[gold] SERVER=gold://bank TYPE=GOLD\n", "",
	      "1 unneeded AMCFG[bank] TYPE=NONE: Kahu has no allocation bank either\n"
	      "2 unneeded BANKTYPE none: Kahu has no allocation bank either\n"
	      "3 lost AMCFG[gold] SERVER=gold://bank TYPE=GOLD: Kahu has no allocation bank\n");
}

static void administrators_are_imported(void **state)
{
	(void)state;
	check("ADMIN1 maui root\nADMIN2 ann,bob\nADMIN3 ALL\nADMIN4 eve\nADMINHOSTS gw\n",
	      "admin1=maui root\nadmin2=ann bob\n",
	      "3 lost ADMIN3 ALL: ALL is not supported: list the administrators by name; hidenames "
	      "determines who sees the jobs of other users\n"
	      "4 lost ADMIN4 eve: there are three levels of administrators: admin1, admin2 and admin3\n"
	      "5 unneeded ADMINHOSTS gw: only accounts of the scheduler's host can send requests\n");
	check("ADMINCFG[1] USERS=moab,root NAME=chiefs\nADMINCFG[2] USERS=ann GROUPS=ops SERVICES=showq\n"
	      "ADMINCFG[5] USERS=eve\n",
	      "admin1=moab root\nadmin2=ann @ops\n",
	      "2 lost ADMINCFG[2] SERVICES=showq: the rights of each level are fixed\n"
	      "3 lost ADMINCFG[5] USERS=eve: there are three levels of administrators: admin1, admin2 and "
	      "admin3\n");
}

static void moab_parameters_are_reported_as_such(void **state)
{
	(void)state;
	check("JOBREJECTPOLICY HOLD\nJOBREJECTPOLCY HOLD\nCLASSCFG[a] NOSUBMIT=TRUE\nNODECFG[n] VLAN=4\n", "",
	      "1 lost JOBREJECTPOLICY HOLD: JOBREJECTPOLICY is a parameter of Moab, which neither Maui nor "
	      "Kahu has\n"
	      "2 wrong JOBREJECTPOLCY HOLD: Maui does not know JOBREJECTPOLCY and ignored it\n"
	      "3 lost CLASSCFG[a] NOSUBMIT=TRUE: NOSUBMIT is a parameter of Moab, which neither Maui nor "
	      "Kahu has\n"
	      "4 lost NODECFG[n] VLAN=4: VLAN is a parameter of Moab, which neither Maui nor Kahu has\n");
}

static void the_second_poll_interval_of_moab_is_imported(void **state)
{
	(void)state;
	check("RMPOLLINTERVAL 00:00:10,00:01:30\n", "rmpollinterval=0:01:30\n",
	      "1 changed RMPOLLINTERVAL 00:00:10,00:01:30: MIN,MAX is the form of Moab: MAX is used; Kahu "
	      "runs a pass after each event, so MIN is not needed\n");
}

static void unsupported_choices_are_reported(void **state)
{
	(void)state;
	check("BACKFILLPOLICY PREEMPT\nNODEALLOCATIONPOLICY LOCAL\nRESERVATIONPOLICY SOMETIMES\n",
	      "nodeallocationpolicy=local\n",
	      "1 lost BACKFILLPOLICY PREEMPT: preemption is not supported yet; firstfit is used instead\n"
	      "2 changed NODEALLOCATIONPOLICY LOCAL: set localnodeallocation to the site's program; until "
	      "then nodes are allocated as with minresource\n"
	      "3 wrong RESERVATIONPOLICY SOMETIMES: reservationpolicy must be "
	      "currenthighest, highest or never, got \"sometimes\"\n");
}

/* --- credentials ----------------------------------------------------------------------------- */

static void credentials_are_imported_as_sections(void **state)
{
	(void)state;
	check("USERCFG[john] PRIORITY=2000 FSTARGET=25.0+\nGROUPCFG[staff] PRIORITY=-5\nACCOUNTCFG[phys] "
	      "FSTARGET=50000^\n"
	      "USERCFG[john] QLIST=hi,lo QDEF=hi\nCLASSCFG[fast] DEFAULT.WCLIMIT=1:00:00 "
	      "DEFAULT.FEATURES=[fast][io] MAX.WCLIMIT=12:00:00 MIN.PROC=10 NODEACCESSPOLICY=SINGLEJOB\n"
	      "QOSCFG[special] QTWEIGHT=5000 XFWEIGHT=50 QTTARGET=4:00:00 XFTARGET=2.5\n",
	      "user[john].priority=2000\nuser[john].fstarget=25.0+\nuser[john].qlist=hi\nuser[john].qlist="
	      "lo\n"
	      "user[john].qdef=hi\ngroup[staff].priority=-5\naccount[phys].fstarget=50000^\n"
	      "class[fast].default.wclimit=1:00:00\nclass[fast].default.features=fast\n"
	      "class[fast].default.features=io\nclass[fast].max.wclimit=12:00:00\nclass[fast].min.proc=10\n"
	      "class[fast].nodeaccesspolicy=singlejob\nqos[special].qtweight=5000\nqos[special].xfweight=50\n"
	      "qos[special].qttarget=4:00:00\nqos[special].xftarget=2.5\n",
	      "");
}

static void limits_of_every_kind_are_imported(void **state)
{
	(void)state;
	check("USERCFG[DEFAULT] MAXJOB=2,8 MAXIJOB=20 MAXPS=72000,1080000 MAXWC=72:00:00 MAXMEM=2048\n"
	      "QOSCFG[hi] OMAXJOB=3 OMAXNODE=64 OMAXIPS=5\nSYSCFG MAXPROC=512\n",
	      "user[DEFAULT].maxjob=2,8\nuser[DEFAULT].maxijob=20\nuser[DEFAULT].maxps=72000,1080000\n"
	      "user[DEFAULT].maxwc=72:00:00\nuser[DEFAULT].maxmem=2048\nqos[hi].omaxjob=3\nqos[hi].omaxnode="
	      "64\n"
	      "qos[hi].omaxips=5\nsystem.maxproc=512\n",
	      "");
}

static void second_credentials_of_limits_are_imported(void **state)
{
	(void)state;
	check("CLASSCFG[batch] MAXJOB=3 MAXNODE[USER]=8\n"
	      "CLASSCFG[fast] MAXPROC[USER:steve]=3 MAXPROC[USER:bob]=4 MAXJOB[group]=12\n"
	      "CLASSCFG[old] MAXJOBPERUSER=5 MAXNODEPERUSER=2,4 MAXPROCPERUSER=9\n"
	      "ACCOUNTCFG[a] MAXPSPERUSER[CLASS]=9\n",
	      "class[batch].maxjob=3\nclass[batch].maxnode[user]=8\nclass[fast].maxproc[user:steve]=3\n"
	      "class[fast].maxproc[user:bob]=4\nclass[fast].maxjob[group]=12\nclass[old].maxjob[user]=5\n"
	      "class[old].maxnode[user]=2,4\nclass[old].maxproc[user]=9\n",
	      "4 wrong ACCOUNTCFG[a] MAXPSPERUSER[CLASS]=9: a second credential is given twice, as PERUSER "
	      "and as [CLASS]\n");
}

static void no_limit_and_unlimited_are_distinguished(void **state)
{
	(void)state;
	check("USERCFG[a] MAXJOB=0 MAXPROC=-1 MAXPS=0,5 MAXNODE=7,0 MAXPE=-1,9\n",
	      "user[a].maxproc=unlimited\nuser[a].maxps=5\nuser[a].maxnode=7\nuser[a].maxpe=unlimited,9\n",
	      "1 unneeded USERCFG[a] MAXJOB=0: Maui treats 0 as no limit\n");
}

static void amounts_larger_than_32_bits_are_kept(void **state)
{
	(void)state;
	check("USERCFG[a] MAXPS=5000000000\n", "user[a].maxps=5000000000\n", "");
}

/* MAXQUEUED is a limit of Kahu that Maui does not have. */
static void limit_unknown_to_maui_is_not_imported(void **state)
{
	(void)state;
	check("USERCFG[a] MAXQUEUED=5\nUSERCFG[b] MAXJOB=5\n", "user[b].maxjob=5\n",
	      "1 wrong USERCFG[a] MAXQUEUED=5: Maui does not know MAXQUEUED and ignored it\n");
}

static void invalid_attributes_are_reported(void **state)
{
	(void)state;
	check("USERCFG[a] MAXJB=3 FLAGS=DEDICATED MAX.WCLIMIT=1:00 PRIORITY\nUSERCFG PRIORITY=3\n"
	      "QOSCFG[q] XFTARGET=1 FSTARGET=0 FSTARGET=25x MINPROC=4\nUSERCFG[b] MAXJOB[NODE]=2 "
	      "PRIORITY[USER]=1\n",
	      "",
	      "1 wrong USERCFG[a] MAXJB=3: Maui does not know MAXJB and ignored it; was MAXJOB meant?\n"
	      "1 lost USERCFG[a] FLAGS=DEDICATED: flags are not supported yet\n"
	      "1 lost USERCFG[a] MAX.WCLIMIT=1:00: Kahu sets it for each class, not for each user\n"
	      "1 wrong USERCFG[a] PRIORITY: = and a value are missing\n"
	      "2 wrong USERCFG PRIORITY=3: the name of the user must follow in brackets\n"
	      "3 wrong QOSCFG[q] XFTARGET=1: xftarget must be a number from 1.001 to 1000000, got \"1\"\n"
	      "3 unneeded QOSCFG[q] FSTARGET=0: Maui treats 0 as not set\n"
	      "3 wrong QOSCFG[q] FSTARGET=25x: fstarget = \"25x\": a target must be a number in percent, "
	      "with + "
	      "for a "
	      "floor, - for a ceiling, % for a cap, or processor-seconds with ^; \"none\" removes it\n"
	      "3 unneeded QOSCFG[q] MINPROC=4: it has no effect in Maui either\n"
	      "4 wrong USERCFG[b] MAXJOB[NODE]=2: maxjob = \"NODE=2\": unknown credential type NODE; types: "
	      "user, group, account, qos and class\n"
	      "4 wrong USERCFG[b] PRIORITY[USER]=1: only limits take a second credential in brackets\n");
}

static void the_last_of_two_values_is_imported_and_reported(void **state)
{
	(void)state;
	check("USERCFG[a] MAXJOB=4\nQUEUETIMEWEIGHT 1\nUSERCFG[a] MAXJOB=8\nQUEUETIMEWEIGHT 1\nUSERCFG[a] "
	      "MAXJOB[CLASS]=2\n",
	      "queuetimeweight=1\nuser[a].maxjob=8\nuser[a].maxjob[class]=2\n",
	      "3 wrong USERCFG[a] MAXJOB=8: line 1 says 4; the last value is used, as in Maui\n");
}

static void names_that_differ_only_in_case_are_merged(void **state)
{
	(void)state;
	check("USERCFG[amy] PRIORITY=1\nUSERCFG[Amy] QDEF=hi\n", "user[amy].priority=1\nuser[amy].qdef=hi\n",
	      "2 changed USERCFG[Amy] QDEF=hi: amy of line 1 and Amy are the same name in Kahu, which "
	      "ignores case\n");
}

/* --- nodes --------------------------------------------------------------------------------------- */

static void nodes_are_imported_as_sections(void **state)
{
	(void)state;
	check("NODECFG[DEFAULT] PRIORITYF='SPEED+ .01 * AMEM - 10 * JOBCOUNT' MAXLOAD=2.5\n"
	      "NODECFG[n1] PRIORITYF=\"-LOAD - 5*USAGE\" PRIORITY=1000 SPEED=1.5 PROCSPEED=2400 FRAME=2 "
	      "SLOT=7\n"
	      "NODECFG[n2] PRIORITYF=JOBCOUNT FEATURES=fast:io PARTITION=p1 GRES=tape:4,lic CLASSLIST=batch "
	      "ACCESS=DEDICATED MEM=4096 SPEED=0\n",
	      "node[DEFAULT].priorityf=SPEED+ .01 * AMEM - 10 * JOBCOUNT\nnode[n1].priorityf=-LOAD - "
	      "5*USAGE\n"
	      "node[n1].priority=1000\nnode[n1].speed=1.5\nnode[n1].procspeed=2400\nnode[n1].rack=2\n"
	      "node[n1].index=7\nnode[n2].priorityf=JOBCOUNT\nnode[n2].features=fast\nnode[n2].features=io\n"
	      "node[n2].partition=p1\nnode[n2].gres=tape:4\nnode[n2].gres=lic\nnode[n2].classes=batch\n"
	      "node[n2].nodeaccesspolicy=singlejob\nnode[n2].memory=4096\n",
	      "1 lost NODECFG[DEFAULT] MAXLOAD=2.5: bounds on the load of nodes are not supported yet\n"
	      "3 changed NODECFG[n2] ACCESS=DEDICATED: renamed SINGLEJOB in Maui 3.2\n"
	      "3 unneeded NODECFG[n2] SPEED=0: Maui treats 0 as not set\n");
}

/* --- the file ---------------------------------------------------------------------------------------- */

static void continuation_lines_and_comments(void **state)
{
	(void)state;
	check("# maui.cfg\n\n  USERCFG[a] \\\n  PRIORITY=3 \\  \n QDEF=hi # not PRIORITY=5\nQUEUETIMEWEIGHT "
	      "4\r\n"
	      "#INCLUDE other.cfg\n\tRESWEIGHT\t7",
	      "queuetimeweight=4\nresweight=7\nuser[a].priority=3\nuser[a].qdef=hi\n",
	      "7 lost #INCLUDE other.cfg: the included file is not read; import it separately\n");
}

static void unparsable_lines_are_reported(void **state)
{
	(void)state;
	check("QUEUETIMEWEIGHT\nUSERCFG[a PRIORITY=3\nUSERCFG[b] PRIORITY='3\nUSERCFG[c] MAXJOB= =3\n[x] 3\n"
	      "QUEUETIMEWEIGHT 1 2\nUSERCFG[\xff] PRIORITY=1\n",
	      "queuetimeweight=1\n",
	      "1 wrong QUEUETIMEWEIGHT: there is no value\n"
	      "2 wrong USERCFG[a PRIORITY=3: the bracket [ is not closed by ]\n"
	      "3 wrong USERCFG[b] PRIORITY=3: the quote is not closed\n"
	      "4 wrong USERCFG[c] MAXJOB: there is no value\n"
	      "4 wrong USERCFG[c] =3: the name of an attribute is missing\n"
	      "5 wrong [x] 3: the name of a parameter is missing\n"
	      "6 changed QUEUETIMEWEIGHT 1 2: Maui uses only the first word, 1\n"
	      "7 wrong USERCFG[?] PRIORITY=1: it contains bytes that are not UTF-8\n");
}

static void names_that_kahu_conf_cannot_have_are_refused(void **state)
{
	(void)state;
	check("USERCFG[a\"b] PRIORITY=1\nUSERCFG[${HOME}] PRIORITY=1\nUSERCFG[a] QDEF=${HOME}\n", "",
	      "1 wrong USERCFG[a\"b] PRIORITY=1: a\"b cannot be a name in kahu.conf\n"
	      "2 wrong USERCFG[${HOME}] PRIORITY=1: ${HOME} cannot be a name in kahu.conf\n"
	      "3 wrong USERCFG[a] QDEF=${HOME}: ${ is not allowed in a kahu.conf\n");
}

static void other_files_are_rejected(void **state)
{
	(void)state;
	check_refused("", 0, "maui.cfg: it contains no parameter of Maui; it is not a maui.cfg");
	check_refused("# nothing\n", 10, "maui.cfg: it contains no parameter of Maui; it is not a maui.cfg");
	check_refused("user john { priority = 5 }\n", 27,
		      "maui.cfg: it contains no parameter of Maui; it is not a maui.cfg");
	check_refused("queuetimeweight = 1\nuser john {\n}\n", 34,
		      "maui.cfg: it contains sections in { }; it is a kahu.conf, not a maui.cfg");
	check_refused("QUEUETIMEWEIGHT 1\n\0", 19, "maui.cfg: it contains a NUL byte; it is not a maui.cfg");
}

static void a_long_value_is_truncated_in_a_finding(void **state)
{
	struct str text = {0};
	struct result r;

	(void)state;
	str_add(&text, "LOGFILE ");
	for (int i = 0; i < 200; i++)
		str_add(&text, "\xc3\xa4");
	str_add(&text, "\n");
	r = import_text(str_text(&text));
	assert_non_null(strstr(str_text(&r.findings), "\xc3\xa4...: it configures"));
	assert_null(strchr(str_text(&r.findings), '?'));
	str_free(&text);
	str_free(&r.values);
	str_free(&r.findings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(weights_and_caps_keep_their_names),
		cmocka_unit_test(names_used_only_by_maui_are_imported),
		cmocka_unit_test(names_of_the_guide_are_imported),
		cmocka_unit_test(parameters_unknown_to_maui_are_not_imported),
		cmocka_unit_test(weights_of_a_partition_are_in_its_section),
		cmocka_unit_test(policies_are_imported),
		cmocka_unit_test(other_names_of_resources_are_imported),
		cmocka_unit_test(switches_are_read_in_any_form),
		cmocka_unit_test(no_limit_becomes_0),
		cmocka_unit_test(numbers_are_converted_as_maui_reads_them),
		cmocka_unit_test(default_qos_is_added_to_the_access_list),
		cmocka_unit_test(accounts_are_imported),
		cmocka_unit_test(fairshare_is_imported),
		cmocka_unit_test(fairshare_imports_mauis_default_windows),
		cmocka_unit_test(reservation_levels_keep_their_numbers),
		cmocka_unit_test(qos_parameters_of_maui_3_0_are_imported),
		cmocka_unit_test(unsupported_parameters_are_reported),
		cmocka_unit_test(missing_allocation_bank_is_unneeded),
		cmocka_unit_test(administrators_are_imported),
		cmocka_unit_test(moab_parameters_are_reported_as_such),
		cmocka_unit_test(the_second_poll_interval_of_moab_is_imported),
		cmocka_unit_test(unsupported_choices_are_reported),
		cmocka_unit_test(credentials_are_imported_as_sections),
		cmocka_unit_test(limits_of_every_kind_are_imported),
		cmocka_unit_test(second_credentials_of_limits_are_imported),
		cmocka_unit_test(no_limit_and_unlimited_are_distinguished),
		cmocka_unit_test(amounts_larger_than_32_bits_are_kept),
		cmocka_unit_test(limit_unknown_to_maui_is_not_imported),
		cmocka_unit_test(invalid_attributes_are_reported),
		cmocka_unit_test(the_last_of_two_values_is_imported_and_reported),
		cmocka_unit_test(names_that_differ_only_in_case_are_merged),
		cmocka_unit_test(nodes_are_imported_as_sections),
		cmocka_unit_test(continuation_lines_and_comments),
		cmocka_unit_test(unparsable_lines_are_reported),
		cmocka_unit_test(names_that_kahu_conf_cannot_have_are_refused),
		cmocka_unit_test(other_files_are_rejected),
		cmocka_unit_test(a_long_value_is_truncated_in_a_finding),
	};

	return cmocka_run_group_tests_name("maui_cfg", tests, NULL, NULL);
}
