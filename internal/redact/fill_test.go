package redact

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/big"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ken/internal/redact/chars"
)

// A filler makes up what stands between < and > on the pages of testdata. Unlike
// maker.from it does not ask the rules whether the text looks drawn at random.
type filler struct {
	maker
	words []string // of a wallet, still to be given one by one
}

var blanks = regexp.MustCompile(`<(?:(an|al|url|hex|HEX|d|up|lo|any|bech|x|b64:|b58:|b32:|bytes64:)(\d+)|(uuid|wg|sig|basic|pw64|ssn|ssnplain|b32sp|cardamex|wif|pem64|bip12|bip24|bip1)|(cardsp|carddash|card|ibansp|iban):(\w+)(?::(\d+))?)>`)

func (f *filler) fill(line string) string {
	f.words = nil
	return blanks.ReplaceAllStringFunc(strings.ReplaceAll(line, "⏎", "\n"), func(blank string) string {
		m := blanks.FindStringSubmatch(blank)
		switch {
		case m[1] != "":
			n, _ := strconv.Atoi(m[2])
			return f.drawn(m[1], n)
		case m[3] != "":
			return f.made(m[3])
		}
		return f.checked(m[4], m[5], m[6])
	})
}

// any returns n bytes of the alphabet, the first and the last a letter or digit if it has any.
func (f *filler) any(alphabet string, n int) string {
	for {
		b := make([]byte, n)
		for i := range b {
			b[i] = alphabet[f.IntN(len(alphabet))]
		}
		if chars.IsAlnum(b[0]) && chars.IsAlnum(b[n-1]) {
			return string(b)
		}
	}
}

func (f *filler) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(f.IntN(256))
	}
	return b
}

func (f *filler) drawn(name string, n int) string {
	alphabets := map[string]string{
		"an": base62, "al": lowers + uppers, "url": url64, "hex": hexes, "HEX": digits + "ABCDEF", "d": digits,
		"up": capital, "lo": lowers + digits, "any": lowers + digits + "!@#$%^&*(-_=+)", "x": "x", "bech": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
		"b64:": std64, "b58:": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", "b32:": base32s,
	}
	if name == "bytes64:" {
		return base64.StdEncoding.EncodeToString(f.bytes(n))
	}
	return f.any(alphabets[name], n)
}

func (f *filler) made(name string) string {
	switch name {
	case "uuid":
		return grouped(hex.EncodeToString(f.bytes(16)), "-", 8, 4, 4, 4, 12)
	case "wg":
		return base64.StdEncoding.EncodeToString(f.bytes(32))
	case "sig":
		return url.QueryEscape(base64.StdEncoding.EncodeToString(f.bytes(32)))
	case "basic":
		return base64.StdEncoding.EncodeToString([]byte("bob:" + f.chosen()))
	case "pw64":
		return base64.StdEncoding.EncodeToString([]byte(f.chosen()))
	case "ssn", "ssnplain":
		n := fmt.Sprintf("%03d-%02d-%04d", 1+f.IntN(665), 1+f.IntN(99), 1+f.IntN(9999))
		if name == "ssnplain" {
			n = strings.ReplaceAll(n, "-", "")
		}
		return n
	case "b32sp":
		return strings.ToLower(grouped(f.any(base32s, 32), " ", 4, 4, 4, 4, 4, 4, 4, 4))
	case "cardamex":
		return grouped(f.card("37", 15), " ", 4, 6, 5)
	case "wif":
		return walletKey(f.bytes(32))
	case "pem64":
		return base64.StdEncoding.EncodeToString([]byte(f.pem(f.pick("RSA PRIVATE KEY", "PRIVATE KEY", "EC PRIVATE KEY"), 4)))
	case "bip12":
		return f.mnemonic(12)
	case "bip24":
		return f.mnemonic(24)
	}
	if len(f.words) == 0 {
		f.words = strings.Fields(f.mnemonic(24))
	}
	word := f.words[0]
	f.words = f.words[1:]
	return word
}

// walletKey writes a private key as wallets export it.
func walletKey(key []byte) string {
	b := append([]byte{0x80}, key...)
	b = append(b, 1)
	once := sha256.Sum256(b)
	twice := sha256.Sum256(once[:])
	n, rest := new(big.Int).SetBytes(append(b, twice[:4]...)), new(big.Int)
	var out []byte
	for n.Sign() > 0 {
		n.DivMod(n, big.NewInt(58), rest)
		out = append(out, "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"[rest.Int64()])
	}
	slices.Reverse(out)
	return string(out)
}

func (f *filler) checked(name, head, length string) string {
	switch name {
	case "card":
		n, _ := strconv.Atoi(length)
		return f.card(head, n)
	case "cardsp":
		return grouped(f.card(head, 16), " ", 4, 4, 4, 4)
	case "carddash":
		if head == "5" {
			head = "54"
		}
		return grouped(f.card(head, 16), "-", 4, 4, 4, 4)
	}
	n := f.ibanOf(head)
	if name == "iban" {
		return n
	}
	var b strings.Builder
	for i := range n {
		if i > 0 && i%4 == 0 {
			b.WriteByte(' ')
		}
		b.WriteByte(n[i])
	}
	return b.String()
}

// A span is where a secret stands in a text.
type span struct{ start, end int }

// A leak is a text of the page of secrets, filled.
type leak struct {
	class, frame, text string
	secrets            []span
}

// page returns the lines of a page of testdata, without remarks.
func page(t testing.TB, name string) []string {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.SplitSeq(strings.TrimSuffix(string(b), "\n"), "\n") {
		if line != "" && !strings.HasPrefix(line, "# ") {
			lines = append(lines, line)
		}
	}
	return lines
}

// leaks returns the texts of the page of secrets, filled from a seed.
func leaks(t testing.TB, seed uint64) []leak {
	t.Helper()
	f := &filler{maker: newMaker(seed)}
	var all []leak
	for _, line := range page(t, "secrets.txt") {
		class, frame, _ := strings.Cut(line, " ")
		l := leak{class: class, frame: frame}
		var b strings.Builder
		for rest := f.fill(frame); ; {
			before, after, ok := strings.Cut(rest, "«")
			b.WriteString(before)
			if !ok {
				break
			}
			secret, after, ok := strings.Cut(after, "»")
			if !ok {
				t.Fatalf("no end of a secret: %s", line)
			}
			l.secrets = append(l.secrets, span{b.Len(), b.Len() + len(secret)})
			b.WriteString(secret)
			rest = after
		}
		if len(l.secrets) == 0 {
			t.Fatalf("no secret: %s", line)
		}
		l.text = b.String()
		all = append(all, l)
	}
	return all
}

// covered returns how many bytes of the span are in hits.
func (s span) covered(hits []Hit) int {
	n := 0
	for _, h := range hits {
		n += max(0, min(s.end, h.End)-max(s.start, h.Start))
	}
	return n
}
