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

build() { # NAME COMPILER LEVEL: into ./NAME
	mkdir "$1" || return
	(cd "$1" && sh "$KAHU_SOURCE/configure" -q CC="$2" CFLAGS="$3" && make -j2 build/tests/hash_replay) \
		>"$1.log" 2>&1
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
			check_true "$compiler $level replays every workload" \
				sh -c "./$name/build/tests/hash_replay $seed >$name.hashes"
			: "${reference:=$name}"
			[ "$reference" = $name ] ||
				check_same_files "$compiler $level decides like $reference" "$reference.hashes" $name.hashes
		fi
	done
done
check_true "there is something to compare" test -s "$reference.hashes"
check_equal "different policies decide differently" "$(wc -l <"$reference.hashes")" \
	"$(cut -d' ' -f5 "$reference.hashes" | sort -u | wc -l)"
