# SPDX-License-Identifier: MIT
#
# cases_kahu.awk - converts the output of replay --do to facts; used after cases_text.awk
#
# Reads the plan, whose lines are the commands in order, then the workload trace for the number of
# processors per task, then the output.

FILENAME ~ /plan$/ {
	split($0, field, "\t")
	planned[++plans] = field[3]
	next
}

FILENAME ~ /workload\.trace$/ {
	task_procs[$1] = $32 > 1 ? $32 : 1
	next
}

/^\$ / {
	step = planned[++steps]
	verb = $2
	option = $3
	job = option
	components_known = 0
	has_rank = 0
	share_type = ""
	reserved = ""
	has_start = 0
	if (verb == "showq")
		queue_begin()
	next
}

step == "" { next }
/^jobs  +[0-9]+$/ { step = "" } # the summary

verb == "showq" { queue_line() }
verb == "diagnose" && option == "-p" { priority_line() }
verb == "diagnose" && option == "-f" { share_line() }
verb == "diagnose" && option == "-n" { table_line() }
verb == "checkjob" { job_line() }
verb == "why" { why_line() }
verb == "checknode" { node_line() }
verb == "queue" { mark_line() }
verb == "showstart" { start_line() }
verb == "showbf" { window_line() }
verb ~ /^(sethold|releasehold|setspri|setqos|runjob|canceljob|changeparam)$/ && !(step in done) {
	done[step] = 1
	fact("command", verb, /\[journal [0-9]+\]/ ? "done" : "refused")
}

# The time that "(in 1:58:00)" or "(now)" at the end of a line means.
function moment_ahead(text) {
	text = $NF
	sub(/\)$/, "", text)
	sub(/^\(/, "", text)
	return now() + (text == "now" ? 0 : seconds(text))
}

# --- checkjob, why ------------------------------------------------------------------------------

function job_line() {
	if ($1 ~ /^(user|group|account|qos|class)$/ && NF == 2)
		fact("job", job "." $1, $2)
	else if ($1 == "asks" && $2 == "for")
		fact("job", job ".limit", seconds($NF))
	else if ($1 ~ /^(memory|swap|disk)$/ && $3 == "MB")
		fact("job", job "." ($1 == "memory" ? "mem" : $1), $2)
	else if ($1 == "PE")
		fact("job", job ".pe", $2)
	else if ($1 == "submitted")
		fact("job", job ".submitted", moment(2))
	else if ($1 == "queued") {
		fact("job", job ".waited", seconds($2))
		fact("queued", job, seconds($4))
	} else if ($1 == "started")
		fact("times", job ".start", moment(2))
	else if ($1 == "ends" && $2 == "by")
		fact("times", job ".end", moment_ahead())
	else if ($1 == "priority")
		fact("rank", job, $2)
	else if ($1 == "holds")
		fact("holds", job, $2 == "none" ? "" : held())
	else if ($1 == "bypass" || $1 == "starts")
		fact("counts", job "." $1, $2)
	else if ($1 == "reserved" && $2 == "start")
		fact("reservations", job ".reserved", moment_ahead())
	else if ($1 == "nodes" && $2 ~ /\*/)
		fact("placed", job, placed())
}

# "holds user, batch", "1 hold user, batch - FAIL".
function held(text) {
	text = $0
	sub(/^.*holds? +/, "", text)
	sub(/ - .*/, "", text)
	gsub(/,/, " ", text)
	return sorted(text)
}

# "n001*2 n002*1", by tasks.
function placed(i, pair, list) {
	for (i = 2; i <= NF; i++) {
		split($i, pair, "*")
		list = list " " pair[1] ":" pair[2] / task_procs[job]
	}
	return sorted(list)
}

# The rows of the table: " 9  idle limits   2 + 1 = 3   MAXIJOB 2   FAIL 3 > 2   user amy".
function why_line(fails) {
	if ($1 !~ /^[0-9]+$/ || NF < 4)
		return
	fails = / FAIL/
	if ($2 == "hold")
		fact("holds", job, fails ? held() : "")
	else if ($2 == "priority")
		fact("why", job ".negative", fails ? "yes" : "no")
	else if ($2 == "dependency")
		fact("why", job ".dependency", fails ? "open" : "met")
	else if ($2 == "start")
		fact("why", job ".start date", fails ? "open" : "met")
	else if ($2 == "fits")
		fact("why", job ".machine", $5 " " $7)
	else if ($2 == "fairshare")
		fact("why", job ".share", fails ? "over a cap" : "within")
	else if ($2 == "resources") {
		fact("why", job ".resources", $4 " asked " $6 " free")
		fact("why", job ".asked", $4)
	} else if ($2 == "idle" && fails)
		fact("why", job ".idle", limit_row())
	else if ($2 ~ /^(hard|soft)$/ && fails)
		fact("why", job ".active " $2, limit_row())
	else if (/limits of any job/ && fails)
		fact("why", job ".system", $6 " over " $8)
}

# "MAXPS 72000 for user amy, 200760 + 28800"
function limit_row(i, sum, name, owner) {
	for (i = 3; i <= NF; i++) {
		if ($(i + 1) == "+" && sum == "")
			sum = $i " + " $(i + 2)
		if ($i ~ /^[A-Z]*MAX[A-Z]+$/)
			name = $i " " $(i + 1)
		if ($i ~ /^(user|group|account|class|qos)$/)
			owner = ($i == "account" ? "acct" : $i) " " $(i + 1)
	}
	return name " for " owner ", " sum
}

# --- nodes, marks, starts, windows ----------------------------------------------------------------

function table_line() {
	if (NF < 7 || $3 !~ /^[0-9]+:[0-9]+$/ || $1 ~ /^-/)
		return
	fact("node", $1 ".state", $2)
	fact("node", $1 ".procs", $3)
	fact("node", $1 ".memory", $4)
	fact("node", $1 ".disk", $5)
	fact("node", $1 ".swap", $6)
	fact("node", $1 ".speed", $7)
}

function node_line(i, list) {
	if ($1 == "state" || $1 == "speed")
		fact("node", option "." $1, $2)
	else if ($1 == "configured" || $1 == "dedicated")
		fact("node", option "." $1 " procs", $3)
	else if ($1 == "jobs") {
		for (i = 2; i <= NF; i++) {
			sub(/\*.*/, "", $i)
			list = list " " $i
		}
		fact("node", option ".jobs", sorted(list))
	}
}

# The marks of jobs in the output of queue -v, and the jobs that have a reservation.
function mark_line(name) {
	if ($0 ~ /^Total Jobs:/) {
		fact("reservations", "jobs", sorted(reserved))
		return
	}
	name = $1
	if (NF == 14 && $10 ~ /:/) {
		sub(/[+_*!]+$/, "", name)
		fact("times", name ".end", now() + seconds($10))
		fact("times", name ".start", moment(11))
		name = $1
	}
	if (!sub(/[+_*!]+$/, "", name) || NF < 8)
		return
	if ($1 ~ /\*/)
		reserved = reserved " " name
	if ($1 ~ /_/)
		fact("flags", name, "over a soft limit")
	else if ($1 ~ /\+/)
		fact("flags", name, "backfilled")
}

function start_line() {
	if ($2 == "start" && ($1 == "reserved" || !has_start)) {
		fact("starts", job ".start", moment_ahead())
		has_start = 1
	}
	if ($1 == "reserved")
		fact("reservations", job ".reserved", moment_ahead())
	if ($2 == "end")
		fact("starts", job ".end", moment_ahead())
}

function window_line() {
	if ($0 ~ /^no processors are available/)
		fact("windows", "1", "none")
	else if ($1 ~ /^[0-9]+$/)
		fact("windows", ++windows[step], $1 " for " ($3 == "no" ? "ever" : seconds($3)))
}
