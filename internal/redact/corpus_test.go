package redact

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"ken/internal/redact/chars"
)

// The corpus of S1: secrets of every kind that people paste, made up when the test
// runs, in the frames that they paste them in. What is found of it is measured by
// class, on seeds of its own, against the share that ken promises.

// A class is secrets that are measured together.
type class struct {
	name string
	goal float64 // the least share that is found
	// make returns texts with one secret each; parts of a text that a person
	// would call the secret are given, so that each can be looked for.
	make func(k maker, add func(text string, secret ...string))
}

func classes() []class {
	return []class{
		{"provider", 1, makeProviders},
		{"keys", .98, makeKeys},
		{"shell", .98, makeShell},
		{"config", .97, makeConfig},
		{"chat", .85, makeChat},
		{"chat-plain", .5, makePlainChat},
		{"pins", .9, makePINs},
		{"financial", .95, makeFinancial},
		{"identity", .9, makeIdentity},
		{"seeds", .95, makeSeeds},
	}
}

// TestCorpusRecall measures what is found, class by class. Run with -v for the
// figures and for what was missed.
//
//ken:unraced
func TestCorpusRecall(t *testing.T) {
	t.Parallel()
	m := New([]byte("key"))
	found, all := 0, 0
	for _, c := range classes() {
		hit, n := 0, 0
		missed := map[string]int{} // frames
		example := map[string]string{}
		for seed := range uint64(6) {
			c.make(newMaker(1000+seed), func(frame string, secret ...string) {
				text := frame
				for _, s := range secret {
					text = strings.Replace(text, "@@", s, 1)
				}
				n++
				out, _ := m.Mask(text)
				for _, s := range secret {
					if strings.Contains(out, s) {
						missed[frame]++
						example[frame] = out
						return
					}
				}
				hit++
			})
		}
		for _, frame := range slices.Sorted(maps.Keys(missed)) {
			t.Logf("%s: %d x %q: %.120q", c.name, missed[frame], frame, example[frame])
		}
		found, all = found+hit, all+n
		share := float64(hit) / float64(n)
		t.Logf("== %-10s %5d of %5d found, %.1f %%", c.name, hit, n, 100*share)
		if share < c.goal {
			t.Errorf("%s: %.1f %% found, want %.1f %%", c.name, 100*share, 100*c.goal)
		}
	}
	t.Logf("== all        %5d of %5d found, %.1f %%", found, all, 100*float64(found)/float64(all))
	if float64(found) < .95*float64(all) {
		t.Errorf("%d of %d found, want 95 %%", found, all)
	}
}

// chosen returns what people make up for passwords, in many fashions.
func (k maker) chosen() string {
	word := func() string {
		return k.pick("kiwi", "river", "anchor", "velvet", "copper", "meadow", "lantern", "pepper", "saddle", "marble", "thunder", "walnut", "orchid", "harbor", "pebble", "otter", "maple", "cobalt", "falcon", "ginger")
	}
	capital := func() string { w := word(); return strings.ToUpper(w[:1]) + w[1:] }
	sign := func() string {
		return k.pick("!", "_", "%", "*", "&", "-", "=", "#", "@", "$", "+", "?", ".", "^", "~")
	}
	switch k.IntN(14) {
	case 0, 1, 2:
		return capital() + sign() + k.number(4) + word()
	case 3:
		return capital() + k.number(4)
	case 4:
		return word() + k.number(2) + sign()
	case 5:
		return capital() + word() + k.number(2) + sign()
	case 6:
		return strings.NewReplacer("e", "3", "a", "4", "o", "0").Replace(capital()+word()) + sign() + k.number(1)
	case 7:
		return k.from(base62+"!#%*+?_-@", 14)
	case 8:
		return k.from(base62, 12)
	case 9:
		return k.number(2) + capital() + sign() + capital()
	case 10:
		return word() + "-" + word() + "-" + k.number(2)
	case 11:
		return "P@ss" + "w0rd" + k.number(3)
	case 12:
		return capital() + sign() + capital() + k.number(2)
	}
	return k.from(lowers+digits, 10)
}

// plain returns a word or words without anything that words do not have.
func (k maker) plain() string {
	return k.pick("sunshine", "letmein", "dragon"+"fly", "iloveyou", "blue"+"monkey", "trust"+"noone", "princess", "football", "qwertz"+"uiop", "master"+"plan", "copper"+"kettle", "swordfish")
}

func makeProviders(k maker, add func(string, ...string)) {
	frames := []string{
		"@@", "use @@ for that", "X=@@\n", `{"v":"@@"}`, "(@@).", "my key: @@, ok?", "export SOME_VAR='@@' && make", "- @@", "`@@`", "**@@**", "<@@>",
		"https://api.test/?k=@@&x=1", "curl -H 'X-Thing: @@' x.test", `say \"@@\" twice`, "a\t@@\tb", "key=@@;b=c", "https://x:@@@git.test/a.git", "[@@](https://x.test)", "das ist @@!", "=@@", ":@@", "\"@@\",",
	}
	for _, f := range tokenForms() {
		n := max(f.Min, 24)
		if f.Max > 0 {
			n = f.Min + k.IntN(f.Max-f.Min+1)
		}
		var alphabet strings.Builder
		for c := byte('!'); c < 0x7f; c++ {
			if f.Set(c) && (chars.IsAlnum(c) || c == '_' || c == '-') {
				alphabet.WriteByte(c)
			}
		}
		for prefix := range strings.FieldsSeq(f.Prefixes) {
			for range 2 {
				add(k.pick(frames...), prefix+k.from(alphabet.String(), n))
			}
		}
	}
	for range 3 {
		for _, s := range []string{
			k.jwt(), k.from(base62, 3) + "8Q~" + k.from(url64, 34), k.number(10) + ":AA" + k.from(url64, 33), "M" + k.from(base62, 23) + "." + k.from(base62, 6) + "." + k.from(url64, 27),
			"SK" + k.from(hexes, 32), k.from(hexes, 32) + "-us" + k.number(1), k.from(base62, 14) + ".atlasv1." + k.from(base62, 64),
			k.from(hexes, 32) + "-" + k.from(hexes, 8) + "-" + k.from(hexes, 8),
			"sk-" + k.from(base62, 20) + "T3Blbk" + "FJ" + k.from(base62, 20),
		} {
			add(k.pick(frames...), s)
		}
		for _, f := range []string{
			"DD_API_KEY=@@", "datadog api key: @@", "dd-api-key: @@", "CLOUDFLARE_API_TOKEN=@@", "cloudflare token is @@", "MISTRAL_API_KEY=@@", "ALGOLIA_ADMIN_KEY: @@",
			"twilio auth token is @@", "TWILIO_AUTH_TOKEN=@@", "okta: Authorization: SSWS @@", "heroku api key @@", "linear webhook secret @@", "my cohere key is @@", "AZURE_OPENAI_KEY=@@",
			"Ocp-Apim-Subscription-Key: @@", "api-key: @@", "segment write key: @@", "PAGERDUTY_TOKEN=@@", "consumer_secret = '@@'", "hcloud token: @@", "the github app's client secret: @@",
		} {
			add(f, k.pick(k.from(hexes, 32), k.from(base62, 40), k.from(url64, 36), k.from(hexes, 40)))
		}
		secret := k.from(std64, 40)
		add(k.pick("aws_access_key_id = AKIA@@\naws_secret_access_key = @@", "AKIA@@ @@", "AWS_ACCESS_KEY_ID=AKIA@@ AWS_SECRET_ACCESS_KEY=@@ aws s3 ls", "AKIA@@:@@", `{"AccessKeyId":"AKIA@@","SecretAccessKey":"@@"}`, "access key AKIA@@\nsecret key @@", "AKIA@@ / @@", "AKIA@@,@@"),
			k.from(capital, 16), secret)
		add(k.pick("secret access key: @@", "aws secret: @@", "SecretAccessKey: @@", "aws_secret_key=@@", "the AWS secret key is @@.", "AWS secret access key @@"), k.from(std64, 40))
		add(`{"type":"service_account","private_key_id":"`+k.from(hexes, 40)+`","private_key":"@@\n","client_email":"a@b.test"}`, strings.ReplaceAll(k.pem("PRIVATE KEY", 4), "\n", `\n`))
		add(k.pick("https://hooks.slack.com/services/@@", "webhook: https://hooks.slack.com/services/@@ ok"), "T"+k.from(capital, 8)+"/B"+k.from(capital, 9)+"/"+k.from(base62, 24))
		add("https://discord.com/api/webhooks/@@", k.number(18)+"/"+k.from(url64, 68))
		add("https://@@@o1.ingest.sentry.io/2", k.from(hexes, 32))
		add("DefaultEndpointsProtocol=https;AccountName=x;AccountKey=@@;EndpointSuffix=core.windows.net", k.from(std64, 86)+"==")
		add("Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=a;SharedAccessKey=@@", k.from(std64, 43)+"=")
		add("https://x.blob.core.windows.net/c?sv=2022&sig=@@&se=1", k.from(base62, 43)+"%3D")
	}
}

func makeKeys(k maker, add func(string, ...string)) {
	for _, label := range []string{"RSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "PRIVATE KEY", "EC PRIVATE KEY", "DSA PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "PGP PRIVATE KEY BLOCK", "SSH2 ENCRYPTED PRIVATE KEY"} {
		p := k.pem(label, 2+k.IntN(20))
		add("@@", p)
		add("here is my key:\n@@\nplease keep it", p)
		add("    @@", strings.ReplaceAll(p, "\n", "\n    "))
		add("> @@", strings.ReplaceAll(p, "\n", "\n> "))
		add("key: |\n  @@\n", strings.ReplaceAll(p, "\n", "\n  "))
		add("@@", strings.ReplaceAll(p, "\n", "\r\n"))
		add(`KEY="@@"`, strings.ReplaceAll(p, "\n", `\n`))
		add("KEY='@@'", p)
		add("one line: @@ .", strings.ReplaceAll(p, "\n", " "))
	}
	for range 6 {
		add("AGE-SECRET-KEY-1@@", k.from(capital, 58))
		add("[Interface]\nPrivateKey = @@\nAddress = 10.0.0.2/32", k.from(std64, 43)+"=")
		add("PresharedKey = @@", k.from(std64, 43)+"=")
		add("Authorization: Bearer @@", k.pick(k.from(base62, 40), k.jwt(), k.from(hexes, 32), k.from(url64, 22)))
		add(k.pick("curl -H \"Authorization: Bearer @@\" https://x.test", "headers = {'Authorization': 'Bearer @@'}", "-H 'authorization: bearer @@'", `"authorization": "Bearer @@"`, "--header=Authorization:Bearer%20@@"), k.from(url64, 32))
		add(k.pick("Authorization: Basic @@", "-H \"Authorization: Basic @@\"", "Proxy-Authorization: Basic @@", `{"Authorization":"Basic @@"}`, "basic @@"), base64.StdEncoding.EncodeToString([]byte("bob:"+k.chosen())))
		add(k.pick("Cookie: sessionid=@@; theme=dark", "Set-Cookie: session=@@; HttpOnly; Path=/", "Cookie: PHPSESSID=@@", "Cookie: a=b; connect.sid=s%3A@@", "JSESSIONID=@@", "Cookie: auth=@@", "curl -b 'sid=@@' x.test", "curl --cookie \"session=@@\" x.test", "Set-Cookie: __Host-session=@@; Secure", "_session_id=@@", "Cookie: laravel_session=@@"), k.from(base62, 32))
		add(`{"auths":{"https://r.test":{"auth":"@@"}}}`, base64.StdEncoding.EncodeToString([]byte("bob:"+k.chosen())))
		add("    client-key-data: @@\n", base64.StdEncoding.EncodeToString([]byte(k.pem("RSA PRIVATE KEY", 8))))
		add("    token: @@\n", k.pick(k.jwt(), k.from(base62, 40)))
		add("machine x.test login bob password @@", k.chosen())
		add("machine x.test\n  login bob\n  password @@\n", k.chosen())
		add("X-Vault-Token: @@", k.from(base62, 24))
		add("//registry.npmjs.org/:_authToken=@@", k.from(base62, 36))
		add("_auth = @@", base64.StdEncoding.EncodeToString([]byte("bob:"+k.chosen())))
		add("db.test:5432:shop:bob:@@", k.chosen()+k.number(1)) // .pgpass
		add("htpasswd: bob:@@", "$apr1$"+k.from(base62, 8)+"$"+k.from(base62, 22))
		add("root:@@:19000:0:99999:7:::", "$6$"+k.from(base62, 16)+"$"+k.from(base62+"./", 86))
		add("bob:@@", "$2y$10$"+k.from(base62+"./", 53))
		add("X-Amz-Signature=@@", k.from(hexes, 64))
		add("X-Amz-Security-Token=@@&x=1", k.from(base62, 200))
	}
}

func makeShell(k maker, add func(string, ...string)) {
	frames := []string{
		"DB_PASSWORD=@@ ./run", "export PGPASSWORD='@@'", "export SMTP_PASS=\"@@\"", "PGPASSWORD=@@ psql -h db -U app shop", "MYSQL_PWD='@@' mysqldump shop > a.sql", "set -x DB_PASS '@@'", "setenv API_PASSWORD @@",
		"$env:DB_PASSWORD = \"@@\"", "set DB_PASSWORD=@@", "env REDIS_PASSWORD='@@' redis-server", "docker run -e POSTGRES_PASSWORD='@@' -d postgres", "docker run --env MYSQL_ROOT_PASSWORD='@@' mysql", "ADMIN_PASSWORD='@@' docker compose up",
		"mysql -u root -p'@@' shop", "mysql -uroot -p'@@'", "mysqldump --user=root --password='@@' shop", "mysql -h db -u app --password='@@' -e 'select 1'", "mariadb -u root -p\"@@\"", "mysqladmin -u root -p'@@' status",
		"sshpass -p '@@' ssh bob@10.0.0.1", "sshpass -p'@@' scp a b:", "SSHPASS='@@' sshpass -e ssh b", "curl -u bob:'@@' https://x.test", "curl -u 'bob:@@' https://x.test", "curl --user \"bob:@@\" x.test", "curl -sSL -u \"bob:@@\" https://x.test/a -o b",
		"curl -ubob:'@@' x.test", "curl -x http://p:3128 --proxy-user 'bob:@@' x.test", "curl -d 'user=bob&password=@@' x.test", "curl -d '{\"user\":\"bob\",\"password\":\"@@\"}' x.test", "curl --data-urlencode 'password=@@' x.test", "curl -F 'password=@@' x.test",
		"wget --user=bob --password='@@' x.test", "wget --http-password='@@' x.test", "http -a 'bob:@@' x.test", "http POST x.test password='@@'", "redis-cli -a '@@' ping", "redis-cli -h r -p 6379 -a \"@@\"", "mongosh -u bob -p '@@' --authenticationDatabase admin", "mongo --username bob --password '@@'",
		"docker login -u bob -p '@@' r.test", "docker login --username=bob --password='@@'", "echo '@@' | docker login -u bob --password-stdin", "echo '@@' | sudo -S apt update", "echo \"@@\" | sudo -S ls", "echo 'bob:@@' | sudo chpasswd", "echo -n '@@' | base64", "printf '%s' '@@' | gpg --passphrase-fd 0 -d a.gpg",
		"sudo -S ls <<< '@@'", "gpg --batch --passphrase '@@' -d a.gpg", "openssl enc -aes-256-cbc -k '@@' -in a", "openssl enc -d -pass pass:'@@' -in a", "openssl rsa -in k -passin 'pass:@@'", "zip -P '@@' a.zip b", "unzip -P '@@' a.zip", "7z x -p'@@' a.7z", "unrar x -p'@@' a.rar",
		"ldapsearch -x -D cn=admin -w '@@' -b dc=x", "kinit bob <<< '@@'", "az login -u bob -p '@@'", "az login --service-principal -u x -p '@@' --tenant t", "oc login -u bob -p '@@'", "helm repo add x https://x.test --username bob --password '@@'", "psql 'host=db user=app password=@@'", "psql \"postgresql://app:@@@db/shop\"",
		"svn co --username bob --password '@@' u", "ftp -u ftp://bob:@@@h/a b", "lftp -u bob,'@@' h", "smbclient //h/s -U 'bob%@@'", "mount -t cifs -o username=bob,password='@@' //h/s /m", "net use z: \\\\h\\s /user:bob '@@'", "xfreerdp /u:bob /p:'@@' /v:h", "rclone config create r sftp pass '@@'",
		"restic -r r init --password-command 'echo @@'", "export RESTIC_PASSWORD='@@'", "ansible-playbook p.yml -e 'ansible_password=@@'", "ansible-playbook -e \"ansible_become_pass=@@\" p.yml", "vault login -method=userpass username=bob password='@@'", "vault kv put secret/db password='@@'", "kubectl create secret generic db --from-literal=password='@@'",
		"aws rds create-db-instance --master-user-password '@@'", "gcloud sql users create bob --password='@@'", "createuser -P bob # @@ is the password", "psql -c \"ALTER USER bob WITH PASSWORD '@@'\"", "CREATE USER bob IDENTIFIED BY '@@';", "ALTER USER 'root'@'localhost' IDENTIFIED BY '@@';", "GRANT ALL ON a.* TO b@c IDENTIFIED BY '@@'", "CREATE ROLE app LOGIN PASSWORD '@@'", "SET PASSWORD FOR bob = PASSWORD('@@')",
		"nmcli dev wifi connect Home password '@@'", "wpa_passphrase Home '@@'", "iwctl --passphrase '@@' station wlan0 connect Home", "useradd -p '@@' bob", "echo \"root:@@\" | chpasswd", "htpasswd -b f bob '@@'", "keytool -storepass '@@' -list", "keytool -import -keypass '@@'", "java -Djavax.net.ssl.keyStorePassword='@@' A", "java -jar a.jar --spring.datasource.password='@@'", "npm login --password '@@'", "twine upload -u bob -p '@@' dist/*",
		"git clone https://bob:@@@git.test/a.git", "git remote add o https://bob:@@@git.test/a", "DATABASE_URL=postgres://app:@@@db:5432/shop", "redis://:@@@cache:6379/0", "mysql://root:@@@127.0.0.1/x", "mongodb+srv://app:@@@c.mongodb.net/d", "amqp://u:@@@mq/v", "smtp://bob:@@@mail.test:587", "ftp://bob:@@@f.test/", "sftp://bob:@@@f.test", "https://bob:@@@proxy.test:8080", "http_proxy=http://bob:@@@p:3128", "jdbc:postgresql://db/shop?user=app&password=@@", "jdbc:oracle:thin:app/@@@db:1521:x", "ldap://cn=a:@@@h", "ssh://bob:@@@h:22/x", "imaps://bob%40x.test:@@@mail.test",
		"tool --password @@ --verbose", "tool --password=@@", "tool --pass '@@'", "tool --passwd=@@", "tool --pw '@@'", "tool --secret '@@'", "tool -password '@@'", "tool --db-password='@@'", "tool --admin-pass '@@'", "tool --auth 'bob:@@'", "tool --credentials bob:@@", "tool --user bob --pass '@@'",
	}
	urlSafe := strings.NewReplacer("%", "x", "&", "y", "#", "z", "?", "w", "$", "v", "/", "u", "@", "t", "+", "s")
	for _, f := range frames {
		p := k.chosen()
		if strings.Contains(f, "://") || !strings.Contains(f, "'@@'") {
			p = urlSafe.Replace(p)
		}
		add(f, p)
	}
	for range 8 {
		add(k.pick("API_TOKEN=@@ make", "export ACCESS_TOKEN=\"@@\"", "tool --token @@", "tool --api-key=@@", "tool --apikey '@@'", "tool --access-token @@", "tool --auth-token=@@", "curl -H 'X-Api-Key: @@' x", "curl 'https://x.test/?api_key=@@'", "curl 'https://x.test/?access_token=@@&a=b'", "tool --client-secret @@", "TOKEN=@@", "export KEY=@@", "SECRET=@@"), k.pick(k.from(base62, 32), k.from(hexes, 40), k.from(url64, 24)+"7a"))
	}
}

func makeConfig(k maker, add func(string, ...string)) {
	names := []string{"password", "db_password", "DB_PASS", "dbPassword", "admin_password", "smtp_pass", "passwd", "secret", "client_secret", "SECRET_KEY", "auth_token", "api_token", "redis.password", "spring.datasource.password", "user_pwd", "encryption_key", "MYSQL_ROOT_PASSWORD", "ansible_become_pass", "wifi_password", "vnc_password", "bind_password", "ftp-password", "keystorePassword", "jwt_secret", "cookie_secret", "session_secret", "master_key", "private_token", "signing_secret", "webhook_secret", "app_key", "deploy_token"}
	frames := []string{"%s: @@", "%s: \"@@\"", "%s: '@@'", "%s = @@", "%s = \"@@\"", "%s=@@", "%s='@@'", "\"%s\": \"@@\",", "\"%s\":\"@@\"", "  %s:   @@\n", "<%s>@@</%s>", "const %s = \"@@\";", "%s := \"@@\"", "'%s' => '@@',", ":%s => '@@'", "config.%s = '@@'", "%s=\"@@\" # do not share", "<add key=\"%s\" value=\"@@\" />", "define('%s', '@@');", "\\\"%s\\\":\\\"@@\\\"", "%s   @@", "set %s \"@@\"", "self.%s = '@@'", "[auth]\n%s = @@\n", "%s ?= @@", "\"%s\" : \"@@\"", "%s=@@&x=y", "--%s @@", "--%s=@@", "%s:@@", "name: %s\n  value: \"@@\"", "{\"name\": \"%s\", \"value\": \"@@\"}", "ENV %s=@@", "ENV %s @@", "ARG %s=@@", "local %s = '@@'", "private static final String %s = \"@@\";", "String %s = \"@@\";", "let %s: String = \"@@\".into();", "%s => \"@@\""}
	for _, f := range frames {
		for range 6 {
			name := names[k.IntN(len(names))]
			p := k.from(base62+"!*_-", 16)
			if l := strings.ToLower(name); strings.Contains(l, "pass") || strings.Contains(l, "pwd") {
				if p = k.chosen(); !strings.ContainsAny(f, "'\"") {
					p = strings.NewReplacer("#", "x", "&", "y", "%", "z").Replace(p)
				}
			}
			add(strings.ReplaceAll(f, "%s", name), p)
		}
	}
	for range 6 {
		add("SECRET_KEY = '@@'", "django-insecure-"+k.from(lowers+digits+"!@#$%^&*(-_=+)", 50))
		add("SECRET_KEY = \"@@\"", k.from(lowers+digits+"!@#$%^&*(-_=+)", 50))
		add("secret_key_base: @@", k.from(hexes, 128))
		add("APP_KEY=@@", "base64:"+k.from(std64, 43)+"=")
		add("define('AUTH_KEY', '@@');", k.from(base62+"!@#$%^&*()-_ []{}<>~`+=,.;:/?|", 64))
		add("Data Source=db;Initial Catalog=s;User ID=sa;Password=@@;", k.chosen())
		add("Server=db;Uid=app;Pwd=@@;", k.chosen())
		add("data:\n  password: @@\n", base64.StdEncoding.EncodeToString([]byte(k.chosen())))
		add("NEXTAUTH_SECRET=@@", k.from(std64, 43)+"=")
		add("psk=\"@@\"", k.chosen())
		add("network={\n  ssid=\"Home\"\n  psk=\"@@\"\n}", k.chosen())
		add("requirepass @@", strings.ReplaceAll(k.chosen(), "#", "x"))
		add("community: @@ # snmp password", k.chosen())
		add("user:bob password:@@", strings.ReplaceAll(k.chosen(), "#", "x"))
	}
}

// makeChat makes what people say, in eleven languages.
func makeChat(k maker, add func(string, ...string)) {
	for _, f := range chatFrames() {
		for range 2 {
			add(f, k.chosen())
		}
	}
}

func makePlainChat(k maker, add func(string, ...string)) {
	for _, f := range []string{
		"my password is @@", "my wifi password is @@", "my password is @@.", "the root password is @@", "the password for the router is @@", "password: @@", "my password: @@", "pw: @@", "the wifi password is \"@@\"", "password is '@@'",
		"user: bob\npassword: @@", "login: bob / pw: @@", "mein Passwort ist @@", "das WLAN-Passwort ist @@.", "mon mot de passe est @@", "mi contraseña es @@", "la mia password è @@", "minha senha é @@", "mijn wachtwoord is @@", "moje hasło to @@",
		"мой пароль @@", "пароль: @@", "密码是@@", "パスワードは@@です",
	} {
		add(f, k.plain())
	}
}

func makePINs(k maker, add func(string, ...string)) {
	for _, f := range []string{
		"the pin is @@", "my PIN is @@", "PIN: @@", "pin code @@", "the door code is @@", "gate code: @@", "my card's pin is @@", "the alarm code is @@", "SIM PIN @@", "PIN=@@", "the pin for my card is @@", "my phone's passcode is @@", "unlock code @@", "voicemail pin: @@", "the safe's combination is @@",
		"die PIN ist @@", "meine PIN lautet @@", "le code PIN est @@", "mon code est @@ pour la porte", "el PIN es @@", "il PIN è @@", "o PIN é @@", "de pincode is @@", "kod PIN to @@", "пин-код: @@", "пин код @@", "暗証番号は@@です", "密码是@@", "cvv @@", "CVV: @@", "CVC is @@", "security code @@", "puk: @@",
	} {
		n := 4
		switch {
		case strings.Contains(strings.ToLower(f), "cvv"), strings.Contains(f, "CVC"), strings.Contains(f, "security code"):
			n = 3
		case strings.Contains(f, "puk"):
			n = 8
		case strings.Contains(f, "密码"):
			n = 6
		}
		add(f, k.number(n))
	}
}

func makeFinancial(k maker, add func(string, ...string)) {
	cards := []struct {
		head  string
		sizes []int
	}{
		{"4", []int{4, 4, 4, 4}},
		{"51", []int{4, 4, 4, 4}},
		{"55", []int{4, 4, 4, 4}},
		{"2221", []int{4, 4, 4, 4}},
		{"2720", []int{4, 4, 4, 4}},
		{"34", []int{4, 6, 5}},
		{"37", []int{4, 6, 5}},
		{"6011", []int{4, 4, 4, 4}},
		{"65", []int{4, 4, 4, 4}},
		{"3528", []int{4, 4, 4, 4}},
		{"3589", []int{4, 4, 4, 4}},
		{"36", []int{4, 6, 4}},
		{"6759", []int{4, 4, 4, 4}},
		{"62", []int{4, 4, 4, 4}},
		{"4", []int{4, 4, 4, 4}},
	}
	frames := []string{"@@", "my card is @@", "card: @@ exp 04/29", "pay with @@.", "visa @@ 04/27 cvv 123", "cc @@", "credit card number: @@", "Kreditkarte @@", "carte bancaire: @@", "tarjeta @@", `{"number":"@@"}`, "charge @@ please", "card=@@", "the card number is @@, thanks", "MasterCard: @@, 12/28", "use @@ to book it", "PAN @@", "amex: @@", "\"card_number\": \"@@\"", "debit card @@ (mine)"}
	for _, c := range cards {
		n := 0
		for _, size := range c.sizes {
			n += size
		}
		for range 2 {
			d := k.card(c.head, n)
			add(k.pick(frames...), grouped(d, " ", c.sizes...))
			add(k.pick(frames...), grouped(d, "-", c.sizes...))
			if c.head != "62" && c.head != "6759" {
				add(k.pick(frames[1:]...), d)
			}
		}
	}
	add("maestro card "+"@@", k.card("6759", 19))
	ibanFrames := []string{"@@", "IBAN: @@", "transfer to @@", "my iban is @@.", "Konto @@", "account @@ please", `{"iban":"@@"}`, "pay @@ today", "IBAN @@ BIC COBADEFFXXX", "(@@)", "compte: @@", "the account is @@, ok?"}
	for _, c := range []string{"DE", "NL", "FR", "ES", "IT", "GB", "BE", "CH", "AT", "PL", "PT", "SE", "NO", "DK", "FI", "IE", "CZ", "LU", "RO", "HU", "GR", "MT", "SA", "AE", "TR", "BR"} {
		v := k.ibanOf(c)
		sizes := []int{}
		for rest := len(v); rest > 0; rest -= 4 {
			sizes = append(sizes, min(4, rest))
		}
		add(k.pick(ibanFrames...), v)
		add(k.pick(ibanFrames...), grouped(v, " ", sizes...))
		add(k.pick(ibanFrames[1:]...), strings.ToLower(v))
		add(k.pick(ibanFrames...), grouped(v, "-", sizes...))
	}
	for range 6 {
		add(k.pick("routing 021000021 account number @@", "account no. @@ at the bank", "my bank account number is @@", "Kontonummer: @@", "acct number: @@"), k.number(10))
	}
}

// ibanOf returns an account number of a country, of the right length.
func (k maker) ibanOf(country string) string {
	n := chars.IBANLength(country) - 4
	rest := k.number(n)
	switch country {
	case "NL", "GB", "IE", "RO", "LU", "MT", "BR":
		rest = k.pick("RABO", "NWBK", "BARC", "INGB") + k.number(n-4)
	case "IT":
		rest = "X" + k.number(n-1)
	case "MT2":
	}
	for check := 2; check <= 98; check++ {
		if v := fmt.Sprintf("%s%02d%s", country, check, rest); chars.Mod97(v) {
			return v
		}
	}
	return ""
}

func makeIdentity(k maker, add func(string, ...string)) {
	for range 4 {
		id := k.ssn()
		bare := strings.ReplaceAll(id, "-", "")
		for _, f := range []string{"my ssn is @@", "SSN: @@", "social security number: @@", "social security no @@", "@@", "her social is @@", "patient SSN @@ dob 1980-01-02", `{"ssn":"@@"}`, "ssn=@@", "taxpayer id (SSN) @@"} {
			add(f, id)
		}
		add(k.pick("my SSN is @@", "ssn: @@", `"ssn": "@@"`, "social security number @@"), bare)
		add(k.pick("my SSN is @@", "ssn: @@", "social security number @@"), strings.ReplaceAll(id, "-", " "))
		add(k.pick("passport number @@", "my passport is @@", "passport no. @@", "passport: @@", "Reisepass @@", "passport # @@", "numéro de passeport: @@", "pasaporte @@"), k.pick("C", "L", "X", "P")+k.number(8))
		add(k.pick("my driver's license is @@", "driving licence number: @@", "license no. @@", "Führerschein @@"), k.pick("C", "L", "X", "P")+k.number(7))
		add(k.pick("tax id: @@", "Steuer-ID @@", "my tax number is @@", "TIN: @@", "NIF @@", "codice fiscale @@", "national insurance number @@"), k.number(11))
	}
}

func makeSeeds(k maker, add func(string, ...string)) {
	for range 4 {
		seed := k.from(base32s, k.pickInt(16, 26, 32, 52))
		spaced := strings.ToLower(grouped(k.from(base32s, 32), " ", 4, 4, 4, 4, 4, 4, 4, 4))
		for _, f := range []string{"2fa seed @@", "TOTP secret: @@", "totp: @@", "my authenticator key is @@", "otpauth://totp/x:bob?secret=@@&issuer=x", "2FA secret @@", "setup key: @@", "MFA seed: @@", "google authenticator secret @@", "oathtool --totp -b @@", "otp_secret=@@", "2fa backup: @@", "enter this code manually: @@ in the authenticator"} {
			add(f, seed)
		}
		add(k.pick("authenticator setup key: @@", "2fa: @@", "my TOTP key is @@"), spaced)
		codes := []string{k.from(lowers+digits, 5) + "-" + k.from(lowers+digits, 5), k.from(hexes, 8), k.number(8), k.number(4) + "-" + k.number(4), k.from(hexes, 4) + "-" + k.from(hexes, 4) + "-" + k.from(hexes, 4), k.from(capital, 10), k.number(4) + " " + k.number(4)}
		for _, f := range []string{"recovery codes: @@", "backup code: @@", "my github recovery code is @@", "2fa backup codes\n@@\n", "one of my backup codes is @@", "recovery code @@", "Wiederherstellungscode: @@", "code de secours : @@", "código de recuperación: @@", "scratch code @@", "emergency code: @@", "single-use code: @@", "backup codes:\n1. @@\n"} {
			add(f, k.pick(codes...))
		}
		add("recovery codes:\n@@\n@@\n@@\n@@", codes[0], codes[0][:4]+"9-a"+codes[0][:3]+"1", k.from(lowers+digits, 5)+"-"+k.from(lowers+digits, 5), k.from(lowers+digits, 5)+"-"+k.from(lowers+digits, 5))
		add("bitlocker recovery key: @@", grouped(k.number(48), "-", 6, 6, 6, 6, 6, 6, 6, 6))
		for _, n := range []int{12, 15, 18, 21, 24} {
			w := k.mnemonic(n)
			for _, f := range []string{"seed phrase: @@", "my recovery phrase is @@", "mnemonic:\n@@\n", "wallet seed: @@.", "the seed words are @@", `mnemonic = "@@"`, "metamask backup: @@", "my ledger words: @@", "@@", "\"@@\"", "secret recovery phrase\n\n@@", "here are the words: @@", "Seed-Phrase: @@", "bip39 @@", "frase semilla: @@", "phrase de récupération : @@"} {
				add(f, w)
			}
		}
		w := k.mnemonic(12)
		add("my seed phrase: @@", strings.ReplaceAll(w, " ", ", "))
		add("my seed phrase:\n@@", strings.ReplaceAll(w, " ", "\n"))
		var numbered strings.Builder
		for i, word := range strings.Fields(w) {
			fmt.Fprintf(&numbered, "%d. %s\n", i+1, word)
		}
		add("my seed phrase:\n@@", strings.TrimPrefix(strings.TrimSpace(numbered.String()), "1. "))
		p := k.words(4 + k.IntN(3))
		for _, f := range []string{"my passphrase is @@", "passphrase: @@", "the passphrase for the key is @@.", "the gpg passphrase: \"@@\"", "PASSPHRASE='@@'", "my password is @@", "diceware: my master password is @@", "unlock it with the passphrase \"@@\"", "die Passphrase ist @@", "borg passphrase is @@"} {
			add(f, p)
		}
		add("passphrase: @@", strings.ReplaceAll(p, " ", "-"))
		add("my master password is @@", strings.ReplaceAll(p, " ", "."))
		add("private key: 0x@@", k.from(hexes, 64))
		add("my ethereum private key is @@", k.from(hexes, 64))
		add("wallet key "+"@@", k.pick("5", "K", "L")+k.from("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", 51))
		add("encryption key (hex): @@", hex.EncodeToString([]byte(k.from(base62, 32))))
	}
}

func (k maker) pickInt(of ...int) int { return of[k.IntN(len(of))] }

// mnemonic returns words as wallets have them: plain, of three to eight letters,
// some of them words of sentences too.
func (k maker) mnemonic(n int) string {
	list := strings.Fields(`abandon ability absent acid across actor admit advice again album alert all alpha also always amount anchor any april arch arrow artist
aspect aunt avoid bacon bamboo before below bike bitter blanket board bonus brave brief bubble cable can canvas carbon castle cattle century chair
cherry chunk circle claw click cloud coconut column copper cradle crisp cup cycle damage dawn decade deliver dentist desert dice dinner divide
dolphin donkey dragon drift dust eagle echo egg elbow ember enforce enter equal essay ethics evoke exact expect fabric fatal feature fence field fiscal flame
flock fluid forest fossil frame fringe fury gadget garlic gauge ghost giraffe glide goose grain grit guess hamster have hazard hello hint hobby honey humor icon
idle imitate inch index infant inner insect invite jacket jelly joke jungle just kangaroo kidney kiwi label lamp laugh lemon length limb liquid lizard loop lunar machine
magnet mango marble matrix measure melody mercy metal mimic mixture monkey more motor mushroom must myth napkin nephew noble north novel oak obtain ocean olive
one orbit orphan other owner oxygen panda parrot pear people pepper piano pilot plastic please pluck polar pond potato private prize pulse pyramid quantum quiz rabbit
raven rebel recipe remain rhythm ritual rocket royal saddle sample scatter scout shrimp silent siren sketch slush snack solar spider squirrel stove such sugar surge symbol
talent tenant that then there this thumb tiger timber toddler tornado trade tribe tuna twelve two umbrella under unveil upset urban use used vacuum valve velvet very victory
vintage volcano walnut wasp what wheat when will wisdom wolf word wrap yard yellow you young zebra zone`)
	out := make([]string, n)
	for i := range out {
		out[i] = list[k.IntN(len(list))]
	}
	return strings.Join(out, " ")
}
