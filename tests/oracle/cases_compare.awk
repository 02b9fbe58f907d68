# SPDX-License-Identifier: MIT
#
# cases_compare.awk - compares the facts of Kahu with those of the original
#
# Reads the rules, the plan, the original's facts and Kahu's. Prints one line for each kind of
# fact with the number of facts that agree, and one for each reason to omit facts. Numbers are compared as they
# are printed. Facts that depend on the effective queue time may agree with Kahu's at that pass or one
# poll earlier, because the original ranks jobs with the queue time of its last pass (requirements P-50).

BEGIN {
	FS = "\t"
	frozen = "P-50: in the original the queue time of a blocked job does not increase"
	stale = "between passes the original shows the queue of its last pass"
	own = "Kahu lists a job over a limit per job as blocked; the original holds it"
	bound = "M-11: reservations are bound to nodes late, so backfilled jobs run on other nodes"
	passed = "a job that starts before a higher job is backfilled; in the original only in its second pass"
	alone = "showstart considers only reservations, Kahu also the jobs ahead"
	removed = "the simulation removes jobs that the original would hold or defer"
	title_of("part", "parts of the queue")
	title_of("order", "order of the idle jobs")
	title_of("queue", "jobs in the queue and their sums")
	title_of("times", "start and end times")
	title_of("factors", "factors and weights")
	title_of("sum", "priorities")
	title_of("rank", "priorities by which jobs are ranked")
	title_of("queued", "effective queue times")
	title_of("job", "attributes of jobs")
	title_of("placed", "chosen nodes")
	title_of("counts", "bypass and start counts")
	title_of("flags", "jobs backfilled and over soft limits")
	title_of("holds", "holds")
	title_of("reasons", "reasons with their numbers")
	title_of("reservations", "reservations of waiting jobs")
	title_of("starts", "predicted starts")
	title_of("windows", "backfill windows")
	title_of("fairshare", "fairshare")
	title_of("node", "nodes")
	title_of("command", "commands of the operator")
}

function title_of(kind, words) {
	kinds[++kind_count] = kind
	title[kind] = words
}

function moment_of(step) { return substr(step, index(step, "@") + 1) }

FILENAME ~ /rules$/ {
	if ($1 == "dedicated")
		dedicated = 1
	else {
		rule_kinds[++rules] = $1
		rule_what[rules] = $2
		rule_reason[rules] = $3
		rule_from[rules] = $4 + 0
	}
	next
}

# "! STEP JOB..." names the jobs that commands since the last pass changed.
FILENAME ~ /plan$/ {
	if ($1 ~ /^! /) {
		n = split($1, word, " ")
		for (i = 3; i <= n; i++)
			touched[word[2], word[i]] = operated[word[i]] = 1
		dirty[word[2]] = 1
	}
	next
}

FILENAME ~ /maui$/ {
	if (!($1 in title))
		next
	count++
	kind_of[count] = $1
	step_of[count] = $2
	what_of[count] = $3
	value_of[count] = $4
	theirs[$1, $2, $3] = $4
	if ($1 == "part")
		listed[$3] = 1
	if ($1 == "flags" && $4 != "none")
		backfilled[$3] = any_backfilled = 1
	if ($1 == "reservations" && $3 == "jobs")
		note_reserved(moment_of($2), $4)
	if ($1 == "factors")
		factored[$2, job_of($3)] = 1
	next
}

{
	if (!(($1, $2, $3) in ours))
		ours[$1, $2, $3] = $4
	if ($1 == "part" && $4 == "blocked")
		blocked[moment_of($2), $3] = 1
	if ($1 == "flags")
		backfilled[$3] = any_backfilled = 1
	if ($1 == "part" || $1 == "factors")
		mine[++mine_count] = $1 SUBSEP $2 SUBSEP $3
}

function note_reserved(time, list, word, n) {
	for (n = split(list, word, " "); n > 0; n--)
		reserved[time, word[n]] = 1
}

function job_of(what) {
	sub(/\..*/, "", what)
	return what
}

# --- agreement --------------------------------------------------------------------------------

# "-192." is -192.3, truncated to its column; credentials are printed without their sign.
function same_factor(theirs, ours, what) {
	if (ours == "")
		ours = "0.0"
	if (what ~ /\.cred\./)
		sub(/^-/, "", ours)
	return theirs + 0 == ours + 0 || (length(theirs) >= 5 && substr(ours, 1, length(theirs)) == theirs)
}

function without_counts(list) {
	gsub(/:[0-9]+/, "", list)
	return list
}

# Compares a fact with Kahu's value at that pass and, for some kinds, one poll earlier.
function agrees(kind, step, what, value, now, before) {
	now = ours[kind, step, what]
	before = ours[kind == "rank" ? "ranked" : kind, "before@" moment_of(step), what]
	if (kind == "reasons")
		return reason_agrees(step, what, value)
	if (kind == "factors" && what !~ /\.(qtime|xfctr)$/)
		return same_factor(value, now, what)
	if (kind == "factors")
		return same_factor(value, now, what) || same_factor(value, before, what)
	if (kind == "sum" || kind == "rank")
		return value == now || (before != "" && value == before)
	if (kind == "queued")
		return now != "" && (value == now || value == now - 60)
	if (kind == "flags" && now == "")
		now = "none"
	if (kind == "placed" && dedicated)
		return without_counts(value) == without_counts(now)
	if (kind == "fairshare" && what ~ /\.target$/)
		return substr(now, 1, length(value)) == value
	return value == now
}

# "MAXPS 72000 for user amy, 0 + 28800" is a row of why's table.
function reason_agrees(step, what, value) { return ours["why", step, what] == value }

# --- order ------------------------------------------------------------------------------------

# True if the original ranked two jobs with the queue times of one poll earlier, or if Kahu has no ranks for them.
function is_explained(time, first, second, a, b) {
	a = ours["ranked", "before@" time, first]
	b = ours["ranked", "before@" time, second]
	return a == "" || b == "" || a + 0 > b + 0
}

function order_fault(step, value, time, n, m, i, j, place, word, left, fault) {
	time = moment_of(step)
	m = split(ours["order", step, "idle"], word, " ")
	for (i = 1; i <= m; i++)
		place[word[i]] = i
	n = split(value, word, " ")
	for (i = 1; i < n; i++)
		for (j = i + 1; j <= n; j++) {
			if (!(word[i] in place) || !(word[j] in place) || place[word[i]] < place[word[j]])
				continue
			if ((step, word[i]) in touched || (step, word[j]) in touched)
				left = stale
			else if (why_not("ordered", step, word[i]) != "")
				left = why_not("ordered", step, word[i])
			else if (why_not("ordered", step, word[j]) != "")
				left = why_not("ordered", step, word[j])
			else if (!is_explained(time, word[i], word[j]))
				fault = fault " " word[i] " before " word[j]
		}
	if (fault == "" && left != "")
		leave("order", left)
	return fault
}

# --- permitted differences -----------------------------------------------------------------------

# The reason for which a fact may differ; "" = it may not.
function why_not(kind, step, what, value, i, job) {
	job = job_of(what)
	if ((step, job) in touched && kind !~ /^(command|job|counts|placed)$/)
		return stale
	if (kind == "queue" && what == "jobs" && step in dirty)
		return stale
	if ((kind == "rank" || kind == "queued" || kind == "sum") && (moment_of(step), job) in blocked)
		return frozen
	if (((kind == "queue" && value ~ /^(BatchHold|Deferred)$/) || (kind == "holds" && value ~ /batch|defer/)) &&
	    !(job in operated))
		return own
	if ((kind == "flags" && value == "none") || (what ~ /\.bypass$/ && ours[kind, step, what] > value + 0))
		return passed
	if (kind == "node" && dedicated && what ~ /\.(memory|disk|swap)$/)
		return "in the original a job with dedicated nodes takes all their memory, disk and swap"
	if ((kind == "placed" && job in backfilled) || (kind == "node" && any_backfilled))
		return bound
	if (kind == "starts" && !((moment_of(step), job) in reserved))
		return alone
	for (i = 1; i <= rules; i++)
		if (kind ~ rule_kinds[i] && what ~ rule_what[i] && step + 0 >= rule_from[i])
			return rule_reason[i]
	return ""
}

function leave(kind, reason) {
	if (!((kind, reason) in left_out))
		reasons[kind] = reasons[kind] (reasons[kind] == "" ? "" : SUBSEP) reason
	left_out[kind, reason]++
}

function wrong(kind, words) {
	if (++bad[kind] <= 20)
		fault[kind] = fault[kind] "# " words "\n"
}

function clock_of(step, t) {
	t = (moment_of(step) - 1699920000)
	return sprintf("pass %d", t / 60)
}

function compare(kind, step, what, value, words, reason) {
	if (kind == "order") {
		words = order_fault(step, value)
		if (words == "") {
			good[kind]++
			return
		}
	} else if (agrees(kind, step, what, value)) {
		good[kind]++
		return
	}
	reason = why_not(kind, step, what, value)
	if (reason != "")
		leave(kind, reason)
	else if (kind == "order")
		wrong(kind, clock_of(step) ": in the original" words)
	else
		wrong(kind, clock_of(step) ": " what " is '" ours[kind == "reasons" ? "why" : kind, step, what] \
			    "', in the original '" value "'")
}

# Facts that Kahu lists and the original does not.
function compare_back(key, field, kind, step, what) {
	split(key, field, SUBSEP)
	kind = field[1]
	step = field[2]
	what = field[3]
	if (step !~ /^[0-9]/ || (kind, step, what) in theirs)
		return
	if (kind == "factors") {
		if ((step, job_of(what)) in factored && ours[key] + 0 != 0 && why_not(kind, step, what) == "")
			wrong(kind, clock_of(step) ": " what " is " ours[key] ", in the original it is not there")
	} else if (ours[key] == "blocked" && !(what in listed))
		leave(kind, removed)
	else if (why_not(kind, step, what) == "")
		wrong(kind, clock_of(step) ": " what " is " ours[key] ", in the original it is not listed")
}

function report(kind, list, n, i) {
	if (bad[kind])
		printf "not ok %s: %s, %d of %d differ\n%s", name, title[kind], bad[kind], good[kind] + bad[kind], \
			fault[kind]
	else if (good[kind])
		printf "ok %s: %s (%d)\n", name, title[kind], good[kind]
	n = split(reasons[kind], list, SUBSEP)
	for (i = 1; i <= n; i++)
		printf "ok %s: %s, %d omitted # SKIP %s\n", name, title[kind], left_out[kind, list[i]], list[i]
}

END {
	for (i = 1; i <= count; i++)
		compare(kind_of[i], step_of[i], what_of[i], value_of[i])
	for (i = 1; i <= mine_count; i++)
		compare_back(mine[i])
	for (i = 1; i <= kind_count; i++)
		report(kinds[i])
}
