#!/bin/sh
# SPDX-License-Identifier: MIT
#
# scripts.sh - job scripts as manuals and cluster user guides print them: accepted as what, or refused with which line?
#
# tests/scripts/{pbs,slurm,mixed} hold the scripts, each after a line "%%% NAME"; tests/scripts/expected what
# `kahu submit --dry-run` says of each, on one line. EXPECTED=FILE writes that file anew.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

cases=$KAHU_SOURCE/tests/scripts
room_for 8
serve
mkdir scripts run
for kind in pbs slurm mixed; do
	awk -v kind="$kind" '/^%%% / { file = "scripts/" kind "." $2; printf "" >file; next } { print >file }' "$cases/$kind"
done

# One line: "accepted" and what was understood, or "refused" and each line that is wrong.
judge() { # FILE
	"$KAHU" submit --dry-run "../scripts/$1" >../out 2>../err </dev/null
	status=$?
	if [ $status -eq 0 ]; then
		printf '%s\taccepted\t' "$1"
		sed -e 's/  */ /' -e "s,$work/run,DIR," -e "s,$work,HOME," -e "s,$(uname -n),HOST," ../out | paste -s -d ';' -
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
check_same_files "each is accepted as written there, or refused with one line for each fault" "$cases/expected" told
accepted=$(grep -c "$(printf '\taccepted\t')" told)
check_true "at least 85 % of them are accepted ($accepted of 98)" test $((accepted * 100)) -ge $((98 * 85))
check_equal "nothing is written by a dry run" "" "$(ls run)"

# What was understood is also there as JSON.
printf '#!/bin/sh\n#SBATCH -n 4 -t 10 --comment=x\ntrue\n' >job.sh
check_status "--dry-run --json succeeds" 0 "$KAHU" --json submit --dry-run job.sh
check_contains "and has the tasks" '"tasks":4' "$out"
check_contains "and the time limit in seconds" '"wclimit_s":600' "$out"
check_contains "an option without effect is named in one warning" "kahu: ignored, without effect here: --comment" "$err"

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
check_equal "it has its arguments and both sets of variables" "2 data.csv two words
2 2 args.sh 4 2
same" "$(cat args.out)"

job=$("$KAHU" submit -o line.out 'echo one && echo two')
check_status "a quoted line runs" 0 "$KAHU" wait "$job"
check_equal "as the shell reads it" "one
two" "$(cat line.out)"

job=$("$KAHU" submit -o wrap.out --wrap='echo $SLURM_JOB_NAME | tr a-z A-Z')
check_status "--wrap runs" 0 "$KAHU" wait "$job"
check_equal "its line" "WRAP" "$(cat wrap.out)"
check_status "--wrap and a script are one too many" 2 "$KAHU" submit --wrap=true args.sh
check_contains "with a sentence" "both say what is to be run" "$err"

job=$(printf '#!/bin/sh\necho "$PBS_JOBNAME"\n' | "$KAHU" submit -o stdin.out)
check_status "a script from standard input runs" 0 "$KAHU" wait "$job"
check_equal "and is called STDIN" STDIN "$(cat stdin.out)"

printf '#!/bin/sh\n#SBATCH -a 2-6:2 -o task.%%a\nenv | grep ^SLURM_ARRAY | sort\n' >array.sh
job=$("$KAHU" submit array.sh)
"$KAHU" wait "$job" >/dev/null
check_equal "a task knows its array" "SLURM_ARRAY_JOB_ID=${job%%\[*}
SLURM_ARRAY_TASK_COUNT=3
SLURM_ARRAY_TASK_ID=4
SLURM_ARRAY_TASK_MAX=6
SLURM_ARRAY_TASK_MIN=2
SLURM_ARRAY_TASK_STEP=2" "$(cat task.4)"

printf 'before\n' >append.out
printf '#!/bin/sh\n#SBATCH --open-mode=append -o append.out\necho after\n' >append.sh
check_status "a script that appends runs" 0 "$KAHU" wait "$("$KAHU" submit append.sh)"
check_equal "its output is added" "before
after" "$(cat append.out)"

printf '#!/bin/sh\n#SBATCH --signal=B:USR1@58 -t 1 -o signal.out\ntrap "echo warned; exit 0" USR1\nwhile :; do sleep 0.1; done\n' >signal.sh
check_status "a job that asked for a signal ends well" 0 "$KAHU" wait "$("$KAHU" submit signal.sh)"
check_equal "because it got the signal before its limit" warned "$(cat signal.out)"
