package redact

import (
	"strings"

	"ken/internal/redact/chars"
)

// vendorRules are for secrets that only those know as such who know the vendor: the
// name is a header, a query or a class of theirs, and says nothing by itself.
func vendorRules() []rule {
	return []rule{
		{"vendor-name", texts("honeycomb-team", "api_sig", "appid", "app_id", "userkey", "apptoken", "insert-key", "ingest-key", "license-key", "ikey", "skey", "write_key", "writekey", "hapikey", "tenant-key", "ingestion-key",
			"x-plex-", "x-seq-", "x-sf-", "x-cg-", "x-cmc_", "x-mbx-", "x-goog-", "x-postmark", "x-mashape", "x-functions", "x-parse-", "x-riot-", "x-tbaa", "x-sumo", "x-scout", "x-otlp-", "x-lightstep", "x-uptrace", "ampapikey", "instrumentationkey", "dsn=", "x-wallarm", "x-ms-", "x-xsrf", "ocp-apim", "clientassertion", "client_assertion", "samlresponse", "magic_link", "invite=", "x-team", "-team:"), (*finder).vendorName},
		{"code-query", texts("code=", "sig=", "hash=", "ticket=", "auth=", "key=", "token="), (*finder).codeQuery},
		{"webhook-url", texts("/hook", "webhook", "/services/t", "hc-ping.com/", "/integration", "/workflows/", "/with/key/", "/inbound/", "/bulk/", "/catch/", "/trigger", "ntfy.", "/deploy_hooks/", "/incoming", "/bot/v", "/workflow/", "/heartbeat", "/notify", "/invoke/"), (*finder).webhook},
		{"constructed", texts("client(", "client.new(", "api(", "bot(", "sdk(", "auth(", "credentials(", "credential(", "connection(", "session(", "stripe(", "github(", "gitlab(", "octokit(", "resend(", "openai(", "anthropic(", "mistral(", "cohere(", "pinecone(",
			"mailgun(", "sendgrid(", "twilio(", "algolia(", "sentry(", "telegram(", "slack(", "discord(", "airtable(", "notion(", "pusher(", "replicate(", "deepl(", "translator(", "mixpanel(", "segment(", "analytics(", "postmark(", "transport(", "connector(", "service(", "provider(", "login(", "connect(", "authenticate(", "init(", "configure("), (*finder).constructed},
	}
}

// isMade reports whether v was made by a program for nobody to guess: long, of letters
// and digits, no words, no UUID, no hash in hexadecimal digits.
func isMade(v string, least int) bool {
	sh := chars.ShapeOf(v)
	return len(v) >= least && len(v) <= 512 && sh.Digit > 0 && sh.Letters() > 0 && chars.IsRandom(v) && !chars.IsWordy(v) &&
		!chars.IsUUID(v) && !chars.IsReference(v)
}

// vendorName adds the value of a header, a query or a setting of a vendor.
func (f *finder) vendorName(at, end int) {
	s := f.s
	stop := chars.NameEnd(s, end)
	if s[end-1] == '=' || s[end-1] == ':' {
		stop = end - 1
	}
	if stop-at > 64 {
		return
	}
	i := chars.RunOf(s, stop, func(c byte) bool { return chars.IsQuote(c) || chars.IsBlank(c) || c == '\\' })
	if i == len(s) || s[i] != ':' && s[i] != '=' || i-stop > 4 {
		return
	}
	i = skipSeparators(s, i)
	last := chars.RunOf(s, i, func(c byte) bool { return chars.IsTokenByte(c) || c == '%' || c == '~' })
	if v := strings.TrimRight(s[i:last], ".="); isMade(v, 16) || chars.IsHexText(v) && len(v) >= 24 && chars.IsRandom(v) {
		f.add(framed, "api-key", i, last)
	}
}

// codeQuery adds a value in the query of an address that opens something to whoever has
// it: the key of a function, the code of a sign-in.
func (f *finder) codeQuery(at, end int) {
	s := f.s
	if at == 0 || s[at-1] != '?' && s[at-1] != '&' {
		return
	}
	stop := chars.RunOf(s, end, func(c byte) bool { return chars.IsTokenByte(c) || c == '%' || c == '~' })
	v := strings.TrimRight(s[end:stop], ".=")
	sh := chars.ShapeOf(v)
	if len(v) >= 24 && sh.Upper > 0 && sh.Lower > 0 && isMade(v, 24) {
		f.add(framed, "token", end, stop)
	}
}

// webhook adds the parts of an address of a hook that whoever has them may call.
func (f *finder) webhook(at, end int) {
	s := f.s
	if end < f.hookDone {
		return
	}
	in := func(c byte) bool {
		return c > ' ' && c < 0x7f && !chars.IsQuote(c) && c != '<' && c != '>' && c != '\\'
	}
	from := at
	for from > 0 && at-from < 512 && in(s[from-1]) {
		from--
	}
	scheme := strings.LastIndex(s[from:at], "://")
	if scheme < 0 {
		return
	}
	stop := chars.RunOf(s[:min(len(s), end+1024)], end, in)
	f.hookDone = stop
	from += scheme + len("://")
	path := strings.IndexByte(s[from:stop], '/')
	if path < 0 {
		return
	}
	host := strings.ToLower(s[from : from+path])
	whole := strings.HasPrefix(host, "hc-ping.") || strings.Contains(host, "webhook") || strings.HasPrefix(host, "hooks.") || strings.HasPrefix(host, "hook.") || strings.Contains(s[at:stop], "ncoming")
	if strings.HasPrefix(host, "docs.") || strings.Contains(s[from:stop], "/commit/") || strings.Contains(s[from:stop], "/blob/") {
		return
	}
	i := max(from+path, at)
	if whole {
		i = from + path
	}
	for i < stop {
		i = chars.RunOf(s[:stop], i, func(c byte) bool { return !chars.IsURLByte(c) })
		end := chars.RunOf(s[:stop], i, func(c byte) bool { return chars.IsURLByte(c) || c == '~' })
		v := s[i:end]
		switch sh := chars.ShapeOf(v); {
		case isMade(v, 16) && (whole || !chars.IsHexText(v)), len(v) >= 24 && chars.IsHexText(v) && chars.IsRandom(v) && (whole || len(v) != 40 && len(v) != 64), whole && chars.IsUUID(v):
			f.add(framed, "webhook-token", i, end)
		case whole && len(v) >= 12 && sh.Digit > 0 && sh.Upper > 0 && sh.Lower > 0 && chars.IsRandom(v) && !chars.IsWordy(v):
			f.add(framed, "webhook-token", i, end)
		}
		if i = end; i < stop && s[i] == '?' {
			break
		}
	}
}

// constructed adds the quoted arguments of what makes a client, a bot or a session that
// can be nothing but its key.
func (f *finder) constructed(_, end int) {
	s := f.s
	limit := chars.LineEnd(s, end, 400)
	for n, i := 0, end; n < 4; n++ {
		i = chars.RunOf(s[:limit], i, func(c byte) bool { return chars.IsBlank(c) || c == '{' })
		// name = or name: of the argument
		if k := chars.RunOf(s[:limit], i, chars.IsWordByte); k > i && k < limit {
			if k = chars.RunOf(s[:limit], k, chars.IsBlank); k < limit && (s[k] == '=' || s[k] == ':') {
				i = chars.RunOf(s[:limit], k+1, chars.IsBlank)
			}
		}
		if i >= limit {
			return
		}
		if !chars.IsQuote(s[i]) {
			k := strings.IndexByte(s[i:limit], ',')
			if shut := strings.IndexByte(s[i:limit], ')'); k < 0 || shut >= 0 && shut < k {
				return
			}
			i += k + 1
			continue
		}
		k := strings.IndexByte(s[i+1:limit], s[i])
		if k < 0 {
			return
		}
		v := s[i+1 : i+1+k]
		sh := chars.ShapeOf(v)
		if isMade(v, 20) && !chars.IsHexText(v) && chars.RunOf(v, 0, func(c byte) bool { return chars.IsTokenByte(c) || c == ':' || c == '~' }) == len(v) && strings.Count(v, "/") < 3 && strings.Count(v, ".") < 3 && (sh.Upper > 0 || sh.Digit > 3) && !chars.IsCodeName(v) {
			f.add(framed, "api-key", i+1, i+1+k)
		}
		i = chars.RunOf(s[:limit], i+k+2, chars.IsBlank)
		if i >= limit || s[i] != ',' {
			return
		}
		i++
	}
}
