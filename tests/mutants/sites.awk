# SPDX-License-Identifier: MIT
#
# sites.awk - places of a C file where a random fault can be planted
#
#     awk -f sites.awk FILE                    a line for each site: NUMBER, LINE, TEXT, REPLACEMENT, with tabs between
#     awk -v plant=NUMBER -f sites.awk FILE    the file with the fault of that site
#
# Only bodies of functions are changed; comments, literals and lines of the preprocessor are not. The file must be
# formatted as .clang-format says. Operators: a relation or its bound (< <=, == !=), + and -, && and ||, a constant
# one more, a condition negated, true and false swapped after return, an assignment or a call removed. Memory that
# is not released, and less of it than is needed, is found by the sanitizers of .ci/run, and more of it changes
# nothing: such places are left out. So is the bound of a relation between two values that were just found to
# differ: if (a != b) return a < b; the 1 of "? -1 : 1" and of "fd = -1", of which only the sign counts; and the bound
# of "fd >= 0", for no file that is opened has descriptor 0, and that of "sign > 0", for a sign is 1 or
# -1. A lock that is not taken is found by ThreadSanitizer.

BEGIN { RS = "\001"; ORS = "" }

function token(text, at, line) {
	tokens++
	word[tokens] = text
	place[tokens] = at
	row[tokens] = line
}

function split_tokens(all,    at, n, c, two, line, len, fresh) {
	n = length(all)
	line = 1
	fresh = 1 # only blanks since the line began
	for (at = 1; at <= n;) {
		c = substr(all, at, 1)
		two = substr(all, at, 2)
		len = 1
		if (c == "\n") {
			line++
			fresh = 1
			at++
			continue
		}
		if (c == " " || c == "\t") {
			at++
			continue
		}
		if (two == "/*") {
			len = index(substr(all, at), "*/") + 1
		} else if (two == "//" || (c == "#" && fresh)) {
			len = 0
			do {
				len += index(substr(all, at + len), "\n")
			} while (substr(all, at + len - 2, 1) == "\\")
			len--
		} else if (c == "\"" || c == "'") {
			while (substr(all, at + len, 1) != c)
				len += substr(all, at + len, 1) == "\\" ? 2 : 1
			len++
			token(c c, at, line)
		} else if (c ~ /[A-Za-z0-9_]/) {
			match(substr(all, at, 200), /^[A-Za-z0-9_.]+/)
			len = c ~ /[0-9]/ ? RLENGTH : match(substr(all, at, 200), /^[A-Za-z0-9_]+/) * RLENGTH
			token(substr(all, at, len), at, line)
		} else {
			if (substr(all, at, 3) == "<<=" || substr(all, at, 3) == ">>=" || substr(all, at, 3) == "...")
				len = 3
			else if (two ~ /^(->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*\/%&|^]=)$/)
				len = 2
			token(substr(all, at, len), at, line)
		}
		fresh = 0
		for (c = at; c < at + len; c++)
			if (substr(all, c, 1) == "\n")
				line++
		at += len
	}
}

function site(first, last, text) {
	sites++
	from[sites] = place[first]
	size[sites] = place[last] + length(word[last] == "\"\"" || word[last] == "''" ? "" : word[last]) - place[first]
	put[sites] = text
	where[sites] = row[first]
}

# The token that closes what the one at i opens.
function closing(i,    depth) {
	do {
		if (word[i] ~ /^[([{]$/)
			depth++
		if (word[i] ~ /^[])}]$/)
			depth--
	} while (depth > 0 && ++i <= tokens)
	return i
}

# The token that opens what the one at i closes.
function opening(i,    depth) {
	do {
		if (word[i] ~ /^[])}]$/)
			depth++
		if (word[i] ~ /^[([{]$/)
			depth--
	} while (depth > 0 && --i > 0)
	return i
}

# "a != b ? a < b : ..." and "if (a != b) return a < b ...", for the relation at i.
function operands_differ(i,    first, last, k, n) {
	for (first = i; first > 1 && word[first - 1] !~ /^([([{?:,;=]|&&|\|\||return)$/; first--)
		if (word[first - 1] ~ /^[])]$/)
			first = opening(first - 1) + 1
	for (last = i; last < tokens && word[last + 1] !~ /^([])}?:,;]|&&|\|\|)$/; last++)
		if (word[last + 1] ~ /^[([]$/)
			last = closing(last + 1) - 1
	n = last - first + 1
	for (k = first - 1; k > n && word[k] ~ /^(\(|\)|return|\?)$/; k--)
		;
	if (k < n || word[k + 1] !~ /^[?)]$/)
		return 0
	for (k = k - n + 1; first <= last; first++)
		if (word[k++] != (first == i ? "!=" : word[first]))
			return 0
	return 1
}

# What a comparison for qsort returns: "? -1 : 1", of which only the signs count.
function is_order(i) {
	return word[i] == "1" && ((word[i - 1] == "-" && word[i - 2] == "?") ||
		(word[i - 1] == ":" && word[i - 2] == "1" && word[i - 3] == "-" && word[i - 4] == "?" && word[i + 1] == ";"))
}

function is_descriptor(i) {
	return word[i] ~ /(^|_)(fd|pidfd|folder|parent|channel|waiter|spool|connection|lock)$/
}

# "fd = -1" and its like: no descriptor.
function is_no_descriptor(i) {
	return word[i] == "1" && word[i - 1] == "-" && word[i - 2] == "=" && is_descriptor(i - 3)
}

# "fd < 0", "fd >= 0": is it one?
function is_descriptor_check(i) {
	return word[i] ~ /^(<|>=)$/ && word[i + 1] == "0" && is_descriptor(i - 1) && word[i + 2] !~ /^[-+*\/]$/
}

# "sign > 0": is it 1 or -1?
function is_sign_check(i) { return word[i] ~ /^[<>]$/ && word[i - 1] == "sign" && word[i + 1] == "0" }

function ends_operand(i) { return word[i] ~ /^([A-Za-z0-9_].*|\)|\])$/ && word[i] !~ /^(return|case|sizeof)$/ }

function is_type(text) {
	return text ~ /^(const|static|struct|enum|union|unsigned|signed|char|short|int|long|double|float|void|bool|[a-z0-9_]+_t)$/
}

# The semicolon of an assignment or a call that begins at i; 0 when something else does.
function statement_end(i,    k) {
	if (parens > 0 || !(word[i - 1] ~ /^([;{}]|else)$/ || (i - 1) in heads) || word[i] !~ /^[A-Za-z_*(]/ || is_type(word[i]))
		return 0
	if (word[i] ~ /^free$|_free$|^pthread_(mutex|rwlock)_(rd|wr)?lock$/)
		return 0
	if (word[i] ~ /^(if|else|for|while|do|switch|case|default|return|break|continue|goto|sizeof|assert)$/)
		return 0
	if (word[i + 1] ~ /^[A-Za-z_*:]/) # a declaration or a label
		return 0
	for (k = i; k <= tokens && word[k] != ";"; k++)
		if (word[k] ~ /^[([{]$/)
			k = closing(k)
		else if (word[k] ~ /^[])}]$/)
			return 0
	return k
}

function find_sites(i,    end) {
	if (word[i] ~ /^(vec_room|vec_zeroed|mem_alloc|mem_zero)$/)
		allocation_end = closing(i + 1)
	if (i <= allocation_end)
		return
	if (word[i] ~ /^[<>]=?$/ && !operands_differ(i) && !is_descriptor_check(i) && !is_sign_check(i))
		site(i, i, word[i] ~ /=/ ? substr(word[i], 1, 1) : word[i] "=")
	if (word[i] == "==") site(i, i, "!=")
	if (word[i] == "!=") site(i, i, "==")
	if (word[i] == "&&") site(i, i, "||")
	if (word[i] == "||") site(i, i, "&&")
	if (word[i] == "+" && ends_operand(i - 1)) site(i, i, "-")
	if (word[i] == "-" && ends_operand(i - 1)) site(i, i, "+")
	if (word[i] == "+=") site(i, i, "-=")
	if (word[i] == "-=") site(i, i, "+=")
	if (word[i] == "return" && word[i + 1] == "true") site(i + 1, i + 1, "false")
	if (word[i] == "return" && word[i + 1] == "false") site(i + 1, i + 1, "true")
	if (word[i] ~ /^[0-9]+$/ && !is_order(i) && !is_no_descriptor(i) && !(word[i - 1] == "{" && word[i + 1] == "}"))
		if (word[i - 1] != "[" || word[i + 2] !~ /^[;,=]$/ || !in_declaration)
			site(i, i, word[i] + 1)
	if (word[i] ~ /^(if|for|while)$/)
		heads[closing(i + 1)] = 1
	if (word[i] == "if" || (word[i] == "while" && word[i - 1] ~ /^[;{})]$/)) {
		end = closing(i + 1)
		site(i + 1, end, "(!" substr(all, place[i + 1], place[end] - place[i + 1] + 1) ")")
	}
	end = statement_end(i)
	if (end > 0)
		site(i, end, ";")
}

{
	all = $0
	split_tokens(all)
	for (i = 1; i <= tokens; i++) {
		if (word[i] == "{" && depth++ == 0)
			in_body = word[i - 1] == ")"
		if (word[i] == "}")
			depth--
		parens += (word[i] == "(") - (word[i] == ")")
		if (word[i] ~ /^[;{}]$/)
			in_declaration = is_type(word[i + 1])
		if (in_body && depth > 0)
			find_sites(i)
	}
	if (plant > 0) {
		print substr(all, 1, from[plant] - 1) put[plant] substr(all, from[plant] + size[plant])
		exit
	}
	for (i = 1; i <= sites; i++) {
		old = substr(all, from[i], size[i])
		new = put[i]
		gsub(/[ \t\n]+/, " ", old)
		gsub(/[ \t\n]+/, " ", new)
		print i "\t" where[i] "\t" old "\t" new "\n"
	}
}
