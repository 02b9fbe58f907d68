#!/bin/sh
# SPDX-License-Identifier: MIT
#
# man.sh - the manual pages equal the output of the program, and name tests that exist
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

"$KAHU" help --man >kahu.1
"$KAHU" help --man-conf >kahu.conf.5
check_same_files "kahu.1 equals the output of 'kahu help --man'" "$KAHU_SOURCE/tui/doc/kahu.1" kahu.1
check_same_files "kahu.conf.5 equals the output of 'kahu help --man-conf'" "$KAHU_SOURCE/tui/doc/kahu.conf.5" kahu.conf.5

if command -v groff >/dev/null; then
	check_equal "groff gives no warning about kahu.1" "" "$(groff -man -Tutf8 -ww -z kahu.1 2>&1)"
	check_equal "groff gives no warning about kahu.conf.5" "" "$(groff -man -Tutf8 -ww -z kahu.conf.5 2>&1)"
	for page in kahu-maui kahu-jobs kahu-security; do
		check_equal "groff gives no warning about $page.7" "" \
			"$(groff -man -Tutf8 -ww -z "$KAHU_SOURCE/tui/doc/$page.7" 2>&1)"
	done
else
	skip "groff gives no warning about the pages" "no groff here"
fi

# Tests that are named in kahu-security(7) as tests/FOLDER/NAME.c and in the README as `FOLDER/NAME`.
{
	grep -oE 'tests/[a-z]+/[a-z_]+\.(sh|c)' "$KAHU_SOURCE/tui/doc/kahu-security.7"
	sed -n '/^\*\*Promise/,/^## /p' "$KAHU_SOURCE/README.md" | grep -oE '`[a-z]+/[a-z_]+`' | tr -d '`' | while read -r name; do
		ls "$KAHU_SOURCE/tests/$name".* >/dev/null 2>&1 && continue
		echo "tests/$name of README"
	done
} | sort -u | while read -r path; do
	[ -e "$KAHU_SOURCE/$path" ] || echo "$path"
done >missing
check_equal "every test that kahu-security(7) and README name exists" "" "$(cat missing)"
check_true "kahu-security(7) names at least ten tests" test "$(grep -c 'tests/' "$KAHU_SOURCE/tui/doc/kahu-security.7")" -gt 10
