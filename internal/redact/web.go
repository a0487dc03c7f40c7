package redact

import (
	"strings"

	"ken/internal/redact/chars"
)

func webRules() []rule {
	return []rule{
		{"url-password", texts("://"), (*finder).url},
		{"bearer-token", texts("bearer"), (*finder).bearer},
		{"basic-auth", texts("basic "), (*finder).basic},
		{"auth-header", texts("authorization"), (*finder).authorization},
		{"jwt", texts("eyj"), (*finder).jwt},
		{"wifi-password", texts("wifi:"), (*finder).wifi},
		{"telegram-token", texts("000"), (*finder).telegram},
		{"twilio-key", twilioAnchors, (*finder).twilio},
		{"mailchimp-key", texts("-us"), (*finder).mailchimp},
		{"signature", texts("sig=", "signature="), (*finder).signature},
		{"password-hash", texts("$2y$", "$2b$", "$2a$", "$apr1$", ":$6$", ":$5$", ":$1$", ":$y$", "$argon2", "$scrypt$", "{ssha}"), (*finder).passwordHash},
		{"pgpass", texts(":5432:", ":*:*:"), (*finder).pgpass},
		{"oracle-password", texts("jdbc:oracle:thin:"), (*finder).oracle},
	}
}

// url adds the password of a URL, user:password@host, and a user that is itself
// a long random token. The password may hold '/', '#', '?' and '@' unescaped, as
// people write them.
func (f *finder) url(_, end int) {
	s := f.s
	stop := end
	for stop < len(s) && stop < end+512 && s[stop] > ' ' && !chars.IsQuote(s[stop]) && s[stop] != '<' && s[stop] != '>' && s[stop] != '\\' {
		stop++
	}
	host := end + strings.IndexAny(s[end:stop]+"/", "/?#")
	at := strings.LastIndexByte(s[end:host], '@')
	colon := strings.IndexByte(s[end:host], ':')
	if at < 0 {
		// Not before the path: a password with a '/', unless what stands
		// before it is a port.
		at = strings.LastIndexByte(s[end:stop], '@')
		if at < 0 || colon < 0 || chars.RunOf(s, end+colon+1, chars.IsDigit) == host {
			return
		}
	}
	user := s[end : end+at]
	colon = strings.IndexByte(user, ':')
	if colon < 0 {
		if len(user) >= 20 && chars.ShapeOf(user).Digit > 0 && chars.IsRandom(user) && !chars.IsReference(user) {
			f.add(framed, "url-password", end, end+at)
		}
		return
	}
	pass := user[colon+1:]
	// user:user@ and user:password@ are how documentation writes it.
	if pass == user[:colon] || chars.IsReference(pass) || chars.IsSettled(pass) || strings.HasPrefix(pass, "*") {
		return
	}
	f.add(framed, "url-password", end+colon+1, end+at)
}

// bearer adds the token of "Bearer TOKEN".
func (f *finder) bearer(_, end int) {
	i := skipSeparators(f.s, end)
	if i == end {
		return
	}
	stop := chars.RunOf(f.s, i, func(c byte) bool { return chars.IsTokenByte(c) || c == '~' || c == ':' || c == '|' })
	for stop > i && (f.s[stop-1] == '.' || f.s[stop-1] == ':') {
		stop--
	}
	v := f.s[i:stop]
	if len(v) >= 12 && chars.ShapeOf(v).Digit > 0 && chars.IsRandom(v) && !chars.IsReference(v) && !chars.IsCode(v) &&
		!(chars.IsWordy(v) && !chars.IsHexText(v)) {
		f.add(framed, "bearer-token", i, stop)
	}
}

// skipSeparators returns the index behind the blanks, quotes, backslashes,
// colons and percent-escaped blanks at s[i].
func skipSeparators(s string, i int) int {
	for i < len(s) {
		switch {
		case chars.IsBlank(s[i]) || chars.IsQuote(s[i]) || s[i] == '\\' || s[i] == ':' || s[i] == '=' || s[i] == '+':
			i++
		case strings.HasPrefix(s[i:], "%20"):
			i += 3
		default:
			return i
		}
	}
	return i
}

// basic adds the credentials of "Basic BASE64", if they decode to user:password.
func (f *finder) basic(_, end int) {
	i := chars.RunOf(f.s, end, chars.IsBlank)
	stop := chars.RunOf(f.s, i, chars.IsBase64)
	if stop-i < 6 {
		return
	}
	b, ok := chars.Decode64(f.s[i:stop])
	if ok && chars.IsText(b) && strings.Contains(string(b), ":") {
		f.add(exact, "basic-auth", i, stop)
	}
}

// authorization adds the credentials of an Authorization header of any scheme.
func (f *finder) authorization(_, end int) {
	s := f.s
	i := skipSeparators(s, end)
	if scheme := strings.ToLower(s[i:min(len(s), i+6)]); i == end || !strings.ContainsAny(s[end:i], ":=") &&
		!(chars.IsQuote(s[i-1]) && (scheme == "basic " || scheme == "bearer" || scheme == "token ")) {
		return
	}
	line := chars.LineEnd(s, i, 1024)
	if strings.HasPrefix(s[i:], "AWS4-HMAC-") {
		if k := strings.Index(s[i:line], "Signature="); k >= 0 {
			k += i + len("Signature=")
			f.add(framed, "auth-header", k, chars.RunOf(s, k, chars.IsLowerHex))
		}
		return
	}
	for words := 0; words < 3 && i < line; words++ {
		stop := i
		for stop < line && !chars.IsSpace(s[stop]) && !chars.IsQuote(s[stop]) && s[stop] != ',' {
			stop++
		}
		if v := s[i:stop]; !chars.IsReference(v) && len(v) >= 16 && chars.ShapeOf(v).Digit > 0 && chars.IsRandom(v) {
			f.add(framed, "auth-header", i, stop)
			return
		}
		next := chars.RunOf(s, stop, chars.IsBlank)
		if next == stop {
			return
		}
		i = next
	}
}

// jwt adds a JSON web token, signed or encrypted: at least two parts of base64url
// joined by dots, the first of which is a JSON object.
func (f *finder) jwt(at, _ int) {
	s := f.s
	if s[at:at+3] != "eyJ" || !chars.StartsWord(s, at) || at < f.jwtDone {
		return
	}
	if strings.HasSuffix(s[:at], "pk.") {
		return // what Mapbox calls public
	}
	stop := chars.RunOf(s, at, chars.IsDotByte)
	f.jwtDone = stop
	for s[stop-1] == '.' {
		stop--
	}
	parts := strings.Split(s[at:stop], ".")
	if len(parts) < 2 || len(parts) > 5 || len(parts[0]) < 10 || len(parts[1]) < 8 && len(parts) == 2 || stop-at < 30 {
		return
	}
	f.add(exact, "jwt", at, stop)
}

// telegram adds a bot token: the bot's number, a colon and 35 bytes.
func (f *finder) telegram(at, _ int) {
	i := chars.RunOf(f.s, at, chars.IsDigit)
	if n := i - at; n < 8 || n > 10 || i == len(f.s) || f.s[i] != ':' {
		// In a URL or a shell the colon may be escaped.
		if n < 8 || n > 10 || !strings.HasPrefix(f.s[i:], "%3A") {
			return
		}
		i += 2
	}
	stop := chars.RunOf(f.s, i+1, chars.IsURLByte)
	start := at
	if at > 0 && !chars.StartsWord(f.s, at) && (at < 3 || !chars.EqualFold(f.s[at-3:at], "bot")) {
		return
	}
	if n := stop - i - 1; n >= 34 && n <= 36 && chars.IsRandom(f.s[i+1:stop]) {
		f.add(exact, "telegram-token", start, stop)
	}
}

// wifi adds the password of a network's QR code, WIFI:S:name;T:WPA;P:password;;
func (f *finder) wifi(_, end int) {
	line := chars.LineEnd(f.s, end, 256)
	i := strings.Index(f.s[end:line], "P:")
	if i < 0 || i > 0 && f.s[end+i-1] != ';' {
		return
	}
	i += end + len("P:")
	stop := i
	for stop < line && f.s[stop] != ';' {
		if f.s[stop] == '\\' {
			stop++
		}
		stop++
	}
	if stop = min(stop, line); stop-i >= 8 && strings.Contains(f.s[end:line], "S:") {
		f.add(framed, "password", i, stop)
	}
}

// twilioAnchors are "sk0" to "skf": the prefix of the key is too short.
func twilioAnchors() []string {
	var a []string
	for _, c := range "0123456789abcdef" {
		a = append(a, "sk"+string(c))
	}
	return a
}

// twilio adds the 32 hexadecimal digits that follow SK, the prefix with them.
func (f *finder) twilio(at, _ int) {
	stop := chars.RunOf(f.s, at+2, chars.IsLowerHex)
	if f.s[at:at+2] == "SK" && stop-at == 34 && chars.StartsWord(f.s, at) && chars.IsRandom(f.s[at+2:stop]) && (stop == len(f.s) ||
		!chars.IsWordByte(f.s[stop])) {
		f.add(exact, "twilio-key", at, stop)
	}
}

// mailchimp adds 32 hexadecimal digits that end in a data centre, "-us12".
func (f *finder) mailchimp(at, end int) {
	start := chars.RunBack(f.s, at, chars.IsLowerHex)
	stop := chars.RunOf(f.s, end, chars.IsDigit)
	if at-start == 32 && stop > end && stop-end <= 2 && chars.IsRandom(f.s[start:at]) {
		f.add(exact, "mailchimp-key", start, stop)
	}
}

// signature adds the signature in the query of a URL that is signed: who has the
// URL has the access.
func (f *finder) signature(at, end int) {
	i := chars.RunBack(f.s, at, chars.IsURLByte)
	if amz := chars.HasPrefixFold(f.s[i:], "x-amz-"); !amz && (i == 0 || f.s[i-1] != '&' && f.s[i-1] != '?') {
		return
	}
	stop := chars.RunOf(f.s, end, func(c byte) bool { return chars.IsTokenByte(c) || c == '%' })
	if v := f.s[end:stop]; len(v) >= 32 && chars.IsRandom(v) {
		f.add(framed, "signature", end, stop)
	}
}

// discord adds a bot token: a number in base64, a time and a signature. It has
// no prefix, and is looked for in long runs of token bytes.
func (f *finder) discord(start, stop int) bool {
	v := strings.TrimRight(f.s[start:stop], ".=")
	// The run may begin with the name of a setting.
	if i := strings.LastIndexByte(v, '='); i >= 0 {
		start, v = start+i+1, v[i+1:]
	}
	p := strings.Split(v, ".")
	if len(p) != 3 || len(p[0]) < 23 || len(p[0]) > 28 || len(p[1]) < 6 || len(p[1]) > 7 || len(p[2]) < 27 || len(p[2]) > 40 {
		return false
	}
	if !strings.ContainsRune("MNO", rune(v[0])) || strings.ContainsAny(v, "+/=") || !chars.IsRandom(p[2]) {
		return false
	}
	f.add(exact, "discord-token", start, start+len(v))
	return true
}

// passwordHash adds a salted hash of a password as /etc/shadow and htpasswd have it.
func (f *finder) passwordHash(at, end int) {
	if f.s[at] == ':' {
		at++
	}
	if at > 0 && chars.IsAlnum(f.s[at-1]) {
		return
	}
	stop := chars.RunOf(f.s, end, func(c byte) bool { return chars.IsTokenByte(c) || c == '$' || c == ',' })
	for stop > end && strings.IndexByte(".,", f.s[stop-1]) >= 0 && f.s[end-2] != '2' {
		stop--
	}
	if v := f.s[end:stop]; len(v) >= 28 && chars.IsRandom(v) {
		f.add(exact, "password-hash", at, stop)
	}
}

// pgpass adds the last field of a line host:port:database:user:password.
func (f *finder) pgpass(at, end int) {
	line := chars.LineEnd(f.s, end, 256)
	fields := strings.SplitN(f.s[end:line], ":", 3)
	if f.s[at:end] == ":*:*:" {
		fields = append([]string{""}, strings.SplitN(f.s[end:line], ":", 2)...)
	}
	if len(fields) < 3 || strings.ContainsAny(fields[0]+fields[1], " /@\"'") {
		return
	}
	v := fields[2][:chars.RunOf(fields[2], 0, func(c byte) bool { return !chars.IsSpace(c) && !chars.IsQuote(c) && c != '\\' })]
	if start := line - len(fields[2]); len(v) >= 4 && !strings.Contains(v, "/") && !chars.IsReference(v) && !chars.IsSettled(v) {
		f.add(framed, "password", start, start+len(v))
	}
}

// oracle adds the password of jdbc:oracle:thin:user/password@host.
func (f *finder) oracle(_, end int) {
	stop := chars.RunOf(f.s, end, func(c byte) bool { return c > ' ' && c < 0x7f && !chars.IsQuote(c) })
	i := strings.IndexByte(f.s[end:stop], '/')
	at := strings.LastIndexByte(f.s[end:stop], '@')
	if i <= 0 || at < i {
		return
	}
	if v := f.s[end+i+1 : end+at]; len(v) >= 3 && !chars.IsReference(v) && !chars.IsSettled(v) {
		f.add(framed, "password", end+i+1, end+at)
	}
}

// mailgun adds a key of 32, 8 and 8 hexadecimal digits with hyphens between. It has
// no prefix, and is looked for in long runs of token bytes.
func (f *finder) mailgun(start, stop int) bool {
	v := strings.TrimRight(f.s[start:stop], ".=")
	if i := strings.LastIndexByte(v, '='); i >= 0 {
		start, v = start+i+1, v[i+1:]
	}
	if len(v) != 50 || v[32] != '-' || v[41] != '-' || chars.RunOf(v, 0, chars.IsLowerHex) != 32 ||
		chars.RunOf(v, 33, chars.IsLowerHex) != 41 || chars.RunOf(v, 42, chars.IsLowerHex) != 50 {
		return false
	}
	f.add(exact, "mailgun-key", start, start+len(v))
	return true
}
