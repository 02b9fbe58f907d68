#!/bin/sh
# SPDX-License-Identifier: MIT
#
# hash.sh - does every compiler decide the same, at every optimisation?
#
# Builds hash_replay (tests/hash_replay.c) with gcc and clang at -O0 and -O3 and compares what
# it prints: generated workloads, and a hash over all that was decided about them under
# several policies, so a priority that is rounded differently once shows. A compiler that is
# not here is named and counted as skipped.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

seed=${SEED:-11}
echo "# SEED=$seed"

# Into ./NAME; what it decides into NAME.hashes. Both levels of a compiler at a time.
build_and_replay() { # NAME COMPILER LEVEL
	mkdir "$1" || return
	(cd "$1" && sh "$KAHU_SOURCE/configure" -q CC="$2" CFLAGS="$3" && make build/tests/hash_replay) \
		>"$1.log" 2>&1 || return
	"./$1/build/tests/hash_replay" "$seed" >"$1.hashes" 2>>"$1.log" && touch "$1.done"
}

reference=
compare() { # NAME
	if [ ! -e "$1.done" ]; then
		fail "$1 replays every workload" "$(tail -n 20 "$1.log")"
		return
	fi
	pass "$1 replays every workload"
	: "${reference:=$1}"
	[ "$reference" = "$1" ] ||
		check_same_files "$1 decides like $reference" "$reference.hashes" "$1.hashes"
}

for compiler in gcc clang; do
	if ! command -v $compiler >/dev/null; then
		skip "$compiler decides like the others" "$compiler is not here"
		continue
	fi
	build_and_replay $compiler-O0 $compiler -O0 &
	build_and_replay $compiler-O3 $compiler -O3 &
	wait
	compare $compiler-O0
	compare $compiler-O3
done
check_true "there is something to compare" test -s "$reference.hashes"
check_equal "different policies decide differently" "$(wc -l <"$reference.hashes")" \
	"$(cut -d' ' -f5 "$reference.hashes" | sort -u | wc -l)"
