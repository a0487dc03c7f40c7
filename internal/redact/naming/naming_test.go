package naming

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ken/internal/redact/chars"
	"ken/internal/redact/packed"
)

// TestPacked: the packed table is what tongues.txt says, in lower case.
func TestPacked(t *testing.T) {
	t.Parallel()
	kinds := readTongues().kinds
	for w := range kinds {
		if w != strings.ToLower(w) {
			t.Errorf("%q is not in lower case", w)
		}
	}
	switch want := string(packed.MakeWords(kinds)); {
	case packedTongues == want:
	case os.Getenv("KEN_UPDATE") == "":
		t.Error("tongues.bin is not what tongues.txt says: KEN_UPDATE=1 go test -run Packed ./internal/redact/... writes it")
	default:
		if err := os.WriteFile("tongues.bin", []byte(want), 0o666); err != nil {
			t.Error(err)
		}
	}
}

func TestLevelOf(t *testing.T) {
	t.Parallel()
	for want, names := range map[level][]string{
		password: {
			"password", "PASSWORD", "DB_PASSWORD", "db.password", "rootPassword", "dbpassword", "MYSQL_PWD", "smtp-pass", "passwd", "Passwort", "passphrase", "SSH_PASSPHRASE", "contraseña", "senha",
			"Kennwort", "pw", "PGPASSWORD", "DB_PASSWORD_PROD", "password2", "userPwd", "WLAN-Passwort",
		},
		token:    {"token", "AUTH_TOKEN", "accessToken", "xsrfless_token", "npm_auth", "githubtoken", "bot-token-2"},
		apiKey:   {"api_key", "apiKey", "X-Api-Key", "APIKEY", "aws_secret_access_key", "PrivateKey", "AccountKey", "ENCRYPTION_KEY", "secret-key"},
		secret:   {"secret", "CLIENT_SECRET", "clientSecret", "appsecret"},
		anyKey:   {"key", "TILES_KEY", "someKey"},
		login:    {"credentials", "creds", "login"},
		noSecret: {"", "passenger", "tokenizer", "max_tokens", "next_page_token", "csrfToken", "public_key", "primaryKey", "monkey", "keyboard", "compass", "bypass", "secretary", "secretName", "password_file", "token_count", "author", "PWD", "OLDPWD", "passport", "key_id", "hostKey"},
	} {
		for _, name := range names {
			if got := levelOf(name, ""); got != want {
				t.Errorf("levelOf(%q) = %d, want %d", name, got, want)
			}
		}
	}
	for before, want := range map[string]level{"my API ": apiKey, "the public ": noSecret, "secret access ": apiKey, "the ": anyKey} {
		if got := levelOf("key", before); got != want {
			t.Errorf("levelOf(key) after %q = %d, want %d", before, got, want)
		}
	}
	if levelOf("passe", "le mot de ") != password || levelOf("passe", "il ") != noSecret {
		t.Error("mot de passe")
	}
}

// Every name that is known holds a stem, else it would never be read.
func TestStems(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"DB_PASSWORD", "MYSQL_PWD", "accessToken", "api_key", "CLIENT_SECRET", "creds", "credentials", "login", "npm_auth", "pw: x", "contraseña", "clave", "senha", "parola", "mdp", "Kennwort", "Passwort", "passphrase"} {
		if at, _ := stemIn(name, 0); at < 0 {
			t.Errorf("%q holds no stem", name)
		}
	}
}

// stemIn returns where the first stem stands in s from i on, and its end.
func stemIn(s string, i int) (int, int) {
	for ; i < len(s); i++ {
		for _, stem := range Stems() {
			if chars.HasPrefixFold(s[i:], stem) {
				return i, i + len(stem)
			}
		}
	}
	return -1, -1
}

// read returns the values that a Reader finds in s, with their kinds.
func read(s string) []string {
	r := NewReader(s)
	for i := 0; ; {
		at, end := stemIn(s, i)
		if at < 0 {
			break
		}
		r.Read(at, end)
		i = at + 1
	}
	out := []string{}
	for _, v := range r.Found {
		out = append(out, v.Kind+" "+s[v.Start:v.End])
	}
	return out
}

func TestRead(t *testing.T) {
	t.Parallel()
	for s, want := range map[string][]string{
		"":                                         {},
		"DB_PASSWORD=Kiwi!48 make":                 {"password Kiwi!48"},
		`{"password": "Ki\"wi48", "a": 1}`:         {`password Ki\"wi48`},
		"password: Kiwi48river # old":              {"password Kiwi48river"},
		"Password=Kiwi;48;Server=db":               {"password Kiwi;48"},
		"a?password=Kiwi48&b=2":                    {"password Kiwi48"},
		"(password=Kiwi48).":                       {"password Kiwi48"},
		"<password>Kiwi48</password>":              {"password Kiwi48"},
		"--token abcd1234efgh5678 -v":              {"token abcd1234efgh5678"},
		"the wifi password is Kiwi48.":             {"password Kiwi48"},
		"password: str = 'Kiwi48'":                 {"password Kiwi48"},
		`"password=" + Kiwi48 + ";"`:               {},
		"creds: bob:Kiwi!48":                       {"password Kiwi!48"},
		"--- PASS: TestKiwi48/a (0.00s)":           {},
		"PWD=/home/bob/Kiwi48":                     {},
		"password.length > 8":                      {},
		"my password is correct":                   {},
		"the passphrase is a b c d":                {},
		"passphrase is orbit cactus velvet elk":    {"passphrase orbit cactus velvet elk"},
		"pw: Kiwi48river and password: Elk99river": {"password Kiwi48river", "password Elk99river"},
	} {
		if diff := cmp.Diff(want, read(s)); diff != "" {
			t.Errorf("%q: %s", s, diff)
		}
	}
}

func TestReadCode(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"pin is 4821": "4821", "PIN: 4821.": "4821", "pin code: 482193": "482193", "door code is '4821'": "4821", "pin=4821": "4821",
		"pin 4821": "", "pin is 48": "", "pin is 123456789": "", "pin: 2014-12-18": "", "pin is 4821.5": "", "pin is up": "", "spin: 4821": "", "pin": "",
	} {
		r := NewReader(s)
		for _, c := range Codes() {
			for _, stem := range c.Stems {
				if i := strings.Index(strings.ToLower(s), stem); i >= 0 && len(r.Found) == 0 {
					r.ReadCode(c, i, i+len(stem))
				}
			}
		}
		got := ""
		for _, v := range r.Found {
			got += s[v.Start:v.End]
		}
		if got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func TestBareEnd(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"": "", "a b": "a", "a\tb": "a", `a"b`: "a", "a&b": "a&b", "a&b=c": "a", "a;": "a", "a;b": "a;b", "a,b:c": "a", "a).": "a", "{a}}": "{a}", `a\nb`: "a", "a%26b": "a%26b", "a%41": "a%41", "a<b": "a",
	} {
		if got := s[:BareEnd(s, 0)]; got != want {
			t.Errorf("BareEnd(%q) leaves %q, want %q", s, got, want)
		}
	}
}

// Open says from where on a text may go on with a value.
func TestOpen(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]int{
		"password='orbit cac":               len("password='"),
		"my passphrase is orbit cactus vel": len("my passphrase is "),
		"password=Kiwi48 ":                  len("password=Kiwi48 "),
		"nothing":                           len("nothing"),
	} {
		r := NewReader(s)
		if at, end := stemIn(s, 0); at >= 0 {
			r.Read(at, end)
		}
		if r.Open != want {
			t.Errorf("%q: open at %d, want %d", s, r.Open, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("DB_PASSWORD=Kiwi!48 make; the pin is 4821 and my api key is 'x'")
	f.Add(`{\"password\":\"x\"} password: str = "y" --token z`)
	f.Fuzz(func(t *testing.T, s string) {
		r := NewReader(s)
		for i := 0; ; {
			at, end := stemIn(s, i)
			if at < 0 {
				break
			}
			r.Read(at, end)
			i = at + 1
		}
		for _, c := range Codes() {
			for _, stem := range c.Stems {
				if i := strings.Index(s, stem); i >= 0 {
					r.ReadCode(c, i, i+len(stem))
				}
			}
		}
		for _, stem := range LoginStems() {
			if i := strings.Index(s, stem); i >= 0 {
				r.ReadLogin(i, i+len(stem))
			}
		}
		for _, stem := range IdeogramStems() {
			if i := strings.Index(s, stem); i >= 0 {
				r.ReadIdeogram(i, i+len(stem))
			}
		}
		for _, v := range r.Found {
			if v.Start < 0 || v.Start >= v.End || v.End > len(s) || v.Kind == "" {
				t.Errorf("%q: value %v", s, v)
			}
		}
		if r.Open < 0 || r.Open > len(s) {
			t.Errorf("%q: open at %d", s, r.Open)
		}
	})
}
