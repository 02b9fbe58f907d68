#!/bin/sh
# SPDX-License-Identifier: MIT
#
# power_loss.sh - every acknowledged job survives a power loss and runs at most once
#
# A scheduler and its shepherds run jobs while faults.so logs what they write, sync and rename. From the log
# power_loss.c builds what the disk may hold after a power loss at a random moment: unsynced writes are dropped,
# torn or reordered. A scheduler starts on each image, in another boot. Every job whose id was printed before that
# moment must exist, must have run at most once before and after it together, and must end with its own status
# or as lost. IMAGES is the number of images.
# shellcheck source=tests/crash/history.sh
. "${KAHU_SOURCE:?}/tests/crash/history.sh"

KAHU=${KAHU_FAILING:?}
faults=$(dirname "$KAHU")/faults.so
images=${IMAGES:-20}
helper=$KAHU_BUILD/tests/crash/power_loss
if [ ! -e "$faults" ]; then
	skip "acknowledged jobs survive a power loss" "faults.so does not work with a sanitizer"
	exit 0
fi
echo "# SEED=$seed, $images images"
room_for 4

# --- the logged run --------------------------------------------------------------------------------

mkdir disk
: >disk.writes
truncate -s 128 disk.calls
export KAHU_STORE="$work/disk/st" KAHU_BOOT_FILE="$work/boot"
echo 00000000-0000-0000-0000-000000000000 >boot

cat >job.sh <<TEXT
#!/bin/sh
$helper note $work/disk.writes begin "\$1"
echo "begin \$1" >>"\$2/log"
sleep "\$3"
echo "end \$1" >>"\$2/log"
exit \$((3 + \$1 % 7))
TEXT

LD_PRELOAD=$faults KAHU_FAULTS=$work/disk serve
for number in $(seq 24); do
	submit_one "$number" "0.0$((number % 9))" && "$helper" note disk.writes ack "$(tail -n 1 accepted)"
	random 6
	case $random in
	0) "$KAHU" hold "$one_id" >/dev/null 2>&1 && "$KAHU" release "$one_id" >/dev/null 2>&1 ;;
	1) "$KAHU" set "$one_id" priority=$number >/dev/null 2>&1 ;;
	2) sleep 0.05 ;;
	esac
done
check_true "all jobs end" wait_until 30 all_ended
check_equal "they have their own status" "" "$(judge)"
kill "$server" && wait "$server"
records=$("$helper" records disk.writes)
echo "# $records records"
check_true "the writes were logged" test "$records" -gt 200
rm -f log accepted
: >total

# --- the images --------------------------------------------------------------------------------------

# The same jobs; those that run again write their log to the image.
revive() { # CUT
	mkdir image
	"$helper" image disk.writes "$1" "$seed" image
	"$helper" notes disk.writes "$1" | awk '$1 == "ack" { print $2, $3 }' >accepted
	"$helper" notes disk.writes "$1" | awk '$1 == "begin" { print "begin", $2 }' >log
	printf '00000000-0000-0000-0000-%012d\n' "$1" >boot
	export KAHU_STORE="$work/image/st"
	serve
	"$KAHU" release -w state=held >/dev/null 2>&1 # the power may have failed between a hold and its release
	wait_until 20 all_ended
	judge lost
	count accepted >>total
	kill "$server" && wait "$server"
	"$KAHU_BUILD/tests/crash/verify_store" "$KAHU_STORE" 2>&1
	rm -rf image
}

: >violations
image=0
while [ $image -lt "$images" ]; do
	image=$((image + 1))
	random 32768
	cut=$((random * 32768))
	random 32768
	cut=$(((cut + random) % records + 1))
	revive "$cut" >found 2>&1
	[ ! -s found ] || sed "s/^/image after $cut records: /" found >>violations
done
check_equal "every acknowledged job survives $images power losses and runs at most once" "" "$(cat violations)"
echo "# soak $images $records $images"
check_true "jobs were acknowledged" awk '{ sum += $1 } END { exit sum < 1 }' total
