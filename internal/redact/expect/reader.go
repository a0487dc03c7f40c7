package expect

import (
	"strings"

	"ken/internal/redact/chars"
)

// A Value is a secret that was expected where it stands.
type Value struct {
	// Kind is "password", "passphrase", "one-time-code", "secret", "token" or "private-key".
	Kind string
	// Start and End are byte offsets into the text.
	Start, End int
}

// A Reader reads one text, from its start to its end.
type Reader struct {
	text string
	// Found are the values found so far, in the order of their markers.
	Found []Value
	// Open is where the first piece of text begins that may turn out to be part of a
	// secret when more text follows; the length of the text if there is none.
	Open int
	// lineDone and addressDone are the ends of the last line and address read, so that a
	// text of nothing but markers does not cost quadratic time.
	lineDone, addressDone, blockDone, fallbackDone, turnsDone int
	columnDone, columnAt                                      int  // the end of the last table read, and which of its columns
	single                                                    bool // the command that was read last prints one secret and nothing else
	markerAt                                                  int  // of the last marker read, and 1
	// What the line at saidLine, in lower case, has parts of: see says.
	said     kind
	saidLine int
	saidText string // "" if none was read
}

// NewReader returns a Reader of text.
func NewReader(text string) *Reader { return &Reader{text: text, Open: len(text)} }

func (r *Reader) add(kind string, start, end int) {
	if start < end && !(kind == "password" && chars.Thing(r.text[start:end]).IsFamous(r.text, start)) {
		r.Found = append(r.Found, Value{kind, start, end})
	}
}

func (r *Reader) hold(at int) { r.Open = min(r.Open, at) }

// A Rule says where a Reader is to look: Read is called with the offsets of an anchor of
// Anchors (in lower case, three bytes at least) in its text.
type Rule struct {
	Name    string
	Anchors func() []string // what a program that masks has packed, so that it never calls this
	Read    func(r *Reader, at, end int)
}

// Rules lists them.
func Rules() []Rule {
	of := func(kinds kind) func() []string { return func() []string { return anchorsOf(kinds) } }
	list := func(anchors ...string) func() []string { return func() []string { return anchors } }
	return []Rule{
		{"expected", of(aNoun | aWord), (*Reader).readNoun},
		{"default", of(aName), (*Reader).readName},
		{"below", of(aBelow), (*Reader).readBelow},
		{"phrase of words", of(aPhrase), (*Reader).readPhrase},
		{"weak", of(aWeak), (*Reader).readWeak},
		{"setting", of(aSetting), (*Reader).readSetting},
		{"instead", list("?? ", "|| ", "?: "), (*Reader).readInstead},
		{"account key", list("'ac", "\"ac"), (*Reader).readSID},
		{"shown", of(aShown), (*Reader).readShown},
		{"typed", of(aTyped), (*Reader).readTyped},
		{"decoded", of(aDecode), (*Reader).readDecoded},
		{"bytes", list("key", "secret", "psk"), (*Reader).readBytes},
		{"dump", list("00000000"), (*Reader).readDump},
		{"accounts", list("userlist", "-secrets", ".secrets", "htpasswd", "user-pass", "logins", "accounts", "credentials",
			"creds"), (*Reader).readList},
		{"slash", list(" / ", " -> ", " => ", " → "), (*Reader).readSlash},
		{"key of a network", of(aNetkey), (*Reader).readNetworkKey},
		{"pressed", of(aPress), (*Reader).readPress},
		{"turns", func() []string {
			return append(anchorsOf(aTurn|aLock), "safe", "vault", "tresor", "coffre", "caja fuerte", "cofre", "cassaforte", "kluis", "сейф")
		}, (*Reader).readTurns},
		{"opening", of(aDoor), (*Reader).readDoor},
		{"then", of(aThen), (*Reader).readThen},
		{"reset", of(aReset), (*Reader).readReset},
		{"question", of(aQuestion), (*Reader).readQuestion},
		{"number", of(aCode), (*Reader).readCode},
		{"element", list("pass", "pwd", "secret", "token", "key", "credential", "kennwort"), (*Reader).readElement},
		{"argument", calls, (*Reader).readCall},
		{"spelled", of(aSpelled), (*Reader).readSpelled},
		{"characters", list("\".tochararray()"), (*Reader).readCharacters},
		{"wallet key", list("accounts", "privatekey", "private_key", "deployer", "wallet("), (*Reader).readWalletKey},
		{"finish", of(aFinish), (*Reader).readSignIn},
		{"ticket", of(aTicket), (*Reader).readTicket},
		{"groups", of(aGroups), (*Reader).readGroups},
		{"combination", of(aLock), (*Reader).readCombination},
		{"master", list("keepass", "keepassxc", "bitwarden", "1password", "lastpass", "veracrypt"), (*Reader).readMaster},
		{"printed", list("key content", "schlüsselinhalt", "contenu de la clé", "contenido de la clave"), (*Reader).readPrinted},
		{"braced", list("add password"), (*Reader).readBraced},
		{"relay", list("]:587 ", "]:465 ", "]:25 ", "]:2525 "), (*Reader).readRelay},
		{"pair", list("login", "log in", "sign in", "credentials", "anmeld"), (*Reader).readPair},
		{"source", list("@tcp(", "@unix("), (*Reader).readSource},
		{"address", list("://"), (*Reader).readAddress},
		{"block", list(
			"secret: ", "token: ", "key: ", "pass: ", "password: ", "passphrase: ", "pwd: ", "kind: secret",
			"\"kind\": \"secret\"", "chpasswd", "login:", "auth:", "credentials:"), (*Reader).readBlock},
		{
			"keys",
			list("\"kty\"", "secret key\n", "secret key\r", "auth plain ", "auth login", "wif", "wallet", "private key", "nral",
				"k10", ":fx", "> auth ",
				" sha \"", " md5 \""),
			(*Reader).readKey,
		},
		{"device", list(
			"key ", "secret ", "password ", "community ", "psksecret ", "passwd ", " md5 ", "authentication ", "psk ",
			" ascii ",
			" local ", "rootpw "), (*Reader).readDevice},
	}
}

// lineBounds returns where the line of s[i] begins and ends, at most limit bytes away.
func lineBounds(s string, i, limit int) (int, int) {
	from := max(0, i-limit)
	return from + strings.LastIndexByte(s[from:i], '\n') + 1, chars.LineEnd(s, i, limit)
}
