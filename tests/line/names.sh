#!/bin/sh
# SPDX-License-Identifier: MIT
#
# names.sh - installation of the command names of Maui, PBS and Slurm
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

unset MAKEFLAGS MFLAGS MAKELEVEL
here=$work/here

run_make() { make -C "${KAHU_BUILD%/build}" --no-print-directory DESTDIR="$here" "$@"; }

check_status "the program is installed" 0 run_make install
bin=$(dirname "$(find "$here" -name kahu -type f -perm -u+x)")
[ "$bin" != . ] || exit 1
check_equal "kahu-maui(7) is installed with it" kahu-maui.7 "$(cd "$here" && find . -name kahu-maui.7 | sed 's,.*/,,')"
check_equal "install does not install Maui's names" "" "$(find "$bin" -name showq)"
check_status "Maui's names are installed" 0 run_make install-maui-names
check_status "they can be installed again" 0 run_make install-maui-names

# Every command of Maui that is a verb has a link, and every link is a verb.
for name in canceljob changeparam checkjob checknode diagnose msub releasehold releaseres runjob schedctl sethold \
	setqos setres setspri showbf showconfig showgrid showhold showq showres showstart showstate showstats; do
	if "$KAHU" help $name >/dev/null 2>&1; then
		check_status "$name runs" 0 "$bin/$name" --help
		check_equal "$name has the help of that verb" "$("$KAHU" help $name)" "$out"
	else
		check_true "$name has no link" test ! -e "$bin/$name"
	fi
done

check_status "diagnose -p is 'priority'" 1 "$bin/diagnose" -p --store "$work/none"
check_contains "it looks for the store" "there is no store" "$err"

# diagnose with a letter prints the output of the corresponding verb.
printf '; MaxProcs: 4\n1 0 -1 100 4 -1 -1 4 100 -1 1 1 1 -1 1 -1 -1 -1\n2 0 -1 100 2 -1 -1 2 100 -1 1 2 1 -1 1 -1 -1 -1\n' >log.swf
for scope in user group account qos class; do
	printf '%s x { priority = 1 maxjob = {"4"} }\n' $scope
done >site.conf
report() { # LINE: the output of a command within a replay
	"$KAHU" replay log.swf --config site.conf --until 50 --report "$1" 2>err | sed -n '2,/^jobs  /p' | grep -v '^jobs  '
}
for pair in "-p=priority" "-f=fairshare" "-t=limits" "-q=queue -b" "-j=queue" "-j 2=job 2" "-n=node" "-n n001=node n001" "-r=reservations"; do
	expected=$(report "${pair#*=}")
	check_true "'${pair#*=}' prints something" test -n "$expected"
	check_equal "diagnose ${pair%%=*} prints the output of '${pair#*=}'" "$expected" "$(report "diagnose ${pair%%=*}")"
done
for pair in -u=user -g=group -a=account -c=class -Q=qos; do
	check_contains "diagnose ${pair%=*} shows the settings of each ${pair#*=}" "${pair#*=}[x].maxjob" \
		"$(report "diagnose ${pair%=*}")"
done
report "diagnose -p -q" >/dev/null
check_contains "diagnose with two letters is refused" "are mutually exclusive" "$(cat err)"
report "diagnose" >/dev/null
check_contains "diagnose without a letter refers to the help" "help diagnose" "$(cat err)"

for system in pbs slurm; do
	check_status "the names of $system are installed" 0 run_make install-$system-names
done
for name in qsub qstat qdel qhold qrls qalter sbatch squeue scancel scontrol sinfo srun; do
	check_status "$name runs" 0 "$bin/$name" --help
	check_equal "$name has the help of that verb" "$("$KAHU" help $name)" "$out"
done
printf 'Slurm\n' >"$bin/sq" && rm "$bin/squeue" && mv "$bin/sq" "$bin/squeue"
check_status "Slurm's squeue is not overwritten" 2 run_make install-slurm-names
check_contains "the message names it" "squeue is there already" "$err"
rm "$bin/squeue"

rm "$bin/showq" && printf 'Maui\n' >"$bin/showq"
check_status "Maui's showq is not overwritten" 2 run_make install-maui-names
check_contains "the message names it" "showq is there already" "$err"
check_equal "it is unchanged" Maui "$(cat "$bin/showq")"
check_status "uninstall succeeds" 0 run_make uninstall
check_equal "only Maui's showq is left" "$bin/showq" "$(find "$here" -type f -o -type l)"

# Uninstall keeps a PAM service file that the site has changed.
if grep -q -e -DHAVE_PAM "$KAHU_BUILD/../config.mk"; then
	check_status "the program is installed again" 0 run_make install
	pam=$(find "$here" -path '*/pam.d/kahu')
	check_true "its PAM service is installed" test -s "$pam"
	echo 'session optional pam_umask.so' >>"$pam"
	check_status "uninstall succeeds" 0 run_make uninstall
	check_contains "it prints that it keeps the changed service" "keeping $pam" "$out"
	check_equal "the service file has the change" 'session optional pam_umask.so' "$(tail -n 1 "$pam")"
fi
