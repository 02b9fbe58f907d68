# SPDX-License-Identifier: MIT
#
# cases_rules.awk - where does a requirement decide otherwise than the original?
#
# Reads maui.cfg, expected.txt and workload.trace. Prints "KINDS <tab> WHAT <tab> REASON <tab> FROM":
# facts whose kind and subject match the expressions may differ, for that reason, from that command
# of the case on. A line "case" leaves the whole case out; "dedicated" says that jobs have nodes for
# themselves.

function rule(kinds, what, reason, from) { printf "%s\t%s\t%s\t%d\n", "^(" kinds ")$", what, reason, from }

# Other jobs run, and so everything that follows from it.
function course(reason) {
	rule("part|order|queue|times|placed|counts|flags|reasons|reservations|starts|windows|node|command|" \
	     "sum|rank|queued", ".", reason)
}

function leave_out(reason) { print "case\t\t" reason }

# "72000,1080000": is the first one larger?
function is_reversed(value, pair) { return split(value, pair, ",") == 2 && pair[1] + 0 > pair[2] + 0 }

function limits(i, name, value) {
	for (i = 2; i <= NF; i++) {
		name = toupper($i)
		value = $i
		sub(/=.*/, "", name)
		sub(/.*=/, "", value)
		if (name ~ /^OMAX/)
			course("T-22: an override replaces the limits that others have, OMAXJOB none of them")
		if (name ~ /^MAXI?MEM/)
			course("T-14: the original reads MAXMEM and does nothing")
		if (name ~ /^MAX[A-Z]+\[/ || (name ~ /^MAX[A-Z]+PERUSER$/ && toupper($1) !~ /^CLASSCFG/))
			course("H-03: limits with a second credential hold for all credentials and kinds")
		if (name ~ /^MAXI/)
			idle_limits = 1
		if (name ~ /^MAXI[A-Z]+$/ && value ~ /,/)
			course("T-26: soft idle limits are ignored")
		if (name ~ /^MAX/ && is_reversed(value))
			course("T-29: a soft limit above the hard one is the hard one")
	}
}

FILENAME ~ /maui\.cfg$/ {
	name = toupper($1)
	value = toupper($2)
	if (name ~ /^SRCFG/)
		leave_out("standing reservations are built later")
	if (/PREEMPT/ && name ~ /^(QOSCFG|BACKFILLPOLICY)/ || /OWNERPREEMPT/)
		leave_out("preemption is built later")
	if (name == "BACKFILLPOLICY" && value == "GREEDY")
		course("GREEDY never starts a job in the original")
	if (name == "NODEALLOCATIONPOLICY" && value == "CONTIGUOUS")
		course("CONTIGUOUS never places a job in the original")
	if (name == "NODEALLOCATIONPOLICY" && value == "LOCAL")
		course("LOCAL places no job in the original without a routine of the site")
	if (name == "NODEALLOCATIONPOLICY" && value == "MAXBALANCE")
		rule("placed|node", ".", "N-08: nodes of one speed where they suffice, else the smallest span")
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
		     "P-50: in the original the queue time of a held job stands still, and others have its place", command)
	if (/^\$ (setres|releaseres)/ && !administrative++)
		leave_out("administrative reservations are built later")
	if (/^\$ sethold [^-]/)
		rule("holds|queue|reasons", "^" $3 "(\\.|$)",
		     "a hold without a kind is a user hold; in the simulation it sets every bit")
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
		rule("factors", "\\.targ\\.", "P-64: the shape of the targets")
		course("P-64: the shape of the targets decides the order")
	}
	if (allocation == "FASTEST" && !speeds)
		rule("placed|node", ".", "N-09: where no speeds differ chance decides")
	if (dedicated)
		print "dedicated\t\t"
}
