/* SPDX-License-Identifier: MIT */
/*
 * maui_cfg_names.c - parameters and attributes of maui.cfg, and how they are imported
 *
 * The names are those in Maui's documentation and others that its parser accepts, including obsolete ones.
 * Parameters of its successor Moab are also listed, so that a moab.cfg is not reported as a maui.cfg full of
 * spelling errors.
 *
 * Source: Maui Administrator's Guide Appendix F; 6.2 (limits), 11.6 (defaults of classes), 5.2 and 12.2
 * (nodes).
 */
#include "maui_cfg_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"

static const struct import_name parameters[] = {
	{"USERCFG", USE_SECTION, "user"},
	{"GROUPCFG", USE_SECTION, "group"},
	{"ACCOUNTCFG", USE_SECTION, "account"},
	{"QOSCFG", USE_SECTION, "qos"},
	{"CLASSCFG", USE_SECTION, "class"},
	{"NODECFG", USE_SECTION, "node"},
	{"SYSCFG SYSTEMCFG", USE_SECTION, "system"},

	{"BACKFILLPOLICY BACKFILLTYPE", USE_OPTION, "backfillpolicy"},
	{"BACKFILLMETRIC", USE_OPTION, "backfillmetric"},
	{"BACKFILLDEPTH", USE_OPTION, "backfilldepth"},
	{"RESERVATIONPOLICY", USE_OPTION, "reservationpolicy"},
	{"NODEALLOCATIONPOLICY", USE_OPTION, "nodeallocationpolicy"},
	{"NODEACCESSPOLICY", USE_OPTION, "nodeaccesspolicy"},
	{"NODEAVAILABILITYPOLICY", USE_OPTION, "nodeavailabilitypolicy"},
	{"FSPOLICY", USE_OPTION, "fspolicy"},
	{"FSINTERVAL", USE_OPTION, "fsinterval"},
	{"FSDEPTH", USE_OPTION, "fsdepth"},
	{"FSDECAY", USE_OPTION, "fsdecay"},
	{"DEFERTIME", USE_OPTION, "defertime"},
	{"DEFERCOUNT", USE_OPTION, "defercount"},
	{"DEFERSTARTCOUNT", USE_OPTION, "deferstartcount"},
	{"SYSTEMMAXPROCPERJOB", USE_OPTION, "systemmaxprocperjob"},
	{"SYSTEMMAXJOBWALLTIME", USE_OPTION, "systemmaxjobwalltime"},
	{"SYSTEMMAXPROCSECONDPERJOB", USE_OPTION, "systemmaxprocsecondperjob"},
	{"SYSTEMDEFAULTJOBWALLTIME", USE_OPTION, "systemdefaultjobwalltime"},
	{"RMPOLLINTERVAL", USE_OPTION, "rmpollinterval"},
	{"JOBPRIOACCRUALPOLICY", USE_OPTION, "jobprioaccrualpolicy"},
	{"XFMINWCLIMIT", USE_OPTION, "xfminwclimit"},
	{"ENABLENEGJOBPRIORITY", USE_OPTION, "enablenegjobpriority"},
	{"REJECTNEGPRIOJOBS", USE_OPTION, "rejectnegpriojobs"},

	/* Weights and caps whose option in Kahu has another name. */
	{"SERVICEWCAP", USE_OPTION, "servicecap"},
	{"SERVICETARGETWEIGHT", USE_OPTION, "serviceweight"},
	{"DIRECTSPECWEIGHT", USE_OPTION, "credweight"},
	{"UFSWEIGHT", USE_OPTION, "fsuserweight"},
	{"GFSWEIGHT", USE_OPTION, "fsgroupweight"},
	{"AFSWEIGHT", USE_OPTION, "fsaccountweight"},
	{"CONSUMEDWEIGHT", USE_OPTION, "usageconsumedweight"},
	{"CONSUMEDCAP", USE_OPTION, "usageconsumedcap"},
	{"REMAININGWEIGHT", USE_OPTION, "usageremainingweight"},
	{"REMAININGCAP", USE_OPTION, "usageremainingcap"},
	{"PERCENTWEIGHT", USE_OPTION, "usagepercentweight"},
	{"PERCENTCAP", USE_OPTION, "usagepercentcap"},

	{"QOSPRIORITY", USE_QOS, "priority"},
	{"QOSQTWEIGHT", USE_QOS, "qtweight"},
	{"QOSXFWEIGHT", USE_QOS, "xfweight"},
	{"QOSQTTARGET QOSTARGETQT", USE_QOS, "qttarget"},
	{"QOSXFTARGET QOSTARGETXF", USE_QOS, "xftarget"},
	{"RESERVATIONDEPTH", USE_LEVEL, "reservationdepth"},
	{"RESERVATIONQOSLIST", USE_LEVEL, "reservationqoslist"},

	{"SERVWEIGHT", USE_UNKNOWN, "SERVICEWEIGHT"},
	{"SERVCAP SERVICECAP", USE_UNKNOWN, "SERVICEWCAP"},
	{"TARGWEIGHT", USE_UNKNOWN, "TARGETWEIGHT"},
	{"TARGCAP", USE_UNKNOWN, "TARGETCAP"},
	{"MEMORYWEIGHT", USE_UNKNOWN, "MEMWEIGHT"},
	{"XFWEIGHT", USE_UNKNOWN, "XFACTORWEIGHT"},
	{"QTWEIGHT", USE_UNKNOWN, "QUEUETIMEWEIGHT"},
	{"SYSTEMMAXJOBPROC", USE_UNKNOWN, "SYSTEMMAXPROCPERJOB"},
	{"SYSTEMMAXJOBPROCSECOND", USE_UNKNOWN, "SYSTEMMAXPROCSECONDPERJOB"},

	{"UPROCWEIGHT UJOBWEIGHT ATTRWEIGHT ATTRCAP ATTRSTATEWEIGHT ATTRSTATECAP ATTRATTRWEIGHT ATTRATTRCAP "
	 "SPVIOLATIONWEIGHT SPVIOLATIONCAP FSENFORCEMENT JOBSIZEPOLICY QUEUETIMETARGETWEIGHT "
	 "XFACTORTARGETWEIGHT",
	 USE_UNNEEDED, "it has no effect in Maui either"},
	{"USESYSTEMQUEUETIME", USE_UNNEEDED, "replaced by JOBPRIOACCRUALPOLICY"},
	{"SERVERHOST SERVERPORT SERVERNAME SERVERMODE SERVERHOMEDIR SERVERCONFIGFILE SCHEDCFG TOOLSDIR "
	 "LOCKFILE STATDIR LOGDIR LOGFILE LOGLEVEL LOGFACILITY LOGFILEMAXSIZE LOGFILEROLLDEPTH USESYSLOG "
	 "CHECKPOINTFILE CHECKPOINTINTERVAL CHECKPOINTEXPIRATIONTIME CLIENTCFG CLIENTTIMEOUT "
	 "MCSOCKETPROTOCOL DIRECTORYSERVER EVENTSERVER COMPUTEHOSTS DEFAULTDOMAIN DISPLAYFLAGS "
	 "MAXSLEEPITERATION JOBAGGREGATIONTIME STEPCOUNT TRAPFUNCTION TRAPJOB TRAPNODE TRAPRES USEJOBREGEX "
	 "METAMAXTASKS",
	 USE_UNNEEDED, "it configures Maui's daemon and its files"},
	{"RMCFG RMTYPE RMHOST RMSERVER RMNAME RMPORT RMEPORT RMNMPORT RMTIMEOUT RMAUTHTYPE RMCONFIGFILE "
	 "RMLOCALDISKFS RESERVATIONRETRYTIME APIFAILURETHRESHHOLD DEFAULTQMHOST REMOTESTARTCOMMAND "
	 "RESOURCECOLLECTIONPOLICY RESOURCEDAEMON RESOURCEDATAFILE RESOURCELOCKFILE RESOURCEPORT "
	 "RESOURCEREPORTWAIT RESOURCESAMPLEINTERVAL NODEPOLLFREQUENCY NODESYNCTIME NODESYNCDEADLINE "
	 "JOBSYNCTIME JOBSYNCDEADLINE PURGETIME JOBPURGETIME NODEPURGETIME IGNPBSGROUPLIST PARIGNQUEUELIST "
	 "FEATURENODETYPEHEADER FEATUREPARTITIONHEADER FEATUREPROCSPEEDHEADER TASKDISTRIBUTIONPOLICY",
	 USE_UNNEEDED, "it configures the connection between Maui and its resource manager"},
	{"SIMRESOURCETRACEFILE SIMWORKLOADTRACEFILE SIMJOBSUBMISSIONPOLICY SIMINITIALQUEUEDEPTH "
	 "SIMAUTOSHUTDOWN SIMSTOPITERATION SIMEXITITERATION SIMCHECKPOINTINTERVAL SIMCOMRATE SIMCOMTYPE "
	 "SIMCPUSCALINGPERCENT SIMDEFAULTJOBFLAGS SIMFLAGS SIMIGNOREJOBFLAGS SIMNODECONFIGURATION "
	 "SIMNODECOUNT SIMRANDOMIZEJOBSIZE SIMRMRANDOMDELAY SIMSCALEJOBRUNTIME SIMSTARTTIME SIMTIMEPOLICY "
	 "SIMTIMERATIO SIMWCACCURACY SIMWCACCURACYCHANGE SIMWCSCALINGPERCENT COMINTERFRAMECOST "
	 "COMINTRAFRAMECOST",
	 USE_UNNEEDED, "it configures Maui's simulation; 'kahu replay TRACE --poll SECONDS' runs its traces"},
	{"PLOTMINPROC PLOTMAXPROC PLOTPROCSCALE PLOTMINTIME PLOTMAXTIME PLOTTIMESCALE", USE_UNNEEDED,
	 "it sets the ranges of Maui's statistics tables"},
	{"RESDEPTH", USE_UNNEEDED, "in Kahu a node can have any number of reservations"},
	{"BACKFILLMAXSCHEDULES", USE_UNNEEDED, "it limits a search whose length Kahu determines itself"},

	{"ADMIN1", USE_OPTION, "admin1"},
	{"ADMIN2", USE_OPTION, "admin2"},
	{"ADMIN3", USE_OPTION, "admin3"},
	{"ADMINCFG", USE_ADMINS, "admin"},
	{"ADMIN4 ADMINS", USE_LOST, "there are three levels of administrators: admin1, admin2 and admin3"},
	{"ADMINHOSTS ADMINHOST", USE_UNNEEDED, "only accounts of the scheduler's host can send requests"},
	{"MINADMINSTIME", USE_LOST, "preemption is not supported yet"},
	{"SRCFG SRACCESS SRACCOUNTLIST SRCHARGEACCOUNT SRCLASSLIST SRDAYS SRDEPTH SRENDTIME SRFEATURES "
	 "SRFLAGS SRGROUPLIST SRHOSTLIST SRIDLETIME SRMAXTASKS SRMAXTIME SRMINLOAD SRMINTASKS SRNAME "
	 "SRPARTITION SRPERIOD SRPRIORITY SRQOSLIST SRRESOURCES SRSTARTTIME SRTASKCOUNT SRTIMELOGIC SRTPN "
	 "SRUSERLIST SRWENDTIME SRWSTARTTIME RESCTLPOLICY",
	 USE_LOST, "standing and administrative reservations are not supported yet"},
	{"PREEMPTPOLICY BFPRIORITYPOLICY", USE_LOST, "preemption is not supported yet"},
	{"BFCHUNKSIZE BFCHUNKDURATION BACKFILLPROCFACTOR", USE_LOST,
	 "backfill does not collect resources for larger jobs yet"},
	{"RESERVATIONTHRESHOLDTYPE RESERVATIONTHRESHOLDVALUE", USE_LOST,
	 "Kahu makes job reservations at once, not only above a threshold"},
	{"NODESETPOLICY NODESETATTRIBUTE NODESETLIST NODESETDELAY NODESETTOLERANCE NODESETPRIORITYTYPE",
	 USE_LOST, "node sets are not supported yet"},
	{"AMCFG BANKTYPE BANKHOST BANKSERVER BANKPORT BANKPROTOCOL BANKTIMEOUT BANKCHARGEPOLICY "
	 "BANKAPPENDMACHINENAME BANKDEFERONJOBFAILURE BANKFALLBACKACCOUNT BANKFLUSHINTERVAL",
	 USE_BANK, "Kahu has no allocation bank"},
	{"JOBMAXOVERRUN JOBMAXSTARTTIME WCVIOLATIONACTION RESOURCELIMITPOLICY RESLIMITPOLICY USECPUTIME",
	 USE_LOST, "the action for jobs that exceed their requests cannot be configured yet"},
	{"NODELOADPOLICY NODEMAXLOAD NODEUNTRACKEDLOADFACTOR NODECPUOVERCOMMITFACTOR "
	 "NODEMEMOVERCOMMITFACTOR",
	 USE_LOST, "bounds on the load of nodes are not supported yet"},
	{"NODEDOWNSTATEDELAYTIME DOWNNODEDELAYTIME", USE_LOST,
	 "Kahu never plans starts on a node that is down"},
	{"USEMACHINESPEED USEMACHINESPEEDFORFS USELOCALMACHINEPRIORITY", USE_LOST,
	 "the speed of nodes does not change wallclock limits or usage yet"},
	{"FEEDBACKPROGRAM NOTIFICATIONPROGRAM NOTIFICATIONINTERVAL MAILPROGRAM", USE_LOST,
	 "Kahu notifies programs of events in another way; see notifyprogram and mailprogram"},
	{"MAXJOBPERUSERCOUNT MAXJOBPERUSERPOLICY MAXJOBPERGROUPCOUNT MAXJOBPERGROUPPOLICY "
	 "MAXJOBPERACCOUNTCOUNT MAXJOBPERACCOUNTPOLICY MAXJOBQUEUEDPERUSERCOUNT "
	 "MAXJOBQUEUEDPERUSERPOLICY MAXJOBQUEUEDPERGROUPCOUNT MAXJOBQUEUEDPERGROUPPOLICY "
	 "MAXJOBQUEUEDPERACCOUNTCOUNT MAXJOBQUEUEDPERACCOUNTPOLICY MAXNODEPERUSERCOUNT "
	 "MAXNODEPERUSERPOLICY MAXPEPERUSERCOUNT MAXPEPERUSERPOLICY MAXPROCPERUSERCOUNT "
	 "MAXPROCPERUSERPOLICY MAXPROCPERGROUPCOUNT MAXPROCPERGROUPPOLICY MAXPROCPERACCOUNTCOUNT "
	 "MAXPROCPERACCOUNTPOLICY MAXPROCSECONDPERUSERCOUNT MAXPROCSECONDPERUSERPOLICY "
	 "MAXPROCSECONDPERGROUPCOUNT MAXPROCSECONDPERGROUPPOLICY MAXPROCSECONDPERACCOUNTCOUNT "
	 "MAXPROCSECONDPERACCOUNTPOLICY MAXPSPERUSER MAXWCPERUSER SMAXJOBPERUSERCOUNT "
	 "SMAXJOBPERGROUPCOUNT SMAXJOBPERACCOUNTCOUNT SMAXJOBQUEUEDPERUSERCOUNT "
	 "SMAXJOBQUEUEDPERGROUPCOUNT SMAXJOBQUEUEDPERACCOUNTCOUNT SMAXNODEPERUSERCOUNT SMAXPEPERUSERCOUNT "
	 "SMAXPROCPERUSERCOUNT SMAXPROCPERGROUPCOUNT SMAXPROCPERACCOUNTCOUNT "
	 "SMAXPROCSECONDPERUSERCOUNT SMAXPROCSECONDPERGROUPCOUNT SMAXPROCSECONDPERACCOUNTCOUNT",
	 USE_LOST, "this is the form of Maui 3.0; write limits as in USERCFG[DEFAULT] MAXJOB=4"},
	{"QOSFLAGS", USE_LOST, "flags of a QOS are not supported yet"},
	{"QOSNAME", USE_LOST, "Kahu uses the name of a QOS in place of its number"},
	{"QOSFEATURES", USE_LOST, "Kahu sets features for a class: CLASSCFG[NAME] DEFAULT.FEATURES=..."},
	{"FSCONFIGFILE", USE_LOST, "a separate file of targets is the form of Maui 3.0; write FSTARGET=..."},
	{"FSSECONDARYGROUPS", USE_LOST, "usage counts only for the group of the job"},
	{"MACHINECONFIGFILE", USE_LOST, "Kahu configures nodes in the same file; write NODECFG[NAME] ..."},
	{"DEFAULTCLASSLIST", USE_LOST, "write it as node DEFAULT { classes = {...} } in kahu.conf"},
	{"DEFAULTACCOUNT", USE_LOST,
	 "Kahu has no default account for all jobs; the section account none { } applies to jobs without an "
	 "account"},
	{"ENABLEMULTINODEJOBS ENABLEMULTIREQJOBS JOBNODEMATCHPOLICY ALLOCLOCALITYPOLICY NODEALLOCMAXPS "
	 "JOBPRIOF MAXJOBPERITERATION MINDISPATCHTIME",
	 USE_LOST, "it is not supported yet"},

	/* Source: Moab Workload Manager, appendix "Moab Parameters". */
	{"ACCOUNTINGINTERFACEURL ALLOWMULTIREQNODEUSE ALLOWROOTJOBS ALLOWVMMIGRATION "
	 "ALWAYSEVALUATEALLJOBS ARRAYJOBPARLOCK AUTHTIMEOUT CHECKPOINTWITHDATABASE "
	 "CHECKSUSPENDEDJOBPRIORITY CHILDSTDERRCHECK CLIENTMAXCONNECTIONS CLIENTMAXPRIMARYRETRY "
	 "CLIENTMAXPRIMARYRETRYTIMEOUT CLIENTUIPORT CREDDISCOVERY DATASTAGEHOLDTYPE DEADLINEPOLICY "
	 "DEPENDFAILUREPOLICY DISABLEBATCHHOLDS DISABLEEXCHLIST DISABLEINTERACTIVEJOBS "
	 "DISABLEMULTIREQJOBS DISABLEREGEXCACHING DISABLEREQUIREDGRESNONE DISABLESAMECREDPREEMPTION "
	 "DISABLESCHEDULING DISABLESLAVEJOBSUBMIT DISABLETHRESHOLDTRIGGERS DISABLEUICOMPRESSION "
	 "DISABLEVMDECISIONS DISPLAYPROXYUSERASUSER DONTCANCELINTERACTIVEHJOBS "
	 "DONTENFORCEPEERJOBLIMITS EMULATIONMODE ENABLEFAILUREFORPURGEDJOB ENABLEFSVIOLATIONPREEMPTION "
	 "ENABLEHIGHTHROUGHPUT ENABLEHPAFFINITYSCHEDULING ENABLEJOBARRAYS ENABLEPOSUSERPRIORITY "
	 "ENABLESPVIOLATIONPREEMPTION ENABLEVMDESTROY ENABLEVPCPREEMPTION ENFORCEACCOUNTACCESS "
	 "ENFORCEGRESACCESS EXTENDEDJOBTRACKING FEATURERACKHEADER FEATURESLOTHEADER "
	 "FILEREQUESTISJOBCENTRIC FILTERCMDFILE FORCENODEREPROVISION FORCERSVSUBTYPE "
	 "FREETIMELOOKAHEADDURATION FSMOSTSPECIFICLIMIT FSRELATIVEUSAGE FSTARGETISABSOLUTE FSTREE "
	 "FSTREEACLPOLICY FSTREEISREQUIRED FSTREEUSERISREQUIRED GEVENTCFG GRESCFG GRESTOJOBATTR "
	 "GUARANTEEDPREEMPTION HALOCKCHECKTIME HALOCKFILE HALOCKUPDATETIME HIDEVIRTUALNODES IDCFG "
	 "IGNORECLASSES IGNOREJOBS IGNORENODES IGNOREPREEMPTEEPRIORITY IGNOREUSERS IMAGECFG "
	 "INSTANTSTAGE INVALIDFSTREEMSG JOBACTIONONNODEFAILURE JOBACTIONONNODEFAILUREDURATION "
	 "JOBCCODEFAILSAMPLESIZE JOBCFG JOBCPURGETIME JOBCTRUNCATENLCP JOBEXTENDSTARTWALLTIME "
	 "JOBFAILRETRYCOUNT JOBIDWEIGHT JOBMATCHCFG JOBMAXHOLDTIME JOBMAXNODECOUNT JOBMAXTASKCOUNT "
	 "JOBMIGRATEPOLICY JOBNAMEWEIGHT JOBPREEMPTMAXACTIVETIME JOBPREEMPTMINACTIVETIME "
	 "JOBPRIOEXCEPTION JOBREJECTPOLICY JOBREMOVEENVVARLIST JOBRETRYTIME LIMITEDJOBCP LIMITEDNODECP "
	 "LOADALLJOBCP LOGLEVELOVERRIDE LOGPERMISSIONS LOGROLLACTION MAILACTION MAPFEATURETOPARTITION "
	 "MAXDEPENDS MAXGMETRIC MAXGRES MAXJOB MAXNODE MAXRSVPERNODE MEMREFRESHINTERVAL "
	 "MISSINGDEPENDENCYACTION MSUBQUERYINTERVAL MWIKISUBMITTIMEOUT NODEBUSYSTATEDELAYTIME "
	 "NODECATCREDLIST NODEDRAINSTATEDELAYTIME NODEFAILURERESERVETIME NODEIDFORMAT "
	 "NODEIDLEPOWERTHRESHOLD NODESETFORCEMINALLOC NODESETISOPTIONAL NODESETMAXUSAGE NODESETPLUS "
	 "NODETOJOBFEATUREMAP NOJOBHOLDNOTIFICATION NOLOCALUSERENV NONBLOCKINGCACHEINTERVAL "
	 "NOWAITPREEMPTION OSCREDLOOKUP PARALLOCATIONPOLICY PARCFG PERPARTITIONSCHEDULING "
	 "PREEMPTPRIOJOBSELECTWEIGHT PREEMPTRTIMEWEIGHT PREEMPTSEARCHDEPTH PRIORITYTARGETDURATION "
	 "PRIORITYTARGETPROCCOUNT PUSHCACHETOWEBSERVICE PUSHEVENTSTOWEBSERVICE QOSISOPTIONAL "
	 "QOSREJECTPOLICY REJECTDOSSCRIPTS REJECTINFEASIBLEJOBS REMAPCLASS REMAPCLASSLIST "
	 "REMOTEFAILTRANSIENT REMOVETRIGOUTPUTFILES REPORTPEERSTARTINFO REQUEUERECOVERYRATIO "
	 "RESENDCANCELCOMMAND RESOURCEQUERYDEPTH RMMSGIGNORE RMRETRYTIMECAP RSVLIMITPOLICY "
	 "RSVNODEALLOCATIONPOLICY RSVNODEALLOCATIONPRIORITYF RSVPROFILE RSVREALLOCPOLICY RSVSEARCHALGO "
	 "SCHEDPOLICY SERVERSUBMITFILTER SHOWMIGRATEDJOBSASIDLE SPOOLDIR SPOOLDIRKEEPTIME STATPROCMAX "
	 "STATPROCMIN STATPROCSTEPCOUNT STATPROCSTEPSIZE STATTIMEMAX STATTIMEMIN STATTIMESTEPCOUNT "
	 "STATTIMESTEPSIZE STOPITERATION STOREJOBSUBMISSION STRICTPROTOCOLCHECK SUBMITENVFILELOCATION "
	 "SUBMITFILTER SUBMITHOSTS SUSPENDRES THREADPOOLSIZE TRACKSUSPENDEDJOBUSAGE TRIGCHECKTIME "
	 "TRIGEVALLIMIT UMASK UNSUPPORTEDDEPENDENCIES USEANYPARTITIONPRIO USECPRSVNODELIST USEDATABASE "
	 "USEFLOATINGNODELIMITS USEMOABCTIME USEMOABJOBID USENODEHASH VCPROFILE VMCFG VMCPURGETIME "
	 "VMMIGRATETOZEROLOADNODES VMMIGRATIONPOLICY VMMIGRATIONTHROTTLE VMTRACKING WEBSERVICESURL "
	 "WIKIEVENTS",
	 USE_MOAB, NULL},
};

/* Attributes of USERCFG, GROUPCFG, ACCOUNTCFG, QOSCFG, CLASSCFG and SYSCFG. */
static const struct import_name cred_attributes[] = {
	{"MAXPROCPERJOB", USE_OPTION, "max.proc"},
	{"MAXNODEPERJOB", USE_OPTION, "max.node"},
	{"MINPROC MINPROCPERJOB", USE_UNNEEDED, "it has no effect in Maui either"},
	{"FLAGS JFLAGS JOBFLAGS QFLAGS", USE_LOST, "flags are not supported yet"},
	{"PLIST PDEF", USE_LOST, "the partitions that jobs may use cannot be configured yet"},
	{"CLASSWEIGHT FSWEIGHT FSCAP", USE_LOST,
	 "these weights and this cap cannot be set for individual credentials"},
	{"CHARGERATE", USE_LOST, "Kahu has no allocation bank"},
	{"OVERRUN WCOVERRUN", USE_LOST, "the time that jobs may overrun cannot be configured yet"},
	{"HOSTLIST REQ.FEATURES EXCL.FEATURES DEFAULT.TPN DEFAULT.MEM DEFAULT.DISK DEFAULT.PROC DEFAULT.NODE "
	 "DEFAULT.NODESET DEFAULT.EXT MAXPROCPERNODE MAX.PS MIN.PS MIN.TPN NAME PRIORITYF JOBPROLOG "
	 "JOBEPILOG JOBTRIGGER EXCLUDEUSERLIST REQUIREDUSERLIST RESFAILPOLICY QTTHRESHOLD XFTHRESHOLD "
	 "BLTHRESHOLD DEDRESCOST UTLRESCOST PREEMPTMINTIME RMAXPROC RMAXPS RMAXDURATION",
	 USE_LOST, "it is not supported yet"},
	{"CDEF CANCELFAILEDJOBS COMMENT EMAILADDRESS ENABLEPROFILING EXCLUDEACCOUNTLIST EXCLUDEGROUPS "
	 "EXCLUDEQOSLIST FORCENODEACCESSPOLICY HOLDS LOGIN MANAGERS MAXARRAYJOB MAXGRES MAXSUBMITJOBS "
	 "MEMBERULIST NOSUBMIT PARTITION REQUIREDACCOUNTLIST REQUIREDQOSLIST TRIGGER VIEWPOINTPROXY",
	 USE_MOAB, NULL},
};

/* Attributes of NODECFG. */
static const struct import_name node_attributes[] = {
	{"ACCESS", USE_OPTION, "nodeaccesspolicy"},
	{"CLASS CLASSLIST", USE_OPTION, "classes"},
	{"FRAME", USE_OPTION, "rack"},
	{"SLOT", USE_OPTION, "index"},
	{"MEM RMEM", USE_OPTION, "memory"},
	{"MAXJOB MAXJOBPERUSER MAXJOBPERGROUP MAXJOBPERACCT MAXPROC MAXPROCPERUSER MAXPROCPERGROUP MAXPE "
	 "MAXPEPERJOB",
	 USE_LOST, "limits on the jobs of a node are not supported yet"},
	{"MAXLOAD", USE_LOST, "bounds on the load of nodes are not supported yet"},
	{"NODETYPE CHARGERATE", USE_LOST, "Kahu has no allocation bank"},
	{"OS ARCH NETWORK SIZE POOL POWERPOLICY LOGLEVEL PROCOFFSET RCPROC", USE_LOST,
	 "it is not supported yet"},
	{"ALLOCATIONLIMITS COMMENT ENABLEPROFILING GEVENT KBDDETECTPOLICY KBDIDLETIME MAXIOIN MAXIOOUT "
	 "MAXPEPERUSER MINPREEMPTLOAD MINRESUMEKBDIDLETIME NODEINDEX OSLIST PREEMPTMAXCPULOAD "
	 "PREEMPTMINMEMAVAIL PREEMPTPOLICY PROVRM RADISK TRIGGER VARIABLE VLAN",
	 USE_MOAB, NULL},
};

struct table {
	const struct import_name *row;
	size_t count;
};

#define TABLE(rows)                                                                                          \
	{                                                                                                    \
		rows, sizeof(rows) / sizeof(rows)[0]                                                         \
	}

/* Returns the table of parameters (scope ""), or of the attributes of sections with this scope. */
static struct table table_of(const char *scope)
{
	static const struct table of_parameters = TABLE(parameters), of_nodes = TABLE(node_attributes),
				  of_creds = TABLE(cred_attributes);

	return *scope == '\0' ? of_parameters : strcmp(scope, "node") == 0 ? of_nodes : of_creds;
}

/* --- lookup ------------------------------------------------------------------------------- */

/*
 * Removes the next name from a list separated by blanks and returns it in *word and *len. Returns false at
 * the end of the list.
 */
static bool next_name(const char **names, const char **word, size_t *len)
{
	*word = *names + strspn(*names, " ");
	*len = strcspn(*word, " ");
	*names = *word + *len;
	return *len > 0;
}

const struct import_name *import_name_find(const char *scope, const char *name)
{
	struct table table = table_of(scope);

	for (const struct import_name *row = table.row; row < table.row + table.count; row++) {
		const char *names = row->names, *word;
		size_t len;

		while (next_name(&names, &word, &len))
			if (strncasecmp(name, word, len) == 0 && name[len] == '\0')
				return row;
	}
	return NULL;
}

const struct option *import_weight(const char *name)
{
	const struct option *row = option_find(config_rows, config_row_count, "", name);

	return row && config_weight_of(row).kind != NO_WEIGHT ? row : NULL;
}

/* --- limits -------------------------------------------------------------------------------- */

#define NAME_TEXT 64 /* longer names are unknown */

/* Removes a suffix such as "PERUSER" from a name; returns its type, "" if there is none. */
static const char *cut_per(char name[static NAME_TEXT])
{
	static const char *const types[] = {"USER", "GROUP", "ACCOUNT", "ACCT", "QOS", "CLASS"};
	size_t len = strlen(name);

	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
		size_t tail = strlen("PER") + strlen(types[i]);

		if (len <= tail || strncasecmp(name + len - tail, "PER", 3) != 0 ||
		    strcasecmp(name + len - tail + 3, types[i]) != 0)
			continue;
		name[len - tail] = '\0';
		return types[i];
	}
	return "";
}

static bool is_limit(const struct option *row)
{
	return row && row->form == FORM_LIMIT && row->offset != CONFIG_LIMIT(LIMIT_QUEUED, LIMIT_JOB);
}

const struct option *import_limit(const char *scope, const char *name, const char **per)
{
	char base[NAME_TEXT];
	const struct option *row;

	if (strlen(name) >= sizeof base)
		return NULL;
	snprintf(base, sizeof base, "%s", name);
	*per = cut_per(base);
	row = option_find(config_rows, config_row_count, scope, base);
	return is_limit(row) ? row : NULL;
}

/* --- suggestions ---------------------------------------------------------------------------- */

struct candidates {
	const char **name; /* point into `memory`, which has space for all names */
	size_t count, room;
	char *memory, *end;
};

static void add_candidate(struct candidates *c, const char *word, size_t len)
{
	c->name = vec_room(c->name, &c->room, c->count + 1, sizeof *c->name);
	c->name[c->count++] = c->end;
	for (size_t i = 0; i < len; i++) {
		bool is_lower = word[i] >= 'a' && word[i] <= 'z';

		*c->end++ = (char)(is_lower ? word[i] - 'a' + 'A' : word[i]);
	}
	*c->end++ = '\0';
}

static void add_table(struct candidates *c, struct table table)
{
	for (size_t i = 0; i < table.count; i++) {
		const char *names = table.row[i].names, *word;
		size_t len;

		while (table.row[i].use != USE_UNKNOWN && table.row[i].use != USE_MOAB &&
		       next_name(&names, &word, &len))
			add_candidate(c, word, len);
	}
}

/* Can this option, which is not in a table above, be suggested in place of an unknown name in this scope? */
static bool may_be_meant(const struct option *row, const char *scope)
{
	if (*scope == '\0')
		return config_weight_of(row).kind != NO_WEIGHT && *row->scope == '\0';
	return strcmp(option_section_name(row->scope), scope) == 0;
}

/* Returns the total size of all possible candidates, each with a NUL. */
static size_t all_bytes(struct table table)
{
	size_t bytes = 0;

	for (size_t i = 0; i < table.count; i++)
		bytes += strlen(table.row[i].names) + 1;
	for (size_t i = 0; i < config_row_count; i++)
		bytes += strlen(config_rows[i].name) + 1;
	return bytes;
}

void import_nearest(const char *scope, const char *name, struct str *out)
{
	struct table table = table_of(scope);
	struct candidates c = {.memory = mem_alloc(all_bytes(table))};
	const char *nearest;

	c.end = c.memory;
	add_table(&c, table);
	for (size_t i = 0; i < config_row_count; i++)
		if (may_be_meant(&config_rows[i], scope))
			add_candidate(&c, config_rows[i].name, strlen(config_rows[i].name));
	nearest = str_nearest(name, c.name, c.count);
	str_add(out, nearest ? nearest : "");
	free(c.name);
	free(c.memory);
}
