#!/bin/sh
# SPDX-License-Identifier: MIT
#
# hash.sh - all compilers and optimization levels give the same decisions
#
# Builds hash_replay (tests/hash_replay.c) with gcc and clang at -O0 and -O3 and compares their
# output: generated workloads, and a hash of all decisions under
# several policies, which would show a priority that is rounded differently. A compiler that is
# not installed is reported as skipped.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

seed=${SEED:-11}
echo "# SEED=$seed"

# Builds both levels of a compiler at a time in ./NAME; the hashes are in NAME.hashes.
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
		skip "$compiler decides like the others" "$compiler is not installed"
		continue
	fi
	build_and_replay $compiler-O0 $compiler -O0 &
	build_and_replay $compiler-O3 $compiler -O3 &
	wait
	compare $compiler-O0
	compare $compiler-O3
done
check_true "there are hashes to compare" test -s "$reference.hashes"
check_equal "different policies have different hashes" "$(wc -l <"$reference.hashes")" \
	"$(cut -d' ' -f5 "$reference.hashes" | sort -u | wc -l)"
