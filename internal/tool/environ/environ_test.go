package environ_test

import (
	"encoding/base64"
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/tool/environ"
)

// drawn are values as programs draw them, made here so that none stands in the source.
func drawn(r *rand.Rand) map[string]string {
	raw := make([]byte, 48)
	for i := range raw {
		raw[i] = byte(r.Uint32())
	}
	letters := "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	mixed := make([]byte, 40)
	for i := range mixed {
		mixed[i] = letters[r.IntN(len(letters))]
	}
	mixed[3], mixed[7], mixed[11] = 'q', 'Z', '7'
	h := hex.EncodeToString(raw)
	return map[string]string{
		"hex 32": h[:32], "hex 40": h[:40], "hex 64": h[:64], "base64": base64.StdEncoding.EncodeToString(raw), "letters": string(mixed),
		"uuid":       h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-a" + h[17:20] + "-" + h[20:32],
		"in an URL":  "https://user:" + string(mixed[:16]) + "@example.org/x",
		"in options": "--verbose --token " + string(mixed),
		"github":     "gh" + "p_" + string(mixed[:36]),
		"a key file": "-----BEGIN " + "PRIVATE KEY-----\n" + base64.StdEncoding.EncodeToString(raw) + "\n-----END " + "PRIVATE KEY-----\n",
		"a header":   "Authorization: Bearer " + string(mixed),
	}
}

// TestNames: a name that says a secret keeps the variable at home, whatever its value is.
func TestNames(t *testing.T) {
	t.Parallel()
	for _, name := range strings.Fields(`
		OPENAI_API_KEY ANTHROPIC_API_KEY GITHUB_TOKEN GH_TOKEN GITLAB_PAT NPM_TOKEN NODE_AUTH_TOKEN HF_TOKEN
		HUGGING_FACE_HUB_TOKEN AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_ACCESS_KEY_ID AZURE_CLIENT_SECRET GOOGLE_API_KEY
		STRIPE_SECRET STRIPE_API_KEY SLACK_BOT_TOKEN SLACK_WEBHOOK_URL DATABASE_PASSWORD DB_PASS DB_PWD PGPASSWORD MYSQL_PWD
		MYSQL_ROOT_PASSWORD REDIS_PASSWORD JWT_SECRET SECRET SECRET_KEY_BASE DJANGO_SECRET_KEY SESSION_SECRET VAULT_TOKEN
		CONSUL_HTTP_TOKEN DOCKER_PASSWORD DOCKER_AUTH_CONFIG KUBE_TOKEN CARGO_REGISTRY_TOKEN TWINE_PASSWORD PYPI_TOKEN
		SONAR_TOKEN SENTRY_AUTH_TOKEN SENTRY_DSN TELEGRAM_BOT_TOKEN DISCORD_TOKEN TWILIO_AUTH_TOKEN SENDGRID_API_KEY
		MAILGUN_API_KEY CLOUDFLARE_API_TOKEN CF_API_KEY DO_TOKEN HCLOUD_TOKEN LINODE_TOKEN TF_VAR_db_password
		npm_config__authToken npm_config_//registry.npmjs.org/:_authToken my_api_key ApiKey APIKEY2 ENCRYPTION_KEY SIGNING_KEY
		SSH_PRIVATE_KEY SSH_PRIVATE_KEY_BASE64 GPG_PASSPHRASE MASTER_KEY LICENSE_KEY FIREBASE_SERVICE_ACCOUNT_CREDENTIALS COOKIE
		BASIC_AUTH RESTIC_PASSWORD BORG_PASSPHRASE KEY TOKEN PASSWORD ANSIBLE_VAULT_PASSWORD BW_SESSION_KEY
		OP_SERVICE_ACCOUNT_TOKEN ACCESSKEY WIFI_PSK BOT_PIN PASSWORDS ghtoken MYSECRETS`) {
		for _, value := range []string{"plainword", "hunter2", "12345678"} {
			if why := (environ.Filter{}).Why(name, value); why == "" {
				t.Errorf("%s=%s goes", name, value)
			}
		}
	}
}

// TestValues: under a name that says nothing, what looks drawn by a program stays.
func TestValues(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	missed, tried := 0, 0
	for range 200 {
		for kind, value := range drawn(r) {
			for _, name := range []string{"FOO", "MY_APP_SETTING", "X1", "DEPLOY_WITH"} {
				tried++
				if (environ.Filter{}).Why(name, value) == "" {
					missed++
					t.Logf("%s: %s=%s goes", kind, name, value)
				}
			}
		}
	}
	if missed > 0 {
		t.Errorf("%d of %d go", missed, tried)
	}
}

// TestEveryday: what a shell, a desktop, compilers and version managers set goes.
func TestEveryday(t *testing.T) {
	t.Parallel()
	for _, v := range strings.Split(everyday, "\n") {
		name, value, _ := strings.Cut(strings.TrimSpace(v), "=")
		if why := (environ.Filter{}).Why(name, value); why != "" {
			t.Errorf("%s=%s stays: %s", name, value, why)
		}
	}
}

const everyday = `PATH=/usr/local/bin:/usr/bin:/bin
	HOME=/home/ann
	PWD=/home/ann/src/ken
	OLDPWD=/home/ann
	LANG=de_DE.UTF-8
	LC_ALL=C.UTF-8
	TERM=xterm-256color
	COLORTERM=truecolor
	SSH_AUTH_SOCK=/run/user/1000/keyring/ssh
	SSH_CONNECTION=192.168.1.7 52814 192.168.1.9 22
	SSH_AGENT_PID=2331
	SSH_ASKPASS=/usr/bin/ksshaskpass
	DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/1000/bus
	XDG_RUNTIME_DIR=/run/user/1000
	XDG_SESSION_ID=c2
	DESKTOP_SESSION=gnome
	GNOME_TERMINAL_SCREEN=/org/gnome/Terminal/screen/4ad3a6c5_5f0e_4c1d_9b1e_1f2a3b4c5d6e
	INVOCATION_ID=4f6e2c1ab07d4e5f9c8b7a6d5e4f3a2b
	JOURNAL_STREAM=8:31045
	TMUX=/tmp/tmux-1000/default,1234,0
	VSCODE_GIT_ASKPASS_NODE=/usr/share/code/code
	VSCODE_GIT_ASKPASS_MAIN=/usr/share/code/resources/app/extensions/git/dist/askpass-main.js
	VSCODE_IPC_HOOK_CLI=/run/user/1000/vscode-ipc-8c4b9d6e-2f6a-4c7a-9a57-d7f2a1f60f53.sock
	GOPATH=/home/ann/go
	GOFLAGS=-trimpath
	GOPROXY=https://proxy.golang.org,direct
	GOSUMDB=sum.golang.org
	CARGO_HOME=/home/ann/.cargo
	RUSTFLAGS=-C target-cpu=native
	JAVA_HOME=/usr/lib/jvm/java-21-openjdk-amd64
	NODE_OPTIONS=--max-old-space-size=4096
	NVM_DIR=/home/ann/.nvm
	NVM_BIN=/home/ann/.nvm/versions/node/v22.11.0/bin
	PYENV_ROOT=/home/ann/.pyenv
	PYTHONPATH=/home/ann/src:/home/ann/lib
	VIRTUAL_ENV=/home/ann/src/ken/.venv
	PKG_CONFIG_PATH=/usr/lib/x86_64-linux-gnu/pkgconfig
	CFLAGS=-O2 -g -fstack-protector-strong -Wformat -Werror=format-security
	NIX_CFLAGS_COMPILE= -frandom-seed=6l1bxb3ck2 -isystem /nix/store/6l1bxb3ck2z5v8j0m4n7p9q1r3s5t7w9-zlib-1.3.1-dev/include
	NIX_STORE=/nix/store
	SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt
	AWS_PROFILE=work
	AWS_REGION=eu-central-1
	AWS_WEB_IDENTITY_TOKEN_FILE=/var/run/secrets/eks.amazonaws.com/serviceaccount/token
	PASSWORD_STORE_DIR=/home/ann/.password-store
	SSH_KEY_PATH=/home/ann/.ssh/id_ed25519
	KUBECONFIG=/home/ann/.kube/config
	DOCKER_HOST=unix:///run/user/1000/docker.sock
	DATABASE_URL=postgres://localhost:5432/dev
	REDIS_URL=redis://127.0.0.1:6379/0
	OPENAI_BASE_URL=http://127.0.0.1:11434/v1
	OAUTH_ISSUER=https://login.example.org/realms/main
	TOKENIZERS_PARALLELISM=false
	MAX_TOKENS=4096
	TOKEN_LIMIT=100000
	TOKEN_TTL=3600
	GIT_AUTHOR_NAME=Ann Example
	GIT_AUTHOR_EMAIL=ann@example.org
	GIT_CONFIG_COUNT=1
	GIT_CONFIG_KEY_0=user.name
	GIT_CONFIG_VALUE_0=Ann
	GITHUB_SHA=8f3b2d1c4e5f60718293a4b5c6d7e8f901234567
	GITHUB_REPOSITORY=ann/ken
	CI=true
	DEBIAN_FRONTEND=noninteractive
	FZF_DEFAULT_OPTS=--height 40% --layout=reverse --border
	LESS=-FRX
	EDITOR=vim
	BAT_THEME=Solarized (dark)
	HISTCONTROL=ignoreboth
	QT_IM_MODULE=ibus
	XMODIFIERS=@im=ibus
	XKB_DEFAULT_LAYOUT=de
	KEYBOARD_LAYOUT=de
	HOTKEY=ctrl-t
	WINDOWID=77594630
	VTE_VERSION=7006
	npm_config_user_agent=npm/10.9.0 node/v22.11.0 linux x64 workspaces/false
	LESSOPEN=| /usr/bin/lesspipe %s
	MAKEFLAGS=-j8
	LD_LIBRARY_PATH=/opt/cuda/lib64
	CUDA_VISIBLE_DEVICES=0,1
	HTTP_PROXY=http://proxy.example.org:3128
	NO_PROXY=localhost,127.0.0.1,.example.org
	ENABLE_AUTH=true
	BYPASS=1
	MONKEY=george`

// TestSplit: what ken uses and what is known by its text stays under any name, what the
// person names goes, and what stays is told by its name.
func TestSplit(t *testing.T) {
	t.Parallel()
	f := environ.Filter{
		Used: []string{"MODEL_ACCESS"}, Pass: []string{"GITHUB_TOKEN"},
		Known: func(s string) bool { return strings.Contains(s, "open sesame") },
	}
	env := []string{"HOME=/h", "MODEL_ACCESS=abc", "GITHUB_TOKEN=plain", "NPM_TOKEN=plain", "GREETING=say open sesame", "EMPTY_TOKEN="}
	pass, kept := f.Split(env)
	if diff := cmp.Diff([]string{"HOME=/h", "GITHUB_TOKEN=plain", "EMPTY_TOKEN="}, pass); diff != "" {
		t.Error(diff)
	}
	want := []environ.Kept{{"GREETING", environ.WhyUsed}, {"MODEL_ACCESS", environ.WhyUsed}, {"NPM_TOKEN", environ.WhyName}}
	if diff := cmp.Diff(want, kept); diff != "" {
		t.Error(diff)
	}
}

// TestGitSettings: a setting of git with a secret in it stays, and the others are counted.
func TestGitSettings(t *testing.T) {
	t.Parallel()
	value := drawn(rand.New(rand.NewPCG(3, 4)))["a header"]
	pass, kept := environ.Filter{}.Split([]string{
		"GIT_CONFIG_COUNT=3", "GIT_CONFIG_KEY_0=user.name", "GIT_CONFIG_VALUE_0=Ann", "GIT_CONFIG_KEY_1=http.extraHeader",
		"GIT_CONFIG_VALUE_1=" + value, "GIT_CONFIG_KEY_2=core.pager", "GIT_CONFIG_VALUE_2=cat",
	})
	slices.Sort(pass)
	want := []string{
		"GIT_CONFIG_COUNT=2", "GIT_CONFIG_KEY_0=user.name", "GIT_CONFIG_KEY_1=core.pager", "GIT_CONFIG_VALUE_0=Ann", "GIT_CONFIG_VALUE_1=cat",
	}
	if diff := cmp.Diff(want, pass); diff != "" || len(kept) != 1 {
		t.Errorf("%s, kept %v", diff, kept)
	}
}
