package redact

import "strings"

// A tokenForm is a token that its issuer made recognisable: a prefix, then min
// to max bytes of a set (max 0: no limit). exact length matters for prefixes
// that are ordinary letters.
type tokenForm struct {
	kind, prefix string
	set          func(byte) bool
	min, max     int
}

// tokenForms lists the forms, from the issuers' own documentation of their
// tokens. Publishable keys and identifiers that are no secrets are not in it.
func tokenForms() []tokenForm {
	return []tokenForm{
		// Models.
		{"openai-key", "sk-proj-", isURLByte, 20, 0},
		{"openai-key", "sk-svcacct-", isURLByte, 20, 0},
		{"openai-key", "sk-admin-", isURLByte, 20, 0},
		{"anthropic-key", "sk-ant-", isURLByte, 20, 0},
		{"openrouter-key", "sk-or-", isURLByte, 20, 0},
		{"api-key", "sk-", isURLByte, 20, 0}, // OpenAI's first form, DeepSeek, Stability, LiteLLM
		{"groq-key", "gsk_", isAlnum, 20, 0},
		{"xai-key", "xai-", isAlnum, 32, 0},
		{"perplexity-key", "pplx-", isAlnum, 32, 0},
		{"huggingface-token", "hf_", isAlnum, 30, 0},
		{"huggingface-token", "api_org_", isAlnum, 30, 0},
		{"replicate-token", "r8_", isAlnum, 30, 0},
		{"nvidia-key", "nvapi-", isURLByte, 40, 0},
		{"cerebras-key", "csk-", isAlnum, 32, 0},
		{"fireworks-key", "fw_", isAlnum, 20, 0},
		{"together-key", "tgp_v1_", isURLByte, 32, 0},
		{"langsmith-key", "lsv2_pt_", isWordByte, 32, 0},
		{"langsmith-key", "lsv2_sk_", isWordByte, 32, 0},
		{"tavily-key", "tvly-", isURLByte, 20, 0},
		{"jina-key", "jina_", isURLByte, 40, 0},

		// Clouds.
		{"aws-access-key", "AKIA", isCapital, 16, 16},
		{"aws-access-key", "ASIA", isCapital, 16, 16},
		{"aws-access-key", "ABIA", isCapital, 16, 16},
		{"aws-access-key", "ACCA", isCapital, 16, 16},
		{"aws-bedrock-key", "ABSK", isBase64, 100, 0},
		{"google-api-key", "AIza", isURLByte, 35, 35},
		{"google-oauth-secret", "GOCSPX-", isURLByte, 20, 0},
		{"google-oauth-token", "ya29.", isDotByte, 20, 0},
		{"google-refresh-token", "1//0", isURLByte, 30, 0},
		{"digitalocean-token", "dop_v1_", isLowerHex, 64, 64},
		{"digitalocean-token", "doo_v1_", isLowerHex, 64, 64},
		{"digitalocean-token", "dor_v1_", isLowerHex, 64, 64},
		{"alibaba-key", "LTAI", isAlnum, 16, 24},
		{"tencent-key", "AKID", isAlnum, 32, 32},
		{"cloudflare-origin-key", "v1.0-", isURLByte, 100, 0},
		{"heroku-key", "HRKU-", isURLByte, 30, 0},
		{"fly-token", "fo1_", isURLByte, 40, 0},
		{"fly-token", "fm2_", isBase64, 80, 0},
		{"netlify-token", "nfp_", isAlnum, 36, 0},
		{"render-key", "rnd_", isAlnum, 24, 0},
		{"supabase-key", "sbp_", isWordByte, 40, 0},
		{"supabase-key", "sb_secret_", isURLByte, 20, 0},
		{"planetscale-token", "pscale_tkn_", isDotByte, 32, 0},
		{"planetscale-password", "pscale_pw_", isDotByte, 32, 0},
		{"planetscale-token", "pscale_oauth_", isDotByte, 32, 0},
		{"pulumi-token", "pul-", isLowerHex, 40, 40},
		{"vault-token", "hvs.", isURLByte, 20, 0},
		{"vault-token", "hvb.", isURLByte, 20, 0},
		{"vault-token", "hvr.", isURLByte, 20, 0},
		{"doppler-token", "dp.pt.", isDotByte, 40, 0},
		{"doppler-token", "dp.st.", isDotByte, 40, 0},
		{"tailscale-key", "tskey-", isURLByte, 20, 0},
		{"databricks-token", "dapi", isLowerHex, 32, 34},
		{"1password-token", "ops_eyJ", isBase64, 100, 0},

		// Code and packages.
		{"github-token", "ghp_", isAlnum, 36, 0},
		{"github-token", "gho_", isAlnum, 36, 0},
		{"github-token", "ghu_", isAlnum, 36, 0},
		{"github-token", "ghs_", isAlnum, 36, 0},
		{"github-token", "ghr_", isAlnum, 36, 0},
		{"github-token", "github_pat_", isWordByte, 22, 0},
		{"gitlab-token", "glpat-", isDotByte, 20, 0},
		{"gitlab-token", "gldt-", isURLByte, 20, 0},
		{"gitlab-token", "glrt-", isURLByte, 20, 0},
		{"gitlab-token", "glptt-", isURLByte, 20, 0},
		{"gitlab-token", "glft-", isURLByte, 20, 0},
		{"gitlab-token", "glsoat-", isURLByte, 20, 0},
		{"gitlab-token", "glcbt-", isURLByte, 20, 0},
		{"gitlab-token", "glimt-", isURLByte, 20, 0},
		{"gitlab-token", "glagent-", isURLByte, 20, 0},
		{"gitlab-token", "gloas-", isURLByte, 20, 0},
		{"gitlab-token", "GR1348941", isURLByte, 20, 0},
		{"npm-token", "npm_", isAlnum, 36, 0},
		{"pypi-token", "pypi-AgE", isURLByte, 40, 0},
		{"rubygems-key", "rubygems_", isLowerHex, 48, 48},
		{"crates-token", "cio", isAlnum, 32, 32},
		{"docker-token", "dckr_pat_", isURLByte, 20, 0},
		{"docker-token", "dckr_oat_", isURLByte, 20, 0},
		{"atlassian-token", "ATATT3", func(c byte) bool { return isURLByte(c) || c == '=' }, 60, 0},
		{"atlassian-token", "ATCTT3", func(c byte) bool { return isURLByte(c) || c == '=' }, 60, 0},
		{"bitbucket-password", "ATBB", isAlnum, 32, 0},
		{"postman-key", "PMAK-", isURLByte, 40, 0},
		{"sonar-token", "sqp_", isLowerHex, 40, 40},
		{"sonar-token", "squ_", isLowerHex, 40, 40},

		// Messages.
		{"slack-token", "xoxb-", isURLByte, 20, 0},
		{"slack-token", "xoxp-", isURLByte, 20, 0},
		{"slack-token", "xoxa-", isURLByte, 20, 0},
		{"slack-token", "xoxr-", isURLByte, 20, 0},
		{"slack-token", "xoxs-", isURLByte, 20, 0},
		{"slack-token", "xoxc-", isURLByte, 20, 0},
		{"slack-token", "xoxd-", isURLByte, 20, 0},
		{"slack-token", "xoxe.", isDotByte, 20, 0},
		{"slack-token", "xoxe-", isURLByte, 20, 0},
		{"slack-token", "xapp-", isURLByte, 20, 0},
		{"slack-webhook", "hooks.slack.com/services/", func(c byte) bool { return isAlnum(c) || c == '/' }, 30, 0},
		{"slack-webhook", "hooks.slack.com/workflows/", func(c byte) bool { return isAlnum(c) || c == '/' }, 30, 0},
		{"discord-webhook", "discord.com/api/webhooks/", func(c byte) bool { return isURLByte(c) || c == '/' }, 60, 0},
		{"discord-webhook", "discordapp.com/api/webhooks/", func(c byte) bool { return isURLByte(c) || c == '/' }, 60, 0},
		{"teams-webhook", "webhook.office.com/webhookb2/", func(c byte) bool { return isURLByte(c) || c == '/' || c == '@' }, 60, 0},
		{"sendgrid-key", "SG.", isDotByte, 40, 0},
		{"mailgun-key", "key-", isLowerHex, 32, 32},
		{"brevo-key", "xkeysib-", isURLByte, 40, 0},
		{"resend-key", "re_", isWordByte, 20, 0},

		// Money and shops.
		{"stripe-key", "sk_live_", isAlnum, 16, 0},
		{"stripe-key", "sk_test_", isAlnum, 16, 0},
		{"stripe-key", "rk_live_", isAlnum, 16, 0},
		{"stripe-key", "rk_test_", isAlnum, 16, 0},
		{"stripe-webhook-secret", "whsec_", isBase64, 24, 0},
		{"square-token", "sq0atp-", isURLByte, 20, 0},
		{"square-secret", "sq0csp-", isURLByte, 40, 0},
		{"square-token", "EAAA", isURLByte, 60, 60},
		{"shopify-token", "shpat_", isHex, 32, 32},
		{"shopify-token", "shpca_", isHex, 32, 32},
		{"shopify-token", "shppa_", isHex, 32, 32},
		{"shopify-secret", "shpss_", isHex, 32, 32},
		{"flutterwave-key", "FLWSECK", isURLByte, 20, 0},

		// Watching and working.
		{"grafana-token", "glsa_", isWordByte, 32, 0},
		{"grafana-token", "glc_", isBase64, 32, 0},
		{"sentry-token", "sntrys_", func(c byte) bool { return isBase64(c) || c == '_' }, 40, 0},
		{"sentry-token", "sntryu_", isLowerHex, 64, 64},
		{"newrelic-key", "NRAK-", isCapital, 20, 0},
		{"dynatrace-token", "dt0c01.", isDotByte, 60, 0},
		{"posthog-key", "phx_", isAlnum, 40, 0},
		{"linear-key", "lin_api_", isAlnum, 32, 0},
		{"notion-token", "ntn_", isAlnum, 40, 0},
		{"notion-token", "secret_", isAlnum, 43, 43},
		{"figma-token", "figd_", isURLByte, 36, 0},
		{"airtable-token", "pat", isDotByte, 79, 79},
		{"contentful-token", "CFPAT-", isURLByte, 40, 0},
		{"readme-key", "rdme_", isAlnum, 60, 0},
		{"facebook-token", "EAACEdEose0cBA", isAlnum, 20, 0},
		{"age-key", "AGE-SECRET-KEY-1", isCapital, 58, 58},
	}
}

func tokenRules() []rule {
	forms := tokenForms()
	out := make([]rule, 0, len(forms))
	for _, t := range forms {
		out = append(out, rule{t.kind, []string{strings.ToLower(t.prefix)}, func(f *finder, at, end int) {
			f.token(t, at, end)
		}})
	}
	return out
}

// token adds the token of form t whose prefix may stand at f.s[at:end].
func (f *finder) token(t tokenForm, at, end int) {
	if f.s[at:end] != t.prefix || !startsWord(f.s, at) {
		return
	}
	if f.tokenPrefix == t.prefix && at < f.tokenDone {
		return // inside the last one
	}
	stop := runOf(f.s, end, t.set)
	f.tokenPrefix, f.tokenDone = t.prefix, stop
	// Punctuation that ends a sentence is no part of it.
	for stop > end && f.s[stop-1] == '.' {
		stop--
	}
	n := stop - end
	if n < t.min || t.max > 0 && n > t.max || !isRandom(f.s[end:stop]) {
		return
	}
	if t.prefix == "sk-" && longestPart(f.s[end:stop]) < 12 {
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
