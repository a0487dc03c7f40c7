package redact

import (
	"slices"
	"strings"

	"ken/internal/redact/look"
)

// A tokenForm is a token that its issuer made recognisable: one of a few
// prefixes (with blanks between), then min to max bytes of a set (max 0: no
// limit). A max is given where the prefix alone is ordinary letters.
type tokenForm struct {
	kind, prefixes string
	set            func(byte) bool
	min, max       int
}

// tokenForms lists the forms, from the issuers' own documentation of their
// tokens. Publishable keys and identifiers that are no secrets are not in it.
func tokenForms() []tokenForm {
	return []tokenForm{
		// Models.
		{"openai-key", "sk-proj- sk-svcacct- sk-admin-", look.IsURLByte, 20, 0},
		{"anthropic-key", "sk-ant-", look.IsURLByte, 20, 0},
		{"openrouter-key", "sk-or-", look.IsURLByte, 20, 0},
		{"api-key", "sk-", look.IsURLByte, 20, 0}, // OpenAI's first form, DeepSeek, Stability, LiteLLM
		{"groq-key", "gsk_", look.IsAlnum, 20, 0},
		{"xai-key", "xai-", look.IsAlnum, 32, 0},
		{"perplexity-key", "pplx-", look.IsAlnum, 32, 0},
		{"huggingface-token", "hf_ api_org_", look.IsAlnum, 30, 0},
		{"replicate-token", "r8_", look.IsAlnum, 30, 0},
		{"nvidia-key", "nvapi-", look.IsURLByte, 40, 0},
		{"cerebras-key", "csk-", look.IsAlnum, 32, 0},
		{"fireworks-key", "fw_", look.IsAlnum, 20, 0},
		{"together-key", "tgp_v1_", look.IsURLByte, 32, 0},
		{"langsmith-key", "lsv2_pt_ lsv2_sk_", look.IsWordByte, 32, 0},
		{"tavily-key", "tvly-", look.IsURLByte, 20, 0},
		{"jina-key", "jina_", look.IsURLByte, 40, 0},

		// Clouds.
		{"aws-access-key", "AKIA ASIA ABIA ACCA", look.IsCapital, 16, 16},
		{"aws-bedrock-key", "ABSK", look.IsBase64, 100, 0},
		{"google-api-key", "AIza", look.IsURLByte, 35, 35},
		{"google-oauth-secret", "GOCSPX-", look.IsURLByte, 20, 0},
		{"google-oauth-token", "ya29.", look.IsDotByte, 20, 0},
		{"google-refresh-token", "1//0", look.IsURLByte, 30, 0},
		{"digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", look.IsLowerHex, 64, 64},
		{"alibaba-key", "LTAI", look.IsAlnum, 16, 24},
		{"tencent-key", "AKID", look.IsAlnum, 32, 32},
		{"cloudflare-origin-key", "v1.0-", look.IsURLByte, 100, 0},
		{"heroku-key", "HRKU-", look.IsURLByte, 30, 0},
		{"fly-token", "fo1_", look.IsURLByte, 40, 0},
		{"fly-token", "fm2_", look.IsBase64, 80, 0},
		{"netlify-token", "nfp_", look.IsAlnum, 36, 0},
		{"render-key", "rnd_", look.IsAlnum, 24, 0},
		{"supabase-key", "sbp_", look.IsWordByte, 40, 0},
		{"supabase-key", "sb_secret_", look.IsURLByte, 20, 0},
		{"planetscale-token", "pscale_tkn_", look.IsDotByte, 32, 0},
		{"planetscale-password", "pscale_pw_", look.IsDotByte, 32, 0},
		{"planetscale-token", "pscale_oauth_", look.IsDotByte, 32, 0},
		{"pulumi-token", "pul-", look.IsLowerHex, 40, 40},
		{"vault-token", "hvs. hvb. hvr.", look.IsURLByte, 20, 0},
		{"doppler-token", "dp.pt. dp.st.", look.IsDotByte, 40, 0},
		{"tailscale-key", "tskey-", look.IsURLByte, 20, 0},
		{"databricks-token", "dapi", look.IsLowerHex, 32, 34},
		{"1password-token", "ops_eyJ", look.IsBase64, 100, 0},

		// Code and packages.
		{"github-token", "ghp_ gho_ ghu_ ghs_ ghr_", look.IsAlnum, 36, 0},
		{"github-token", "github_pat_", look.IsWordByte, 22, 0},
		{"gitlab-token", "glpat-", look.IsDotByte, 20, 0},
		{"gitlab-token", "gldt- glrt- glptt- glft- glsoat- glcbt- glimt- glagent- gloas- GR1348941", look.IsURLByte, 20, 0},
		{"npm-token", "npm_", look.IsAlnum, 36, 0},
		{"pypi-token", "pypi-AgE", look.IsURLByte, 40, 0},
		{"rubygems-key", "rubygems_", look.IsLowerHex, 48, 48},
		{"crates-token", "cio", look.IsAlnum, 32, 32},
		{"docker-token", "dckr_pat_ dckr_oat_", look.IsURLByte, 20, 0},
		{"atlassian-token", "ATATT3 ATCTT3", func(c byte) bool { return look.IsURLByte(c) || c == '=' }, 60, 0},
		{"bitbucket-password", "ATBB", look.IsAlnum, 32, 0},
		{"postman-key", "PMAK-", look.IsURLByte, 40, 0},
		{"sonar-token", "sqp_ squ_", look.IsLowerHex, 40, 40},

		// Messages.
		{"slack-token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxc- xoxd-", look.IsURLByte, 20, 0},
		{"slack-token", "xoxe.", look.IsDotByte, 20, 0},
		{"slack-token", "xoxe- xapp-", look.IsURLByte, 20, 0},
		{"slack-webhook", "hooks.slack.com/services/ hooks.slack.com/workflows/", func(c byte) bool { return look.IsAlnum(c) || c == '/' }, 30, 0},
		{"discord-webhook", "discord.com/api/webhooks/ discordapp.com/api/webhooks/", func(c byte) bool { return look.IsURLByte(c) || c == '/' }, 60, 0},
		{"teams-webhook", "webhook.office.com/webhookb2/", func(c byte) bool { return look.IsURLByte(c) || c == '/' || c == '@' }, 60, 0},
		{"sendgrid-key", "SG.", look.IsDotByte, 40, 0},
		{"mailgun-key", "key-", look.IsLowerHex, 32, 32},
		{"brevo-key", "xkeysib-", look.IsURLByte, 40, 0},
		{"resend-key", "re_", look.IsWordByte, 20, 0},

		// Money and shops.
		{"stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_", look.IsAlnum, 16, 0},
		{"stripe-webhook-secret", "whsec_", look.IsBase64, 24, 0},
		{"square-token", "sq0atp-", look.IsURLByte, 20, 0},
		{"square-secret", "sq0csp-", look.IsURLByte, 40, 0},
		{"square-token", "EAAA", look.IsURLByte, 60, 60},
		{"shopify-token", "shpat_ shpca_ shppa_", look.IsHex, 32, 32},
		{"shopify-secret", "shpss_", look.IsHex, 32, 32},
		{"flutterwave-key", "FLWSECK", look.IsURLByte, 20, 0},

		// Watching and working.
		{"grafana-token", "glsa_", look.IsWordByte, 32, 0},
		{"grafana-token", "glc_", look.IsBase64, 32, 0},
		{"sentry-token", "sntrys_", func(c byte) bool { return look.IsBase64(c) || c == '_' }, 40, 0},
		{"sentry-token", "sntryu_", look.IsLowerHex, 64, 64},
		{"newrelic-key", "NRAK-", look.IsCapital, 20, 0},
		{"dynatrace-token", "dt0c01.", look.IsDotByte, 60, 0},
		{"posthog-key", "phx_", look.IsAlnum, 40, 0},
		{"linear-key", "lin_api_", look.IsAlnum, 32, 0},
		{"notion-token", "ntn_", look.IsAlnum, 40, 0},
		{"notion-token", "secret_", look.IsAlnum, 43, 43},
		{"figma-token", "figd_", look.IsURLByte, 36, 0},
		{"airtable-token", "pat", look.IsDotByte, 79, 79},
		{"contentful-token", "CFPAT-", look.IsURLByte, 40, 0},
		{"readme-key", "rdme_", look.IsAlnum, 60, 0},
		{"facebook-token", "EAACEdEose0cBA", look.IsAlnum, 20, 0},
		{"age-key", "AGE-SECRET-KEY-1", look.IsCapital, 58, 58},
	}
}

func tokenRules() []rule {
	forms := tokenForms()
	out := make([]rule, 0, len(forms))
	for _, t := range forms {
		prefixes := strings.Fields(t.prefixes)
		out = append(out, rule{t.kind, strings.Fields(strings.ToLower(t.prefixes)), func(f *finder, at, end int) {
			if slices.Contains(prefixes, f.s[at:end]) {
				f.token(t, at, end)
			}
		}})
	}
	return out
}

// token adds the token of form t whose prefix stands at f.s[at:end].
func (f *finder) token(t tokenForm, at, end int) {
	prefix := f.s[at:end]
	if !look.StartsWord(f.s, at) || prefix == f.tokenPrefix && at < f.tokenDone {
		return // the tail of a word, or inside the last one looked at
	}
	stop := look.RunOf(f.s, end, t.set)
	f.tokenPrefix, f.tokenDone = prefix, stop
	// Punctuation that ends a sentence is no part of it.
	for stop > end && f.s[stop-1] == '.' {
		stop--
	}
	n := stop - end
	if n < t.min || t.max > 0 && n > t.max || !look.IsRandom(f.s[end:stop]) {
		return
	}
	if prefix == "sk-" && longestPart(f.s[end:stop]) < 12 {
		return // sk-ecdsa-sha2-nistp256
	}
	f.add(exact, t.kind, at, stop)
}

// longestPart returns the length of the longest part of v between hyphens.
func longestPart(v string) int {
	n := 0
	for part := range strings.SplitSeq(v, "-") {
		n = max(n, len(part))
	}
	return n
}
