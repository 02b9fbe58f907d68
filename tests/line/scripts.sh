#!/bin/sh
# SPDX-License-Identifier: MIT
#
# scripts.sh - job scripts from manuals and cluster user guides: what is understood, and which lines are refused
#
# tests/scripts/{pbs,slurm,mixed} contain the scripts, each after a line "%%% NAME"; tests/scripts/expected the output
# of `kahu submit --dry-run` for each, on one line. EXPECTED=FILE writes that file anew.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

cases=$KAHU_SOURCE/tests/scripts
room_for 8
serve
mkdir scripts run
for kind in pbs slurm mixed; do
	awk -v kind="$kind" '/^%%% / { file = "scripts/" kind "." $2; printf "" >file; next } { print >file }' "$cases/$kind"
done

# One line: "accepted" and the understood request, or "refused" and each invalid line.
judge() { # FILE
	"$KAHU" submit --dry-run "../scripts/$1" >../out 2>../err </dev/null
	status=$?
	if [ $status -eq 0 ]; then
		printf '%s\taccepted\t' "$1"
		sed -e '/^start /d' -e 's/  */ /' -e "s,$work/run,DIR," -e "s,$work,HOME," -e "s,$(uname -n),HOST," ../out | paste -s -d ';' -
	elif [ $status -le 2 ]; then
		printf '%s\trefused\t' "$1"
		sed -e 's,^kahu: ../scripts/,,' ../err | paste -s -d ';' -
	else
		printf '%s\tstatus %s\n' "$1" $status
	fi
}

(cd run && for file in ../scripts/*; do judge "${file##*/}"; done) | LC_ALL=C sort >told
[ -z "${EXPECTED:-}" ] || cp told "$EXPECTED"
check_equal "there are 98 scripts" 98 "$(wc -l <told)"
check_same_files "the result for each script equals the expected one" "$cases/expected" told
accepted=$(grep -c "$(printf '\taccepted\t')" told)
check_true "at least 85 % of them are accepted ($accepted of 98)" test $((accepted * 100)) -ge $((98 * 85))
check_equal "a dry run writes no file" "" "$(ls run)"

# --dry-run --json has the understood request.
printf '#!/bin/sh\n#SBATCH -n 4 -t 10 --comment=x\ntrue\n' >job.sh
check_status "--dry-run --json succeeds" 0 "$KAHU" --json submit --dry-run job.sh
check_contains "it has the tasks" '"tasks":4' "$out"
check_contains "it has the time limit in seconds" '"wclimit_s":600' "$out"
check_contains "a warning names an option without effect" "kahu: ignored, no effect here: --comment" "$err"

# --dry-run without a scheduler prints the request, but no estimated start.
check_status "--dry-run succeeds without a scheduler" 0 "$KAHU" --store "$work/nowhere" submit --dry-run job.sh
check_contains "it prints the request" "tasks       4 of 1 processor" "$out"
check_contains "it prints that the start is unknown" "start       unknown: no scheduler is running" "$out"
check_status "--dry-run --json succeeds without a scheduler" 0 "$KAHU" --json --store "$work/nowhere" submit --dry-run job.sh
check_contains "it has no start and no reason" '"estimated_start":null,"tier":null,"never":null}' "$out"
check_status "submit is refused without a scheduler" 1 "$KAHU" --store "$work/nowhere" submit job.sh

# --- real runs -------------------------------------------------------------------------------

cat >args.sh <<'SCRIPT'
#!/bin/sh
#SBATCH --ntasks=2 --cpus-per-task=2
echo "$#" "$@"
echo "$SLURM_NTASKS $SLURM_CPUS_PER_TASK $SLURM_JOB_NAME $PBS_NP $(wc -l <"$PBS_NODEFILE")"
test "$SLURM_SUBMIT_DIR" = "$PBS_O_WORKDIR" && echo same
SCRIPT
job=$("$KAHU" submit -o args.out args.sh data.csv 'two words')
check_status "a script with arguments runs" 0 "$KAHU" wait "$job"
check_equal "it has its arguments and the variables of both systems" "2 data.csv two words
2 2 args.sh 4 2
same" "$(cat args.out)"

job=$("$KAHU" submit -o line.out 'echo one && echo two')
check_status "a command line in one argument runs" 0 "$KAHU" wait "$job"
check_equal "the shell interprets it" "one
two" "$(cat line.out)"

job=$("$KAHU" submit -o wrap.out --wrap='echo $SLURM_JOB_NAME | tr a-z A-Z')
check_status "--wrap runs" 0 "$KAHU" wait "$job"
check_equal "its output is that of the command" "WRAP" "$(cat wrap.out)"
check_status "--wrap with a script is wrong usage" 2 "$KAHU" submit --wrap=true args.sh
check_contains "the message has the reason" "both give a command" "$err"

job=$(printf '#!/bin/sh\necho "$PBS_JOBNAME"\n' | "$KAHU" submit -o stdin.out)
check_status "a script from standard input runs" 0 "$KAHU" wait "$job"
check_equal "its name is STDIN" STDIN "$(cat stdin.out)"

printf '#!/bin/sh\n#SBATCH -a 2-6:2 -o task.%%a\nenv | grep ^SLURM_ARRAY | sort\n' >array.sh
job=$("$KAHU" submit array.sh)
"$KAHU" wait "$job" >/dev/null
check_equal "a task has the variables of its array" "SLURM_ARRAY_JOB_ID=${job%%\[*}
SLURM_ARRAY_TASK_COUNT=3
SLURM_ARRAY_TASK_ID=4
SLURM_ARRAY_TASK_MAX=6
SLURM_ARRAY_TASK_MIN=2
SLURM_ARRAY_TASK_STEP=2" "$(cat task.4)"

printf 'before\n' >append.out
printf '#!/bin/sh\n#SBATCH --open-mode=append -o append.out\necho after\n' >append.sh
check_status "a script with --open-mode=append runs" 0 "$KAHU" wait "$("$KAHU" submit append.sh)"
check_equal "its output is appended" "before
after" "$(cat append.out)"

printf '#!/bin/sh\n#SBATCH --signal=B:USR1@58 -t 1 -o signal.out\ntrap "echo warned; exit 0" USR1\nwhile :; do sleep 0.1; done\n' >signal.sh
check_status "a job with --signal succeeds" 0 "$KAHU" wait "$("$KAHU" submit signal.sh)"
check_equal "it got the signal before its limit" warned "$(cat signal.out)"

# --- all options ------------------------------------------------------------------------------------

# Each option of sbatch(1), qsub(1B) and PBS Pro's qsub is accepted, ignored with one warning, or refused by name.
{
	for option in acctg-freq=30 bb=x bbf=x batch=x cluster-constraint=x clusters=x comment=x container=x contiguous core-spec=1 \
		cores-per-socket=1 cpu-freq=high cpus-per-gpu=2 deadline=now delay-boot=1 distribution=block exclude=none \
		exclusive exclusive=user exclusive=mcs export=ALL export-file=x extra=x extra-node-info=1 get-user-env gid=0 \
		gpu-bind=closest gpu-freq=high gpus=1 gpus-per-node=1 gpus-per-socket=1 gpus-per-task=1 gres=gpu:1 \
		gres-flags=enforce-binding hint=nomultithread hold ignore-pbs licenses=x mail-type=END mail-user=a@example.org \
		mcs-label=x mem=1G mem-bind=local mem-per-cpu=1G mem-per-gpu=1G mincpus=1 network=x nice=5 no-kill no-requeue \
		ntasks-per-core=1 ntasks-per-gpu=1 ntasks-per-node=1 ntasks-per-socket=1 oom-kill-step open-mode=append \
		overcommit oversubscribe power=x prefer=x priority=1 profile=all propagate quiet reboot requeue reservation=x \
		resv-ports=1 segment=1 signal=USR1 sockets-per-node=1 spread-job stepmgr switches=1 thread-spec=1 \
		threads-per-core=1 time=1 time-min=1 tmp=1 tres-bind=x tres-per-job=x tres-per-task=x uid=0 use-min-nodes verbose \
		wait wait-all-nodes=1 wckey=x workdir=/tmp partition=a,b dependency=singleton nodes=1-2; do
		printf '#SBATCH --%s\n' "$option"
	done
	for option in '-A x' '-a 2330' '-b 5' '-C x' '-c n' '-d /tmp' '-e x' '-F "a b"' '-f' '-h' '-I' '-J 1-3' '-j oe' '-k oed' \
		'-m abe' '-m n' '-N x' '-n' '-o x' '-P x' '-p 5' '-q x' '-R oe' '-r n' '-S /bin/sh' '-t 1-3' '-u x' '-V' '-v A=1' \
		'-W umask=022' '-W block=true' '-W sandbox=PRIVATE' '-W stagein=x' '-w /tmp' '-X' '-z' '-E' '-K 5' '-G x' '-l wd' \
		'-l filesystems=home' '-l storage=gdata' '-l jobfs=1gb' '-l mppwidth=24' '-l ppn=4' '-l select=1:ncpus=2:system=x' \
		'-l select=1:ncpu=2' '-l place=scatter:excl' '-l advres=x' '-l nodes=1:ppn=2:gpus=1'; do
		printf '#PBS %s\n' "$option"
	done
} >options
while IFS= read -r line; do
	printf '#!/bin/sh\n%s\ntrue\n' "$line" >one.sh
	"$KAHU" submit --dry-run one.sh >out 2>err </dev/null
	status=$?
	case $status-$(wc -l <err) in
	0-0 | 0-1 | [12]-1) ;;
	*) echo "$line: status $status, $(cat err)" ;;
	esac
	[ $status -eq 0 ] || echo "$line" >>refused
done <options >wrong
check_equal "each option gives at most one line" "" "$(cat wrong)"
check_equal "the refused options" "#SBATCH --reservation=x
#SBATCH --wait
#PBS -I
#PBS -W stagein=x
#PBS -G x
#PBS -l select=1:ncpu=2
#PBS -l advres=x" "$(cat refused)"

printf '#!/bin/sh\n#PBS -F "one two" -o args.out -j oe\necho "$@"\n' >given.sh
"$KAHU" wait "$("$KAHU" submit given.sh)" >/dev/null
check_equal "-F sets the arguments of a script" "one two" "$(cat args.out)"
"$KAHU" wait "$("$KAHU" submit given.sh three)" >/dev/null
check_equal "arguments of the command line take precedence" three "$(cat args.out)"
"$KAHU" submit --dry-run --gpus=2 --cpus-per-gpu=3 --mem-per-gpu=4G -- true >told
check_equal "requests per GPU are multiplied by the GPUs" "tasks 1 of 6 processors;memory 8192 MB per task" \
	"$(sed 's/  */ /' told | grep -e '^tasks' -e '^memory' | paste -s -d ';' -)"
check_equal "a field width in an output path is ignored" "$work/o_%a_%j" \
	"$("$KAHU" submit --dry-run -t 1-2 -o 'o_%4a_%J' -- true | awk '$1 == "output" { print $2 }')"

first=$("$KAHU" submit -h -N nightly -o /dev/null -e /dev/null -- true)
other=$("$KAHU" submit -h -N weekly -o /dev/null -e /dev/null -- true)
second=$("$KAHU" submit --dependency=singleton -N nightly -o /dev/null -e /dev/null -- true)
check_equal "a singleton depends on the user's other job with its name" "\"depend\":\"afterany:$first\"" \
	"$("$KAHU" job "$second" --json | grep -o '"depend":"[^"]*"')"
"$KAHU" release "$first" "$other" >/dev/null
check_status "it runs after that job" 0 "$KAHU" wait "$second"
