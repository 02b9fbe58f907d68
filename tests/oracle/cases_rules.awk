# SPDX-License-Identifier: MIT
#
# cases_rules.awk - the facts that a requirement defines differently from the original
#
# Reads maui.cfg, expected.txt and workload.trace. Prints "KINDS <tab> WHAT <tab> REASON <tab> FROM":
# facts whose kind and subject match the expressions may differ, for that reason, from that command
# of the case on. A line "case" omits the whole case; "dedicated" means that jobs have dedicated
# nodes.

function rule(kinds, what, reason, from) { printf "%s\t%s\t%s\t%d\n", "^(" kinds ")$", what, reason, from }

# Other jobs run, so all facts that depend on running jobs may differ.
function course(reason) {
	rule("part|order|queue|times|placed|counts|flags|reasons|reservations|starts|windows|node|command|" \
	     "sum|rank|queued", ".", reason)
}

function leave_out(reason) { print "case\t\t" reason }

# True if the first number of a pair like "72000,1080000" is larger.
function is_reversed(value, pair) { return split(value, pair, ",") == 2 && pair[1] + 0 > pair[2] + 0 }

function limits(i, name, value) {
	for (i = 2; i <= NF; i++) {
		name = toupper($i)
		value = $i
		sub(/=.*/, "", name)
		sub(/.*=/, "", value)
		if (name ~ /^OMAX/)
			course("T-22: an override replaces limits of other credentials, except OMAXJOB")
		if (name ~ /^MAXI?MEM/)
			course("T-14: the original ignores MAXMEM")
		if (name ~ /^MAX[A-Z]+\[/ || (name ~ /^MAX[A-Z]+PERUSER$/ && toupper($1) !~ /^CLASSCFG/))
			course("H-03: limits with a second credential apply to all credentials and kinds")
		if (name ~ /^MAXI/)
			idle_limits = 1
		if (name ~ /^MAXI[A-Z]+$/ && value ~ /,/)
			course("T-26: soft idle limits are ignored")
		if (name ~ /^MAX/ && is_reversed(value))
			course("T-29: a soft limit above the hard limit is lowered to it")
	}
}

FILENAME ~ /maui\.cfg$/ {
	name = toupper($1)
	value = toupper($2)
	if (name ~ /^SRCFG/)
		leave_out("standing reservations are not implemented")
	if (/PREEMPT/ && name ~ /^(QOSCFG|BACKFILLPOLICY)/ || /OWNERPREEMPT/)
		leave_out("preemption is not implemented")
	if (name == "BACKFILLPOLICY" && value == "GREEDY")
		course("GREEDY never starts a job in the original")
	if (name == "NODEALLOCATIONPOLICY" && value == "CONTIGUOUS")
		course("CONTIGUOUS never places a job in the original")
	if (name == "NODEALLOCATIONPOLICY" && value == "LOCAL")
		course("LOCAL places no job in the original without a routine of the site")
	if (name == "NODEALLOCATIONPOLICY" && value == "MAXBALANCE")
		rule("placed|node", ".", "N-08: nodes of equal speed if there are enough, otherwise the smallest range of speeds")
	if (name == "NODEALLOCATIONPOLICY")
		allocation = value
	if (name ~ /^NODECFG/ && /SPEED/)
		speeds = 1
	if (name == "NODEACCESSPOLICY" && value ~ /^SINGLE(JOB|TASK)$/)
		dedicated = 1
	if (name == "XFACTORWEIGHT" || /XFWEIGHT|XFTARGET/)
		xfactor = 1
	if (/QTTARGET|XFTARGET/)
		target = 1
	if (name == "XFMINWCLIMIT")
		least = clock($2)
	if (name ~ /^(USER|GROUP|ACCOUNT|CLASS|QOS)CFG\[/)
		limits()
	next
}

FILENAME ~ /expected\.txt$/ {
	if (/^\$ /)
		command++
	if (/^\$ releasehold/ && idle_limits && !released++)
		rule("part|order|queue|factors|sum|rank|queued|reasons", ".",
		     "P-50: in the original the queue time of a held job does not increase, and other jobs are ranked before it", command)
	if (/^\$ (setres|releaseres)/ && !administrative++)
		leave_out("commands for reservations are not compared")
	if (/^\$ sethold [^-]/)
		rule("holds|queue|reasons", "^" $3 "(\\.|$)",
		     "a hold without a kind is a user hold; in the simulation it sets all kinds")
	next
}

# Jobs shorter than XFMINWCLIMIT.
xfactor && NF > 20 && $6 < least {
	rule("sum|rank|ordered", "^" $1 "$", "P-54: the xfactor of a job shorter than XFMINWCLIMIT")
	rule("factors", "^" $1 "\\.serv\\.xfctr$", "P-54: the xfactor of a job shorter than XFMINWCLIMIT")
}

function clock(text, part, n) {
	n = split(text, part, ":")
	return part[n] + 60 * part[n - 1] + (n > 2 ? 3600 * part[n - 2] : 0) + (n > 3 ? 86400 * part[n - 3] : 0)
}

BEGIN { least = 120 }

END {
	if (target) {
		rule("factors", "\\.targ\\.", "P-64: the formula of the targets")
		course("P-64: the formula of the targets changes the order")
	}
	if (allocation == "FASTEST" && !speeds)
		rule("placed|node", ".", "N-09: nodes of equal speed are chosen at random")
	if (dedicated)
		print "dedicated\t\t"
}
