#!/bin/sh
# SPDX-License-Identifier: MIT
#
# language.sh - phrases that Kahu's documentation does not use
#
# The documentation of Slurm, PostgreSQL and git is the model: the field's words, the actor named, plain order.
# Each pattern below is a phrase that was used before and that such texts do not use. The script checks the manual
# pages, which contain the help of all verbs and options, the READMEs, the comments of the default configuration, NEWS.md,
# the themes, and the strings and comments of some folders of tui/. NEWS.md, themes and tui/ are checked for more phrases.

set -u
export LC_ALL=C.UTF-8
cd "${KAHU_SOURCE:?}" || exit 3

phrases='for ever([^y]|$)|as things (are|stand)|till then|(is|are) let be|let be no longer|[Ww]hoever|who submits'
phrases="$phrases|[^a-z]one's own|from when on|([^a-z]|^)so many |[Hh]ands in|goes away|is taken back|are taken back"
phrases="$phrases|everybody who|somebody who|(is|are) told of|stands still|stand still|which holes|what it costs to"

more='beside the keys|(has|have|without) the keys|nobody else (comes|runs)|(is|are) told to (stop|do)|is looked for|held back'
more="$more|look(ed|ing) for anew|who asks|there is no (verb|screen|theme|column|role) |needs %s behind it|leave it out"
more="$more|(is|are) to be (seen|had|made)|what (is|was) so |cannot be had|mend(s|ed)? it|nothing matches|is there already"

if grep -nE "$phrases" README.md sched/README.md tui/README.md tests/README.md tui/doc/*.[157] sched/config/defaults.conf; then
	echo "not ok the documentation uses none of the phrases in tests/language.sh"
	exit 1
fi
if grep -nE "$phrases|$more" NEWS.md themes/*.theme tui/console/*.[ch] tui/screen/*.[ch] tui/command/*.[ch] \
	tui/serve/*.[ch] tui/report/*.[ch] tui/draw/*.[ch] tui/query/*.[ch] tui/submit/*.[ch]; then
	echo "not ok the console and the verbs use none of the phrases in tests/language.sh"
	exit 1
fi
echo "ok the console and the verbs use none of the phrases in tests/language.sh"
echo "ok the documentation uses none of the phrases in tests/language.sh"
