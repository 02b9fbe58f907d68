# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034 # the scripts use these variables
#
# hpc2n.sh - a day at a university centre that leads to the queue on its documentation page
#
#     history snac1 >log      the workload, in Maui's format; the argument is sam's project
#     do.txt                  the actions of the operator, for --do
#     $policy                 tests/examples/hpc2n.conf
#     on_the_day [OPTION]...  a console at 16:02:11 (with tests/screen/screen.sh): the rest of its
#                             script is standard input, the workload is the file log
#
# At 16:02:11 one job of user1 runs, 8 are idle and 8 are blocked.

policy=$KAHU_SOURCE/tests/examples/hpc2n.conf
export TZ=CET-1

at() { # HH:MM:SS of Thursday, March 24, 2011, as seconds since 1970
	echo "$1" | awk -F: '{ print 1300921200 + $1 * 3600 + $2 * 60 + $3 }'
}

job() { # NAME USER ACCOUNT PROCS WCLIMIT SUBMITTED [RUN [NODES]]: a line of a Maui workload trace
	submit=$(at "$6")
	limit=$(echo "$5" | awk -F: '{ print $1 * 3600 + $2 * 60 + $3 }')
	echo "$1 ${8:-0} $4 $2 g $limit Completed [batch:1] $submit $submit $submit $((submit + ${7:-$limit}))" \
		"[NONE] [NONE] [NONE] >= 0 >= 0 [NONE] $submit $4 -1 [NONE] [NONE] $3 cmd [NONE] 0 0 [DEFAULT]" \
		"1 0 0 0 0 0 [NONE] 0 [NONE] [NONE] [NONE] [NONE] [NONE]"
}

# Jobs of other users hold all but 2 processors until 15:50; sam's job requests more than are ever free that day.
history() {
	echo "VERSION 230"
	job A eva other 3810 48:00:00 08:00:00 172800 635
	job B eva other 17 48:00:00 08:00:01
	job C bob other 1251 48:00:00 08:00:02 28198
	job S sam "$1" 2000 1:00:00 08:10:00
	job 899744 user1 none 2 14:54:30 09:00:00
	job X user1 none 8 1:00:00 09:10:00
	job Y user1 none 8 1:00:00 09:11:00
	while read -r name limit submitted; do
		job "$name" user1 none 8 "$limit" "$submitted"
	done <<-TEXT
		900991 1:00:00 09:49:11
		900992 2:00:00 09:50:58
		900993 2:00:00 09:55:30
		900995 2:00:00 10:04:42
		900997 2:00:00 10:08:28
		901620 1:29:00 10:34:26
		901624 2:00:00 10:37:25
		901627 1:25:00 10:41:13
		901013 1:30:00 10:43:05
		901023 2:29:00 11:19:08
		901025 2:00:00 11:24:38
		901069 2:00:00 12:42:29
		901070 1:15:00 12:43:41
		901071 1:20:00 13:11:23
		901074 2:00:00 13:17:44
		901108 2:00:00 15:33:06
	TEXT
}

cat >do.txt <<TEXT
$(at 10:50:09) start 899744
$(at 11:20:00) cancel X
$(at 11:30:00) cancel Y
TEXT

# The operator starts one job and cancels two
until_then='until 10:50:09
:start 899744
keys <Enter>
until 11:20:00
:cancel X
keys <Enter> y
until 11:30:00
:cancel Y
keys <Enter> y
until 16:02:11'

on_the_day() { # [OPTION]...
	{
		echo "$until_then"
		cat
	} | play replay log --cluster 635x8 --config "$policy" --console "$@"
}
