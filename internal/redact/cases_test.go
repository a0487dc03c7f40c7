package redact

import (
	"encoding/base64"
	"math/rand/v2"
	"net/url"
	"strings"

	"ken/internal/redact/chars"
)

// The secrets of these tests are made up when they run, from parts, so that no
// scanner of the repository takes them for real ones.

const (
	lowers  = "abcdefghijklmnopqrstuvwxyz"
	uppers  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits  = "0123456789"
	base62  = lowers + uppers + digits
	url64   = base62 + "-_"
	std64   = base62 + "+/"
	hexes   = digits + "abcdef"
	base32s = uppers + "234567"
	capital = uppers + digits
)

// maker makes up secrets, the same for the same seed.
type maker struct{ *rand.Rand }

func newMaker(seed uint64) maker { return maker{rand.New(rand.NewPCG(seed, 1))} }

// from returns n bytes of the alphabet that look drawn at random: some digits,
// and both cases if the alphabet has them.
func (k maker) from(alphabet string, n int) string {
	for {
		b := make([]byte, n)
		for i := range b {
			b[i] = alphabet[k.IntN(len(alphabet))]
		}
		s := string(b)
		if strings.ContainsAny(s, digits) && strings.ContainsAny(s, lowers+uppers) && chars.IsRandom(s) &&
			chars.IsAlnum(s[n-1]) && chars.IsAlnum(s[0]) {
			return s
		}
	}
}

func (k maker) pick(of ...string) string { return of[k.IntN(len(of))] }

func (k maker) word() string {
	return k.pick("kiwi", "river", "anchor", "velvet", "copper", "meadow", "lantern", "pepper", "saddle", "marble")
}

// password returns what people make up: a word, a sign, digits and a word.
func (k maker) password() string {
	w := k.word()
	return strings.ToUpper(w[:1]) + w[1:] + k.pick("!", "_", "%", "*", "&", "-", "=") + k.from("23456789a", 4)[:3] + k.number(1) + k.word()
}

func (k maker) number(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = digits[k.IntN(10)]
	}
	return string(b)
}

// card returns a number that begins with head and has a right check digit.
func (k maker) card(head string, n int) string {
	for {
		d := head + k.number(n-len(head))
		if chars.Luhn(d) {
			return d
		}
	}
}

func grouped(d string, sep string, sizes ...int) string {
	var parts []string
	for _, n := range sizes {
		parts = append(parts, d[:n])
		d = d[n:]
	}
	return strings.Join(parts, sep)
}

// iban returns a German or Dutch account number.
func (k maker) iban() string {
	head, rest := "DE", k.number(18)
	if k.IntN(2) == 0 {
		head, rest = "NL", "RABO"+k.number(10)
	}
	for check := 2; check <= 98; check++ {
		if v := head + string(digits[check/10]) + string(digits[check%10]) + rest; chars.Mod97(v) {
			return v
		}
	}
	return ""
}

func (k maker) ssn() string {
	return k.pick("21", "43", "55") + k.pick("1", "2", "7") + "-" + k.pick("12", "45", "78") + "-" + k.pick("4", "7") + k.number(2) + "9"
}

func (k maker) words(n int) string {
	list := strings.Fields("orbit cactus velvet ladder pigeon marble tunnel walnut fabric goose puzzle rocket sample timber umbrella window anchor basket candle dragon")
	k.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	for len(list) < n {
		list = append(list, list...)
	}
	return strings.Join(list[:n], " ")
}

func (k maker) pem(label string, lines int) string {
	var b strings.Builder
	b.WriteString("-----BEGIN " + label + "-----\n")
	for range lines {
		b.WriteString(k.from(std64, 64) + "\n")
	}
	b.WriteString(k.from(std64, 22) + "==\n-----END " + label + "-----")
	return b.String()
}

func (k maker) jwt() string {
	part := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
	return part(`{"alg":"HS256","typ":"JWT"}`) + "." + part(`{"sub":"`+k.number(10)+`"}`) + "." + k.from(url64, 43)
}

// A positive is a text with one secret in it.
type positive struct {
	rule   string // the name of the rule that is to find it
	text   string // with @ where the secret stands
	secret string
}

func (p positive) String() string { return strings.Replace(p.text, "@@", p.secret, 1) }

// positives returns the cases that must be found, made up from seed.
func positives(seed uint64) []positive {
	k := newMaker(seed)
	var all []positive
	add := func(rule, secret string, texts ...string) {
		for _, t := range texts {
			all = append(all, positive{rule, t, secret})
		}
	}
	for _, t := range tokenForms() {
		n := max(t.Min, 20)
		if t.Max > 0 {
			n = t.Max
		}
		var alphabet strings.Builder
		for c := byte('!'); c < 0x7f; c++ {
			if t.Set(c) && chars.IsAlnum(c) {
				alphabet.WriteByte(c)
			}
		}
		for prefix := range strings.FieldsSeq(t.Prefixes) {
			add(t.Kind, prefix+k.from(alphabet.String(), n), "use @@ for that", "X=@@\n", `{"v":"@@"}`, "(@@).", `say \"@@\" twice`)
		}
	}
	k.addNamed(add)
	k.addSpoken(add)
	k.addPrograms(add)
	k.addWeb(add)
	k.addNumbers(add)
	k.addSeeds(add)
	k.addCodes(add)
	k.addCommands(add)
	k.addVendors(add)
	k.addExpected(add)
	return all
}

// addCodes adds what only its name tells from other numbers, and words of scripts
// without blanks.
func (k maker) addCodes(add adder) {
	p := k.password()
	add("tongue", p, "la contrasenya del wifi és @@", "паролата за сървъра е @@", "גישה: הסיסמא לשרת היא @@")
	add("call", p, "DriverManager.getConnection(url, \"bob\", \"@@\")", "new mysqli('h', 'bob', '@@', 'shop')")
	add("account", p, "root:@@ on 10.0.0.5")
	add("asked", p, "type @@ at the prompt")
	add("substituted-password", p, "wg set wg0 private-key <(echo @@)")
	add("ideogram", p, "パスワードは@@です", "我的密码是@@。", "密码：@@\n", "비밀번호는 @@ 입니다")
	add("pin", k.number(4), "the pin for my card is @@", "SIM PIN @@", "unlock code: @@", "пин-код: @@", "my phone's passcode is @@")
	add("puk", k.number(8), "PUK @@", "the puk is @@")
	add("cvv", k.number(3), "cvv @@", "CVC: @@", "the security code is @@.")
	add("one-time-code", k.number(6), "your verification code is @@", "one-time password: @@")
	add("bank-account", k.number(10), "account number @@", "Kontonummer: @@", "acct no. @@", "my account number is @@, ok")
	add("passport", "C"+k.number(8), "passport no. @@", "my passport is @@", "Reisepass: @@")
	add("driving-licence", "D"+k.number(7), "driver's license @@", "licence no. @@")
	add("tax-number", k.number(11), "Steuer-ID: @@", "my tax number is @@")
	add("recovery-key", grouped(k.number(48), "-", 6, 6, 6, 6, 6, 6, 6, 6), "the drive: @@", "@@")
	add("azure-client-secret", k.from(base62, 3)+"8Q~"+k.from(url64, 34), "secret value @@ of the app", "X=@@")
	add("password-hash", "$2y$10$"+k.from(base62+"./", 53), "bob:@@", "hash '@@'")
	add("password-hash", "$6$"+k.from(base62, 16)+"$"+k.from(base62+"./", 86), "root:@@:19000:0:99999:7:::")
	add("seed-phrase", k.words(12), "here:\n@@\nthat is all", `"@@"`)
}

func (k maker) addCommands(add adder) {
	p := k.password()
	add("key-password", p, "openssl enc -aes-256-cbc -k '@@' -in a", "useradd -p '@@' bob")
	add("rclone-password", p, "rclone config create r sftp pass '@@'")
	add("lftp-password", p, "lftp -u bob,'@@' h")
	add("wpa-password", p, "wpa_passphrase Home '@@'")
	add("htpasswd-password", p, "htpasswd -b file bob '@@'", "htpasswd -bc file bob @@")
	add("net-password", p, "net use z: //h/s /user:bob '@@'")
	add("here-password", p, "sudo -S ls <<< '@@'", "kinit bob <<<'@@'")
	add("sql-password", p, "CREATE USER bob IDENTIFIED BY '@@';", "alter user a identified with mysql_native_password by \"@@\"")
	add("oracle-password", k.word()+k.number(4)+"x", "jdbc:oracle:thin:app/@@@db:1521:x")
	add("pgpass", k.word()+k.number(4), "db.test:5432:shop:bob:@@", "*:*:*:bob:@@\n")
	add("named", p,
		"use @@ as the password", "@@ is my password", "@@ ist das Passwort für bob", "utilise @@ comme mot de passe", "Password:\n@@\n", "| password | @@ |", "**Password:** @@", "the password? it's @@",
		"мой пароль @@", "пароль от вайфая: @@", "mijn wachtwoord is @@", "hasło: @@", "lösenord: @@", "define('DB_PASSWORD', '@@');", `<add key="password" value="@@" />`, "ENV DB_PASSWORD @@", "keytool -storepass @@ -list",
		"login: bob\npassword: @@", "username bob password @@", "secret_key_base: @@9abc", "psk=\"@@\"")
	add("login", p, "log in as bob:@@", "hey, login with bob / @@", "u: bob p: @@")
	add("upload-password", p, "twine upload -u bob -p '@@' dist/x", "az login -u bob -p @@")
	add("net-user", p, "net user bob '@@' /add")
	add("slash-password", p, "cmdkey /add:h /user:bob /pass:@@")
	add("user-password", p, "winrm -u bob -p '@@' -H h", "x --user bob -p '@@'")
	add("keygen-password", p, "ssh-keygen -t ed25519 -N '@@' -f id")
	add("sqlcmd-password", p, "sqlcmd -S db -U sa -P '@@'", "ipmitool -H h -U root -P @@ power status")
	add("oracle-login", k.word()+k.number(3)+"x", "sqlplus scott/@@@orcl", "impdp system/@@ full=y")
	add("rabbit-password", p, "rabbitmqctl add_user bob '@@'")
	add("login-token", "s."+k.from(base62, 24), "vault login @@")
	add("secret-body", p, "gh secret set DB --body '@@'")
	add("secure-string", k.word()+"-"+k.word(), `ConvertTo-SecureString "@@" -AsPlainText -Force`)
	add("azure-devops-token", k.from(base62, 76)+"AZDO"+k.from(base62, 4), "pat @@")
	add("rapidapi-key", k.from(base62, 10)+"msh"+k.from(base62, 15)+"p1"+k.from(base62, 6)+"jsn"+k.from(base62, 11), "use @@")
	add("convex-key", "prod:happy-otter-123|"+k.from(std64, 60), "CONVEX=@@", "'@@'")
	add("named", "copper"+"-kettle-42", "my password is @@.", "log in with the password @@")
	add("named", "sun"+"shine", "my password is @@", "mein Passwort ist @@.", "user: bob\npassword: @@")
	add("named", k.from(base62, 32), "Cookie: sessionid=@@; theme=dark", "JSESSIONID=@@", "Cookie: connect.sid=@@")
}

type adder func(rule, secret string, texts ...string)

func (k maker) addNamed(add adder) {
	for range 4 {
		p := k.password()
		add("named", p,
			"DB_PASSWORD=@@", `export SMTP_PASS="@@"`, "PGPASSWORD='@@' psql -h db", "password: @@", `"password": "@@",`, `{"user":"bob","passwd":"@@"}`,
			"password = @@\nuser = bob", `password = "@@"`, "db.password=@@", "  mysql_root_password: '@@'", `$pass = '@@';`, `'PASSWORD' => '@@',`,
			"MYSQL_PWD=@@ mysqldump shop", "docker run -e POSTGRES_PASSWORD=@@ postgres", `docker run -e "POSTGRES_PASSWORD=@@" postgres`,
			"Server=db;User Id=sa;Password=@@;Encrypt=yes", "<password>@@</password>", `config["password"] = "@@"`, `os.environ['DB_PASSWORD'] = '@@'`,
			"tool --password @@ --verbose", "tool --password=@@", "tool --db-password '@@'", `{\"password\":\"@@\"}`, `{"cmd":"export DB_PASSWORD=@@\nmake"}`,
			"- name: DB_PASSWORD\n  value: @@\n", `{"name":"DB_PASSWORD","value":"@@"}`, `password: str = "@@"`, "Kennwort: @@", "contraseña: @@", "mot de passe : @@", "senha: @@", "wifi pw: @@", "PASSWORD:@@")
		s := k.from(base62, 32)
		add("named", s,
			"secret_key: @@", "CLIENT_SECRET=@@", "apiKey: '@@'", `"api_key": "@@"`, "api-key: @@", "X-Api-Key: @@", "token=@@", `auth_token = "@@"`,
			"https://api.test/v1?access_token=@@&x=1", "--api-key @@", "//registry.test/:_authToken=@@", "PrivateKey = @@", "AccountKey=@@;", "TWILIO_AUTH_TOKEN=@@")
		add("named", "django-"+k.from(lowers+digits+"!@#$%^&*(-_=+)", 50), "SECRET_KEY = '@@'")
		add("named", k.from(std64, 86)+"==", "--account-key @@", "AccountName=x;AccountKey=@@;EndpointSuffix=y")
		add("named", k.from(std64, 43)+"=", "PrivateKey = @@")
		add("named", k.from(hexes, 40), "secret: @@", "token: @@")
	}
	add("named", k.words(4), `passphrase: "@@"`, "passphrase: @@")
	add("named", strings.ReplaceAll(k.words(4), " ", "-"), `PASSPHRASE="@@"`, "passphrase: @@")
	add("named", "Kiwi 48 "+"river 21", `password="@@"`)
}

func (k maker) addSpoken(add adder) {
	for range 4 {
		add("named", k.password(),
			"my password is @@", "the wifi password is @@.", "The password for the staging box is @@, ok?", "password is now @@", "i changed my password to @@ today",
			"pw for bob: @@", "log in with password @@ please", "the admin password's @@", "Das Passwort ist @@.", "das WLAN-Passwort lautet @@", "Mein Kennwort ist jetzt @@",
			"le mot de passe est @@", "mon mot de passe, c'est facile : le mot de passe est @@", "la contraseña es @@", "mi contraseña es @@ y nada", "la clave es @@",
			"la password è @@", "la mia password è @@.", "a senha é @@", "minha senha é: @@", "password (root) is @@",
			"passphrase is @@", "the creds are admin:@@", "login: admin / @@", "the root pwd is \"@@\"")
		add("named", k.from(base62, 24), "my api key is @@", "the access token is @@, keep it", "client secret is @@")
		add("named", k.from(base62, 28), "the maps key is @@")
	}
	add("named", k.words(5), "the passphrase is @@.", "my password is @@", "my passphrase is \"@@\".", "the passphrase: '@@'")
	add("named", strings.ReplaceAll(k.words(4), " ", "-"), "my password is @@ now")
	add("named", "sunshine"+"lake", `the password is "@@"`, "password is `@@`")
	add("pin", "48"+"21", "the alarm PIN is @@", "my pin code is @@.", "PIN: @@", "the door code is @@")
}

func (k maker) addPrograms(add adder) {
	add("task-password", k.password(), "schtasks /create /ru LAB\\svc /rp @@ /tr x.bat")
	add("directive-password", k.password(), "stats auth bob:@@\n")
	add("prompt-password", k.password(), "ftp> user bob @@\n")
	add("set-secret", k.password(), "fly secrets set SMTP=@@\n")
	add("target-password", k.password(), "wmiexec.py lab/bob:@@@10.3.4.5")
	for range 4 {
		p := k.password()
		add("mysql-password", p, "mysql -uroot -p'@@' shop", "mysqldump -u root -p@@ shop > x.sql", "mariadb -h db -p\"@@\"")
		add("sshpass-password", p, "sshpass -p '@@' ssh root@10.0.0.1", "sshpass -p@@ scp a b:")
		add("curl-password", p, "curl -u bob:'@@' https://x.test", "curl -s -u 'bob:@@' https://x.test", "curl --user bob:@@ https://x.test/a", "curl -ubob:@@ https://x.test")
		add("http-password", p, "http -a bob:@@ GET x.test")
		add("redis-password", p, "redis-cli -h r -a @@ ping")
		add("docker-password", p, "docker login -u bob -p @@ r.test", "mongosh -u bob -p '@@'")
		add("ldap-password", p, "ldapsearch -D cn=x -w '@@' -b dc=y")
		add("zip-password", p, "zip -P @@ out.zip a", "7z a -p@@ out.7z a")
		add("smb-password", p, "smbclient //srv/x -U bob%@@")
		add("rdp-password", p, "xfreerdp /u:bob /p:@@ /v:host")
		add("openssl-password", p, "openssl rsa -in k.pem -passin pass:@@ -out o.pem")
		add("piped-password", p, "echo 'bob:@@' | chpasswd", "echo '@@' | sudo -S apt update", "echo @@ | docker login --password-stdin")
	}
}

func (k maker) addWeb(add adder) {
	for range 4 {
		p := strings.NewReplacer("%", "!", "&", "!", "*", "!").Replace(k.password())
		add("url-password", p, "git clone https://alice:@@@git.test/x.git", "postgres://app:@@@db:5432/shop", "redis://:@@@cache:6379/0", "DATABASE_URL=mysql://u:@@@h/d", "amqp://u:@@@mq//", "mongodb+srv://u:@@@c.test/?w=1")
		add("url-password", k.word()+"/5"+k.word()+"7", "postgres://app:@@@db:5432/shop")
		add("bearer-token", k.from(base62, 32), "Authorization: Bearer @@", `curl -H "Authorization: Bearer @@" x.test`, `{"Authorization":"Bearer @@"}`, "bearer @@")
		add("basic-auth", base64.StdEncoding.EncodeToString([]byte("bob:"+k.password())), "Authorization: Basic @@", "-H 'authorization: basic @@'")
		add("auth-header", k.from(hexes, 40), "Authorization: token @@", "Authorization: @@")
		add("jwt", k.jwt(), "got @@ back", "Cookie: jwt=@@; a=b", `"id_token":"@@"`)
		add("telegram-token", k.pick("7", "6")+k.number(9)+":"+"AA"+k.from(url64, 33), "bot token @@", "https://api.telegram.org/bot@@/getMe", "TELEGRAM=@@")
		add("wifi-password", p, "WIFI:S:home;T:WPA;P:@@;;", "wifi:T:WPA;S:home;P:@@;H:false;;")
		add("twilio-key", "SK"+k.from(hexes, 32), "sid @@", "X=@@")
		add("mailchimp-key", k.from(hexes, 32)+"-us"+k.pick("1", "12"), "mailchimp @@")
		add("discord-token", "M"+k.from(base62, 25)+"."+k.from(base62, 6)+"."+k.from(base62, 38), "bot @@", "DISCORD=@@")
		add("signature", k.from(base62, 43)+"%3D", "https://x.blob.test/a?se=2030&sig=@@&sp=r")
		add("private-key", k.pem(k.pick("RSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY"), 5), "here:\n@@\nthanks", "@@")
		add("private-key", strings.ReplaceAll(k.pem("PRIVATE KEY", 3), "\n", `\n`), `{"private_key": "@@\n"}`)
		whole := k.pem("RSA PRIVATE KEY", 4)
		add("private-key", whole[:strings.Index(whole, "\n-----END")], "@@", "it begins\n@@\n\nAnd then I stopped.")
		add("private-key", k.from(std64, 64)+"\n"+k.from(std64, 64), "PuTTY-User-Key-File-2: ssh-rsa\nPrivate-Lines: 2\n@@\nPrivate-MAC: x")
	}
	add("private-key", "-----BEGIN OPENSSH PRIVATE"+" KEY-----", "it starts with @@ and so on")
}

func (k maker) addNumbers(add adder) {
	for range 4 {
		visa, amex := k.card("41", 16), k.card("37", 15)
		add("card", grouped(visa, " ", 4, 4, 4, 4), "my card is @@ exp 04/29", "@@")
		add("card", grouped(visa, "-", 4, 4, 4, 4), "card @@, cvv later")
		add("card", visa, "pay with @@.", `{"pan":"@@"}`)
		add("card", grouped(amex, " ", 4, 6, 5), "amex @@")
		add("card", k.card("5312", 16), "mc @@")
		id := k.ssn()
		add("ssn", id, "social security number: @@", "her SSN is @@.", "@@ is mine")
		add("ssn", strings.ReplaceAll(id, "-", ""), "ssn @@")
		iban := k.iban()
		add("iban", iban, "transfer to @@", "IBAN:@@,")
		sizes := []int{4, 4, 4, 4}
		for rest := len(iban) - 16; rest > 0; rest -= 4 {
			sizes = append(sizes, min(4, rest))
		}
		add("iban", grouped(iban, " ", sizes...), "my account is @@", "@@ please")
	}
}

func (k maker) addSeeds(add adder) {
	for range 4 {
		seed := k.from(base32s, 32)
		add("totp-seed", seed, "2fa seed @@", "TOTP secret: @@", "authenticator setup key @@")
		add("totp-seed", strings.ToLower(grouped(seed, " ", 4, 4, 4, 4, 4, 4, 4, 4)), "my 2FA setup code is @@ for that")
		add("otpauth", seed, "otpauth://totp/x:bob?secret=@@&issuer=x")
		code := k.from(lowers+digits, 5) + "-" + k.from(lowers+digits, 5)
		add("recovery-code", code, "recovery codes: @@", "backup codes:\n12345-abcd9\n@@\n", "my github recovery code is @@")
		add("recovery-code", k.number(4)+"-"+k.number(4), "backup code @@")
		add("recovery-groups", "AB7D-K3FM-9QXZ-"+strings.ToUpper(k.from(lowers+digits, 4)), "FileVault key @@", "BitLocker recovery: @@")
		add("seed-phrase", k.words(12), "seed phrase: @@", "my recovery phrase is @@", "mnemonic:\n@@\n", "wallet seed: @@.")
		add("seed-phrase", k.words(24), `mnemonic "@@"`)
		aws := k.from(std64, 40)
		add("aws-secret-key", aws, "the AWS secret is @@, keep it", "aws configure set aws_secret_access_key @@", "aws_secret_access_key = @@", "AWS_SECRET_ACCESS_KEY=@@")
		p := k.password()
		add("percent-encoded", url.QueryEscape(p), "https://x.test/?q=password%3D@@%26b", "body=%22password%22%3A%22@@%22")
		add("base64", base64.StdEncoding.EncodeToString([]byte("password: "+p+"\n")), "echo @@ | base64 -d", "data: @@", "eval $(echo @@)")
	}
}

// negatives are texts in which nothing is secret.
func negatives() []string {
	k := newMaker(7)
	sha1, sha256 := k.from(hexes, 40), k.from(hexes, 64)
	uuid := grouped(k.from(hexes, 32), "-", 8, 4, 4, 4, 12)
	return []string{
		"",
		"the quick brown fox jumps over the lazy dog",
		// Hashes, identifiers, numbers.
		"git cherry-pick " + sha1, "commit " + sha1[:12], "sha256:" + sha256, sha256 + "  app.tar.gz", "docker pull nginx@sha256:" + sha256,
		"go.sum h1:" + k.from(std64, 43) + "=", `"integrity": "sha512-` + k.from(std64, 86) + `=="`, "etag W/\"" + sha1 + "\"", "md5 " + k.from(hexes, 32),
		"request " + uuid, "the volume is pvc-" + uuid, "trace id: " + uuid, "kubectl get pod api-" + k.from(hexes, 9) + "-a9r2h", "i-0" + k.from(hexes, 16),
		"call +49 30 1234567", "order 4146362178683550", "case number 123-45-678", "invoice no 640-70-5155", "1700000000000000", "tracking 9400 1118 9956 0000 0000 00",
		"ISBN 978-3-16-148410-0", "10.0.0.1:8080", "2026-05-13T19:00:00Z", "pi is 3.14159265358979", "v1.2.3-rc.4+build.5", "phone model SM-G991B/DS", "DE00123456780000000000",
		"test card 4242 4242 4242 4242", "the IBAN example DE89 3704 0044 0532 0130 00", "000-12-3456 is no valid number",
		// References and placeholders.
		"password=$PASSWORD", "password: ${DB_PASSWORD}", "PASSWORD=$(pass show db)", "PASSWORD=`cat file`", "password: ${{ secrets.DB_PASSWORD }}", "password: {{ vault_pw }}",
		"password: ********", "password: ••••••••", "password=<your-password>", "api_key: <your-key>", "API_KEY=your-api-key-here", "token: xxxxxxxxxxxxxxxx", "OPENAI_API_KEY=sk-...",
		"export TOKEN=changeme", "password=changeme", "sk-your-key-here-1234567890", "--password \"$PW\"", "mysql -uroot -p\"$MYSQL_PWD\"", "mysql -u root -p shop",
		"curl -u \"$USER:$PASS\" https://x.test", "curl -u bob https://x.test", "https://user:$PASS@x.test", "https://user:password@x.test", "postgres://postgres:postgres@localhost/x",
		"op read op://dev/db/password", "password_file: /run/secrets/db", "token = os.environ['TOKEN']", "apiKey: process.env.API_KEY", "password = getpass.getpass()", "secret = config.get('secret')",
		"password = user.password", "const token = await getToken(user);", "password: string;", "password: str = None", "if password == \"\" {", "password := r.FormValue(\"password\")",
		"password=None", "secretName: db-credentials", "secretKeyRef:", "key: value", "keys: [a, b]", "ssh-add ~/.ssh/id_ed25519", "PASSWORD=", "password: |", "token: ''",
		"[masked:password:ab12]", "password: [masked:password:ab12]",
		// Talk about secrets.
		"the password is wrong", "the password is required", "your password must have 12 characters", "password is 12-character minimum", "reset your password at https://x.test/reset",
		"API key rotation runs on Mondays", "bearer of bad news", "Bearer authentication is used", "Basic auth is deprecated", "basic authentication", "sk_test_ keys are for test mode",
		"pk_live_" + k.from(base62, 24) + " is the publishable key", "detect eyJ strings as JWTs", "JWTs start with eyJhbGciOi", "the token is expired", "the token is refreshed hourly", "password is stored as bcrypt",
		"passwords are hashed with sha256", "the secret to good bread is time", "the key is under the mat", "use a password manager like 1Password", "password strength 80%", "I forgot my password again",
		"das Passwort ist falsch", "das Passwort ist abgelaufen", "le mot de passe est incorrect", "la contraseña es obligatoria", "la clave es estudiar mucho", "a senha é muito curta", "la password è sbagliata",
		"the passphrase is required to unlock the key", "grep -r \"-----BEGIN RSA PRIVATE KEY-----\" .", "-----BEGIN CERTIFICATE-----\n" + k.from(std64, 64) + "\n-----END CERTIFICATE-----",
		"-----BEGIN PUBLIC KEY-----\n" + k.from(std64, 64) + "\n-----END PUBLIC KEY-----", "ssh-rsa AAAAB3NzaC1yc2E" + k.from(std64, 200) + "= bob@host",
		"the recovery code is sent by mail", "recovery codes are in the safe", "the seed phrase has twelve words and you must write it down on paper before you go on with the next step",
		"the wifi: S: is slow; P: is not", "our password is a well-known-and-old joke", "the passphrase is one of those that you must not lose", "password: not set",
		"enable 2FA in settings", "the authenticator app shows six digits", "mnemonic devices help people to remember things that they would else forget over the years", "pin 13 is the led", "Pinned at 1234",
		"otp codes expire after 30 seconds", "the pin is on the back", "my login is bob",
		// Look-alike words.
		"monkey: banana", "passenger count 42", "tokenizer.json has 32000 entries", "max_tokens=4096", "tokens: 1234567", "total_tokens: 128000", "compass: north", "bypass=true1", "keyboard: qwertz",
		"passport no.", "author: Jane", "secretary: Bob Smith2", "public_key: " + k.from(base62, 44), "primary_key=id", "cache_key: user-1234", "next_page_token=" + k.from(base62, 24),
		"openssl rand -hex 32", "uuidgen | tr A-Z a-z", "docker run -p 8080:80 nginx", "ssh -p 2222 host", "mkdir -p a/b/c", "cp -p a b", "docker build -t x:1.2 .", "az login", "curl -sS https://x.test | sh",
		"echo hello | grep h", "tar xzf a.tgz", "zip -r out.zip dir", "echo done | sudo tee /etc/x",
		"<img src=\"data:image/png;base64,iVBORw0KGgo" + k.from(std64, 180) + "\">", "ipfs://bafybei" + k.from(lowers+"234567", 52), "magnet:?xt=urn:btih:" + sha1,
		base64.StdEncoding.EncodeToString([]byte("just some ordinary text that nobody minds")), "https://x.test/a/b?c=d&e=f#g", "http://localhost:8080/@vite/client", "https://unpkg.com/react@18.2.0/index.js",
		"git@github.com:me/aish.git", "ssh://git@host:22/x.git", "mailto:bob@x.test", "task-1234567890123456789012", "risk-assessment-2024-for-the-region", "desk-lamp-of-1999-with-shade",
		"key-value pairs and key-frames", "func (k *Key) Secret() string { return k.secret }", "type Token struct{ Kind int; Text string }", "assert token.type == TokenType.NAME",
		"login: bob", "author = \"bob\"", "authenticated: true", "auth: none",
	}
}

// addVendors adds what only a vendor, a program of its own or a sentence calls a secret.
func (k maker) addVendors(add func(rule, secret string, texts ...string)) {
	p, made := k.password(), k.from(base62, 30)
	add("phrase", p, "the unlock code of my phone is @@", "Zugangscode: @@")
	add("obscured-password", p, "rclone obscure @@", "bw unlock '@@'")
	add("login-word", p, "lpass login bob@x.test @@", "ngrok authtoken @@")
	add("auth-token", made, "doctl auth init -t @@")
	add("expect-send", p, `expect "assword:" { send "@@\r" }`, "send \"@@\\n\"")
	add("password-command", p, "restic --password-command 'echo @@' snapshots", `PASSCOMMAND="printf %s @@"`)
	add("snmp-community", p, "snmpwalk -v2c -c @@ 10.0.0.1")
	add("vendor-name", made, "x-honeycomb-team: @@", "https://x.test/?appid=@@&q=1")
	add("code-query", made, "https://f.azurewebsites.net/api/run?code=@@", "https://x.test/cb?state=1&code=@@")
	add("webhook-url", made, "https://discordapp.com/api/webhooks/1020304050/@@", "https://mattermost.acme.test/hooks/@@")
	add("constructed", made, `c = AnthropicClient("@@")`, "new Stripe('@@')")
}
