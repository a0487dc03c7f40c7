package redact

import (
	"strconv"
	"strings"
	"testing"
)

// given makes what people take for a secret, by the name of its shape.
func (k maker) given(shape string) string {
	word := func() string {
		return k.pick("otter", "lantern", "pickle", "marble", "thistle", "walnut", "saddle", "violet")
	}
	title := func() string { w := word(); return strings.ToUpper(w[:1]) + w[1:] }
	digits := func(n int) string { return k.run("3456789", n) }
	switch shape {
	case "hyphens":
		return word() + "-" + word() + "-" + digits(2)
	case "correct":
		return "correct-" + word() + "-" + word() + "-" + digits(4) + "-staple"
	case "dots":
		return title() + "." + title() + "." + digits(1)
	case "dotted":
		return word() + "." + title() + "." + digits(1)
	case "tail":
		return k.pick("uncle19", "tomato19", "plums-of-kent-") + digits(2)
	case "beyond":
		return "Chuồn-" + k.pick("Lá", "Đỏ", "Sẻ") + "-" + digits(1) + "x"
	case "digits8":
		return digits(8)
	case "code5":
		return "7" + digits(4)
	case "bell":
		return digits(2) + "#" + digits(4)
	case "lower30":
		return k.run("bcdfgkmqz3456789", 20) + "7a8b9cq2z5"
	case "bytes64":
		list := make([]string, 64)
		for i := range list {
			list[i] = strconv.Itoa(k.IntN(256))
		}
		return "[" + strings.Join(list, ",") + "]"
	case "words12":
		return "bison cactus dauphin effort fusil girafe hibou ivoire jongler koala " + k.pick("lézard", "loutre") + " moteur"
	case "spaced":
		return word() + " and " + word()
	case "leet":
		return k.pick("m0th", "gl4ss", "st4r") + digits(1) + "r-of-" + title()
	case "title":
		return word() + "-ship-" + title()
	case "upper40":
		return k.run(base62, 37) + "a7Q"
	case "fours":
		return grouped(k.run("bcdfgkmq", 32), " ", 4, 4, 4, 4, 4, 4, 4, 4)
	case "k10":
		return "K10" + k.run(hexes, 60) + "7c0e"
	case "hex32":
		return k.run(hexes, 28) + "7c0e"
	case "uuid":
		return grouped(k.run(hexes, 32), "-", 8, 4, 4, 4, 12)
	case "dotted3":
		return word() + ".on." + word()
	case "mixed3":
		return title() + "-" + word() + "-" + title()
	case "under61":
		return word() + title() + "_" + digits(2)
	case "quoted":
		return word() + " " + word() + " " + digits(2)
	case "snow":
		return title() + " og " + word()
	case "long35":
		return "pP" + k.run(base62, 31) + "3q8"
	case "plainwords":
		return word() + digits(2)
	case "dashes":
		return "2" + digits(1) + " – 0" + digits(1) + " – 4" + digits(1)
	case "hash4":
		return digits(4) + "#"
	case "flat":
		return "34К" + digits(4)
	case "seed12":
		return k.words(12)
	case "bytes16":
		list := make([]string, 16)
		for i := range list {
			list[i] = strconv.Itoa((i*73 + 17 + k.IntN(40)) % 256)
		}
		return strings.Join(list, ", ")
	case "chain":
		return k.pick("Demo-", "Test-", "Copper-", "Sample-") + title() + "-" + digits(2)
	case "pair":
		return title() + "." + title()
	case "plain":
		return k.pick("thimble", "walrus", "gherkin") + k.pick("hut", "bay")
	case "capital":
		return title()
	case "capital2":
		return title()[:5] + digits(2)
	case "three":
		return word() + " of " + word() + "s"
	case "under2":
		return word() + "_" + word()
	case "sign2":
		return title() + "&" + title()
	case "turns":
		return "1" + digits(1) + "-4" + digits(1) + "-9" + digits(1)
	case "digits16":
		return digits(16)
	case "code4":
		return "7" + digits(3)
	case "flips":
		return k.pick("QzTb", "KwBm") + "WmLrXyPd" + k.pick("KcVsNhGf", "RtYuHjZx") + "Jq"
	case "mixed2":
		return "Bk!" + digits(4) + "-" + word()
	case "fours2":
		return digits(4) + " " + digits(4)
	case "dotcell":
		return title() + ".after" + word()
	case "bird":
		return k.pick("Goldfinch", "Lapwing", "Kingfisher", "Nuthatch")
	case "plain2":
		return word() + word()
	case "ticket2":
		return "K7MN-2" + digits(1) + "QP"
	case "escapes":
		var b strings.Builder
		for range 24 {
			b.WriteString("\\x" + k.run(hexes, 2))
		}
		return b.String()
	case "groups":
		return grouped(k.run(capital, 11)+"7"+k.run(capital, 8)+"4"+k.run(capital, 4), "-", 5, 5, 5, 5, 5)
	}
	panic(shape)
}

// checkGiven checks that m masks all of secret where "@@" stands in frame, whole and in pieces, and nothing in what comes of it.
func checkGiven(t *testing.T, m *Masker, secret, frame string) {
	t.Helper()
	text := strings.ReplaceAll(frame, "@@", secret)
	out, hits := m.Mask(text)
	for at := 0; ; {
		k := strings.Index(text[at:], secret)
		if k < 0 {
			break
		}
		at += k + len(secret)
		if n := (span{at - len(secret), at}).covered(hits); n < len(secret) {
			t.Errorf("%d of %d bytes left: %q -> %q", len(secret)-n, len(secret), text, out)
		}
	}
	if again, _ := m.Mask(out); again != out {
		t.Errorf("masked again: %q -> %q", out, again)
	}
	for _, size := range []int{1, 5} {
		var chunks []string
		for i := 0; i < len(text); i += size {
			chunks = append(chunks, text[i:min(len(text), i+size)])
		}
		if got := streamed(m, chunks...); strings.Contains(got, secret) {
			t.Errorf("in pieces of %d: %q", size, got)
		}
	}
}

// What stands where a secret is given is masked, though it is words; the text beside it, where nothing is given, stays.
func TestGiven(t *testing.T) {
	t.Parallel()
	m := New([]byte("key"))
	k := newMaker(8700)
	for _, c := range []struct{ shape, text string }{
		{"hyphens", "SECRET = \"@@\"\ntoken = jwt.encode({\"sub\": uid}, SECRET, algorithm=\"HS256\")"},
		{"hyphens", "const SESSION_SECRET = '@@';"},
		{"correct", "declare -x JWT_SECRET=\"@@\"\ndeclare -x PORT=\"8080\""},
		{"dots", "utente=magazzino\nparola_chiave=@@"},
		{"upper40", "lagring: s3\nnyckel-hemlig: @@\nbucket: arkiv"},
		{"upper40", "chiave_segreta = @@\n"},
		{"upper40", "账号: kehu01\n密钥: @@\n"},
		{"upper40", "секретный ключ: @@\n"},
		{"upper40", "export VAULT_UNSEAL=@@; vault operator unseal $VAULT_UNSEAL"},
		{"dotted", "command: [\"--requirepass\", \"@@\", \"--appendonly\", \"yes\"]"},
		{"hyphens", "args: ['--password', '@@']"},
		{"tail", "if (req.query.pw !== '@@') return res.status(403).end();"},
		{"tail", "if password != \"@@\":\n    sys.exit(1)"},
		{"tail", "Fritzbox: Kennwort @@, steht auch auf der Rückseite"},
		{"tail", "guest net, pw @@"},
		{"tail", "Réseau du gîte, mot de passe @@"},
		{"hyphens", "[14:02] priya: what's the zip password\n[14:02] dan: @@\n[14:03] priya: works"},
		{"hyphens", "<mia> welches Passwort hat das Archiv\n<leo> @@"},
		{"leet", "$ kubectl get secret db -o jsonpath='{.data.pw}' | base64 -d\n@@-3-x\n"},
		{"hyphens", "cat ~/.vault_pass.txt\n@@"},
		{"hex32", "app | Please use the following password to proceed:\napp |\napp | @@\napp |"},
		{"title", "# pgbouncer/userlist.txt\n\"orders_rw\" \"@@\""},
		{"fours", "Can't scan the barcode? Enter this setup key instead: @@"},
		{"k10", "k3s agent joins with @@::server:x"},
		{"uuid", "You: yes the deepl one, @@:fx, use it"},
		{"beyond", "mật khẩu máy chủ là @@ nhé, user ubuntu"},
		{"digits8", "PUK for the spare phone @@ (ten tries)"},
		{"upper40", "短信密钥: @@\n"},
		{"lower30", "Pushover\napp token @@\n"},
		{"title", "rouser monitor\ncreateUser monitor SHA \"@@\" AES"},
		{"title", "createUser monitor MD5 \"@@\" DES"},
		{"bytes64", "$ solana-keygen new -o id.json && cat id.json\n@@\n"},
		{"bytes64", "const payer = Keypair.fromSecretKey(Uint8Array.from(@@))"},
		{"words12", "phrase de récupération du portefeuille :\n@@\n"},
		{"bell", "domofon: kod @@, trzecie piętro"},
		{"code5", "jo: the door at the studio wants a code??\nkit: press star then @@ then hash"},
		{"leet", "<mira> nickserv identify @@-3\n<mira> oh no"},
		{"spaced", "PRAGMA key = '@@';\n-- sqlcipher"},
		{"title", "127.0.0.1:6379> AUTH @@\nOK"},
		{"dotted3", "PGPASSWORD=@@ psql -h db1 -U app -c 'select 1'"},
		{"dotted3", "# /etc/samba/cred\nusername=bob\npassword=@@\ndomain=HOME"},
		{"under61", "client aps {\n    ipaddr = 10.9.0.0/24\n    secret = @@\n}"},
		{"mixed3", "#define OTA_PASSWORD \"@@\""},
		{"quoted", "the zip is encrypted, passphrase \"@@\""},
		{"snow", "Passordet til ruteren på hytta: @@"},
		{"hyphens", "wifi upstairs: SSID kiwi_5G, pass is @@-dance"},
		{"long35", "clave_api: @@   # no subir"},
		{"long35", "je te remets le jeton de l'API : @@ merci"},
		{"plainwords", "    Key Content            : @@"},
		{"mixed3", "add user * netops\nadd password * {@@}"},
		{"plainwords", "# select email, plain_pw from u;\n      email      |  plain_pw\n-----------------+----------\n a@x.no | @@\n(1 row)"},
		{"upper40", "$ terraform output -raw rds_password\n=@@"},
		{"mixed3", "$ pass show mail/x\nBx3:@@\nlogin: kim@x.test"},
		{"upper40", "wrote /etc/postfix/sasl_passwd\n   [smtp.x.test]:587 bob@x.test:@@"},
		{"dashes", "Tresor Büro, Zahlenkombination @@, zweimal links"},
		{"digits8", "SIM card new phone\nPIN1 @@"},
		{"hash4", "## Garage door keypad\ncode @@, new since March"},
		{"flat", "код от домофона @@, второй подъезд"},
		{"code5", "Alarm panel arm/disarm code = @@ (duress adds 1)"},
		{"code5", "Kassaskåp kontoret: kod @@ – fråga Maja"},
		{"seed12", "frase de recuperación de la cartera, no perder: @@"},
		{"bytes16", "advanced:\n  network_key: [@@]"},
		{"plainwords", "try again with deploy:Rk4@@ as manager login"},
		{"hex32", "[WARN] deprecated key api_token (value \"@@\") - use apiToken"},
		{"mixed3", "usuário carla.m, senha provisória @@"},
		{"groups", "slmgr /ipk @@ && slmgr /ato"},
		{"groups", "Licence for Paste 4\nName: Tess Lang\nKey: @@"},
	} {
		checkGiven(t, m, k.given(c.shape), c.text)
	}
	for _, text := range []string{
		"-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
		"key: \"-----BEGIN RSA PRIVATE KEY-----\\n...\\n-----END RSA PRIVATE KEY-----\"",
		"SECRET = \"your-secret-key-123\"",
		"JWT_SECRET=\"change-this-in-prod-123\"",
		"secretName: orders-db-2",
		"imagePullSecrets: [regcred-2]",
		"parola_chiave=${PAROLA}",
		"nyckel: primary",
		"密钥: 见保险箱",
		"ключ: значение",
		"command: [\"--appendonly\", \"yes-please-2\"]",
		"command: [\"--requirepass\", \"$REDIS_PASSWORD\"]",
		"if (password !== 'undefined') return",
		"if (pw != confirm2) return",
		"if password != \"\":",
		"Kennwort vergessen2024? Nein.",
		"the password option, base64 or sha256",
		"[14:02] ann: what's the password policy\n[14:02] dan: read-only",
		"ann: what's for lunch\ndan: soup-and-bread-2",
		"$ echo aGk= | base64 -d\nhello-world-2",
		"$ cat notes.txt\nrelease-notes-12",
		"$ cat /etc/hostname\nweb-prod-12",
		"app | Listening\napp | done",
		"# fruit.txt\n\"apple_green\" \"pear-Ship-2\"",
		"Enter this word list: wild bird song",
		"enter the key: open road",
		"K10 is a street in town",
		"id 0a1b2c3d-1111-4222-8333-444455556666:fy",
		"PUK for the spare phone is on the card",
		"the puck has 12345678 fans",
		"app token expired",
		"createUser monitor SHA \"AES\"",
		"ssh-keygen -t ed25519\n[1, 2, 3]",
		"keypair [" + strings.Repeat("1, ", 40) + "2]",
		"phrase de recherche :\nle chat est dans la maison et il dort bien au chaud",
		"apartment 12#4075 has a kitchen",
		"ann: which shop??\nbob: press star then 59172 then hash",
		"the birds that we identify by ear",
		"PRAGMA key_count = 'many';",
		"127.0.0.1:6379> AUTH\n(error)",
		"PRAGMA journal_mode = 'wal';",
		"licence for the car is MIT",
		"password=settings.mail.word\nusername=settings.mail.user",
		"PASSWORD=config.mail.value",
		"server = 10.0.0.1\nsecret = marbleOtter",
		"#define PASSWORD_LABEL \"Your password\"",
		"#define OTA_PASSWORD \"required\"",
		"the password \"must be changed\" soon",
		"Passwort für das WLAN: siehe Aushang",
		"Password for the router: Ask the reception desk",
		"KeePass master: version",
		"the pass is state-of-the-art",
		"jeton de l'API : voir le coffre",
		"Key Content : ${KEY}",
		"add password * <password>",
		"$ terraform output -raw rds_host\ndb-1.x.test",
		"$ pass show mail\nmail",
		"[smtp.x.test]:587 user",
		"Chapters 31 – 08 – 66 of the book",
		"error code 8035, new since March",
		"code = 59027",
		"network_key: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]",
		"log in with localhost:8080 or with nginx:1.25",
		"https://<username>:<token>@github.com/<org>/<repo>.git",
		"The combination 10 - 20 - 30 of colours",
		"add password *.lab {password}",
		"KeePass master: Release notes follow",
		"deprecated key api_token (value \"string\")",
		"jdbc.password=@jdbc.password@",
		"- Fixed: the PIN dialog lost focus on Wayland (#4417)",
		"- Login: passkeys are now offered before the password form\n- API: tokens can be limited to single projects",
		"frase de hoy: el gato duerme en casa y no quiere salir porque llueve mucho",
		"mật khẩu là gì",
		"mật khẩu là chuỗi dài tối-thiểu tám ký tự",
	} {
		if out, hits := m.Mask(text); len(hits) > 0 {
			t.Errorf("masked: %q -> %q", text, out)
		}
	}
}
