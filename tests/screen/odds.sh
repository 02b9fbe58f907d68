#!/bin/sh
# SPDX-License-Identifier: MIT
#
# odds.sh - do the screens of shares and limits show what lint says of them, and of a draft first?

. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"
. "$KAHU_SOURCE/tests/screen/policy.sh"

now=1300982531 # Thu Mar 24 2011, 16:02:11
{
	echo "VERSION 230"
	job u1 2 user1 34948 $now 34948
	job u2 8 user1 3600 $now 3600
	job s1 4 steve 7200 $now 7000 fast
} >work.trace
cat >kahu.conf <<'EOC'
fspolicy = "dedicatedps"
fsinterval = "12:00:00"
fsweight = 1
fsuserweight = 10
user user1 { fstarget = 70  maxjob = {"8,4"}  maxproc = {"9999"} }
user steve { fstarget = 60  maxijob = {"2,4"} }
group staff { fstarget = 30  maxproc = {"4", "4"} }
EOC

play replay work.trace --cluster 4x4 --config kahu.conf --console --ascii <<'EOS'
size 80x24
step 1
keys 4
dump shares
keys 6
dump limits
:tune user[user1].maxproc 1
dump draft
keys <Esc>
size 100x30
keys 4
dump shares-middle
size 200x60
dump shares-wide
keys 6
dump limits-wide
keys 9 <Tab>
dump all
EOS

screen '80x24: one finding about shares, and how many more' shares <<'EOS'
EOS
screen '80x24: and about limits' limits <<'EOS'
EOS
screen '100x30: two of them' shares-middle <<'EOS'
EOS

# The screen has no other lines with an id in this place.
lint_lines() { # FILE
	grep -E '^ (Lint:|     ) [WL][0-9]+ ' "$1" | sed 's/  *+/ +/'
}

check_equal 'what a draft would break comes first' \
	' Lint: L8 (new) user[user1].maxproc keeps 1 job for ever that alone asks for m~
       W18 maxjob of user user1: the soft limit of 8,4 is above th~ +3 more: 9' "$(lint_lines draft)"
check_equal '200x60: all of them' \
	' Lint: W5 fstarget of group staff has no effect: fsgroupweight is 0; set it to 1
       W33 the fstargets of users add up to 130 percent, so not all can be reached; lower them' \
	"$(lint_lines shares-wide)"
check_equal '200x60: four of those about limits' \
	'L8 W18 W19 W20 +1' "$(lint_lines limits-wide | grep -oE '(L|W)[0-9]+ |\+1' | tr -d ' ' | tr '\n' ' ' | sed 's/ $//')"
check_contains 'the Config screen has them all' '7 of 7 findings' "$(tail -n 4 all)"
