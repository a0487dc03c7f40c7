package redact

import "strings"

func seedRules() []rule {
	return []rule{
		{"otpauth", []string{"otpauth"}, (*finder).otpauth},
		{"totp-seed", []string{"totp", "2fa", "otp ", "mfa", "authenticator", "two-factor", "hotp"}, (*finder).totp},
		{"recovery-code", []string{"recovery code", "recovery-code", "recovery_code", "backup code", "backup-code", "backup_code", "scratch code", "emergency code", "rescue code"}, (*finder).recovery},
		{"seed-phrase", []string{"seed phrase", "seed words", "mnemonic", "recovery phrase", "recovery seed", "wallet", "seed:", "seed is"}, (*finder).seedPhrase},
		{"aws-secret-key", []string{"aws", "akia", "asia"}, (*finder).awsSecret},
	}
}

// otpauth adds the secret of a provisioning URI, otpauth://totp/x?secret=X.
func (f *finder) otpauth(_, end int) {
	stop := end
	for stop < len(f.s) && stop < end+512 && !isSpace(f.s[stop]) && !isQuote(f.s[stop]) {
		stop++
	}
	i := strings.Index(f.s[end:stop], "secret=")
	if i < 0 {
		return
	}
	i += end + len("secret=")
	if e := runOf(f.s, i, isAlnum); e-i >= 8 {
		f.add(exact, "totp-seed", i, e)
	}
}

// totp adds the base32 seed that follows on the line, whole or in groups of
// four.
func (f *finder) totp(at, end int) {
	s := f.s
	if !startsWord(s, at) {
		return
	}
	limit := lineEnd(s, end, 160)
	for i := nameEnd(s, end); i < limit; {
		if !isAlnum(s[i]) {
			i++
			continue
		}
		stop := runOf(s, i, isAlnum)
		if stop-i == 4 && runOf(s, i, func(c byte) bool { return isAlnum(c) || c == ' ' || c == '-' }) == len(s) {
			f.hold(i)
		}
		if seedEnd := base32End(s, i, stop); seedEnd > 0 {
			f.add(framed, "totp-seed", i, seedEnd)
			return
		}
		i = stop
	}
}

// base32End returns the end of a base32 seed of 16 to 128 digits that begins
// with the word s[i:stop], or 0.
func base32End(s string, i, stop int) int {
	if v := strings.ToUpper(s[i:stop]); len(v) >= 16 && len(v) <= 128 && runOf(v, 0, isBase32) == len(v) &&
		shapeOf(v).distinct >= 7 && shapeOf(v).digit > 0 && shapeOf(s[i:stop]).classes() == 2 {
		return stop
	}
	groups, digits := 0, 0
	end := i
	for stop-i == 4 && runOf(strings.ToUpper(s[i:stop]), 0, isBase32) == 4 {
		groups++
		digits += shapeOf(s[i:stop]).digit
		end = stop
		if stop+1 >= len(s) || s[stop] != ' ' && s[stop] != '-' {
			break
		}
		i = stop + 1
		stop = runOf(s, i, isAlnum)
	}
	if groups >= 4 && digits > 0 {
		return end
	}
	return 0
}

// recovery adds the codes that follow, on the line and on lines of codes alone
// under it.
func (f *finder) recovery(at, end int) {
	s := f.s
	if !startsWord(s, at) {
		return
	}
	limit := min(len(s), end+1024)
	i := nameEnd(s, end)
	bad := 0
	for i < limit && bad < 6 {
		c := s[i]
		if !isAlnum(c) {
			i++
			continue
		}
		stop := runOf(s, i, func(c byte) bool { return isAlnum(c) || c == '-' })
		for s[stop-1] == '-' {
			stop--
		}
		if isRecoveryCode(s[i:stop]) {
			f.add(framed, "recovery-code", i, stop)
			bad = 0
		} else if bad++; strings.Contains(s[end:i], "\n") && stop-i > 2 {
			return
		}
		i = stop
	}
}

// isRecoveryCode reports whether v is a code as sites print them: 8 to 32
// letters and digits, in groups joined by hyphens or not, or 6 to 10 digits.
func isRecoveryCode(v string) bool {
	sh := shapeOf(v)
	switch {
	case len(v) < 6 || len(v) > 40 || sh.digit == 0 || isUUID(v) || isPlaceholder(v):
		return false
	case sh.digit+sh.symbol == len(v):
		return sh.digit >= 6 && !isDate(v)
	}
	for part := range strings.SplitSeq(v, "-") {
		if len(part) < 3 || len(part) > 10 && sh.symbol > 0 {
			return false
		}
	}
	return len(v) >= 8 && (!wordy(v) || sh.symbol > 0 && sh.digit >= 2) && (sh.upper == 0 || sh.lower == 0 || !wordy(v))
}

// isDate reports whether v is year-month-day.
func isDate(v string) bool {
	return len(v) == 10 && v[4] == '-' && v[7] == '-'
}

// seedPhrase adds the 12 to 24 words of a wallet's seed that follow. The words
// are not looked up: what is asked for is a row of plain words with none in it
// that sentences are built with.
func (f *finder) seedPhrase(_, end int) {
	s := f.s
	limit := min(len(s), end+400)
	for i := end; i < limit && i < end+120; {
		if !isLower(s[i]) {
			i++
			continue
		}
		stop, words := wordRow(s, i, limit)
		if limit == len(s) && isLastWord(s[stop:]) {
			f.hold(i)
		}
		if words >= 12 {
			f.add(framed, "seed-phrase", i, stop)
			return
		}
		i = runOf(s, i, isAlnum)
	}
}

// isLastWord reports whether rest, the end of a text, is at most one word, which
// may go on.
func isLastWord(rest string) bool { return !strings.ContainsAny(strings.TrimSpace(rest), " \t\n") }

// wordRow returns the end of the row of plain words that begins at s[i], at most
// 24 of them, and their count. Between words may stand blanks, commas, newlines
// and numbers.
func wordRow(s string, i, limit int) (end, words int) {
	end = i
	for i < limit && words < 24 {
		stop := runOf(s[:limit], i, isLower)
		if n := stop - i; n < 3 || n > 8 || isFunctionWord(s[i:stop]) || stop < len(s) && isAlnum(s[stop]) {
			break
		}
		words++
		end = stop
		gap := runOf(s[:limit], stop, func(c byte) bool { return isSpace(c) || isDigit(c) || c == ',' || c == '.' || c == ')' })
		if gap == stop {
			break
		}
		i = gap
	}
	return end, words
}

// awsSecret adds the secret of an access key that stands near by: 40 bytes of
// base64 of all sorts, which alone say nothing.
func (f *finder) awsSecret(at, end int) {
	s := f.s
	if !startsWord(s, at) || isAlnum(s[end-1]) && end < len(s) && isLower(s[end]) {
		return
	}
	limit := min(len(s), end+160)
	for i := end; i < limit; {
		stop := runOf(s, i, isBase64)
		v := s[i:stop]
		if k := strings.LastIndexByte(strings.TrimRight(v, "="), '='); k >= 0 {
			v = v[k+1:]
		}
		if sh := shapeOf(v); len(v) == 40 && sh.upper > 2 && sh.lower > 2 && sh.digit > 0 && !strings.HasPrefix(v, "/") && isRandom(v) && !isCodeName(v) {
			f.add(framed, "aws-secret-key", stop-40, stop)
			return
		}
		i = max(stop, i+1)
	}
}
