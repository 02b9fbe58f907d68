#!/bin/sh
# SPDX-License-Identifier: MIT
#
# names.sh - do Maui's command names run Kahu's verbs once they are installed?
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

unset MAKEFLAGS MFLAGS MAKELEVEL
here=$work/here

run_make() { make -C "${KAHU_BUILD%/build}" --no-print-directory DESTDIR="$here" "$@"; }

check_status "the program is installed" 0 run_make install
bin=$(dirname "$(find "$here" -name kahu -type f -perm -u+x)")
[ "$bin" != . ] || exit 1
check_equal "kahu-maui(7) is installed with it" kahu-maui.7 "$(cd "$here" && find . -name kahu-maui.7 | sed 's,.*/,,')"
check_equal "no name of Maui is taken unasked" "" "$(find "$bin" -name showq)"
check_status "the names are installed" 0 run_make install-maui-names
check_status "again is no harm" 0 run_make install-maui-names

# Every command of Maui that is a verb has its link, and every link is a verb.
for name in canceljob changeparam checkjob checknode diagnose releasehold releaseres runjob schedctl sethold \
	setqos setres setspri showbf showconfig showgrid showhold showq showres showstart showstate showstats; do
	if "$KAHU" help $name >/dev/null 2>&1; then
		check_status "$name runs" 0 "$bin/$name" --help
		check_equal "$name is that verb" "$("$KAHU" help $name)" "$out"
	else
		check_true "$name is no link" test ! -e "$bin/$name"
	fi
done

for letter in -p -f -t -q -j -n -u -g -a -c -Q; do
	check_contains "diagnose $letter is in the help" "  $letter " "$("$bin/diagnose" --help)"
done
check_status "diagnose -p is 'priority'" 1 "$bin/diagnose" -p --store "$work/none"
check_contains "and looks for the store" "there is no store" "$err"
check_status "diagnose -j hands its word on" 1 "$bin/diagnose" -j 12 --store "$work/none"
check_status "diagnose takes one letter" 2 "$bin/diagnose" -p -q
check_status "diagnose needs one" 2 "$bin/diagnose"
check_contains "and says where they are" "help diagnose" "$err"

rm "$bin/showq" && printf 'Maui\n' >"$bin/showq"
check_status "a showq that is Maui's is not overwritten" 2 run_make install-maui-names
check_contains "it is named" "showq is there already" "$err"
check_equal "it is as it was" Maui "$(cat "$bin/showq")"
check_status "all is taken away again" 0 run_make uninstall
check_equal "but for what is Maui's" showq "$(cd "$bin" && find . -type f -o -type l | sed 's,./,,')"
