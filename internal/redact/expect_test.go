package redact

import (
	"strings"
	"testing"
)

// addExpected adds texts for each rule of the package expect.
func (k maker) addExpected(add adder) {
	made := k.run(uppers, 2) + k.run(lowers, 3) + k.number(3) + k.run(uppers, 2) + k.run(lowers, 2)
	code := "7" + k.number(4) + "3"
	add("expected", made, "Mia: which password did we set\nLeo: @@\n", "ពាក្យសម្ងាត់គឺ @@", "Nywila mpya ni @@")
	add("default", made, "key = os.getenv(\"APP_SECRET\", \"@@\")", "const t = process.env.API_TOKEN ?? \"@@\"")
	add("below", made, "# auth-user-pass\nbob\n@@\n")
	add("phrase of words", k.words(5), "Die Passphrase lautet: @@\n", "phrase secrète : @@\n")
	add("weak", made, "Koden til rummet er @@\n")
	add("opening", made, "you get in with @@ from now on\n")
	add("number", code, "Ihr Sicherheitscode lautet @@\n", "@@ is your security code\n", "您的验证码是@@\n")
	add("combination", "22-13-9"+k.pick("1", "2"), "The combination of the safe: @@. Turn right.\n")
	add("source", made, "sql.Open(\"mysql\", \"bob:@@@tcp(h:3306)/db\")")
	add("element", made, "<UserPassword encrypted=\"false\">@@</UserPassword>", "<Password><Value>@@</Value></Password>")
	add("argument", made, "new ApiClient(\"https://x.test\", \"bob\", \"@@\")", "WiFi.begin(ssid, \"@@\");")
	add("address", k.run(base62, 30)+k.number(2), "https://x.test/invite/@@", "https://feeds.x.test/private/@@/rss")
	add("block", made, "secret: >-\n  @@\nport: 1\n", "kind: Secret\nstringData:\n  relay: @@\n")
	add("keys", k.run(base62, 40)+k.number(3), "{\"kty\":\"OKP\",\"d\":\"@@\"}")
	add("shown", made, "$ gopass show -o web\n@@\n", "$ openssl rand -base64 9\n@@\n$ ls\n")
	add("typed", made, "page.fill(\"#password\", \"@@\")", "p.expect(\"assword:\")\np.sendline(\"@@\")\n")
	add("decoded", k.run(hexes, 60)+"7c0e", "aesKey := mustHex(\"@@\")")
	add("bytes", k.shaped("xbytes"), "uint8_t aes_key[16] = { @@ };")
	add("dump", k.shaped("xxd"), "$ xxd disk.key\n00000000: @@  ....\n")
	add("accounts", made, "# userlist.txt\n\"bob\" \"@@\"\n")
	add("slash", made, "Router ..... admin / @@\n")
	add("key of a network", made, "Netz kiwi, Schlüssel @@\n")
	add("pressed", code, "to open the gate you punch in @@\n")
	add("turns", "22 left, 13 right, 9"+k.pick("1", "2")+" left", "The safe opens with @@.\n")
	add("spelled", "copper "+k.run(lowers, 6)+" lantern", "The new password of the NAS is @@, spaces included.")
	add("then", made, "log in as marta and then @@", "type operator at the login and then @@.")
	add("reset", "Lantern-"+k.pick("Pond", "Hill")+"-"+k.number(2), "The account was locked, reset to @@.",
		"konto gesperrt, zurückgesetzt auf @@")
	add("question", k.pick("Otter", "Finch")+"worth", "security question, the answer is @@", "My secret answer for the bank is @@.")
	add("finish", code, "Use @@ to finish signing in.", "enter @@ to verify it is you")
	add("characters", "kettle-Marble"+k.number(3), "ks.load(in, \"@@\".toCharArray());")
	add("wallet key", "0x"+k.run(hexes, 60)+"7c0e", "sepolia: { url: RPC, accounts: ['@@'] }")
	add("ticket", k.run(capital, 4)+"7-"+k.run(capital, 4)+"4-"+k.run(capital, 5), "Steam key for Quest, redeem quick: @@\n")
	add("groups", grouped(k.run("bcdfgq", 16), " ", 4, 4, 4, 4), "the app password for mail -> @@ (May)")
	add("totp-secret", k.run(base32s, 12)+"Q7X5", "oathtool --totp -b @@")
	add("verb-of-key", "copper lantern "+k.number(4), "bitcoin-cli walletpassphrase \"@@\" 120")
	add("setting", k.run(hexes, 28)+"7c0e", "routing_key: @@\n")
	add("instead", made, "const jwtSecret = conf.a || '@@';")
	add("account key", k.run(hexes, 28)+"7c0e", "f('AC'+id, 1); f('AC"+k.run(hexes, 32)+"', '@@')")
	add("master", "Nine "+k.pick("otters", "kettles")+" always sing in "+k.pick("Rome", "Oslo", "Bonn"), "KeePass master: @@\n")
	add("printed", "kettle"+k.number(5), "    Key Content            : @@\n")
	add("braced", k.pick("Otter", "Finch")+"-on-Kettle", "add user * ops\nadd password * {@@}\n")
	add("relay", made, "[smtp.x.test]:587 bob@x.test:@@\n")
	add("pair", made, "try with bob:@@ as manager login\n")
	add("device", made, "tacacs server T1\n address ipv4 10.9.9.4\n key @@\n")
}

// shaped returns a secret of that shape: of those that people make, and of those that programs make.
func (k maker) shaped(shape string) string {
	name := func() string { return k.run("bdfgklmnprstvz", 1) + k.pick("a", "e", "i", "o", "u") }
	word := func() string {
		return k.pick("copper", "kettle", "lantern", "marble", "thistle", "walnut", "pepper", "anchor", "violet", "meadow", "saddle", "tunnel")
	}
	title := func(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
	digits := func(n int) string { return k.run("123456789", n) }
	salted := func(n int) string { return k.run(base62, n-4) + "a7Qx" }
	switch shape {
	case "phrase":
		return k.words(5)
	case "code6":
		return digits(6)
	case "joined":
		return word() + "-" + title(name()+name()+name())
	case "joined3":
		return word() + "-" + name() + name() + "-" + word()
	case "under":
		return word() + "_" + title(name()+name()) + digits(1)
	case "spaced":
		return word() + " " + name() + name() + name() + " " + digits(4)
	case "pairs":
		return word() + " " + name() + name() + name() + " " + word()
	case "word":
		return name() + name() + name() + name()
	case "camel":
		return name() + name() + title(name()+name()) + title(word())
	case "chain":
		return "0x" + k.run(hexes, 60) + "7c0e"
	case "licence":
		return grouped(k.run(capital, 5)+"7"+k.run(capital, 8)+"4"+k.run(capital, 10), "-", 5, 5, 5, 5, 5)
	case "fours":
		return k.run(lowers, 4) + " " + k.run(lowers, 4) + " " + k.run(lowers, 4) + " " + k.run("bcdfgq", 4)
	case "four4":
		return digits(4) + "-" + digits(4) + "-" + digits(4) + "-" + digits(4)
	case "dial":
		return digits(3) + "-" + digits(2) + "-" + digits(3)
	case "pad":
		return k.pick("A", "B", "K") + "3" + digits(3)
	case "b32x16", "b32x26":
		n := map[string]int{"b32x16": 16, "b32x26": 26}[shape]
		return k.run(base32s, n-4) + "Q7X5"
	case "code4":
		return k.pick("4", "5", "7") + digits(3)
	case "hex32", "hex40", "hex64":
		n := map[string]int{"hex32": 32, "hex40": 40, "hex64": 64}[shape]
		return k.run(hexes, n-4) + "7c0e"
	case "HEX32":
		return strings.ToUpper(k.run(hexes, 28)) + "7C0E"
	case "xbytes":
		return "0x" + grouped(strings.Repeat("7c", 1)+k.run(hexes, 30), ", 0x", 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2)
	case "xxd":
		return grouped(k.run(hexes, 32), " ", 4, 4, 4, 4, 4, 4, 4, 4)
	case "ovpn":
		return k.run(hexes, 32) + "\n" + k.run(hexes, 32)
	case "wgk":
		return k.run(base62, 40) + "a7Q="
	case "pair":
		return word() + " " + word()
	case "four":
		return k.words(4)
	case "hyph":
		return strings.ReplaceAll(k.words(5), " ", "-")
	case "name":
		return title(name() + name() + name() + name())
	case "lr":
		return digits(2) + " left, " + digits(2) + " right, " + digits(2) + " left"
	case "entry":
		return digits(4) + k.pick("A", "B", "C", "K")
	case "made":
		return k.run(uppers, 1) + digits(2) + k.run(uppers, 2) + "-" + k.run(uppers, 1) + digits(2) + k.run(uppers, 1) + digits(1)
	case "arabic", "persian", "hindi":
		zero := map[string]rune{"arabic": 0x660, "persian": 0x6f0, "hindi": 0x966}[shape]
		return strings.Map(func(c rune) rune { return zero + c - '0' }, digits(6))
	case "key32":
		return salted(32)
	case "key43":
		return salted(43)
	case "key68":
		return salted(68)
	case "key80":
		return salted(80)
	case "b64x44":
		return salted(43) + "="
	case "b64x80":
		return salted(80)
	case "b64x100":
		return "RWRC" + salted(100)
	case "n9":
		return "$9$" + salted(14) + "$" + salted(43)
	case "n9j":
		return "$9$" + salted(24)
	case "n5":
		return "$1$" + salted(8) + "$" + salted(22)
	case "n8":
		return "$6$" + salted(8) + "$" + salted(60)
	}
	switch k.IntN(5) {
	case 0:
		return k.run(uppers, 1) + k.run(lowers, 2) + digits(2) + k.run(uppers, 2) + k.run(lowers, 2) + digits(1) + k.run(uppers, 1)
	case 1:
		return k.run(lowers, 3) + "#" + digits(2) + k.run(uppers, 3) + "+" + k.run(lowers, 3)
	case 2:
		return name() + name() + name() + name() + digits(2)
	case 3:
		return word() + title(word()) + digits(2)
	}
	return title(name()+name()+name()) + k.pick("-", "_", "+") + "7" + digits(3)
}

// TestExpectedRecall measures what is found of the secrets of testdata/expected.txt.
func TestExpectedRecall(t *testing.T) {
	t.Parallel()
	checkRecall(t, "expected.txt", 8000)
}

// TestClosedRecall measures what is found of the secrets of testdata/closed.txt.
func TestClosedRecall(t *testing.T) {
	t.Parallel()
	checkRecall(t, "closed.txt", 8600)
}

// TestWideRecall measures what is found of the secrets of testdata/wide.txt.
func TestWideRecall(t *testing.T) {
	t.Parallel()
	checkRecall(t, "wide.txt", 8300)
}

// checkRecall checks that 95 % of the secrets of a list of testdata are found, made up with six seeds from the one given on.
func checkRecall(t *testing.T, list string, first uint64) {
	t.Helper()
	m := New([]byte("key"))
	found, all := 0, 0
	seen := map[string]bool{}
	for seed := range uint64(6) {
		f := &filler{maker: newMaker(first + seed)}
		for _, line := range page(t, list) {
			shape, frame, _ := strings.Cut(line, " ")
			secret := f.shaped(shape)
			text := strings.ReplaceAll(f.fill(frame), "@@", secret)
			all++
			if out, _ := m.Mask(text); !strings.Contains(out, secret) {
				found++
			} else if !seen[line] {
				seen[line] = true
				t.Logf("%q -> %.300q", text, out)
			}
		}
	}
	t.Logf("== %d of %d found, %.1f %%", found, all, 100*float64(found)/float64(all))
	if float64(found) < .95*float64(all) {
		t.Errorf("%d of %d found, want 95 %%", found, all)
	}
}

// TestIdleFalse measures what is masked on testdata/idle.txt, where nothing is secret.
func TestIdleFalse(t *testing.T) {
	t.Parallel()
	m := New([]byte("key"))
	wrong, all := 0, 0
	for seed := range uint64(3) {
		f := &filler{maker: newMaker(8400 + seed)}
		for _, line := range page(t, "idle.txt") {
			all++
			text := f.fill(line)
			if out, hits := m.Mask(text); len(hits) > 0 {
				wrong++
				t.Logf("%q -> %.300q", line, out)
			}
		}
	}
	t.Logf("== %d of %d masked, %.2f %%", wrong, all, 100*float64(wrong)/float64(all))
	if float64(wrong) > .01*float64(all) {
		t.Errorf("%d of %d masked, want at most 1 %%", wrong, all)
	}
}

// TestExpectedFalse measures what is masked on testdata/unexpected.txt, where nothing is
// secret.
func TestExpectedFalse(t *testing.T) {
	t.Parallel()
	m := New([]byte("key"))
	wrong, all := 0, 0
	for seed := range uint64(3) {
		f := &filler{maker: newMaker(8100 + seed)}
		for _, line := range page(t, "unexpected.txt") {
			all++
			if out, hits := m.Mask(f.fill(line)); len(hits) > 0 {
				wrong++
				t.Logf("%q -> %.300q", line, out)
			}
		}
	}
	t.Logf("== %d of %d masked, %.2f %%", wrong, all, 100*float64(wrong)/float64(all))
	if float64(wrong) > .01*float64(all) {
		t.Errorf("%d of %d masked, want at most 1 %%", wrong, all)
	}
}

// What Mask finds of testdata/expected.txt no Stream lets go that is fed by few bytes, and
// masked text stays as it is.
func TestExpectedStream(t *testing.T) {
	t.Parallel()
	m := New([]byte("key"))
	f := &filler{maker: newMaker(8200)}
	for _, line := range page(t, "expected.txt") {
		shape, frame, _ := strings.Cut(line, " ")
		secret := f.shaped(shape)
		text := strings.Replace(f.fill(frame), "@@", secret, 1)
		want, hits := m.Mask(text)
		if again, more := m.Mask(want); again != want || len(more) > 0 {
			t.Errorf("masked again: %q -> %q", want, again)
		}
		if len(hits) == 0 || strings.Contains(want, secret) || strings.Contains(text, "  # ") {
			continue // what a remark behind a value says comes too late for a Stream
		}
		for _, size := range []int{1, 5} {
			var chunks []string
			for i := 0; i < len(text); i += size {
				chunks = append(chunks, text[i:min(len(text), i+size)])
			}
			if got := streamed(m, chunks...); strings.Contains(got, secret) {
				t.Errorf("in pieces of %d: %q\n got %q\nwant %q", size, text, got, want)
			}
		}
	}
}

// run returns n bytes of alphabet, drawn without regard to what they look like.
func (k maker) run(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[k.IntN(len(alphabet))]
	}
	return string(b)
}
