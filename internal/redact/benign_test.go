package redact

import (
	"encoding/base64"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCorpusFalse measures what is masked without being a secret, over texts that only
// look like one, kind by kind.
func TestCorpusFalse(t *testing.T) {
	t.Parallel()
	m := New(nil)
	wrong, all := 0, 0
	for _, name := range slices.Sorted(maps.Keys(benign())) {
		n, bad := 0, 0
		seen := map[string]bool{}
		for seed := range uint64(6) {
			benign()[name](newMaker(3000+seed), func(text string) {
				n++
				if out, _ := m.Mask(text); out != text {
					bad++
					if !seen[out] {
						t.Logf("%s: %q -> %q", name, text, out)
					}
					seen[out] = true
				}
			})
		}
		wrong, all = wrong+bad, all+n
		t.Logf("== %-12s %4d of %4d masked", name, bad, n)
		if float64(bad) > .02*float64(n) {
			t.Errorf("%s: %d of %d masked, want at most 2 %%", name, bad, n)
		}
	}
	t.Logf("== all          %4d of %4d masked, %.2f %%", wrong, all, 100*float64(wrong)/float64(all))
}

// TestOwnTextsAreNotMasked: the papers and the programs of this tree hold no secret,
// and much that speaks of them.
func TestOwnTextsAreNotMasked(t *testing.T) {
	t.Parallel()
	m := New(nil)
	lines, bad := 0, 0
	for _, pattern := range []string{"*.md", "go.sum", "docs/*.md", "docs/decisions/*.md", "internal/*/*.go", "internal/*/*/*.go", "bench/*.go"} {
		paths, err := filepath.Glob(filepath.Join("..", "..", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue // made-up secrets
			}
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			lines += strings.Count(string(b), "\n")
			_, hits := m.Mask(string(b))
			for _, h := range hits {
				bad++
				t.Logf("%s:%d: %s %q", path, 1+strings.Count(string(b[:h.Start]), "\n"), h.Kind, b[h.Start:h.End])
			}
		}
	}
	t.Logf("%d hits in %d lines", bad, lines)
	if lines == 0 || bad*1000 > lines {
		t.Errorf("%d hits in %d lines, want at most one in a thousand", bad, lines)
	}
}

func each(k maker, add func(string), frames []string, values ...string) {
	for _, f := range frames {
		add(strings.Replace(f, "@@", values[k.IntN(len(values))], 1))
	}
}

func benign() map[string]func(k maker, add func(string)) {
	return map[string]func(k maker, add func(string)){
		"hash": func(k maker, add func(string)) {
			sha1, sha256, md5 := k.from(hexes, 40), k.from(hexes, 64), k.from(hexes, 32)
			each(k, add, []string{
				"git show @@", "commit @@", "reverts @@.", "HEAD is now at @@ fix", "tree @@", "parent @@", "git cherry-pick @@", "git reset --hard @@", "sha1: @@", "checksum @@", "index @@..abc1234 100644", "@@  app.tar.gz", "etag: \"@@\"", "ETag: W/\"@@\"", "md5sum @@ -",
				"image@sha256:@@", "docker pull nginx@sha256:@@", "sha256:@@", "digest: sha256:@@", "base image pinned at sha256:@@", "layer @@ done", "blob @@", "the file's hash is @@", "hash=@@", "fingerprint @@", "cache key @@", "build id @@", "content hash: @@", "rev = \"@@\"", "https://github.com/a/b/commit/@@", "\"resolved\": \"https://x.test/a-@@.tgz\"", "uses: actions/checkout@@@", "ref: @@", "merge @@ into main", "x-request-hash: @@", "object @@ is corrupt",
			}, sha1, sha256, md5, sha1[:12])
			b64 := k.from(std64, 43) + "="
			each(k, add, []string{"golang.org/x/text v0.3.0 h1:@@", "go.sum h1:@@", "\"integrity\": \"sha256-@@\"", "integrity sha512-@@", "<script integrity=\"sha384-@@\" src=x>", "SHA256:@@ bob@host (ED25519)", "256 SHA256:@@ host (ECDSA)", "Content-MD5: @@", "cpe hash sha256-@@"}, b64)
			add("(" + grouped(k.from(hexes, 40), ":", 2, 2, 2, 2, 2, 2, 2, 2) + ")")
			add("key fingerprint = " + grouped(strings.ToUpper(k.from(hexes, 40)), " ", 4, 4, 4, 4, 4, 4, 4, 4, 4, 4))
			add("gpg --recv-keys " + strings.ToUpper(k.from(hexes, 16)))
			add("gpg: using RSA key " + strings.ToUpper(k.from(hexes, 40)))
			add("ETag: \"" + md5 + "-4\"")
			add("crc32 0x" + k.from(hexes, 8) + ", adler " + k.from(hexes, 8))
		},
		"id": func(k maker, add func(string)) {
			uuid := grouped(k.from(hexes, 32), "-", 8, 4, 4, 4, 12)
			ulid := "01" + k.from("0123456789ABCDEFGHJKMNPQRSTVWXYZ", 24)
			each(k, add, []string{
				"request @@", "request id: @@", "trace_id=@@", "correlation id @@", "the volume is pvc-@@", "workspace @@ was archived", "job @@ failed", "user @@ logged in", "tenant: @@", "https://x.test/items/@@", "\"id\": \"@@\"", "id=@@", "span @@", "message-id: <@@@x.test>", "session @@ ended", "transaction @@", "order @@", "device @@ paired",
				"client_id=@@", "client id @@", "subscription @@", "account @@", "arn:aws:iam::123456789012:role/@@", "project @@", "urn:uuid:@@", "X-Request-ID: @@", "run @@ again", "batch-@@", "key_id: @@", "AWS request id @@", "resource group @@ (westeurope)", "ticket @@", "page id @@", "conversation @@",
			}, uuid, strings.ToUpper(uuid), ulid, k.from(hexes, 24), k.from(lowers+digits, 20))
			for _, s := range []string{
				"kubectl get pod api-" + k.from(hexes, 9) + "-" + k.from(lowers+digits, 5), "container " + k.from(hexes, 12) + " exited", "i-0" + k.from(hexes, 16), "vpc-" + k.from(hexes, 17), "ami-" + k.from(hexes, 17), "sg-" + k.from(hexes, 8), "npm run " + k.word(), "pod web-" + k.from(hexes, 10) + "-x2x4z is ready",
				"20260510T190001Z-7f3a.jsonl", "session=20260510T190001Z-7f3a", "ken sessions show 20260510T190001Z-7f3a", "sess-20260510", "session id 20260510T190001Z-7f3a:12", "G-" + k.from(capital, 10), "UA-12345678-1", "gid://shopify/Product/1234567890123", "acct_" + k.from(base62, 16), "cus_" + k.from(base62, 14), "price_" + k.from(base62, 24), "pi_" + k.from(base62, 24), "pk_live_" + k.from(base62, 24), "pk_test_" + k.from(base62, 40),
				"AC" + k.from(hexes, 32) + " is the account sid", "client_id: " + k.number(12) + "-" + k.from(lowers+digits, 32) + ".apps.googleusercontent.com", "arn:aws:s3:::bucket/" + k.word(), "Sentry event " + k.from(hexes, 32), "D-" + k.number(8), "INC" + k.number(7), "JIRA-1234", "CVE-2024-" + k.number(5), "GHSA-qp2m-x9hp-cj5p", "RFC 7519", "doi:10.1000/182", "bafybei" + k.from(lowers+"234567", 52), "ipfs://Qm" + k.from(base62, 44),
			} {
				add(s)
			}
		},
		"number": func(k maker, add func(string)) {
			for _, s := range []string{
				"call me at +49 30 " + k.number(7), "tel. (555) 123-" + k.number(4), "+1-202-555-0" + k.number(3), "fax 030/" + k.number(7), "ISBN 978-3-16-148410-0", "ISBN-10: 0-306-40615-2", "ISSN 1234-5678", "order no " + k.number(10), "order #" + k.number(8), "invoice 2024-" + k.number(6), "case number 123-45-678", "ticket 123-45-6789", "tracking 1Z999AA10123456784", "tracking 9400 1118 9956 0000 0000 00", "EAN 4006381333931", "part no. 123-45-6789", "serial 0123456789",
				"v1.2.3-rc.4+build.5", "version 10.15.7", "go1.26.1", "node v22.1.0", "1.0.0-alpha.beta.1", "10.0.0.1:8080", "192.168.178.1/24", "2001:db8:85a3::8a2e:370:7334", "00:1B:44:11:3A:B7", "2026-05-13T19:00:00Z", "1700000000000", "1700000000123456789", "pi is 3.14159265358979323846", "1,234,567.89", "0x7fffffffffffffff", "0xdeadbeefcafebabe0123456789abcdef", "52.5200, 13.4050", "phone model SM-G991B/DS", "call 110", "zip 10115", "VIN WVWZZZ1JZXW000001", "flight LH1234 gate B22", "room 4711", "pin 13 is the led", "GPIO pin 4 and pin 17", "the pin is bent", "Pinned at 1234", "port 54321", "-p 5432:5432", "bus 4711 at 12:34", "extension 1234",
				"$ 4,146.36", "4.146.362,17 EUR", "population 83149300", "DE00123456780000000000", "GB00 WEST 1234 5698 7654 32", "000-12-3456", "lines 123-456", "pages 120-45-12", "test card 4242 4242 4242 4242", "1111 2222 3333 4444", "1234 5678 9012 3456", "0000 1111 2222 3333 4444 5555", "BIC COBADEFFXXX", "VAT DE123456789", "mod 97", "IBANs have up to 34 characters", "the code is 42 lines long", "error code 10061", "exit code 137", "status 404", "area code 415", "country code 0049", "the security code review took 300 hours", "HTTP code 2048", "post code 12345", "code page 1252", "color code 112233",
				"account number format: 8 digits", "passport control at gate 22", "passport.js 0.6.0", "the tax id field is optional", "license number required", "license: MIT 2024", "license no longer needed", "NIFTY 22000", "verification code expires in 30 minutes", "cvv is never stored", "the PUK has 8 digits", "PIN must be 4 to 8 digits", "the PIN is 4 digits long",
			} {
				add(s)
			}
			for range 20 {
				add("order " + k.number(16)[:15] + "x")
				add(fmt.Sprintf("row %s: %s %s %s", k.number(3), k.number(5), k.number(4), k.number(6)))
			}
		},
		"reference": func(k maker, add func(string)) {
			names := []string{"password", "DB_PASSWORD", "api_key", "token", "SECRET_KEY", "client_secret", "auth_token", "passphrase"}
			for _, f := range []string{
				"%s=$PASSWORD", "%s: ${DB_PASSWORD}", "%s=${TOKEN:-}", "%s=$(pass show db)", "%s=`cat /run/secret`", "%s: ${{ secrets.DB_PASSWORD }}", "%s: {{ vault_pw }}", "%s: {{ .Values.password }}", "%s: ********", "%s: ••••••••", "%s=<your-password>", "%s: <your-api-key>", "%s=your-api-key-here", "%s: YOUR_API_KEY", "%s: xxxxxxxxxxxxxxxx", "%s=XXXXXXXX", "%s=changeme", "%s: change-me", "%s: REPLACE_ME", "%s=\"\"", "%s: ''", "%s=", "%s: null", "%s: None", "%s = None", "%s: string", "%s: str", "%s string", "%s: required", "%s (optional)", "%s: true", "%s=%s", "%s: $1", "%s: [REDACTED]", "%s=[redacted]", "%s: (hidden)", "%s: ...", "%s=sk-...", "%s: <redacted>", "%s: ___", "%s: TODO", "%s: example", "%s: placeholder", "%s=%%PASSWORD%%", "%s = os.environ['TOKEN']", "%s = os.getenv(\"TOKEN\")", "%s: process.env.API_KEY", "%s = getpass.getpass()", "%s = config.get('secret')", "%s := r.FormValue(\"password\")", "%s = input('Password: ')", "%s = user.password", "%s = await getToken(user);", "const %s = await vault.read('db');", "%s := cfg.Password", "%s: self.password", "%s = settings.SECRET", "%s_file: /run/secrets/db", "%s_FILE=/run/secrets/db", "%sRef: db-credentials", "%s: !vault |", "%s: arn:aws:secretsmanager:eu-1:1:secret:db", "%s: op://dev/db/password", "%s: vault:secret/data/db#password", "%s = var.db_password", "%s = data.vault.x.data[\"pw\"]", "%s: @password", "%s: \"{{password}}\"", "%s: '<%= ENV[\"X\"] %>'", "if %s == \"\" {", "if (!%s) return", "len(%s) < 8", "%s.length > 8", "hash(%s)", "%s?: string;", "%s: z.string().min(8)", "type=\"%s\"", "name=\"%s\" required", "<input type=\"%s\">", "[masked:%s:ab12]", "%s: [masked:password:ab12]",
			} {
				name := names[k.IntN(len(names))]
				add(strings.Replace(strings.ReplaceAll(f, "%%", "%"), "%s", name, 1))
			}
			for _, s := range []string{
				"sk-your-key-here-1234567890", "ghp_" + strings.Repeat("x", 36), "mysql -u root -p shop", "mysql -uroot -p\"$MYSQL_PWD\"", "sshpass -p \"$PW\" ssh h", "sshpass -e ssh h", "curl -u \"$USER:$PASS\" x.test", "curl -u bob x.test", "curl -u bob: x.test", "https://user:$PASS@x.test", "https://user:password@x.test", "https://<user>:<password>@x.test", "postgres://postgres:postgres@localhost/x", "postgres://user:pass@host/db", "redis://localhost:6379/0", "https://x.test:8443/a@b", "ssh://git@host:22/x.git", "git@github.com:me/aish.git", "git clone https://github.com/a/b.git", "https://bob@x.test/a", "mailto:bob@x.test", "docker login -u bob --password-stdin", "cat pw | docker login --password-stdin", "echo \"$PW\" | sudo -S ls", "echo $TOKEN | base64", "docker run -p 8080:80 nginx", "ssh -p 2222 host", "mkdir -p a/b/c", "cp -p a b", "tar -k x", "redis-cli -a $REDIS", "zip -r a.zip b", "7z a -p a.7z", "az login", "export TOKEN=$(cat t)", "unset PASSWORD", "read -s PASSWORD", "printenv PASSWORD", "echo $PASSWORD", "ssh-add ~/.ssh/id_ed25519", "ssh-keygen -t ed25519 -C bob@x.test", "vault kv get secret/db", "kubectl get secret db -o yaml", "op read op://dev/db/password", "pass show mail/bob", "gopass ls", "psql \"host=db user=app\"", "CREATE USER bob IDENTIFIED BY '<password>';", "ALTER USER bob IDENTIFIED BY '...'", "IDENTIFIED BY ?", "sudo -S ls <<< \"$PW\"", "htpasswd -c file bob", "wpa_passphrase Home", "useradd -m bob", "gpg --passphrase-file f", "openssl rand -hex 32", "uuidgen | tr A-Z a-z", "env | grep -i token", "grep -r password src/", "grep -n \"password\" *.go", "git log -S password", "sed -i s/password/secret/ f", "rg 'api[_-]?key'", "http://localhost:3000/reset-password?step=2", "https://x.test/users/password/new", "/etc/passwd", "~/.netrc", "chmod 600 ~/.pgpass", "cat ~/.aws/credentials", "Set-Cookie: theme=dark; Path=/", "Cookie: lang=en; consent=1", "session.save()", "session=None", "sessionid column", "X-CSRF-Token header", "Authorization: Bearer $TOKEN", "Authorization: Bearer <token>", "Authorization: Bearer {token}", "Authorization: Basic <credentials>", "-H \"Authorization: Bearer ${TOKEN}\"", "Authorization: Digest username=\"bob\"", "WWW-Authenticate: Basic realm=\"x\"",
			} {
				add(s)
			}
		},
		"talk": func(_ maker, add func(string)) {
			for _, s := range talk() {
				add(s)
			}
		},
		"lookalike": func(k maker, add func(string)) {
			for _, s := range []string{
				"monkey: banana", "passenger count 42", "tokenizer.json has 32000 entries", "max_tokens=4096", "tokens: 1234567", "total_tokens: 128000", "compass: north", "bypass=true1", "keyboard: qwertz", "author: Jane", "secretary: Bob Smith2", "primary_key=id", "next_page_token=" + k.from(base62, 24), "public_key: " + k.from(base62, 44), "csrf_token=" + k.from(base62, 32), "passive: 12", "hockey stick", "turkey: 12 kg", "donkey.png", "keynote2024.pdf", "Keycloak 24.0.1", "passport.js", "tokio 1.38", "secretariat", "authored-by: Bob", "authority: x.test", "pass by reference", "PASS: TestX (0.01s)", "ok: 3 passed, 1 failed", "--- PASS: TestLogin2/ok", "passed=12 failed=0", "pass 2 of 3", "bandpass 20Hz", "class Password(Field):", "type Token struct{ Kind int; Text string }", "assert token.type == TokenType.NAME", "tokens[i].value", "func (k *Key) Secret() string { return k.secret }", "key-value pairs and key-frames", "key: value", "keys: [a, b]", "for key, value in items:", "sort -k 2,2n", "--key-file a.pem", "--token-type jwt", "--no-password", "--password-file=/x", "login: bob", "auth: none", "authenticated: true", "credentials: include", "credential helper = store", "credential.helper=osxkeychain",
				"task-1234567890123456789012", "risk-assessment-2024-for-the-region", "desk-lamp-of-1999-with-shade", "sk-learn 1.4", "sk_SK locale", "hf_transfer 0.1", "npm_config_cache=/x", "npm_package_version", "gho_st story", "pat-a-cake", "live_preview_2024", "test_login_with_password2", "xai-grok-4-fast", "r8_model", "re_exported_symbol_1", "key-1234", "rnd_seed=42", "fc-cache -fv", "fc-list", "fw_printenv", "EAAA", "exa_mple", "aio_read", "aio_write64", "st.markdown(x)", "t1.id = t2.id", "v1.2.3", "SG.UTF-8", "1000.5 ms", "1/2 cup", "sdk-2024.1", "sl.py", "md-editor-v3", "ops_team", "lin_reg", "EZAK", "AQE", "ATTA boy", "xprv", "KEY01", "ico-set", "cio", "LTAI", "pa-rser", "SCW", "oy2",
				"background: #ff00ff; color: #1a2b3c", "rgb(12, 34, 56)", "cubic-bezier(0.4, 0, 0.2, 1)", "M10 10L20 20H30V40C1.5 2.5 3 4 5 6Z", "0000010 6261 0a63 0000 1234 5678 9abc def0 1122", "00000000: 7f45 4c46 0201 0100 0000 0000 0000 0000  .ELF............", "\\x7fELF\\x02\\x01", "!function(e,t){\"object\"==typeof exports?module.exports=t():e.x=t()}(this,function(){return 1});", "var a=b?c:d,e=f[g]||h;i&&j(k)", "(function(){var t=this.token=e.token||n,r=s.key})()",
				"ssh-rsa AAAAB3NzaC1yc2E" + k.from(std64, 200) + "= bob@host", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + k.from(std64, 43) + " bob@host", "github.com ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + k.from(std64, 43), "-----BEGIN CERTIFICATE-----\n" + k.from(std64, 64) + "\n-----END CERTIFICATE-----", "-----BEGIN PUBLIC KEY-----\n" + k.from(std64, 64) + "\n-----END PUBLIC KEY-----", "-----BEGIN PGP PUBLIC KEY BLOCK-----\n" + k.from(std64, 64) + "\n-----END PGP PUBLIC KEY BLOCK-----", "-----BEGIN CERTIFICATE REQUEST-----\n" + k.from(std64, 64) + "\n-----END CERTIFICATE REQUEST-----", "PublicKey = " + k.from(std64, 43) + "=", "age1" + k.from(lowers+digits, 58), "<img src=\"data:image/png;base64,iVBORw0KGgo" + k.from(std64, 180) + "\">", "data:font/woff2;base64,d09GMgABAAAAA" + k.from(std64, 300), base64.StdEncoding.EncodeToString([]byte("just some ordinary text that nobody minds at all")), "magnet:?xt=urn:btih:" + k.from(hexes, 40), "grep -r \"-----BEGIN RSA PRIVATE" + " KEY-----\" .",
				"orbit cactus velvet ladder pigeon marble", "apt install curl git vim tmux htop jq ripgrep fd-find", "pip install numpy pandas scipy matplotlib seaborn jupyter", "break case chan const continue default defer else fallthrough for func go goto if import", "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt", "red green blue cyan magenta yellow black white orange purple brown pink grey teal navy", "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu", "wallet connect opens the app and asks you to sign in with the phone number you gave before", "north south east west", "the mnemonic for the planets is my very educated mother just served us noodles", "monday tuesday wednesday thursday friday saturday sunday",
			} {
				add(s)
			}
		},
	}
}
