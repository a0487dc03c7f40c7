package forms

import (
	"slices"

	"ken/internal/redact/look"
)

// All returns the whole table, from the issuers' own documentation of their
// tokens. Publishable keys and identifiers that are no secrets are not in it.
func All() []Form {
	return slices.Concat(models(), clouds(), code(), messages(), money(), work())
}

// models are the keys of model providers.
func models() []Form {
	return []Form{
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
		{"helicone-key", "sk-helicone-", look.IsURLByte, 20, 0},
		{"wandb-key", "wandb_v1_", look.IsURLByte, 40, 0},
		{"pinecone-key", "pcsk_", look.IsWordByte, 40, 0},
		{"voyage-key", "pa-", look.IsURLByte, 43, 43},
		{"riot-key", "RGAPI-", look.IsUUIDByte, 36, 36},
		{"elevenlabs-key", "sk_", look.IsLowerHex, 48, 48},
	}
}

// clouds are the keys of clouds and hosts.
func clouds() []Form {
	return []Form{
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
		{"1password-token", "ops_eyJ", isAny64, 100, 0},
		{"1password-key", "A3-", func(c byte) bool { return look.IsCapital(c) || c == '-' }, 30, 40},
		{"infisical-token", "st.", look.IsDotByte, 64, 0},
		{"linode-token", "lin_pat_", look.IsAlnum, 40, 0},
		{"scaleway-key", "SCW", look.IsCapital, 17, 17},
		{"yandex-key", "AQVN", look.IsURLByte, 35, 38},
		{"yandex-token", "t1.", func(c byte) bool { return look.IsDotByte(c) || c == '=' }, 60, 0},
		{"openshift-token", "sha256~", look.IsURLByte, 43, 43},
		{"terraform-token", "atlasv1.", look.IsURLByte, 60, 0},
		{"vercel-token", "vcp_ vca_ vcr_ vci_ vck_", look.IsAlnum, 24, 0},
		{"neon-key", "napi_", look.IsAlnum, 40, 0},
		{"neon-password", "npg_", look.IsAlnum, 12, 0},
		{"mongodb-secret", "mdb_sa_sk_", look.IsURLByte, 40, 0},
		{"deno-token", "ddp_", look.IsAlnum, 36, 0},
		{"unkey-key", "unkey_", look.IsWordByte, 20, 0},
		{"kubernetes-secret", "LS0tLS1CRUdJTiBSU0EgUFJJVkFURS LS0tLS1CRUdJTiBQUklWQVRF LS0tLS1CRUdJTiBFQyBQUklWQVRF LS0tLS1CRUdJTiBPUEVOU1NI", look.IsBase64, 20, 0},
	}
}

// code are the tokens of forges and registries.
func code() []Form {
	return []Form{
		{"github-token", "ghp_ gho_ ghu_ ghs_ ghr_", look.IsAlnum, 36, 0},
		{"github-token", "v1.", look.IsLowerHex, 40, 40}, // of an installation
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
		{"gitlab-token", "glffct- glwt-", look.IsURLByte, 20, 0},
		{"gitlab-token", "_gitlab_session=", look.IsLowerHex, 32, 32},
		{"circleci-token", "CCIPAT_ CCIPRJ_", look.IsWordByte, 40, 0},
		{"buildkite-token", "bkua_ bkpt_", look.IsAlnum, 32, 0},
		{"clojars-token", "CLOJARS_", look.IsLowerHex, 60, 60},
		{"sourcegraph-token", "sgp_", look.IsWordByte, 40, 0},
		{"snyk-token", "snyk_uat.", look.IsDotByte, 32, 0},
		{"nuget-key", "oy2", look.IsLowerAlnum, 43, 43},
		{"prefect-token", "pnu_", look.IsAlnum, 36, 0},
		{"infracost-key", "ico-", look.IsAlnum, 32, 32},
		{"jfrog-token", "AKCp", look.IsAlnum, 60, 0},
		{"gitea-token", "gto_", look.IsLowerAlnum, 52, 0},
		{"octopus-key", "API-", look.IsCapital, 26, 32},
		{"jfrog-token", "cmVmdGtu", look.IsBase64, 56, 56},
	}
}

// messages are the tokens of mail and chat.
func messages() []Form {
	return []Form{
		{"slack-token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxc- xoxd-", look.IsURLByte, 20, 0},
		{"slack-token", "xoxe.", look.IsDotByte, 20, 0},
		{"slack-token", "xoxe- xapp-", look.IsURLByte, 20, 0},
		{"slack-webhook", "hooks.slack.com/services/ hooks.slack.com/workflows/", func(c byte) bool { return look.IsAlnum(c) || c == '/' }, 30, 0},
		{"discord-webhook", "discord.com/api/webhooks/ discordapp.com/api/webhooks/", func(c byte) bool { return look.IsURLByte(c) || c == '/' }, 60, 0},
		{"teams-webhook", "webhook.office.com/webhookb2/", func(c byte) bool { return look.IsURLByte(c) || c == '/' || c == '@' }, 60, 0},
		{"sendgrid-key", "SG.", look.IsDotByte, 40, 0},
		{"mailgun-key", "key-", look.IsLowerHex, 32, 32},
		{"brevo-key", "xkeysib- xsmtpsib-", look.IsURLByte, 40, 0},
		{"resend-key", "re_", look.IsWordByte, 20, 0},
		{"mailersend-key", "mlsn.", look.IsLowerHex, 60, 0},
		{"zoho-token", "1000.", look.IsDotByte, 64, 66},
		{"discord-token", "mfa.", look.IsURLByte, 80, 0},
		{"telnyx-key", "KEY0", look.IsWordByte, 40, 0},
		{"typeform-token", "tfp_", look.IsDotByte, 40, 0},
		{"intercom-token", "dG9rO", look.IsBase64, 40, 0},
		{"twitter-token", "AAAAAAAAAAAAAAAAAAAAA", func(c byte) bool { return look.IsAlnum(c) || c == '%' }, 60, 0},
		{"facebook-token", "EAA", look.IsAlnum, 90, 0},
		{"instagram-token", "IGQV", look.IsURLByte, 80, 0},
	}
}

// money are the keys of payments and shops.
func money() []Form {
	return []Form{
		{"stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_", look.IsAlnum, 16, 0},
		{"stripe-webhook-secret", "whsec_", look.IsBase64, 24, 0},
		{"square-token", "sq0atp-", look.IsURLByte, 20, 0},
		{"square-secret", "sq0csp-", look.IsURLByte, 40, 0},
		{"square-token", "EAAA", look.IsURLByte, 60, 60},
		{"shopify-token", "shpat_ shpca_ shppa_", look.IsHex, 32, 32},
		{"shopify-secret", "shpss_", look.IsHex, 32, 32},
		{"flutterwave-key", "FLWSECK", look.IsURLByte, 20, 0},
		{"stripe-key", "sk_org_live_ sk_org_test_ ek_live_ ek_test_", look.IsAlnum, 16, 0},
		{"shopify-token", "shpua_ shprt_", look.IsHex, 32, 0},
		{"braintree-token", "access_token$production$ access_token$sandbox$", func(c byte) bool { return look.IsLowerAlnum(c) || c == '$' }, 49, 49},
		{"paystack-key", "sk_", look.IsLowerHex, 40, 40},
		{"adyen-key", "AQE", look.IsBase64, 80, 0},
		{"easypost-key", "EZAK EZTK", look.IsAlnum, 54, 54},
		{"shippo-token", "shippo_live_ shippo_test_", look.IsLowerHex, 40, 40},
		{"duffel-token", "duffel_live_ duffel_test_", look.IsURLByte, 40, 0},
		{"lob-key", "live_ test_", look.IsLowerHex, 35, 35},
		{"polar-token", "polar_oat_ polar_pat_", look.IsURLByte, 32, 0},
		{"plaid-token", "access-production- access-development- access-sandbox-", look.IsURLByte, 36, 36},
	}
}

// work are the tokens of what people watch and work with.
func work() []Form {
	return []Form{
		{"grafana-token", "glsa_", look.IsWordByte, 32, 0},
		{"grafana-token", "glc_", look.IsBase64, 32, 0},
		{"sentry-token", "sntrys_", func(c byte) bool { return look.IsBase64(c) || c == '_' }, 40, 0},
		{"sentry-token", "sntryu_", look.IsLowerHex, 64, 64},
		{"newrelic-key", "NRAK-", look.IsCapital, 20, 0},
		{"newrelic-key", "NRII- NRJS- NRRA- NRIQ-", look.IsURLByte, 19, 0},
		{"honeycomb-key", "hcaik_ hcalk_ hcamk_ hcbik_", look.IsAlnum, 32, 0},
		{"launchdarkly-key", "sdk-", look.IsUUIDByte, 36, 36},
		{"axiom-token", "xaat- xapt-", look.IsURLByte, 36, 0},
		{"logfire-token", "pylf_v1_", look.IsWordByte, 30, 0},
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
		{"asana-token", "0/1 0/2 1/0 1/1 1/2 1/3 1/4 1/5 1/6 1/7 1/8 1/9 2/0 2/1 2/2 2/3 2/4 2/5 2/6 2/7 2/8 2/9", func(c byte) bool { return look.IsLowerAlnum(c) || c == ':' || c == '/' }, 45, 80},
		{"dropbox-token", "sl.", look.IsDotByte, 100, 0},
		{"hubspot-token", "pat-na1- pat-na2- pat-eu1- pat-ap1-", look.IsURLByte, 36, 36},
		{"trello-token", "ATTA", look.IsAlnum, 60, 0},
		{"mapbox-token", "sk.eyJ", look.IsDotByte, 60, 0},
		{"adafruit-key", "aio_", look.IsAlnum, 28, 28},
		{"frameio-token", "fio-u-", look.IsURLByte, 64, 0},
		{"scalingo-token", "tk-us-", look.IsURLByte, 48, 0},
		{"clickup-token", "pk_", func(c byte) bool { return look.IsCapital(c) || c == '_' }, 38, 45},
		{"pagerduty-key", "pdus+_ pdeu+_", look.IsURLByte, 30, 0},
		{"samsara-token", "samsara_api_", look.IsAlnum, 24, 0},
		{"intra42-secret", "s-s4t2ud- s-s4t2af-", look.IsLowerHex, 64, 64},
		{"coda-token", "fxp_", look.IsWordByte, 30, 0},
		{"apify-token", "apify_api_", look.IsAlnum, 30, 0},
		{"browserless-key", "bb_live_ bb_test_", look.IsURLByte, 20, 0},
		{"firecrawl-key", "fc-", look.IsLowerHex, 32, 32},
		{"bitcoin-private-key", "xprv yprv zprv", look.IsAlnum, 100, 110},
	}
}

// isAny64 reports whether c is of either alphabet of base64.
func isAny64(c byte) bool { return look.IsBase64(c) || look.IsURLByte(c) }
