#!/bin/sh
# SPDX-License-Identifier: MIT
#
# jobs.sh - rates of submissions and starts of real jobs, and the number of syncs
#
# Peers are measured in the same run if they are installed: task-spooler (tsp), and Slurm if it responds.
# Gates are ratios to a peer or to a basic operation of this machine, or counts; BENCH_QUICK makes it short.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

jobs=300 singles=60
[ -z "${BENCH_QUICK:-}" ] || jobs=150 singles=20
moment="$KAHU_BUILD/tests/bench/moment"
row() { printf '%s\t%s\t%s\t%s\n' "$@"; } # NAME VALUE UNIT GATE
say() { awk "BEGIN { printf \"%.4g\", $1 }"; } # EXPRESSION

# Seconds that COMMAND takes.
time_of() {
	rm -f times
	"$moment" times
	"$@" >/dev/null 2>&1
	"$moment" times
	awk 'NR == 1 { from = $1 } END { printf "%.6f", ($1 - from) / 1e9 }' times
}

# The p-th percentile of a column of numbers.
percentile() { sort -n "$2" | awk -v p="$1" '{ v[NR] = $1 } END { i = int(NR * p / 100 + 0.999); print v[i < 1 ? 1 : i] }'; }

cat >kahu.conf <<TEXT
node $(hostname) { procs = 2 }
systemdefaultjobwalltime = "1:00:00"
TEXT
export KAHU_STORE="$work/st" KAHU_CONF="$work/kahu.conf"
"$KAHU" serve >serve.out 2>serve.err &
server=$!
at_exit 'kill "$server"; wait "$server"; ! command -v tsp >/dev/null || TS_SOCKET="$work/ts" tsp -K'
wait_until 10 test -s serve.out || exit 1

# --- submissions ------------------------------------------------------------------------------

spawn_many() { for _ in $(seq $jobs); do /bin/true; done; }
submit_many() { for _ in $(seq $jobs); do "$KAHU" submit -h -o /dev/null -j oe -- /bin/true; done; }
spawn_s=$(time_of spawn_many)
submit_s=$(time_of submit_many)
row "spawning /bin/true" "$(say "$jobs / $spawn_s")" 1/s -
row "kahu submit, a process each, durable" "$(say "$jobs / $submit_s")" 1/s -
row "kahu submit: of the rate of spawning /bin/true" "$(say "100 * $spawn_s / $submit_s")" % ">=10"

# --- starts -----------------------------------------------------------------------------------

# Reads the log of the scheduler, because queries would compete with the jobs.
ended() { grep -c '^end job=' serve.err; }
all_ended() { [ "$(ended)" -ge $jobs ]; }
release_all() {
	"$KAHU" release -w state=held
	wait_until 120 all_ended
}
start_s=$(time_of release_all)
row "starts of /bin/true, two at a time" "$(say "$jobs / $start_s")" 1/s -
if command -v tsp >/dev/null; then
	export TS_SOCKET="$work/ts" TMPDIR="$work"
	tsp -S 2
	tsp_many() {
		for _ in $(seq $jobs); do tsp -n /bin/true; done
		tsp -w
	}
	tsp_s=$(time_of tsp_many)
	row "task-spooler: submissions and starts" "$(say "$jobs / $tsp_s")" 1/s -
	row "kahu: submissions and starts" "$(say "$jobs / ($submit_s + $start_s)")" 1/s -
	row "starts: kahu's rate by task-spooler's" "$(say "$tsp_s / $start_s")" x ">=0.3"
fi
if command -v sbatch >/dev/null && timeout 5 sinfo >/dev/null 2>&1; then
	slurm_many() {
		for _ in $(seq $((jobs / 10))); do sbatch -o /dev/null --wrap /bin/true; done
		until [ -z "$(squeue -h)" ]; do sleep 0.1; done
	}
	row "Slurm: submissions and starts" "$(say "$jobs / 10 / $(time_of slurm_many)")" 1/s -
fi

# --- from the submission to the first instruction ------------------------------------------------

# Lines of milliseconds: from the call of COMMAND until the job that it submits has begun.
latency() { # FILE COMMAND...
	latency_file=$1
	shift
	rm -f "$latency_file" begun asked
	for i in $(seq $singles); do
		"$moment" asked
		"$@" "$moment" "$work/begun" >/dev/null
		wait_until 10 sh -c '[ "$(wc -l <begun)" -ge "$1" ]' sh "$i" 2>/dev/null
	done
	paste asked begun | awk '{ print ($2 - $1) / 1e6 }' >"$latency_file"
}
latency kahu_ms "$KAHU" submit -o /dev/null -j oe --
row "from kahu submit to the job's first instruction, p50" "$(percentile 50 kahu_ms)" ms -
row "from kahu submit to the job's first instruction, p99" "$(percentile 99 kahu_ms)" ms -
row "decision to exec: that less the process kahu submit, p50" \
	"$(say "$(percentile 50 kahu_ms) - 1000 * $submit_s / $jobs")" ms -
if command -v tsp >/dev/null; then
	latency tsp_ms tsp -n
	row "from tsp to the job's first instruction, p50" "$(percentile 50 tsp_ms)" ms -
	row "to the first instruction: kahu's time by task-spooler's" \
		"$(say "$(percentile 50 kahu_ms) / $(percentile 50 tsp_ms)")" x "<=10"
fi

# --- the disk ---------------------------------------------------------------------------------

if command -v strace >/dev/null && timeout 20 strace -o /dev/null true 2>/dev/null; then
	strace -f -o calls -e trace=fsync,fdatasync,poll,execve -p "$server" -p "$(pgrep -P "$server" -f kahu-shepherd)" 2>attached &
	tracer=$!
	wait_until 10 sh -c '[ "$(grep -c attached attached)" -ge 2 ]'
	before=$(ended)
	for i in $(seq 20); do
		"$KAHU" submit -o /dev/null -j oe -- /bin/true >/dev/null
		# shellcheck disable=SC2016 # the shell within
		wait_until 10 sh -c '[ "$(grep -c "^end job=" serve.err)" -ge "$1" ]' sh $((before + i))
	done
	kill $tracer
	wait $tracer 2>/dev/null
	row "fsync and fdatasync in a job's whole life" "$(say "$(grep -cE 'f(data)?sync\(' calls) / 20")" calls "<=4"
	row "programs started for a job, its own included" "$(say "$(grep -c 'execve(' calls) / 20")" "" "<=1"
	row "fdatasync in a poll turn, at most" "$(awk '/poll\(/ { n[$1] = 0 } /fdatasync\(/ { if (++n[$1] > most) most = n[$1] } END { print most + 0 }' calls)" calls "<=1"
else
	echo "how often the disk is waited for: needs strace, which is not installed or not allowed here"
fi
