#!/bin/sh
# SPDX-License-Identifier: MIT
#
# slurm.sh - Slurm is watched: its nodes, jobs and reservations, without a change in Slurm
#
# Stand-ins for Slurm's commands are the only ones in PATH. squeue and scontrol show answer; every command that
# changes something in Slurm leaves a trace and fails. The answers then change, fail, hang and are cut off.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

export KAHU_STORE="$work/st"
server=
at_exit 'kill -9 $server 2>/dev/null'

# --- the stand-ins ------------------------------------------------------------------------------------------------

mkdir bin && chmod 755 bin
script() { # NAME, with the text on standard input
	{ echo '#!/bin/sh' && cat; } >"bin/$1.new" && chmod 755 "bin/$1.new" && mv "bin/$1.new" "bin/$1"
}
for name in sbatch srun salloc scancel sattach sbcast strigger sacctmgr sreport slurmctld slurmd slurmdbd slurmrestd; do
	script $name <<-END
		echo "$name \$*" >>"$work/written"
		exit 1
	END
done
script scontrol <<END
case "\$*" in
'-o -a show node') cat "$work/node" ;;
'-o -a show partition') echo 'PartitionName=main OverSubscribe=NO State=UP' ;;
'-o -a show reservation') cat "$work/reservation" ;;
*) echo "scontrol \$*" >>"$work/written"; exit 1 ;;
esac
END
answering() { # squeue prints $work/jobs, with the mark it is asked for
	script squeue <<-END
		[ "\$*" = '-h -a -r --noconvert -t all' ] || { echo "squeue \$*" >>"$work/written"; exit 1; }
		mark=\${SQUEUE_FORMAT2#jobarrayid:0}
		sed "s/MARK/\${mark%%^*}/" "$work/jobs"
	END
}
answering
now=$(date +%s)
at() { date -u -d "@$((now + $1))" +%Y-%m-%dT%H:%M:%S; } # SECONDS from the beginning of the test
job() { # ID STATE USER ACCOUNT PROCS LIMIT SUBMIT START END REASON NODES [DEPENDENCY]
	echo "$1MARK^$2^$3^staff^$4^normal^main^$5^1^$5^1^$6^$7^$8^$9^${10}^100^cpu=$5,node=1^N/A^N/A^N/A^N/A^(null)^${12-(null)}^OK^(null)^^(null)^0:0^0^${11}^job $1"
}
answer() { cat >jobs.new && mv jobs.new jobs; }
for node in 1 2 3 4; do
	echo "NodeName=n$node CPUTot=8 CPUAlloc=0 RealMemory=1000 AllocMem=0 State=IDLE Partitions=main"
done >node
echo 'No reservations in the system' >reservation
{
	job 11 RUNNING eva phys 24 2:00:00 "$(at -900)" "$(at -600)" "$(at 6600)" None 'n[1-3]' | sed 's/\^24\^1\^/^24^3^/'
	job 12 PENDING bob chem 16 1:00:00 "$(at -500)" "$(at 7000)" N/A Resources '' | sed 's/\^16\^1\^/^16^2^/'
	job 13 PENDING eva phys 4 0:10:00 "$(at -400)" N/A N/A Priority ''
	job 14_1 PENDING eva phys 1 0:10:00 "$(at -300)" N/A N/A JobArrayTaskLimit ''
	job 15 PENDING ann phys 1 0:10:00 "$(at -200)" N/A N/A Dependency '' 'afterok:13(unfulfilled)'
} | answer
cat >kahu.conf <<-END
	manager = slurm
	mode = shadow
	rmpollinterval = "0:00:01"
	queuetimeweight = 1
END
serve_slurm() {
	PATH="$work/bin:$PATH" "$KAHU" --config kahu.conf serve >serve.out 2>serve.err &
	server=$!
	wait_until 10 test -s serve.out || fail "the scheduler starts" "$(cat serve.err)"
}
has() { "$KAHU" queue --json | grep -q "$1"; }
jobs_of() { "$KAHU" queue --json | sed 's/.*"'"$1"'":\[//; s/\].*//' | grep -o '"job":"[^"]*"' | tr -d '"' | sed 's/job://' | tr '\n' ' '; }
journal_has() { "$KAHU" journal --from 1 | grep -q "$1"; }

# --- the configuration --------------------------------------------------------------------------------------------

echo 'manager = slurm' >drive.conf
check_status "manager = slurm without mode = shadow is refused" 1 "$KAHU" --config drive.conf serve
check_contains "the message says what to add" "works only with mode = shadow; add it" "$err"
echo 'mode = shadow' >local.conf
check_status "mode = shadow without manager = slurm is refused" 1 "$KAHU" --config local.conf serve
check_contains "the message says what to add" "works only with manager = slurm" "$err"

echo 'nonsense = 1' >local.conf
check_status "a configuration with an error is refused" 1 "$KAHU" --config "$work/local.conf" serve
check_contains "the message names the line" "local.conf:1: there is no option" "$err"
check_equal "doctor reports it once" 1 "$("$KAHU" --config "$work/local.conf" doctor | grep -c nonsense)"

# --- what Slurm does, and what Kahu would do ----------------------------------------------------------------------

serve_slurm
check_true "the jobs of Slurm are in the queue" wait_until 10 has '"job":"15"'
check_equal "the running job runs" "11 " "$("$KAHU" queue --json | grep -o '"active":\[{"job":"[^"]*"' | sed 's/.*"job":"//; s/"/ /')"
check_contains "it runs on its nodes" '{"node":"n1","procs":8}' "$("$KAHU" queue --json)"
check_contains "it runs since its start in Slurm" "\"start\":$((now - 600))" "$("$KAHU" queue --json)"
check_contains "a job keeps its submit time" "\"queued_since\":$((now - 400))" "$("$KAHU" queue --json)"
out=$("$KAHU" queue -i)
check_contains "job 13 would start, while Slurm lets it wait" "starts now; Slurm: Priority" "$(printf '%s\n' "$out" | grep '^13 ')"
check_contains "job 12 waits in both" "Slurm: Resources, expected" "$(printf '%s\n' "$out" | grep '^12 ')"
check_contains "the reason of Slurm is in the JSON" '"manager_reason":"Resources"' "$("$KAHU" queue --json)"
check_contains "so is the start that it expects" "\"manager_start\":$((now + 7000))" "$("$KAHU" queue --json)"
check_contains "why has both" "Slurm: Priority." "$("$KAHU" why 13)"
check_contains "the checks are those of Kahu" "waits until job 13 has ended" "$("$KAHU" why 15)"
check_contains "what only Slurm knows is a hold" "JobArrayTaskLimit" "$("$KAHU" why 14_1)"
check_status "when has an estimate" 0 "$KAHU" when 12
check_status "whatif works" 0 "$KAHU" whatif xfactorweight=100
check_status "weights can be changed" 0 "$KAHU" tune queuetimeweight 5

for words in "cancel 13" "hold 13" "release 13" "set 13 walltime=1:00:00" "setspri 5 13" "suspend 11" "signal 15 11" \
	"requeue 11" "start 13" "sched pause" "submit -- true"; do
	# shellcheck disable=SC2086 # a verb and its arguments
	check_status "refused: $words" 1 "$KAHU" $words
	case $words in release*) continue ;; esac # nothing to release
	check_contains "the message names the reason" "Slurm" "$err"
done

printf 'size 140x30\nwait-idle\ndump queue.screen\n' >console.script
"$KAHU" --script console.script
check_contains "the console says that it shows a shadow" "SHADOW OF SLURM" "$(cat queue.screen)"
check_contains "it shows the reason of Slurm" "Resources" "$(cat queue.screen)"

# --- changes ------------------------------------------------------------------------------------------------------

echo "ReservationName=maint StartTime=$(at 86400) EndTime=$(at 90000) Nodes=n[1-2] Users=root Accounts=(null)" >reservation
sed -i '4s/.*/NodeName=n4 CPUTot=8 CPUAlloc=0 RealMemory=1000 AllocMem=0 State=IDLE+DRAIN Partitions=main Reason=bad disk [root@x]/' node
{
	job 11 COMPLETED eva phys 24 2:00:00 "$(at -900)" "$(at -600)" "$(at 1)" None 'n[1-3]' | sed 's/\^24\^1\^/^24^3^/'
	job 12 RUNNING bob chem 16 1:00:00 "$(at -500)" "$(at 1)" "$(at 3601)" None 'n[1-2]' | sed 's/\^16\^1\^/^16^2^/'
	job 16 RUNNING bob chem 4 0:10:00 "$(at 0)" "$(at 1)" N/A None n3
	job 17 RUNNING ann phys 2 0:10:00 "$(at 0)" "$(at 1)" N/A None n3
	job 13 CANCELLED eva phys 4 0:10:00 "$(at -400)" N/A "$(at 1)" None ''
	job 15 PENDING ann phys 1 0:20:00 "$(at -200)" N/A N/A DependencyNeverSatisfied ''
} | answer
check_true "the start of job 12 is found" wait_until 10 journal_has 'start 2 (by the resource manager)'
check_true "the reservation is found" wait_until 10 journal_has 'reserve maint'
check_true "the end of job 11 is in the history" wait_until 10 sh -c '"$1" history | grep -q "^ *11 .*Completed"' - "$KAHU"
check_contains "the cancelled job is in the history" "NotRun" "$("$KAHU" history | grep '^ *13 ')"
check_contains "the drained node accepts no jobs" "bad disk" "$("$KAHU" node n4)"
check_contains "the limit has changed" "0:20:00" "$("$KAHU" job 15)"

# --- faults -------------------------------------------------------------------------------------------------------

fault_is() { "$KAHU" queue | head -n 1 | grep -q "$1"; }
for fault in 'echo "slurm_load_jobs error: Unable to contact slurm controller" >&2; exit 1|Unable to contact slurm controller' \
	'printf 12MARK^RUNN|cut off' 'echo nonsense|not a job'; do
	printf "%s\n" "${fault%|*}" | script squeue
	check_true "a fault is on the first line: ${fault##*|}" wait_until 10 fault_is "${fault##*|}"
	check_contains "the jobs stay as they were" '"procs_busy":22,' "$("$KAHU" queue --json)"
done
"$KAHU" --script console.script
check_contains "the console shows the fault" "Slurm cannot be read: squeue" "$(cat queue.screen)"
check_contains "the fault is in the JSON" '"manager_fault":"Slurm cannot be read' "$("$KAHU" queue --json)"
rm bin/squeue
# a squeue of the system may be in the rest of PATH
if ! command -v squeue >/dev/null; then
	check_true "a missing command is named" wait_until 10 fault_is "not installed"
fi
script squeue <<-END
	exec sleep 1000
END
started=$(date +%s)
check_status "a hung command does not delay the scheduler" 0 "$KAHU" tune queuetimeweight 6
check_true "it answers at once" test $(($(date +%s) - started)) -lt 10
kill $server && wait $server
check_true "the scheduler stops beside a hung command" test $(($(date +%s) - started)) -lt 20
answering
serve_slurm
recovered() { ! fault_is "cannot be read"; }
check_true "it recovers by itself" wait_until 10 recovered
check_contains "nothing has been lost" '"procs_busy":22,' "$("$KAHU" queue --json)"
PATH="$work/bin:$PATH" "$KAHU" --config kahu.conf doctor >doctor.out 2>&1
check_contains "doctor asks Slurm" "ok    slurm: 4 nodes, 1 partitions, 6 jobs and 1 reservations" "$(cat doctor.out)"
kill $server && wait $server

# --- replay -------------------------------------------------------------------------------------------------------

check_status "what was recorded can be replayed" 0 "$KAHU" replay --since 1d
check_contains "Slurm is compared with Kahu" "Slurm" "$(printf '%s\n' "$out" | grep ' Kahu ')"
check_contains "by user" "bob" "$(printf '%s\n' "$out" | grep '^user ')"
check_contains "by account" "chem" "$(printf '%s\n' "$out" | grep '^account ')"
"$KAHU" replay --since 1d --starts starts.csv >/dev/null
check_contains "a job that ran before the record keeps its start" "11,$((now - 900)),$((now - 600))," "$(cat starts.csv)"
check_contains "and by partition, which is the class" "main" "$(printf '%s\n' "$out" | grep '^class ')"
check_status "and another policy" 0 "$KAHU" replay --since 1d --set reservationdepth=3 --json
check_contains "as JSON" '"compare":[{' "$out"

# --- nothing was written ------------------------------------------------------------------------------------------

check_true "no command that changes Slurm was run" test ! -e written
echo 'queuetimeweight = 1' >kahu.conf
check_status "the store is not used for jobs of this host" 3 "$KAHU" --config kahu.conf serve
check_contains "the message says what to do" "separate store" "$err"
