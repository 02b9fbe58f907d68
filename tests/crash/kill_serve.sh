#!/bin/sh
# SPDX-License-Identifier: MIT
#
# kill_serve.sh - is every accepted job run exactly once, and its end known, however often the scheduler dies?
#
# The scheduler is killed (-9) at random moments while jobs are submitted and run. In the end each job whose
# id was printed has run once, and has ended with its own exit status: accepted but missing 0, run twice
# 0, wrong status 0, unaccounted 0. ROUNDS is the number of kills.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

rounds=${ROUNDS:-25}
seed=${SEED:-$$}
echo "# SEED=$seed, $rounds kills"
export KAHU_STORE="$work/st"
mkdir runs

serve() {
	"$KAHU" serve >serve.out 2>serve.err &
	server=$!
	wait_until 10 test -s serve.out || fail "the scheduler starts" "$(cat serve.err)"
}

stop_all() {
	kill -9 "$server" 2>/dev/null
	pkill -9 -f "kahu-shepherd .*$work" 2>/dev/null
}
at_exit stop_all

random() { # BELOW
	seed=$(((seed * 1103515245 + 12345) % 2147483648))
	echo $((seed / 65536 % $1))
}

# A job notes that it runs, and ends with a status of its own.
cat >job.sh <<'TEXT'
#!/bin/sh
echo "$1" >>"$2/runs/$1"
sleep 0.0$3
exit $((3 + $1 % 7))
TEXT
chmod +x job.sh

number=0
submit_some() {
	while :; do
		number=$((number + 1))
		id=$("$KAHU" submit -o /dev/null -j oe -l walltime=60 -- "$work/job.sh" $number "$work" "$(random 9)" 2>/dev/null) &&
			echo "$id $number" >>accepted
		[ ! -e stop ] || return 0
	done
}

: >accepted
submit_some &
submitter=$!
round=0
while [ $round -lt "$rounds" ]; do
	round=$((round + 1))
	: >serve.out
	serve
	sleep "0.0$(random 9)$(random 9)"
	kill -9 "$server"
	wait "$server" 2>/dev/null
done
: >serve.out
serve
touch stop
wait "$submitter"

ended() { "$KAHU" journal --from 1 | awk '$4 == "end"' | sed 's/,//' >ends; }
all_ended() {
	ended
	awk 'NR == FNR { over[$5] = 1; next } !($1 in over) { missing = 1 } END { exit missing }' ends accepted
}
check_true "every job that was accepted comes to its end" wait_until 60 all_ended
check_true "there were some" test "$(awk 'END { print NR }' accepted)" -gt "$rounds"
echo "# $(awk 'END { print NR }' accepted) accepted"
check_equal "each ran exactly once" "" "$(while read -r id number; do
	[ "$(cat "runs/$number" 2>/dev/null)" = "$number" ] || echo "$id ($number): $(cat "runs/$number" 2>&1)"
done <accepted)"
check_equal "each ended with its own status, once" "" "$(awk 'NR == FNR { number[$1] = $2; next }
	$5 in number { count[$5]++; if ($7 != 3 + number[$5] % 7) print }
	END { for (id in number) if (count[id] != 1) print id, "ended", count[id] + 0, "times" }' accepted ends)"
# The file of an end is taken away when something happens after it.
"$KAHU" submit -h -- true >/dev/null
empty() { [ "$(ls "$KAHU_STORE/spool")" = boot ]; }
check_true "nothing is left in the spool" wait_until 10 empty
kill "$server"
wait "$server"
check_status "and the store is whole" 0 "$KAHU_BUILD/tests/crash/verify_store" "$KAHU_STORE"
