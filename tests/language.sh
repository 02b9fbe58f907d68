#!/bin/sh
# SPDX-License-Identifier: MIT
#
# language.sh - phrases that Kahu's documentation does not use
#
# The documentation of Slurm, PostgreSQL and git is the model: the field's words, the actor named, plain order.
# Each pattern below is a phrase that used to stand here and has no use in such a text. Checked are the manual
# pages, which contain the help of all verbs and options, the READMEs and the comments of the configuration.
# NEWS.md, the screens and the comments of the code are still to come.

set -u
export LC_ALL=C.UTF-8
cd "${KAHU_SOURCE:?}" || exit 3

phrases='for ever([^y]|$)|as things (are|stand)|till then|(is|are) let be|let be no longer|[Ww]hoever|who submits'
phrases="$phrases|[^a-z]one's own|from when on|([^a-z]|^)so many |[Hh]ands in|goes away|is taken back|are taken back"
phrases="$phrases|everybody who|somebody who|(is|are) told of|stands still|stand still|which holes|what it costs to"

if grep -nE "$phrases" README.md sched/README.md tui/README.md tests/README.md tui/doc/*.[157] sched/config/defaults.conf; then
	echo "not ok the documentation uses none of the phrases in tests/language.sh"
	exit 1
fi
echo "ok the documentation uses none of the phrases in tests/language.sh"
