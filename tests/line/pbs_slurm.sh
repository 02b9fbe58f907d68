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
check_equal "it prints the ID like Slurm" "Submitted batch job 1" "$out"
check_status "the status of the job is the highest of its step" 5 "$KAHU" wait 1
check_equal "the output is in slurm-ID.out, with variables and tasks of srun" "--config a.yaml hello
task 0 of 3
task 1 of 3
task 2 of 3
one" "$(cat slurm-1.out)"
check_equal "--parsable prints only the ID" 2 "$(sbatch --parsable -J long -t 10 --wrap='exec sleep 600')"
check_equal "sbatch -a prints the ID of an array" "Submitted batch job 3" "$(sbatch -a 1-3 -H -o /dev/null --wrap=true)"
check_equal "sbatch -b is a start time" 6 "$(sbatch --parsable -b 23:59 -H -o /dev/null --wrap=true)"
check_equal "srun prints the output of the command" hi "$(srun -n 1 echo hi)"
check_status "srun returns its status" 4 srun -N 1 -n 1 sh -c 'exit 4'

# --- squeue ------------------------------------------------------------------------------------

wait_until 10 sh -c 'squeue -h -t R -o %i | grep -qx 2'
check_equal "squeue has Slurm's columns" "JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)" \
	"$(squeue -j 2 | head -n 1 | tr -s ' ' | sed 's/^ //')"
check_equal "squeue -o prints a given format" "2 long RUNNING $(id -un) 10:00 $(uname -n)" "$(squeue -h -j 2 -o '%i %j %T %u %l %R')"
check_equal "tasks of arrays have Slurm's names" "3_1 3_2 3_3 6" "$(squeue -h -t PENDING -o %i | paste -s -d ' ' -)"
check_equal "short options can be combined" 2 "$(squeue -hn long -o %A)"
check_equal "the ID of an array selects its tasks" 3 "$(squeue -hj 3 | wc -l)"
check_equal "a user without jobs gives an empty list" "" "$(squeue -h -u nobody)"
check_contains "--start adds the estimated start" START_TIME "$(squeue --start)"
check_status "an unknown job is an error" 1 squeue -j 99
check_status "a state of ended jobs is wrong usage" 2 squeue -t COMPLETED
check_contains "the message refers to kahu history" "kahu history" "$err"
check_status "an unknown field is wrong usage" 2 squeue -o %Z
check_contains "the message names the field" "-o: field %Z is not supported" "$err"

for name in squeue sinfo qstat; do
	check_status "$name --json is wrong usage" 2 "$name" --json
	check_contains "$name refers to queue and node" "$name does not support --json; use 'queue --json' or 'node --json'" "$err"
done

# --- scontrol, sinfo, scancel ------------------------------------------------------------------------

check_contains "scontrol show job has Slurm's fields" "JobId=2 JobName=long UserId=$(id -un) " "$(scontrol show job 2)"
check_contains "it has the state" " JobState=RUNNING Reason=None " "$(scontrol -o show job 2)"
check_equal "scontrol show hostnames expands a list" "a n1 n2 n07" "$(scontrol show hostnames 'a,n[1-2,07]' | paste -s -d ' ' -)"
check_status "scontrol releases a task" 0 scontrol release 6
check_status "scontrol holds a task" 0 scontrol hold JobId=6
check_status "scontrol update sets the time limit in minutes" 0 scontrol update JobId=6 TimeLimit=90 Priority=7
check_equal "squeue prints the limit" "1:30:00" "$(squeue -h -j 6 -o %l)"
check_status "an attribute that cannot be changed is wrong usage" 2 scontrol update JobId=6 JobName=x
check_contains "the message lists the others" "update JobName: cannot be changed; only TimeLimit, QOS" "$err"
check_contains "sinfo prints the state of the node" "mix  $(uname -n)" "$(sinfo)"
check_status "scontrol drains the node" 0 scontrol update NodeName="$(uname -n)" State=DRAIN Reason=test
check_contains "sinfo prints that it is draining" "drng  $(uname -n)" "$(sinfo -h)"
check_status "scontrol resumes the node" 0 scontrol update NodeName="$(uname -n)" State=RESUME
check_status "an unknown command of scontrol is wrong usage" 2 scontrol explode
check_status "scancel cancels a task" 0 scancel 3_1
check_equal "the other tasks stay" "3_2 3_3" "$(squeue -hj 3 -o %i | paste -s -d ' ' -)"
check_status "scancel cancels the whole array" 0 scancel 3
check_status "scancel --name cancels by name" 0 scancel --name=long
check_status "scancel without a match succeeds" 0 scancel -u nobody
check_status "scancel without a job or filter is wrong usage" 2 scancel

# --- PBS -------------------------------------------------------------------------------------------

check_equal "qsub prints the ID" 9 "$(qsub -N first -h -l walltime=100,nodes=1:ppn=2 -- true)"
check_equal "qsub -J prints the ID of an array" '10[]' "$(qsub -N second -h -J 1-2 -o /dev/null -e /dev/null -- true)"
check_equal "qstat has the columns of PBS" "Job ID Name User Time Use S Queue" "$(qstat | head -n 1 | tr -s ' ')"
check_equal "qstat lists the job" "9 first $(id -un) 0 H -" "$(qstat 9.server | tail -n 1 | tr -s ' ')"
check_contains "qstat -f prints the state" "    job_state = H" "$(qstat -f 9)"
check_contains "qstat -f prints the time limit" "    Resource_List.walltime = 0:01:40" "$(qstat -f 9)"
check_equal "short options can be combined" 3 "$(qstat -an1u "$(id -un)" | grep -c -e '^9 ' -e '^10\[')"
check_status "qstat of an ended job is an error" 1 qstat 1
check_contains "qstat -x lists an ended job" hello "$(qstat -x 1)"
check_status "qalter changes the time limit" 0 qalter -l walltime=200 9
check_contains "qstat -f prints the new limit" "Resource_List.walltime = 0:03:20" "$(qstat -f 9)"
check_status "qalter -N is wrong usage" 2 qalter -N other 9
check_contains "the message says that it cannot be changed" "-N: cannot be changed after submission" "$err"
check_status "qalter -l cput is wrong usage" 2 qalter -l cput=9 9
check_status "qhold -h sets a hold" 0 qhold -h s 9
check_status "qrls -h releases the holds" 0 qrls -h us 9.server
check_status "the job runs" 0 "$KAHU" wait 9
check_status "qdel deletes a task" 0 qdel '10[1]'
check_status "qdel all deletes all jobs" 0 qdel all
check_equal "no job is left but the running one" "" "$(qstat | grep -v '^2 ')"
