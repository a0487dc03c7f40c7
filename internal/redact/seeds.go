package redact

import (
	"strings"
	"unicode"

	"ken/internal/redact/chars"
)

func seedRules() []rule {
	return []rule{
		{"otpauth", texts("otpauth"), (*finder).otpauth},
		{"totp-seed", texts("totp", "2fa", "otp ", "otp_", "otp:", "mfa", "authenticator", "two-factor", "hotp", "setup key", "manually", "base32"), (*finder).totp},
		{"recovery-code", texts("recovery key", "recovery code", "recovery-code", "recovery_code", "backup code", "backup-code", "backup_code", "scratch code", "emergency code", "rescue code",
			"single-use code", "wiederherstellungscode", "notfallcode", "codes de secours", "code de secours", "codes de récupération", "code de récupération", "de recuperación", "de recuperação", "di recupero", "di backup", "herstelcode"), (*finder).recovery},
		{"recovery-groups", texts("filevault", "bitlocker", "recovery", "backup", "emergency kit", "emergency key", "secret key", "master key", "wiederherstellung", "récupération", "recuperaci", "recuperaç", "recupero", "herstel", "återställning", "gjenoppretting",
			"восстановлен", "відновлен", "odzyskiwania", "obnoven", "kurtarma", "回復キー", "恢复密钥", "復原金鑰", "복구 키"), (*finder).groups},
		{"seed-phrase", texts("seed phrase", "seed words", "seed-phrase", "seedphrase", "seed_phrase", "mnemonic", "recovery phrase", "recovery seed", "recovery words", "wallet", "seed:", "seed is", "words:", "words are", "phrase:", "phrase is",
			"secret phrase", "backup phrase", "bip39", "bip-39", "bip 39", "metamask", "ledger", "trezor", "electrum", "semilla", "semente", "phrase de r", "wiederherstellung", "passphrase",
			"seed (", "monero", "frase de", "de recuperaci"), (*finder).seedPhrase},
		{"bitcoin-private-key", texts("wif", "bitcoin", "btc", "private key", "wallet"), (*finder).walletKey},
		{"aws-secret-key", texts("aws", "akia", "asia"), (*finder).awsSecret},
	}
}

// otpauth adds the secret of a provisioning URI, otpauth://totp/x?secret=X.
func (f *finder) otpauth(_, end int) {
	stop := end
	for stop < len(f.s) && stop < end+512 && !chars.IsSpace(f.s[stop]) && !chars.IsQuote(f.s[stop]) {
		stop++
	}
	i := strings.Index(f.s[end:stop], "secret=")
	if i < 0 {
		return
	}
	i += end + len("secret=")
	if e := chars.RunOf(f.s, i, chars.IsAlnum); e-i >= 8 {
		f.add(exact, "totp-seed", i, e)
	}
}

// totp adds the base32 seed that follows on the line, whole or in groups of
// four.
func (f *finder) totp(at, end int) {
	s := f.s
	if !chars.StartsWord(s, at) {
		return
	}
	limit := chars.LineEnd(s, end, 160)
	for i := chars.NameEnd(s, end); i < limit; {
		if !chars.IsAlnum(s[i]) {
			i++
			continue
		}
		stop := chars.RunOf(s, i, chars.IsAlnum)
		if stop-i == 4 && chars.RunOf(s, i, func(c byte) bool { return chars.IsAlnum(c) || c == ' ' || c == '-' }) == len(s) {
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
	if v := strings.ToUpper(s[i:stop]); len(v) >= 16 && len(v) <= 128 && chars.RunOf(v, 0, chars.IsBase32) == len(v) &&
		chars.ShapeOf(v).Distinct >= 7 && chars.ShapeOf(v).Digit > 0 && chars.ShapeOf(s[i:stop]).Classes() == 2 {
		return stop
	}
	groups, digits := 0, 0
	end := i
	for stop-i == 4 && chars.RunOf(strings.ToUpper(s[i:stop]), 0, chars.IsBase32) == 4 {
		groups++
		digits += chars.ShapeOf(s[i:stop]).Digit
		end = stop
		if stop+1 >= len(s) || s[stop] != ' ' && s[stop] != '-' {
			break
		}
		i = stop + 1
		stop = chars.RunOf(s, i, chars.IsAlnum)
	}
	if groups >= 4 && digits > 0 || groups >= 7 {
		return end
	}
	return 0
}

// recovery adds the codes that follow, on the line and on lines of codes alone
// under it.
func (f *finder) recovery(at, end int) {
	s := f.s
	if !chars.StartsWord(s, at) {
		return
	}
	limit := min(len(s), end+1024)
	i := chars.NameEnd(s, end)
	bad := 0
	for i < limit && bad < 6 {
		c := s[i]
		if !chars.IsAlnum(c) {
			i++
			continue
		}
		stop := chars.RunOf(s, i, func(c byte) bool { return chars.IsAlnum(c) || c == '-' })
		for s[stop-1] == '-' {
			stop--
		}
		// "1234 5678"
		if pair := stop + 5; stop-i == 4 && pair <= limit && s[stop] == ' ' && chars.ShapeOf(s[i:stop]).Digit == 4 &&
			chars.ShapeOf(s[stop+1:pair]).Digit == 4 && (pair == len(s) || !chars.IsWordByte(s[pair])) {
			stop = pair
			f.add(framed, "recovery-code", i, stop)
			bad = 0
		} else if isRecoveryCode(s[i:stop]) {
			f.add(framed, "recovery-code", i, stop)
			bad = 0
		} else if bad++; strings.Contains(s[end:i], "\n") && stop-i > 2 {
			return
		}
		i = stop
		if next := chars.LineEnd(s, i, 160); bad == 6 && !strings.Contains(s[end:i], "\n") && next < limit && isCodeLine(s[next:limit]) {
			i, bad = next, 0 // more is said of them, and they stand below
		}
	}
}

// isCodeLine reports whether the first line of text with something on it is eight digits or more in groups, and nothing else.
func isCodeLine(text string) bool {
	line, _, _ := strings.Cut(strings.TrimLeft(text, " \t\r\n"), "\n")
	sh := chars.ShapeOf(strings.TrimSpace(line))
	return sh.Digit >= 8 && sh.Letters() == 0 && sh.Symbol > 0 && sh.Symbol < 4 && !strings.ContainsAny(line, ".:/,")
}

// groups adds the first run of four groups or more with dashes between, all of one length
// from 4 to 6, of capitals and digits, that follows on the line or the next.
func (f *finder) groups(_, end int) {
	s := f.s
	limit := min(len(s), end+96)
	for i := end; i < limit; {
		if !chars.IsAlnum(s[i]) {
			i++
			continue
		}
		stop := chars.RunOf(s[:min(len(s), i+80)], i, func(c byte) bool { return chars.IsAlnum(c) || c == '-' })
		if isGroups(strings.TrimRight(s[i:stop], "-")) {
			f.add(framed, "recovery-code", i, i+len(strings.TrimRight(s[i:stop], "-")))
			return
		}
		i = stop
	}
}

// isGroups reports whether v is four groups or more of the same length, in one case, with
// digits in more than one of them.
func isGroups(v string) bool {
	sh := chars.ShapeOf(v)
	parts := strings.Split(v, "-")
	if len(parts) < 4 || len(parts) > 12 || len(parts[0]) < 4 || len(parts[0]) > 6 || sh.Upper > 0 && sh.Lower > 0 || chars.IsPlaceholder(v) {
		return false
	}
	digits := 0
	for _, part := range parts {
		if len(part) != len(parts[0]) {
			return false
		}
		if chars.ShapeOf(part).Digit > 0 {
			digits++
		}
	}
	return (digits > 1 || digits > 0 && len(parts) > 5) && (sh.Letters() > 0 || len(parts) > 5 || len(parts[0]) > 4)
}

// isRecoveryCode reports whether v is a code as sites print them: 8 to 32
// letters and digits, in groups joined by hyphens or not, or 6 to 10 digits.
func isRecoveryCode(v string) bool {
	sh := chars.ShapeOf(v)
	switch {
	case len(v) < 6 || len(v) > 40 || sh.Digit == 0 || chars.IsUUID(v) || chars.IsPlaceholder(v):
		return false
	case sh.Digit+sh.Symbol == len(v):
		return sh.Digit >= 6 && !isDate(v)
	}
	for part := range strings.SplitSeq(v, "-") {
		if len(part) < 3 || len(part) > 10 && sh.Symbol > 0 {
			return false
		}
	}
	return len(v) >= 8 && (!chars.IsWordy(v) || sh.Symbol > 0 && sh.Digit >= 2) && (sh.Upper == 0 || sh.Lower == 0 || !chars.IsWordy(v))
}

// isDate reports whether v is year-month-day.
func isDate(v string) bool {
	return len(v) == 10 && v[4] == '-' && v[7] == '-'
}

// seedPhrase adds the 12 to 24 words of a wallet's seed that follow.
func (f *finder) seedPhrase(_, end int) {
	s := f.s
	f.seedBehind(end)
	limit := min(len(s), end+400)
	for i := end; i < limit && i < end+120; {
		if !chars.IsLower(s[i]) {
			i++
			continue
		}
		stop, words := seedRow(s, i, limit)
		if limit == len(s) && isLastWord(s[stop:]) {
			f.hold(i)
		}
		if words >= 12 {
			f.add(framed, "seed-phrase", i, stop)
			return
		}
		i = chars.RunOf(s, i, chars.IsAlnum)
	}
	f.foreignSeed(end)
}

// seedBehind adds the words of a seed that are all of the line behind the colon which follows s[end].
func (f *finder) seedBehind(end int) {
	s := f.s
	k := strings.Index(s[end:chars.LineEnd(s, end, 96)], ": ")
	if k < 0 && (end >= len(s) || s[end-1] != ':') {
		return
	}
	start := chars.RunOf(s, end+max(k+1, 0), chars.IsBlank)
	stop := chars.LineEnd(s, start, 400)
	words := strings.Fields(s[start:stop])
	if stop < len(s) && s[stop] != '\n' {
		return
	}
	if stop == len(s) && len(words) > 3 {
		f.hold(start)
	}
	if len(words) < 12 || len(words) > 25 || len(words)%3 > 1 {
		return
	}
	seen := map[string]bool{}
	for _, w := range words {
		if len(w) < 3 || len(w) > 24 || chars.IsFunctionWord(w) || strings.ContainsFunc(w, func(c rune) bool { return !unicode.IsLower(c) }) {
			return
		}
		seen[w] = true
	}
	if len(seen)+2 > len(words) {
		f.add(framed, "seed-phrase", start, start+len(strings.TrimRight(s[start:stop], " \t\r")))
	}
}

// foreignSeed adds the words of a seed of a language without a list, that are all of the line below the one which ends
// with a colon behind s[end].
func (f *finder) foreignSeed(end int) {
	s := f.s
	line := chars.LineEnd(s, end, 96)
	if line == len(s) || s[line] != '\n' || !strings.HasSuffix(strings.TrimRight(s[end:line], " \r"), ":") {
		return
	}
	stop := chars.LineEnd(s, line+1, 400)
	words := strings.Fields(s[line+1 : stop])
	if stop == len(s) {
		f.hold(line + 1)
	}
	if len(words) < 12 || len(words) > 24 || len(words)%3 > 0 {
		return
	}
	seen := map[string]bool{}
	for _, w := range words {
		if len(w) < 3 || len(w) > 24 || chars.IsFunctionWord(w) || seen[w] ||
			strings.ContainsFunc(w, func(c rune) bool { return !unicode.IsLower(c) }) {
			return
		}
		seen[w] = true
	}
	f.add(framed, "seed-phrase", line+1, stop)
}

// bareWords adds the words of seeds that stand on lines or in quotes of their own,
// which no anchor leads to.
func (f *finder) bareWords() {
	if f.near == nil {
		f.bareWordsIn(0, len(f.s))
		return
	}
	done := 0
	for _, p := range f.near {
		if p.end > done {
			start := max(done, strings.LastIndexAny(f.s[:p.start], "\n\"")+1)
			done = f.bareWordsIn(start, p.end)
		}
	}
}

// bareWordsIn is bareWords for the lines that begin in f.s[start:stop]; it returns where the
// next one begins.
func (f *finder) bareWordsIn(start, stop int) int {
	s := f.s
	for start < stop {
		end := start
		for end < len(s) && s[end] != '\n' && s[end] != '"' {
			end++
		}
		from, to, ok, open := seedLine(s[start:end])
		if !ok && !open {
			from, to, ok, open = numberedSeed(s[start:end])
		}
		if ok {
			f.add(framed, "seed-phrase", start+from, start+to)
		}
		if end == len(s) && open {
			f.hold(start + from)
		}
		start = end + 1
	}
	return start
}

// isLastWord reports whether rest, the end of a text, is at most one word, which
// may go on.
func isLastWord(rest string) bool { return !strings.ContainsAny(strings.TrimSpace(rest), " \t\n") }

// awsSecret adds the secret of an access key that stands near by: 40 bytes of
// base64 of all sorts, which alone say nothing.
func (f *finder) awsSecret(at, end int) {
	s := f.s
	if !chars.StartsWord(s, at) || chars.IsAlnum(s[end-1]) && end < len(s) && chars.IsLower(s[end]) {
		return
	}
	limit := min(len(s), end+160)
	for i := end; i < limit; {
		stop := chars.RunOf(s, i, chars.IsBase64)
		v := s[i:stop]
		if k := strings.LastIndexByte(strings.TrimRight(v, "="), '='); k >= 0 {
			v = v[k+1:]
		}
		if sh := chars.ShapeOf(v); len(v) == 40 && sh.Upper > 2 && sh.Lower > 2 && sh.Digit > 0 && !strings.HasPrefix(v, "/") &&
			chars.IsRandom(v) && !chars.IsCodeName(v) {
			f.add(framed, "aws-secret-key", stop-40, stop)
			return
		}
		i = max(stop, i+1)
	}
}

// walletKey adds the private key of a coin that follows on the line, as wallets export
// one: base58 with a right checksum.
func (f *finder) walletKey(_, end int) {
	limit := chars.LineEnd(f.s, end, 160)
	for i := end; i < limit; {
		stop := chars.RunOf(f.s, i, chars.IsAlnum)
		if isWalletKey(f.s[i:stop]) {
			f.add(exact, "bitcoin-private-key", i, stop)
			return
		}
		i = max(stop, i+1)
	}
}
