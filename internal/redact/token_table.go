package redact

import (
	"slices"

	"ken/internal/redact/chars"
)

// tokenForms returns the table of tokens that their issuers made recognisable, from the issuers' own documentation of their
// tokens. Publishable keys and identifiers that are no secrets are not in it. A short
// prefix of ordinary letters stands in it only with an exact length or an alphabet that
// prose does not have; what a form finds must look random besides.
func tokenForms() []tokenForm {
	return slices.Concat(modelForms(), cloudForms(), codeForms(), messageForms(), moneyForms(), workForms())
}

// modelForms are the keys of model providers.
func modelForms() []tokenForm {
	return []tokenForm{
		{"openai-key", "sk-proj- sk-svcacct- sk-admin-", chars.IsURLByte, 20, 0},
		{"anthropic-key", "sk-ant-", chars.IsURLByte, 20, 0},
		{"openrouter-key", "sk-or-", chars.IsURLByte, 20, 0},
		{"api-key", "sk-", chars.IsURLByte, 20, 0}, // OpenAI's first form, DeepSeek, Stability, LiteLLM
		{"groq-key", "gsk_", chars.IsAlnum, 20, 0},
		{"xai-key", "xai-", chars.IsAlnum, 32, 0},
		{"perplexity-key", "pplx-", chars.IsAlnum, 32, 0},
		{"huggingface-token", "hf_ api_org_", chars.IsAlnum, 30, 0},
		{"replicate-token", "r8_", chars.IsAlnum, 30, 0},
		{"nvidia-key", "nvapi-", chars.IsURLByte, 40, 0},
		{"cerebras-key", "csk-", chars.IsAlnum, 32, 0},
		{"fireworks-key", "fw_", chars.IsAlnum, 20, 0},
		{"together-key", "tgp_v1_", chars.IsURLByte, 32, 0},
		{"langsmith-key", "lsv2_pt_ lsv2_sk_", chars.IsWordByte, 32, 0},
		{"tavily-key", "tvly-", chars.IsURLByte, 20, 0},
		{"jina-key", "jina_", chars.IsURLByte, 40, 0},
		{"helicone-key", "sk-helicone-", chars.IsURLByte, 20, 0},
		{"wandb-key", "wandb_v1_", chars.IsURLByte, 40, 0},
		{"pinecone-key", "pcsk_", chars.IsWordByte, 40, 0},
		{"voyage-key", "pa-", chars.IsURLByte, 43, 43},
		{"nostr-key", "nsec1", chars.IsLowerAlnum, 58, 58},
		{"riot-key", "RGAPI-", chars.IsUUIDByte, 36, 36},
		{"elevenlabs-key", "sk_", chars.IsLowerHex, 48, 48},
	}
}

// cloudForms are the keys of cloudForms and hosts.
func cloudForms() []tokenForm {
	return []tokenForm{
		{"aws-access-key", "AKIA ASIA ABIA ACCA", chars.IsCapital, 16, 16},
		{"aws-bedrock-key", "ABSK", chars.IsBase64, 100, 0},
		{"google-api-key", "AIza", chars.IsURLByte, 35, 35},
		{"google-oauth-secret", "GOCSPX-", chars.IsURLByte, 20, 0},
		{"google-oauth-token", "ya29.", chars.IsDotByte, 20, 0},
		{"google-refresh-token", "1//0", chars.IsURLByte, 30, 0},
		{"digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", chars.IsLowerHex, 64, 64},
		{"alibaba-key", "LTAI", chars.IsAlnum, 16, 24},
		{"tencent-key", "AKID", chars.IsAlnum, 32, 32},
		{"cloudflare-origin-key", "v1.0-", chars.IsURLByte, 100, 0},
		{"heroku-key", "HRKU-", chars.IsURLByte, 30, 0},
		{"fly-token", "fo1_", chars.IsURLByte, 40, 0},
		{"fly-token", "fm2_", chars.IsBase64, 80, 0},
		{"netlify-token", "nfp_", chars.IsAlnum, 36, 0},
		{"render-key", "rnd_", chars.IsAlnum, 24, 0},
		{"supabase-key", "sbp_", chars.IsWordByte, 40, 0},
		{"supabase-key", "sb_secret_", chars.IsURLByte, 20, 0},
		{"planetscale-token", "pscale_tkn_", chars.IsDotByte, 32, 0},
		{"planetscale-password", "pscale_pw_", chars.IsDotByte, 32, 0},
		{"planetscale-token", "pscale_oauth_", chars.IsDotByte, 32, 0},
		{"pulumi-token", "pul-", chars.IsLowerHex, 40, 40},
		{"vault-token", "hvs. hvb. hvr.", chars.IsURLByte, 20, 0},
		{"doppler-token", "dp.pt. dp.st.", chars.IsDotByte, 40, 0},
		{"tailscale-key", "tskey-", chars.IsURLByte, 20, 0},
		{"databricks-token", "dapi", chars.IsLowerHex, 32, 34},
		{"1password-token", "ops_eyJ", isAny64, 100, 0},
		{"1password-key", "A3-", func(c byte) bool { return chars.IsCapital(c) || c == '-' }, 30, 40},
		{"infisical-token", "st.", chars.IsDotByte, 64, 0},
		{"linode-token", "lin_pat_", chars.IsAlnum, 40, 0},
		{"scaleway-key", "SCW", chars.IsCapital, 17, 17},
		{"yandex-key", "AQVN", chars.IsURLByte, 35, 38},
		{"yandex-token", "t1.", func(c byte) bool { return chars.IsDotByte(c) || c == '=' }, 60, 0},
		{"openshift-token", "sha256~", chars.IsURLByte, 43, 43},
		{"terraform-token", "atlasv1.", chars.IsURLByte, 60, 0},
		{"vercel-token", "vcp_ vca_ vcr_ vci_ vck_", chars.IsAlnum, 24, 0},
		{"neon-key", "napi_", chars.IsAlnum, 40, 0},
		{"neon-password", "npg_", chars.IsAlnum, 12, 0},
		{"mongodb-secret", "mdb_sa_sk_", chars.IsURLByte, 40, 0},
		{"deno-token", "ddp_", chars.IsAlnum, 36, 0},
		{"unkey-key", "unkey_", chars.IsWordByte, 20, 0},
		{"kubernetes-secret", "LS0tLS1CRUdJTiBSU0EgUFJJVkFURS LS0tLS1CRUdJTiBQUklWQVRF LS0tLS1CRUdJTiBFQyBQUklWQVRF LS0tLS1CRUdJTiBPUEVOU1NI", chars.IsBase64, 20, 0},
	}
}

// codeForms are the tokens of forges and registries.
func codeForms() []tokenForm {
	return []tokenForm{
		{"github-token", "ghp_ gho_ ghu_ ghs_ ghr_", chars.IsAlnum, 36, 0},
		{"github-token", "v1.", chars.IsLowerHex, 40, 40}, // of an installation
		{"github-token", "github_pat_", chars.IsWordByte, 22, 0},
		{"gitlab-token", "glpat-", chars.IsDotByte, 20, 0},
		{"gitlab-token", "gldt- glrt- glptt- glft- glsoat- glcbt- glimt- glagent- gloas- GR1348941", chars.IsURLByte, 20, 0},
		{"npm-token", "npm_", chars.IsAlnum, 36, 0},
		{"pypi-token", "pypi-AgE", chars.IsURLByte, 40, 0},
		{"rubygems-key", "rubygems_", chars.IsLowerHex, 48, 48},
		{"crates-token", "cio", chars.IsAlnum, 32, 32},
		{"docker-token", "dckr_pat_ dckr_oat_", chars.IsURLByte, 20, 0},
		{"atlassian-token", "ATATT3 ATCTT3", func(c byte) bool { return chars.IsURLByte(c) || c == '=' }, 60, 0},
		{"bitbucket-password", "ATBB", chars.IsAlnum, 32, 0},
		{"postman-key", "PMAK-", chars.IsURLByte, 40, 0},
		{"sonar-token", "sqp_ squ_", chars.IsLowerHex, 40, 40},
		{"gitlab-token", "glffct- glwt-", chars.IsURLByte, 20, 0},
		{"gitlab-token", "_gitlab_session=", chars.IsLowerHex, 32, 32},
		{"circleci-token", "CCIPAT_ CCIPRJ_", chars.IsWordByte, 40, 0},
		{"buildkite-token", "bkua_ bkpt_", chars.IsAlnum, 32, 0},
		{"clojars-token", "CLOJARS_", chars.IsLowerHex, 60, 60},
		{"sourcegraph-token", "sgp_", chars.IsWordByte, 40, 0},
		{"snyk-token", "snyk_uat.", chars.IsDotByte, 32, 0},
		{"nuget-key", "oy2", chars.IsLowerAlnum, 43, 43},
		{"prefect-token", "pnu_", chars.IsAlnum, 36, 0},
		{"infracost-key", "ico-", chars.IsAlnum, 32, 32},
		{"jfrog-token", "AKCp", chars.IsAlnum, 60, 0},
		{"gitea-token", "gto_", chars.IsLowerAlnum, 52, 0},
		{"octopus-key", "API-", chars.IsCapital, 26, 32},
		{"jfrog-token", "cmVmdGtu", chars.IsBase64, 56, 56},
	}
}

// messageForms are the tokens of mail and chat.
func messageForms() []tokenForm {
	return []tokenForm{
		{"slack-token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxc- xoxd-", chars.IsURLByte, 20, 0},
		{"slack-token", "xoxe.", chars.IsDotByte, 20, 0},
		{"slack-token", "xoxe- xapp-", chars.IsURLByte, 20, 0},
		{"slack-webhook", "hooks.slack.com/services/ hooks.slack.com/workflows/", func(c byte) bool { return chars.IsAlnum(c) || c == '/' }, 30, 0},
		{"discord-webhook", "discord.com/api/webhooks/ discordapp.com/api/webhooks/", func(c byte) bool { return chars.IsURLByte(c) || c == '/' }, 60, 0},
		{"teams-webhook", "webhook.office.com/webhookb2/", func(c byte) bool { return chars.IsURLByte(c) || c == '/' || c == '@' }, 60, 0},
		{"sendgrid-key", "SG.", chars.IsDotByte, 40, 0},
		{"mailgun-key", "key-", chars.IsLowerHex, 32, 32},
		{"brevo-key", "xkeysib- xsmtpsib-", chars.IsURLByte, 40, 0},
		{"resend-key", "re_", chars.IsWordByte, 20, 0},
		{"mailersend-key", "mlsn.", chars.IsLowerHex, 60, 0},
		{"zoho-token", "1000.", chars.IsDotByte, 64, 66},
		{"discord-token", "mfa.", chars.IsURLByte, 80, 0},
		{"telnyx-key", "KEY0", chars.IsWordByte, 40, 0},
		{"typeform-token", "tfp_", chars.IsDotByte, 40, 0},
		{"intercom-token", "dG9rO", chars.IsBase64, 40, 0},
		{"twitter-token", "AAAAAAAAAAAAAAAAAAAAA", func(c byte) bool { return chars.IsAlnum(c) || c == '%' }, 60, 0},
		{"facebook-token", "EAA", chars.IsAlnum, 90, 0},
		{"instagram-token", "IGQV", chars.IsURLByte, 80, 0},
	}
}

// moneyForms are the keys of payments and shops.
func moneyForms() []tokenForm {
	return []tokenForm{
		{"stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_", chars.IsAlnum, 16, 0},
		{"stripe-webhook-secret", "whsec_", chars.IsBase64, 24, 0},
		{"square-token", "sq0atp-", chars.IsURLByte, 20, 0},
		{"square-secret", "sq0csp-", chars.IsURLByte, 40, 0},
		{"square-token", "EAAA", chars.IsURLByte, 60, 60},
		{"shopify-token", "shpat_ shpca_ shppa_", chars.IsHex, 32, 32},
		{"shopify-secret", "shpss_", chars.IsHex, 32, 32},
		{"flutterwave-key", "FLWSECK", chars.IsURLByte, 20, 0},
		{"stripe-key", "sk_org_live_ sk_org_test_ ek_live_ ek_test_", chars.IsAlnum, 16, 0},
		{"shopify-token", "shpua_ shprt_", chars.IsHex, 32, 0},
		{"braintree-token", "access_token$production$ access_token$sandbox$", func(c byte) bool { return chars.IsLowerAlnum(c) || c == '$' }, 49, 49},
		{"paystack-key", "sk_", chars.IsLowerHex, 40, 40},
		{"adyen-key", "AQE", chars.IsBase64, 80, 0},
		{"easypost-key", "EZAK EZTK", chars.IsAlnum, 54, 54},
		{"shippo-token", "shippo_live_ shippo_test_", chars.IsLowerHex, 40, 40},
		{"duffel-token", "duffel_live_ duffel_test_", chars.IsURLByte, 40, 0},
		{"lob-key", "live_ test_", chars.IsLowerHex, 35, 35},
		{"polar-token", "polar_oat_ polar_pat_", chars.IsURLByte, 32, 0},
		{"plaid-token", "access-production- access-development- access-sandbox-", chars.IsURLByte, 36, 36},
	}
}

// workForms are the tokens of what people watch and workForms with.
func workForms() []tokenForm {
	return []tokenForm{
		{"grafana-token", "glsa_", chars.IsWordByte, 32, 0},
		{"grafana-token", "glc_", chars.IsBase64, 32, 0},
		{"sentry-token", "sntrys_", func(c byte) bool { return chars.IsBase64(c) || c == '_' }, 40, 0},
		{"sentry-token", "sntryu_", chars.IsLowerHex, 64, 64},
		{"newrelic-key", "NRAK-", chars.IsCapital, 20, 0},
		{"newrelic-key", "NRII- NRJS- NRRA- NRIQ-", chars.IsURLByte, 19, 0},
		{"honeycomb-key", "hcaik_ hcalk_ hcamk_ hcbik_", chars.IsAlnum, 32, 0},
		{"launchdarkly-key", "sdk-", chars.IsUUIDByte, 36, 36},
		{"axiom-token", "xaat- xapt-", chars.IsURLByte, 36, 0},
		{"logfire-token", "pylf_v1_", chars.IsWordByte, 30, 0},
		{"dynatrace-token", "dt0c01.", chars.IsDotByte, 60, 0},
		{"posthog-key", "phx_", chars.IsAlnum, 40, 0},
		{"linear-key", "lin_api_", chars.IsAlnum, 32, 0},
		{"notion-token", "ntn_", chars.IsAlnum, 40, 0},
		{"notion-token", "secret_", chars.IsAlnum, 43, 43},
		{"figma-token", "figd_", chars.IsURLByte, 36, 0},
		{"airtable-token", "pat", chars.IsDotByte, 79, 79},
		{"contentful-token", "CFPAT-", chars.IsURLByte, 40, 0},
		{"readme-key", "rdme_", chars.IsAlnum, 60, 0},
		{"facebook-token", "EAACEdEose0cBA", chars.IsAlnum, 20, 0},
		{"age-key", "AGE-SECRET-KEY-1", chars.IsCapital, 58, 58},
		{"asana-token", "0/1 0/2 1/0 1/1 1/2 1/3 1/4 1/5 1/6 1/7 1/8 1/9 2/0 2/1 2/2 2/3 2/4 2/5 2/6 2/7 2/8 2/9", func(c byte) bool { return chars.IsLowerAlnum(c) || c == ':' || c == '/' }, 45, 80},
		{"dropbox-token", "sl.", chars.IsDotByte, 100, 0},
		{"hubspot-token", "pat-na1- pat-na2- pat-eu1- pat-ap1-", chars.IsURLByte, 36, 36},
		{"trello-token", "ATTA", chars.IsAlnum, 60, 0},
		{"mapbox-token", "sk.eyJ", chars.IsDotByte, 60, 0},
		{"adafruit-key", "aio_", chars.IsAlnum, 28, 28},
		{"frameio-token", "fio-u-", chars.IsURLByte, 64, 0},
		{"scalingo-token", "tk-us-", chars.IsURLByte, 48, 0},
		{"clickup-token", "pk_", func(c byte) bool { return chars.IsCapital(c) || c == '_' }, 38, 45},
		{"pagerduty-key", "pdus+_ pdeu+_", chars.IsURLByte, 30, 0},
		{"samsara-token", "samsara_api_", chars.IsAlnum, 24, 0},
		{"intra42-secret", "s-s4t2ud- s-s4t2af-", chars.IsLowerHex, 64, 64},
		{"coda-token", "fxp_", chars.IsWordByte, 30, 0},
		{"apify-token", "apify_api_", chars.IsAlnum, 30, 0},
		{"browserless-key", "bb_live_ bb_test_", chars.IsURLByte, 20, 0},
		{"firecrawl-key", "fc-", chars.IsLowerHex, 32, 32},
		{"bitcoin-private-key", "xprv yprv zprv", chars.IsAlnum, 100, 110},
	}
}

// isAny64 reports whether c is of either alphabet of base64.
func isAny64(c byte) bool { return chars.IsBase64(c) || chars.IsURLByte(c) }
