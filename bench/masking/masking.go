package masking

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ken/internal/redact"
)

// A Case is one text of a corpus. One without a secret is there to be left
// alone.
type Case struct {
	Kind   string
	Text   []byte
	Secret []byte // the bytes of Text that must go; empty: none
}

// Read reads a corpus: a file, or all *.jsonl of a directory.
func Read(path string) ([]Case, error) {
	var all []Case
	err := filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || file != path && filepath.Ext(file) != ".jsonl" {
			return err
		}
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		defer f.Close()
		cases, err := read(f)
		if err != nil {
			return fmt.Errorf("corpus %s: %w", file, err)
		}
		all = append(all, cases...)
		return nil
	})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("corpus %s: no text in it", path)
	}
	return all, err
}

func read(r io.Reader) ([]Case, error) {
	var all []Case
	in := bufio.NewScanner(r)
	in.Buffer(nil, 16<<20)
	for n := 1; in.Scan(); n++ {
		var l struct {
			Label  string `json:"label"`
			Kind   string `json:"kind"`
			Text   []byte `json:"text_b64"`
			Secret []byte `json:"secret_b64"`
		}
		err := json.Unmarshal(in.Bytes(), &l)
		secret := len(l.Secret) > 0
		switch {
		case err != nil:
		case l.Label != "secret" && l.Label != "benign":
			err = fmt.Errorf("label %q: must be secret or benign", l.Label)
		case len(l.Text) == 0:
			err = errors.New("no text_b64")
		case secret != (l.Label == "secret"):
			err = errors.New("a secret has a secret_b64, and nothing else has one")
		case secret && !strings.Contains(string(l.Text), string(l.Secret)):
			err = errors.New("the secret does not stand in the text")
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		all = append(all, Case{l.Kind, l.Text, l.Secret})
	}
	return all, in.Err()
}

// A Row counts the cases of one kind.
type Row struct {
	Kind   string
	Secret bool
	Cases  int
	Found  int // secrets of which at least a byte was masked
	Gone   int // secrets of which no byte is left
	False  int // cases in which something was masked that is no part of the secret
}

// Judge masks every case and counts by kind: secrets first, then what is none,
// each in the order of their names.
func Judge(mask func(string) (string, []redact.Hit), cases []Case) []Row {
	type key struct {
		kind   string
		secret bool
	}
	rows := map[key]*Row{}
	for _, c := range cases {
		k := key{c.Kind, len(c.Secret) > 0}
		if rows[k] == nil {
			rows[k] = &Row{Kind: k.kind, Secret: k.secret}
		}
		judge(rows[k], mask, c)
	}
	var out []Row
	for _, r := range rows {
		out = append(out, *r)
	}
	slices.SortFunc(out, func(a, b Row) int {
		switch {
		case a.Secret == b.Secret:
			return cmp.Compare(a.Kind, b.Kind)
		case a.Secret:
			return -1
		}
		return 1
	})
	return out
}

func judge(row *Row, mask func(string) (string, []redact.Hit), c Case) {
	text, secret := string(c.Text), string(c.Secret)
	isSecret := make([]bool, len(text)) // byte by byte
	for at := 0; secret != ""; at += len(secret) {
		i := strings.Index(text[at:], secret)
		if i < 0 {
			break
		}
		at += i
		for j := range len(secret) {
			isSecret[at+j] = true
		}
	}
	_, hits := mask(text)
	masked := make([]bool, len(text))
	apart := false
	for _, h := range hits {
		apart = apart || !slices.Contains(isSecret[h.Start:h.End], true)
		for i := h.Start; i < h.End; i++ {
			masked[i] = true
		}
	}
	found, gone := false, secret != ""
	for i, is := range isSecret {
		found = found || is && masked[i]
		gone = gone && (!is || masked[i])
	}
	row.Cases++
	row.Found += one(found)
	row.Gone += one(gone)
	row.False += one(apart)
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Table is the rows as text, one line each and one for each sum.
func Table(rows []Row) []string {
	out := []string{fmt.Sprintf("%-32s %6s %6s %6s %6s", "kind", "cases", "found", "gone", "false")}
	line := func(r Row) {
		found, gone := strconv.Itoa(r.Found), strconv.Itoa(r.Gone)
		if !r.Secret {
			found, gone = "", ""
		}
		out = append(out, fmt.Sprintf("%-32s %6d %6s %6s %6d", r.Kind, r.Cases, found, gone, r.False))
	}
	for _, secret := range []bool{true, false} {
		sum := Row{Kind: "no secret, all", Secret: secret}
		if secret {
			sum.Kind = "secrets, all"
		}
		for _, r := range rows {
			if r.Secret != secret {
				continue
			}
			line(r)
			sum.Cases += r.Cases
			sum.Found += r.Found
			sum.Gone += r.Gone
			sum.False += r.False
		}
		if sum.Cases > 0 {
			line(sum)
		}
	}
	return out
}

// Initialisers reads what GODEBUG=inittrace=1 prints and returns how long the
// initialisers of the packages below the path took, in milliseconds, and of all.
// A package that is not named has none.
//
//	init ken/internal/redact @0.1 ms, 0.012 ms clock, 9232 bytes, 4 allocs
func Initialisers(trace []byte, path string) (ours, all float64, err error) {
	lines := regexp.MustCompile(`(?m)^init (\S+) @\S+ ms, (\S+) ms clock`).FindAllSubmatch(trace, -1)
	if len(lines) == 0 {
		return 0, 0, errors.New("no line of package initialisers")
	}
	for _, l := range lines {
		ms, err := strconv.ParseFloat(string(l[2]), 64)
		if err != nil {
			return 0, 0, err
		}
		all += ms
		if name := string(l[1]); name == path || strings.HasPrefix(name, path+"/") {
			ours += ms
		}
	}
	return ours, all, nil
}
