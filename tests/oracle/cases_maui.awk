# SPDX-License-Identifier: MIT
#
# cases_maui.awk - converts expected.txt to facts; used after cases_text.awk
#
# Reads the plan for the times of the steps, then the text.

FILENAME ~ /plan$/ {
	if (split($0, field, "\t") == 4 && field[3] !~ /^before/)
		named[substr(field[3], 1, 3)] = field[3]
	next
}

/^\$ / {
	step = named[sprintf("%03d", ++steps)]
	verb = $2
	option = $3
	job = node = ""
	components_known = 0
	share_type = ""
	if (verb == "showq")
		queue_begin()
	if (verb == "showres")
		reserved = ""
	next
}

step == "" { next }

verb == "showq" { queue_line() }
verb == "diagnose" && option == "-p" { priority_line() }
verb == "diagnose" && option == "-f" { share_line() }
verb == "diagnose" && option == "-n" { table_line() }
verb == "diagnose" && option == "-q" && /^job / { refusal($2, $0) }
verb == "checkjob" { job_line() }
verb == "checknode" { node_line() }
verb == "showres" { reservation_line() }
verb == "showstart" { start_line() }
verb == "showbf" { window_line() }
verb == "showhold" && $2 ~ /^(User|System|Batch|Defer)$/ { holds($1, 2) }
verb ~ /^(sethold|releasehold|setspri|setqos|runjob|canceljob|changeparam)$/ && NF > 0 {
	fact("command", verb, /cannot|ERROR|invalid|not authorized|not found/ ? "refused" : "done")
}

# --- checkjob ---------------------------------------------------------------------------------

function holds(name, first, i, list) {
	for (i = first; i <= NF; i++)
		list = list (list == "" ? "" : " ") tolower($i)
	fact("holds", name, sorted(list))
	held = 1
}

function creds(i, pair) {
	for (i = 2; i <= NF; i++) {
		split($i, pair, ":")
		if (pair[2] != "DEFAULT")
			fact("job", job "." pair[1], pair[2])
	}
}

# "Dedicated Resources Per Task: PROCS: 1  MEM: 512M  SWAP: 100M"
function dedicated(i) {
	for (i = 5; i < NF; i++)
		if ($i ~ /^(MEM|SWAP|DISK):$/)
			fact("job", job "." tolower(substr($i, 1, length($i) - 1)), $(i + 1) + 0)
}

# "[n001:1][n002:2]", possibly on several lines.
function allocated(text) {
	gsub(/[][]/, " ", text)
	nodes = nodes text
}

function job_line() {
	if ($1 == "checking" && $2 == "job") {
		job = $3
		state = nodes = ""
		flag = "none"
		held = 0
		listing = 0
		return
	}
	if (job == "")
		return
	if ($1 == "State:")
		state = $2
	else if ($1 == "Creds:")
		creds()
	else if ($1 == "WallTime:")
		fact("job", job ".limit", seconds($4))
	else if ($1 == "SubmitTime:")
		fact("job", job ".submitted", moment(2))
	else if ($1 == "(Time")
		queued()
	else if ($1 == "StartTime:")
		fact("times", job ".start", moment(2))
	else if ($0 ~ /^Dedicated Resources Per Task:/)
		dedicated()
	else if ($0 == "Allocated Nodes:")
		listing = 1
	else if (listing && /^\[/)
		allocated($0)
	else if (listing) {
		fact("placed", job, sorted(nodes))
		listing = 0
	} else if ($1 == "Bypass:") {
		fact("counts", job ".bypass", $2)
		fact("counts", job ".starts", $4)
	} else if ($1 == "Holds:")
		holds(job, 2)
	else if ($1 == "Flags:")
		flags()
	else if ($1 == "Reservation")
		reserved_span()
	else if ($1 == "PE:")
		points()
	else if (/^(cannot select|job cannot run)/)
		refusal(job, $0)
}

function queued(total, eligible) {
	total = $4
	eligible = $6
	sub(/\)$/, "", eligible)
	fact("job", job ".waited", seconds(total))
	if (state == "Idle")
		fact("queued", job, seconds(eligible))
}

# Kahu marks a job with one character; the mark of the soft limit takes precedence over backfill.
function flags() {
	if (/SPVIOLATION/)
		flag = "over a soft limit"
	else if (/BACKFILL/)
		flag = "backfilled"
}

# "Reservation 'k1' (00:10:00 -> 1:10:00  Duration: 1:00:00)": the start of a waiting job, or the end of a running one.
function reserved_span(from) {
	from = $3
	sub(/^\(/, "", from)
	if (state == "Idle")
		fact("reservations", job ".reserved", now() + seconds(from))
	else
		fact("times", job ".end", now() + seconds($5))
}

function points() {
	fact("job", job ".pe", $2)
	if (!held)
		fact("holds", job, "")
	if (state != "Idle") {
		fact("flags", job, flag)
		return
	}
	if ($5 == "SystemPriority:")
		fact("rank", job, $6 < 1000000000 ? 1000000000 + $6 : $4 + $6 - 2000000000)
	else
		fact("rank", job, $4)
}

# --- reasons ----------------------------------------------------------------------------------

# The text after a marker, up to a blank or bracket.
function behind(text, marker, at) {
	at = index(text, marker)
	if (at == 0)
		return ""
	text = substr(text, at + length(marker))
	sub(/^ +/, "", text)
	sub(/[ ),;].*/, "", text)
	return text
}

# The larger number first: the request exceeds the existing processors.
function two_numbers(text, word) {
	sub(/.*inadequate procs in system/, "", text)
	gsub(/[^0-9]+/, " ", text)
	split(text, word, " ")
	return word[1] + 0 > word[2] + 0 ? word[1] " " word[2] : word[2] " " word[1]
}

function refusal(name, text) {
	if (text ~ /violates /)
		limit_refusal(name, text)
	else if (text ~ /FS cap|FairShare/)
		fact("reasons", name ".share", "over a cap")
	else if (text ~ /hold\(s\) in place:/)
		hold_refusal(name, text)
	else if (text ~ /insufficient idle procs/)
		fact("reasons", name ".resources", behind(text, "<") " asked " behind(text, "available:") " free")
	else if (text ~ /idle procs do not meet requirements/)
		fact("reasons", name ".asked", behind(text, " of "))
	else if (text ~ /inadequate procs in system/)
		fact("reasons", name ".machine", two_numbers(text))
	else if (text ~ /negative priority/)
		fact("reasons", name ".negative", "yes")
	else if (text ~ /requires job|Dependency/)
		fact("reasons", name ".dependency", "open")
	else if (text ~ /start ?date/)
		fact("reasons", name ".start date", "open")
}

# "job x violates active SOFT MAXPS limit of 72000 for user amy  (R: 28800, U: 200760)"
function limit_refusal(name, text, word, r, u) {
	sub(/.*violates /, "", text)
	split(text, word, " ")
	r = behind(text, "R:")
	u = behind(text, "U:")
	if (word[1] == "system") {
		fact("reasons", name ".system", r " over " word[6])
		return
	}
	fact("reasons", name "." word[1] (word[1] == "active" ? " " tolower(word[2]) : ""),
	     word[3] " " word[6] " for " word[8] " " word[9] ", " u " + " r)
}

function hold_refusal(name, text, word, n, i, list) {
	sub(/.*in place:/, "", text)
	n = split(tolower(text), word, " ")
	for (i = 1; i <= n; i++)
		list = list " " word[i]
	fact("holds", name, sorted(list))
}

# --- nodes, reservations, windows, starts -------------------------------------------------------

# "n001  Running   2:4     1096:4096     4000:4000     8192:8192    1.00 ..."
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

function node_line(list) {
	if ($1 == "checking" && $2 == "node")
		node = $3
	else if (node == "")
		return
	else if ($1 == "State:")
		fact("node", node ".state", $2)
	else if ($1 == "Configured" || $1 == "Dedicated")
		fact("node", node "." tolower($1) " procs", $4)
	else if ($1 == "Speed:")
		fact("node", node ".speed", $2)
	else if ($1 == "JobList:") {
		list = $2
		gsub(/,/, " ", list)
		fact("node", node ".jobs", sorted(list))
	}
}

# "big   Job I   1:58:00   2:58:00   1:00:00   16/16   Tue Nov 14 02:01:00"
function reservation_line() {
	if ($2 == "Job" && $3 == "I") {
		reserved = reserved " " $1
		fact("reservations", $1 ".reserved", now() + seconds($4))
	} else if ($2 == "Job" && NF > 8) {
		fact("times", $1 ".start", moment(8))
		fact("times", $1 ".end", now() + seconds($5))
	} else if ($0 ~ /reservations? located/)
		fact("reservations", "jobs", sorted(reserved))
}

function start_line() {
	if ($1 == "job")
		job = $2
	else if ($0 ~ /^Earliest start/)
		fact("starts", job ".start", now() + seconds($4))
	else if ($0 ~ /^Earliest completion/)
		fact("starts", job ".end", now() + seconds($4))
}

function window_line() {
	if ($0 ~ /^no procs available/)
		fact("windows", "1", "none")
	else if ($2 == "procs" && $3 == "available")
		fact("windows", ++windows[step], $1 " for " ($4 == "for" ? seconds($5) : "ever"))
}
