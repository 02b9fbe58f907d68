# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154
#
# screen.sh - functions that compare screens with their drawings
#
#     play demo --nodes 8 --seed 9 <<'EOS'      a session driven by a script (tui/console/script.h);
#     keys H u                                  its dumps are files in the current folder
#     dump draft
#     EOS
#     screen 'a hold is a draft first' draft <<'EOS'
#     ...the screen, drawn...
#     EOS
#
# The user who runs the tests is the operator: the name is removed from the title and drawn as
# OPERATOR elsewhere, in the same width.

play() { # VERB OPTIONS...: the script is standard input
	cat >"$work/.script"
	check_status "the script runs: $*" 0 "$KAHU" "$@" --script "$work/.script"
	[ -z "$err" ] || printf '# %s\n' "$err"
}

# Applied to the expected and to the actual screen, because a user of a scene may have the operator's name.
as_operator() {
	awk -v name="$(id -un)" '
		{
			done = ""
			while (match($0, " " name " +")) {
				done = done substr($0, 1, RSTART) sprintf("%-*s", RLENGTH - 1, "OPERATOR")
				$0 = substr($0, RSTART + RLENGTH)
			}
			$0 = done $0
		}
		sub(" " name ":", " OPERATOR:") { sub(/ +~$/, " ~") }
		{ print }'
}

without_name() { # FILE
	sed "1s/ *$(id -un)\$//" "$1" | as_operator
}

screen() { # NAME FILE: the expected screen is standard input
	expected=$(as_operator)
	check_equal "$1" "$expected" "$(without_name "$2")"
}
