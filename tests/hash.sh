#!/bin/sh
# SPDX-License-Identifier: MIT
#
# hash.sh - does every compiler decide the same, at every optimisation?
#
# Builds the program with gcc and clang at -O0 and -O3, replays a generated workload under
# several policies with each, and compares the decisions_hash of the summaries: it covers
# what was decided when, so a priority that is rounded differently once shows. A compiler
# that is not here is named and counted as skipped.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

jobs=3000 machine_procs=256 seed=${SEED:-11}
echo "# SEED=$seed"

# NAME, then arguments for replay. Between them every factor of the priority is at work.
policies='
fcfs          --policy fcfs
easy          --policy easy
conservative  --policy conservative
waiting       --set queuetimeweight=7 --set xfactorweight=1000.3 --set xfactorcap=50
size          --set resweight=3 --set procweight=0.7 --set memweight=0.01 --set peweight=11.1 --set psweight=0.003
service       --set queuetimeweight=0.3 --set xfactorweight=77 --set bypassweight=1.7 --set reservationdepth=20
targets       --set targetweight=1 --set targetxfactorweight=0.1 --set user[DEFAULT].xftarget=4.5
everything    --set queuetimeweight=1.1 --set xfactorweight=333.3 --set procweight=2.7 --set walltimeweight=0.001 --set userweight=1 --set user[u1].priority=5000.5
'

build() { # NAME COMPILER LEVEL: into ./NAME
	mkdir "$1" || return
	(cd "$1" && sh "$KAHU_SOURCE/configure" -q CC="$2" CFLAGS="$3" && make -j2 kahu build/tests/property/gen_swf) \
		>"$1.log" 2>&1
}

decide() { # NAME: a line "policy hash" for each policy; what went wrong stands in the line too
	"./$1/build/tests/property/gen_swf" "$seed" "$jobs" "$machine_procs" >"$1.swf" || return
	echo "$policies" | while read -r policy arguments; do
		[ -n "$policy" ] || continue
		# shellcheck disable=SC2086 # arguments are words
		summary=$("./$1/kahu" replay --json $arguments "$1.swf" 2>&1)
		hash=$(printf '%s' "$summary" | sed -n 's/.*"decisions_hash"[ ]*:[ ]*"\{0,1\}\([^",}]*\).*/\1/p')
		echo "$policy ${hash:-has no decisions_hash: $summary}"
	done
}

reference=
for compiler in gcc clang; do
	for level in -O0 -O3; do
		name=$compiler$level
		if ! command -v $compiler >/dev/null; then
			skip "$compiler $level decides like the others" "$compiler is not here"
		elif ! build $name $compiler $level; then
			fail "$compiler $level builds the program" "$(tail -n 20 $name.log)"
		else
			decide $name >$name.hashes
			: "${reference:=$name}"
			check_true "$compiler $level gives every replay a hash" \
				test "$(grep -cE '^[a-z]+ [0-9a-f]+$' $name.hashes)" -eq "$(echo "$policies" | grep -c .)"
			[ $reference = $name ] ||
				check_same_files "$compiler $level generates the workload of $reference" $reference.swf $name.swf
			[ $reference = $name ] ||
				check_same_files "$compiler $level decides like $reference" $reference.hashes $name.hashes
		fi
	done
done
[ "$(cut -d' ' -f2 "$reference.hashes" | sort -u | wc -l)" -gt 3 ] &&
	pass "different policies decide differently" || fail "different policies decide differently" "$(cat "$reference.hashes")"
