#!/bin/sh
# SPDX-License-Identifier: MIT
#
# pbs_slurm.sh - qsub, qstat, qdel, qhold, qrls, qalter; sbatch, squeue, scancel, scontrol, sinfo, srun
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

room_for 4
serve
mkdir bin
for name in qsub qstat qdel qhold qrls qalter sbatch squeue scancel scontrol sinfo srun; do
	ln -s "$KAHU" bin/$name
done
PATH=$work/bin:$PATH

# --- sbatch and srun -------------------------------------------------------------------------

cat >job.sh <<'SCRIPT'
#!/bin/sh
#SBATCH -n 3 -J hello
echo "$@" "$GREETING"
srun sh -c 'echo task $SLURM_PROCID of $SLURM_NTASKS' | sort
srun -n 1 --mpi=pmix -l echo one 2>/dev/null
srun -n 2 sh -c 'exit $((SLURM_PROCID + 4))'
SCRIPT
GREETING=hello check_status "sbatch takes a script and its arguments" 0 sbatch job.sh --config a.yaml
check_equal "and says the number as Slurm does" "Submitted batch job 1" "$out"
check_status "a step's highest status is srun's, and so the job's" 5 "$KAHU" wait 1
check_equal "output and errors go to slurm-ID.out; variables come along; srun starts tasks" "--config a.yaml hello
task 0 of 3
task 1 of 3
task 2 of 3
one" "$(cat slurm-1.out)"
check_equal "--parsable prints the number alone" 2 "$(sbatch --parsable -J long -t 10 --wrap='exec sleep 600')"
check_equal "an array likewise" "Submitted batch job 3" "$(sbatch -a 1-3 -H -o /dev/null --wrap=true)"
check_equal "-b is a time for sbatch" 6 "$(sbatch --parsable -b 23:59 -H -o /dev/null --wrap=true)"
check_equal "srun waits for a command" hi "$(srun -n 1 echo hi)"
check_status "and ends as it does" 4 srun -N 1 -n 1 sh -c 'exit 4'

# --- squeue ------------------------------------------------------------------------------------

wait_until 10 sh -c 'squeue -h -t R -o %i | grep -qx 2'
check_equal "squeue has Slurm's titles" "JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)" \
	"$(squeue -j 2 | head -n 1 | tr -s ' ' | sed 's/^ //')"
check_equal "a format of one's own" "2 long RUNNING $(id -un) 10:00 $(uname -n)" "$(squeue -h -j 2 -o '%i %j %T %u %l %R')"
check_equal "tasks of arrays by Slurm's names" "3_1 3_2 3_3 6" "$(squeue -h -t PENDING -o %i | paste -s -d ' ' -)"
check_equal "letters may share a word" 2 "$(squeue -hn long -o %A)"
check_equal "the array's number means its tasks" 3 "$(squeue -hj 3 | wc -l)"
check_equal "a user without jobs has an empty list" "" "$(squeue -h -u nobody)"
check_contains "the estimated start" START_TIME "$(squeue --start)"
check_status "a job that is not there is an error" 1 squeue -j 99
check_status "a state that no job of the queue has likewise" 2 squeue -t COMPLETED
check_contains "with where to look" "kahu history" "$err"
check_status "an unknown field likewise" 2 squeue -o %Z
check_contains "with its name" "-o: field %Z is not supported" "$err"

for name in squeue sinfo qstat; do
	check_status "$name has no JSON" 2 "$name" --json
	check_contains "and $name says where it is" "$name does not support --json; use 'queue --json' or 'node --json'" "$err"
done

# --- scontrol, sinfo, scancel ------------------------------------------------------------------------

check_contains "a job as Slurm shows it" "JobId=2 JobName=long UserId=$(id -un) " "$(scontrol show job 2)"
check_contains "with its state" " JobState=RUNNING Reason=None " "$(scontrol -o show job 2)"
check_equal "hosts of a list" "a n1 n2 n07" "$(scontrol show hostnames 'a,n[1-2,07]' | paste -s -d ' ' -)"
check_status "a task is released" 0 scontrol release 6
check_status "and held" 0 scontrol hold JobId=6
check_status "a limit is changed, in minutes" 0 scontrol update JobId=6 TimeLimit=90 Priority=7
check_equal "as it shows" "1:30:00" "$(squeue -h -j 6 -o %l)"
check_status "what cannot be changed is refused" 2 scontrol update JobId=6 JobName=x
check_contains "with what can" "update JobName: cannot be changed; only TimeLimit, QOS" "$err"
check_contains "a node is idle, mixed or full" "mix  $(uname -n)" "$(sinfo)"
check_status "it is drained" 0 scontrol update NodeName="$(uname -n)" State=DRAIN Reason=test
check_contains "as sinfo shows" "drng  $(uname -n)" "$(sinfo -h)"
check_status "and taken back" 0 scontrol update NodeName="$(uname -n)" State=RESUME
check_status "an unknown word is refused" 2 scontrol explode
check_status "a task is cancelled" 0 scancel 3_1
check_equal "alone" "3_2 3_3" "$(squeue -hj 3 -o %i | paste -s -d ' ' -)"
check_status "all of the array" 0 scancel 3
check_status "by name" 0 scancel --name=long
check_status "none that match is no error" 0 scancel -u nobody
check_status "but no job and no filter is" 2 scancel

# --- PBS -------------------------------------------------------------------------------------------

check_equal "qsub prints the number" 9 "$(qsub -N first -h -l walltime=100,nodes=1:ppn=2 -- true)"
check_equal "and an array's" '10[]' "$(qsub -N second -h -J 1-2 -o /dev/null -e /dev/null -- true)"
check_equal "qstat has PBS's columns" "Job ID Name User Time Use S Queue" "$(qstat | head -n 1 | tr -s ' ')"
check_equal "of a job" "9 first $(id -un) 0 H -" "$(qstat 9.server | tail -n 1 | tr -s ' ')"
check_contains "everything about it" "    job_state = H" "$(qstat -f 9)"
check_contains "with its time limit" "    Resource_List.walltime = 0:01:40" "$(qstat -f 9)"
check_equal "options may share a word" 3 "$(qstat -an1u "$(id -un)" | grep -c -e '^9 ' -e '^10\[')"
check_status "a job that has ended is no job of the queue" 1 qstat 1
check_contains "but of its history" hello "$(qstat -x 1)"
check_status "the time limit is altered" 0 qalter -l walltime=200 9
check_contains "as it shows" "Resource_List.walltime = 0:03:20" "$(qstat -f 9)"
check_status "the name is not" 2 qalter -N other 9
check_contains "with a sentence" "-N: cannot be changed after submission" "$err"
check_status "nor is cput" 2 qalter -l cput=9 9
check_status "holds of a kind" 0 qhold -h s 9
check_status "are released" 0 qrls -h us 9.server
check_status "and the job runs" 0 "$KAHU" wait 9
check_status "a task is deleted" 0 qdel '10[1]'
check_status "all jobs are" 0 qdel all
check_equal "and the list is empty" "" "$(qstat | grep -v '^2 ')"
