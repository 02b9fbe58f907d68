#!/bin/sh
# SPDX-License-Identifier: MIT
#
# load.sh - the scheduler with 100 000 queued jobs and 1 000 000 in the history
#
# Start-up, first frame, queue, memory, and submissions over 16 connections. Gates are on processor time and
# memory, which other load affects least; wall clock times have gates in the long form only.
# BENCH_QUICK: a fifth of the queue and a tenth of the history.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

queued=100000 ended=1000000 submits=4000
by_clock() { echo "$1"; } # GATE: in the long form
if [ -n "${BENCH_QUICK:-}" ]; then
	queued=20000 ended=100000 submits=1000
	by_clock() { echo -; }
fi
row() { printf '%s\t%s\t%s\t%s\n' "$@"; } # NAME VALUE UNIT GATE
say() { awk "BEGIN { printf \"%.4g\", $1 }"; } # EXPRESSION
ticks=$(getconf CLK_TCK)
cpu_s() { awk -v t="$ticks" '{ sub(/.*\) /, ""); printf "%.2f", ($12 + $13) / t }' "/proc/$1/stat"; } # PID
status_kb() { awk -v name="$2:" '$1 == name { print $2 }' "/proc/$1/status"; } # PID FIELD
now_s() { date +%s.%N; }

cat >kahu.conf <<TEXT
node $(hostname) { procs = 2 }
maxuserqueuable = 1000000
TEXT
export KAHU_STORE="$work/st" KAHU_CONF="$work/kahu.conf"
began=$(now_s)
"$KAHU_BUILD/tests/bench/make_store" st $queued $ended || exit 1
row "load: a store of $queued queued and $ended ended jobs is made" "$(say "$(now_s) - $began")" s -
row "load: the store" "$(say "$(stat -c %s st/data.mdb) / 1048576")" MB -

began=$(now_s)
"$KAHU" serve >serve.out 2>serve.err &
server=$!
at_exit 'kill "$server"; wait "$server"'
until [ -s serve.out ]; do
	kill -0 "$server" 2>/dev/null || exit 1
	sleep 0.01
done
row "load: start-up, by the clock" "$(say "$(now_s) - $began")" s "$(by_clock '<=1')"
row "load: start-up, processor time" "$(cpu_s "$server")" s "<=1"
wait_until 30 grep -q '^start job=1 ' serve.err || exit 1

before=$(cpu_s "$server")
"$KAHU_BUILD/tests/bench/submit_many" "$KAHU_STORE" $submits 16 >submitted || exit 1
read -r rate p50 p99 longest <submitted
after=$(cpu_s "$server")
row "load: submissions, 16 connections" "$rate" 1/s -
row "load: a submission, p50" "$p50" ms -
row "load: a submission, p99" "$p99" ms "$(by_clock '<=100')"
row "load: a submission, longest" "$longest" ms -
row "load: processor time of the scheduler for one of 16 at a time" "$(say "1000 * ($after - $before) / $submits")" ms "<=5"
row "load: its turn of 16, with a pass over the queue" "$(say "16000 * ($after - $before) / $submits")" ms "<=80"

# During submissions: the first frame of a console, and a report.
"$KAHU_BUILD/tests/bench/submit_many" "$KAHU_STORE" 1000000 16 >/dev/null 2>&1 &
crowd=$!
if command -v script >/dev/null; then
	began=$(now_s)
	(stty rows 50 cols 150 2>/dev/null; TERM=xterm exec script -qfc "stty rows 50 cols 150; exec '$KAHU'" frame) </dev/null >/dev/null 2>&1 &
	console=$!
	wait_until 30 grep -q user0 frame 2>/dev/null
	row "load: first frame of a console beside them, by the clock" "$(say "$(now_s) - $began")" s "$(by_clock '<=1.5')"
	kill "$console" 2>/dev/null
	wait "$console" 2>/dev/null
fi

cat >report.sh <<'TEXT'
"$KAHU" queue >queue.out
times
TEXT
sh report.sh | awk 'NR == 2 { split($1, u, "[ms]"); split($2, s, "[ms]"); printf "%.3g\n", u[1] * 60 + u[2] + s[1] * 60 + s[2] }' >queue_s
row "load: kahu queue of $(grep -c . queue.out) lines, processor time" "$(cat queue_s)" s "<=1.5"
kill "$crowd"
wait "$crowd" 2>/dev/null

jobs=$("$KAHU" queue --json | grep -o '"job":' | wc -l)
row "load: anonymous memory for each queued job" \
	"$(say "1024 * $(status_kb "$server" RssAnon) / $jobs")" B "<=2048"
row "load: all memory for each queued job, with mapped pages" \
	"$(say "1024 * $(status_kb "$server" VmRSS) / $jobs")" B -
