package redact

import (
	"strings"
	"testing"
)

// tongueFrames are what people write around a password in languages that are not those
// of the first tests, in quotes of theirs, in shorthand, as an argument without a name
// and behind a name that is a compound. "@@" is the password, "@S" a short one of letters
// and digits, "@G" groups with dashes, "@P" words that nobody has heard.
func tongueFrames() map[string][]string {
	return map[string][]string{
		"words": {
			"la contrasenya del wifi és @@", "ПАРОЛЬ: @@", "ЛОЗИНКА: @@", "HASŁO: @@", "contrasenya: @@", "la clau de pas és @@", "la contrasenya per entrar al servidor és @@", "паролата за сървъра е @@", "парола за wifi: @@", "паролата ми е @@", "паролата е @@ не я казвай",
			"পাসওয়ার্ড হল @@", "আমার পাসওয়ার্ড @@", "পাসওয়ার্ড: @@", "সার্ভারের পাসওয়ার্ড হলো @@", "mật khẩu wifi là @@", "mật khẩu của máy chủ là @@", "mật mã là @@", "mk wifi: @@", "mat khau la @@", "הסיסמה היא @@", "הסיסמא לשרת היא @@", "סיסמא: @@", "סיסמת הוויפי @@",
			"رمز عبور سرور @@ است", "گذرواژه: @@", "پسورد وای فای @@ هست", "رمز من @@ است", "kod för dörren och lösen: @@", "lösen är @@", "lösen till servern är @@", "la pass è @@", "la pass del wifi è @@", "the pass for the nas is @@", "pass for prod is @@",
			"zaporka je @@", "lozinka za server je @@", "šifra za wifi je @@", "шифра је @@", "лозинката е @@", "fjalëkalimi është @@", "fjalekalimi i wifi: @@", "parolanız: @@", "şifre: @@", "serverin şifrəsi @@", "parol: @@", "құпия сөз: @@", "құпиясөз @@",
			"كلمة السر هي @@", "الرقم السري: @@", "كلمة مرور الخادم هي @@", "پاس ورڈ @@ ہے", "خفیہ لفظ: @@", "पासवर्ड है @@", "सर्वर का पासवर्ड @@ है", "कूटशब्द: @@", "கடவுச்சொல் @@", "கடவுச்சொல்: @@", "సంకేతపదం: @@", "పాస్\u200cవర్డ్ @@", "संकेतशब्द: @@", "पासवर्ड आहे @@", "પાસવર્ડ છે @@", "પાસવર્ડ: @@", "ਪਾਸਵਰਡ ਹੈ @@", "ਪਾਸਵਰਡ: @@",
			"รหัสผ่านคือ @@", "รหัส wifi คือ @@", "kata sandinya @@", "kata laluan wifi ialah @@", "sandi wifi: @@", "ang password ay @@", "nenosiri ni @@", "neno la siri: @@", "口令为@@", "密碼係 @@", "通行码：@@", "登入密碼是「@@」", "パスコードは@@", "合言葉は@@", "암호는 @@", "패스워드: @@", "비번은 @@ 이야",
			"wagwoord is @@", "die wagwoord vir die bediener is @@", "pasahitza @@ da", "pasahitza: @@", "o contrasinal é @@", "contrasinal: @@", "y cyfrinair yw @@", "cyfrinair: @@", "focal faire: @@", "is é @@ an pasfhocal", "lykilorðið er @@", "aðgangsorð: @@", "passordet er @@", "passordet til serveren er @@", "kodeordet til serveren er @@", "løsenet er @@",
			"пароль від сервера: @@", "пароль до вайфаю @@", "гасло: @@", "parool: @@", "parooliks on @@", "salasõnaks @@", "parole serverim ir @@", "slaptažodis serveriui: @@", "tunnussana on @@", "salasanaksi @@", "jelszavam @@", "a jelszó a szerverhez @@", "heslem je @@", "heslo k serveru je @@", "hasłem jest @@", "hasło do serwera to @@", "geslo je @@", "parola de la server este @@", "parola e @@", "συνθηματικό: @@", "ο κωδικός είναι @@", "kodikos: @@", "il-password hija @@", "parol serverdan: @@",
			"moya parol: @@", "parol ot vayfaya: @@", "mera password @@ hai", "password hai @@", "mi pass es @@", "mijn pass is @@", "senha é @@", "a palavra passe é @@",
		},
		"quotes": {
			"le mot de passe est « @@ »", "mot de passe «@@»", "das Passwort ist „@@“", "Passwort: „@@“", "Kennwort ‚@@‘", "the password is ‘@@’", "password “@@”", "hasło „@@”", "パスワードは「@@」", "密碼：『@@』", "пароль «@@»", "пароль: «@@»", "password ‹@@›", "la contraseña es «@@»", "jelszó: „@@”", "lösenordet är ”@@”", "passphrase »@@«", "password = “@@”", "密码“@@”",
		},
		"calls": {
			"Connection c = DriverManager.getConnection(url, \"root\", \"@@\");", "DriverManager.getConnection(\"jdbc:mysql://h/db\", \"bob\", \"@@\")", "$db = new mysqli('localhost', 'bob', '@@', 'shop');", "mysqli_connect(\"localhost\", \"bob\", \"@@\", \"db\")", "mysql_connect('localhost', 'root', '@@');", "$c = new PDO($dsn, 'bob', '@@');", "psycopg2.connect('db', 'bob', '@@')", "pymysql.connect('h', 'bob', '@@', 'db')",
			"ftp.login('bob', '@@')", "smtp.login(\"bob@x.test\", \"@@\")", "server.login(user, '@@')", "imap.login('bob', '@@')", "request.auth.basic('bob', '@@')", "requests.get(url, auth=('bob', '@@'))", "requests.post(u, auth=(user, \"@@\"))", "HTTPBasicAuth('bob', '@@')", "HTTPDigestAuth(user, '@@')", "new NetworkCredential(\"bob\", \"@@\")", "new NetworkCredential(user, \"@@\", domain)", "ftp_login($conn, 'bob', '@@')", "smtp.PlainAuth(\"\", \"bob\", \"@@\", host)", "req.SetBasicAuth(\"bob\", \"@@\")", "Credentials.basic(\"bob\", \"@@\")", "new UsernamePasswordCredentials(\"bob\", \"@@\")", "new UsernamePasswordAuthenticationToken(\"bob\", \"@@\")", "oci_connect('bob', '@@', 'h/XE')", "client.connect('h', 22, 'bob', '@@')", "new PasswordAuthentication(\"bob\", \"@@\".toCharArray())", "redis.auth('@@')", "ssh2_auth_password($c, 'bob', '@@')", "$client->login('bob', '@@');", "cx_Oracle.connect('bob', '@@', 'h/XE')", "new Sequelize('db', 'bob', '@@', {})", "http.basicAuth('bob', '@@')", "url.UserPassword(\"bob\", \"@@\")",
		},
		"pairs": {
			"{\"client_id\": \"web\", \"client_secret\": \"@S\"}", "\"secret_key\": \"@S\"", "client_secret = @S", "secret_key=@S", "app_secret: @S", "api_secret: '@S'", "\"clientSecret\": \"@S\",", "consumer_secret = \"@S\"", "shared_secret: @S", "webhook_secret=@S", "[oauth]\nclient_secret = @S\nscope = x", "\"jwt_secret\":\"@S\"",
			"wpa2-pre-shared-key=@@", "security.wpa2-pre-shared-key=\"@@\"", "wpa-pre-shared-key: @@", "preSharedKey=@@", "pre_shared_key = @@", "wpa_passphrase=@@", "lösen: @@", "echo @@ > .vault_pass", "echo '@@' > ~/.vault_pass.txt", "printf '%s' @@ > vault-password", "echo \"@@\" >> .pgpass-secret", "echo @@ | tee .vault_password", "wg set wg0 private-key <(echo @@)", "openvpn --auth-user-pass <(echo @@)", "--password-file <(echo @@)", "--password-file <(printf %s @@)", "cryptsetup open /dev/sda1 x --key-file <(echo -n @@)", "echo @@ > /run/secrets/db_password", "set wireless security wpa passphrase @@", "gitlab_rails['smtp_password'] = \"@@\"", "admin-user-password @@",
		},
		"shorthand": {
			"pass @@", "pw @@", "user anna / pass @@", "u: anna p: @@", "user anna pw @@", "anna/pass @@", "login anna pass @@", "for the password put @@", "for password enter @@", "type @@ at the prompt", "type @@ when it asks", "password put @@", "root:@@ on 10.0.0.5", "admin:@@ on host db1", "un: anna pw: @@", "ssh anna@h, pass @@", "as password use @@", "pwd @@ user anna", "creds anna // @@", "pass=@@ user=anna", "un anna, pwd @@", "enter @@ at the password prompt",
		},
		"words made": {"passphrase = @P", "passphrase: @P", "passphrase = \"@P\"", "passphrase is @P", "PASSPHRASE=\"@P\"", "my passphrase: @P", "gpg passphrase = '@P'", "the wallet passphrase is \"@P\""},
		"groups":     {"FileVault recovery key: @G", "FileVault key @G", "BitLocker recovery: @G", "bitlocker key @G", "recovery key @G", "backup code @G", "backup key: @G", "recovery is @G", "emergency kit: @G", "1Password secret key @G", "my FileVault recovery key is @G", "Wiederherstellungsschlüssel: @G", "clé de récupération : @G", "clave de recuperación: @G", "recovery codes:\n@G"},
	}
}

// tongueTalk are sentences, settings and code of the same kinds without a secret.
func tongueTalk() []string {
	return []string{
		"la contrasenya ha de tenir 8 caràcters", "he oblidat la contrasenya del wifi", "la contrasenya és obligatòria", "пароль от аккаунта Steam2 потерян", "パスワードはWindows10で変更", "echo v2.1.0 > pass-version.txt", "passphrase = config lookup failed again", "canvia la contrasenya cada 90 dies", "смени паролата на всеки 90 дни", "паролата е сгрешена", "паролата трябва да е поне 12 знака", "забравих паролата за Windows10", "পাসওয়ার্ড ভুলে গেছি", "পাসওয়ার্ড হল গোপন", "mật khẩu phải có 8 ký tự", "mật khẩu là bắt buộc", "tôi quên mật khẩu Facebook", "mật khẩu được băm bằng SHA-256", "הסיסמה היא סודית", "שכחתי את הסיסמה", "הסיסמא חייבת 8 תווים", "رمز عبور را فراموش کردم", "رمز عبور باید ۸ کاراکتر باشد",
		"lösenordet är för kort", "lösenordet måste ha 12 tecken", "jag har glömt lösen", "la pass è sbagliata", "the pass is over 8km", "boarding pass for LH1234", "pass 2 of 3", "pass 3", "second pass O2 optimises", "lozinka je pogrešna", "lozinka mora imati 8 znakova", "zaboravio sam lozinku za Office365", "fjalëkalimi është i gabuar", "şifre en az 8 karakter", "parolunuz yanlışdır", "құпия сөз қате", "كلمة السر خاطئة", "كلمة المرور مطلوبة", "نسيت كلمة المرور", "पासवर्ड गलत है", "पासवर्ड भूल गया", "கடவுச்சொல் தவறு", "రహస్యపదం తప్పు", "પાસવર્ડ ખોટો છે", "ਪਾਸਵਰਡ ਗਲਤ ਹੈ", "รหัสผ่านไม่ถูกต้อง", "รหัสผ่านต้องมี 8 ตัวอักษร", "kata sandi salah", "kata laluan mesti 8 aksara",
		"mali ang password", "nenosiri si sahihi", "密码错误", "密码必须包含8个字符", "密碼長度至少12位", "パスワードが違います", "パスワードは8文字以上", "パスワードはSHA256でハッシュ化", "비밀번호가 틀립니다", "비밀번호는 8자 이상", "wagwoord is verkeerd", "pasahitza okerra da", "o contrasinal é incorrecto", "mae'r cyfrinair yn anghywir", "tá an pasfhocal mícheart", "lykilorðið er rangt", "passordet er feil", "пароль неправильний", "пароль хешируется bcrypt2", "пароль для Windows11 забыт", "parool on vale", "parole ir nepareiza", "slaptažodis neteisingas", "salasana on väärin", "a jelszó helytelen", "heslo je špatné", "hasło jest błędne", "hasło musi mieć 8 znaków", "geslo je napačno", "parola este greșită", "ο κωδικός είναι λάθος", "κωδικός προϊόντος: 12345",
		"šifra proizvoda AB1234 je nova", "codul produsului este AB1234", "parole chiave: SEO, marketing", "parola d'ordine: innovazione", "la clave del éxito es trabajar", "clave primaria: id", "пароль вводится в поле Password2", "wachtwoord vergeten voor Office365",
		"le mot de passe « admin » est interdit", "the word „Passwort“ is German", "das Wort „Kennwort“", "click on «Forgot password»", "пункт «Забыли пароль»", "「パスワードを忘れた」をクリック", "点击“忘记密码”", "the field ‘password’ is required", "password “required”", "password “••••••••”", "the «password» field", "Passwort „ändern“", "пароль «обязателен»", "the password is “optional”", "密碼欄位「必填」", "mot de passe « oublié »",
		"DriverManager.getConnection(url, user, password)", "DriverManager.getConnection(URL, USER, System.getenv(\"DB_PASS\"))", "DriverManager.getConnection(\"jdbc:h2:mem:db1\", \"sa\", \"\")", "new mysqli($host, $user, $pass, $db)", "new mysqli('localhost', 'user', 'password', 'db')", "mysqli_connect(getenv('H'), getenv('U'), getenv('P'))", "new PDO($dsn, $user, $pass)", "psycopg2.connect(dsn)", "psycopg2.connect('dbname=x user=y')", "ftp.login(user, passwd)", "ftp.login('anonymous', 'anonymous@')", "smtp.login(os.environ['U'], os.environ['P'])", "requests.get(url, auth=(user, token))", "requests.get(url, auth=('user', 'pass'))", "HTTPBasicAuth(username, password)", "HTTPBasicAuth('user', 'pass')", "new NetworkCredential(user, pass)", "new NetworkCredential(\"user\", \"<password>\")", "smtp.PlainAuth(\"\", user, os.Getenv(\"P\"), host)", "req.SetBasicAuth(user, pass)", "req.SetBasicAuth(\"user\", \"{{password}}\")", "app.login('button', 'btn-primary-2')", "form.login('userField1', 'passwordField1')", "client.connect('h', 8080, 'topic', 'v1')", "client.connect('localhost', 'db1', 'utf8mb4')", "sqlite3.connect('file2.db')", "socket.connect('127.0.0.1', 8080)", "signal.connect('clicked', 'on_button1_clicked')", "auth.basic(u, p)", "auth.basic('user', '$PASSWORD')", "new Sequelize('db', 'user', process.env.PW)", "new Sequelize('database', 'username', 'password', {})", "page.login('#user1', '#pass2')", "login('admin', 'dashboard2')",
		"\"client_secret\": \"YOUR_SECRET_12\"", "client_secret = ${CLIENT_SECRET}", "\"secret_key\": \"<secret-key>\"", "secret_name = db-creds-2024", "\"secret_id\": \"app/prod/v2\"", "secretKeyRef: {name: db2, key: pw1}", "client_secret_basic", "token_endpoint_auth_method = client_secret_post", "app_secret: changeme", "secret_version = v12", "secret_key: !vault", "secret_key=os.environ['SK1']",
		"wpa2-pre-shared-key=<your key>", "authentication pre-share", "echo done > .vault_pass_status_ok", "echo $VAULT_PASS > .vault_pass", "cat x > .vault_pass", "echo \"$(openssl rand -hex 8)\" > .vault_pass", "private-key <(echo $KEY)", "--password-file <(pass show x)", "diff <(echo a) <(echo b)", "echo v1.2.3 > VERSION", "echo build42 > out.txt", "echo ok2 > password-reset-test.log", "--password-file /run/secrets/pw1",
		"pass the salt", "pass 1 done, pass 2 running", "PASS: TestFoo2", "pass --verbose=2", "pw reset done", "user anna / role admin2", "for the password see 1Password", "for the password put it in the vault", "type exit at the prompt", "type help2 at the prompt", "type `git status` at the prompt", "type Ctrl-C at the prompt", "redis:7.2 on host db1", "nginx:1.25 on port 8080", "root:root on host", "image:v2beta1 on node3",
		"passphrase = input()", "passphrase = getpass.getpass()", "passphrase: the words that you choose", "passphrase = None", "passphrase is not set", "passphrase = read from the keyring", "passphrase: required, at least four words", "the passphrase is a row of words", "passphrase = get_passphrase from config",
		"recovery key: stored in the safe", "FileVault is on", "BitLocker on C: is 100% done", "product key name: OFFICE-2021-PRO", "recovery plan DR-2024-Q3", "backup job nightly-full-prod-2", "backup ID: 2024-05-06-1200", "recovery point 2024-01-02-0304", "backup set DB01-FULL-MON1", "FileVault ticket INC-12345", "recovery is in progress-now", "BitLocker KB5012170 update", "backup code path src/backup/code", "emergency kit: print it",
	}
}

// made gives frame values of a program.
func (k maker) made(frame string) (text string, secrets []string) {
	chosen := k.strong()
	short := k.from(base62, 12+k.IntN(3))
	groups := k.any(groupSigns, 4) + "-" + k.any(groupSigns, 4) + "-" + k.any(groupSigns, 4) + "-" + k.any(groupSigns, 4) + "-" + k.any(groupSigns, 4) + "-" + k.any(groupSigns, 4)
	words := k.unheard() + " " + k.unheard() + " " + k.unheard() + " " + k.unheard()
	text = frame
	for mark, v := range map[string]string{"@@": chosen, "@S": short, "@G": groups, "@P": words} {
		if strings.Contains(frame, mark) {
			text = strings.ReplaceAll(text, mark, v)
			secrets = append(secrets, v)
		}
	}
	return text, secrets
}

const groupSigns = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"

// any returns n bytes of the alphabet.
func (k maker) any(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[k.IntN(len(alphabet))]
	}
	return string(b)
}

// unheard is a word that no language has.
func (k maker) unheard() string {
	v := ""
	for range 2 + k.IntN(2) {
		v += k.any("bdfgklmnprstvz", 1) + k.any("aeiou", 1)
	}
	return v + k.any("lnrst", 1)
}

// TestTongues: of each kind at least 95 % go whole. Run with -v for what was missed.
//
//ken:unraced
func TestTongues(t *testing.T) {
	t.Parallel()
	m := New([]byte("key"))
	found, all := 0, 0
	for kind, frames := range tongueFrames() {
		hit, n := 0, 0
		for seed := range uint64(6) {
			k := newMaker(9100 + seed)
			for _, frame := range frames {
				text, secrets := k.made(frame)
				out, _ := m.Mask(text)
				if again, _ := m.Mask(out); again != out {
					t.Errorf("masked twice: %q, then %q", out, again)
				}
				st := m.Stream()
				parts := ""
				for i := 0; i < len(text); i += 7 {
					parts += st.Write(text[i:min(len(text), i+7)])
				}
				if parts += st.Flush(); parts != out {
					t.Errorf("in a stream: %q, whole: %q", parts, out)
				}
				n++
				hit++
				for _, v := range secrets {
					if strings.Contains(out, v) {
						hit--
						t.Logf("%s: %q: %.160q", kind, frame, out)
						break
					}
				}
			}
		}
		found, all = found+hit, all+n
		t.Logf("== %-10s %5d of %5d found, %.1f %%", kind, hit, n, 100*float64(hit)/float64(n))
		if hit*100 < n*95 {
			t.Errorf("%s: %d of %d found, want 95 %%", kind, hit, n)
		}
	}
	t.Logf("== all %d of %d found, %.1f %%", found, all, 100*float64(found)/float64(all))
}

// TestTongueTalk: what is said of passwords in these languages, and code that gives no
// password, stays.
func TestTongueTalk(t *testing.T) {
	t.Parallel()
	m := New([]byte("key"))
	for _, text := range tongueTalk() {
		if out, hits := m.Mask(text); len(hits) > 0 {
			t.Errorf("Mask(%q) = %q", text, out)
		}
	}
}
