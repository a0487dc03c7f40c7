package catalog

import (
	_ "embed" // for the tables
	"iter"
	"net/url"
	"strconv"
	"strings"
)

//go:embed models.tsv
var modelTable string

//go:embed vendors.tsv
var vendorTable string

// A Model is a row of the table of models.
type Model struct {
	Name    string  // or what its variants begin with
	Window  int     // tokens of a request and its answer
	In, Out float64 // US dollars for a million tokens sent and received
	Priced  bool    // In and Out are known
	Blind   bool    // it takes no images
	Date    string  // when the row was looked up, YYYY-MM-DD
	Source  string  // where
	at      string
}

// Find returns the row of a model that is asked at baseURL: the longest name that it
// begins with, up to the end of a word. Names with a vendor before them ("openai/gpt-4o") count
// without it. A variant has no price, and may take images: it may be another one.
func Find(baseURL, model string) (Model, bool) {
	name := strings.ToLower(strings.TrimSpace(model))
	name = name[strings.LastIndexByte(name, '/')+1:]
	host := ""
	if u, err := url.Parse(baseURL); err == nil {
		host = strings.ToLower(u.Hostname())
	}
	var best Model
	rest := ""
	for f := range rows(modelTable) {
		after, ok := strings.CutPrefix(name, f[0])
		if !ok || len(f[0]) <= len(best.Name) || !endsWord(after) || !within(host, f[5]) {
			continue
		}
		best, rest = rowModel(f), after
	}
	if best.Name == "" {
		return Model{}, false
	}
	same := sameModel(rest)
	best.Priced, best.Blind = best.Priced && same, best.Blind && same
	return best, true
}

// rowModel is a model of the eight fields of its row.
func rowModel(f []string) Model {
	m := Model{Name: f[0], Blind: f[4] == "no", at: f[5], Date: f[6], Source: f[7]}
	m.Window, _ = strconv.Atoi(f[1]) // a test reads the table
	var in, out error
	m.In, in = strconv.ParseFloat(f[2], 64)
	m.Out, out = strconv.ParseFloat(f[3], 64)
	m.Priced = in == nil && out == nil
	return m
}

// endsWord reports whether a name can end before rest: nothing of a word or of the number
// of a version goes on there.
func endsWord(rest string) bool {
	if rest == "" {
		return true
	}
	if !strings.ContainsRune("-:@", rune(rest[0])) {
		return false
	}
	part := rest[1:]
	if i := strings.IndexAny(part, "-:@"); i >= 0 {
		part = part[:i]
	}
	const version = 2 // digits: what has more is a date
	return rest[0] != '-' || len(part) == 0 || len(part) > version || strings.Trim(part, "0123456789") != ""
}

// sameModel reports whether what stands behind a name is no variant of another price: a
// date, or a word for the newest.
func sameModel(rest string) bool {
	for part := range strings.FieldsFuncSeq(rest, func(r rune) bool { return strings.ContainsRune("-:@", r) }) {
		if strings.Trim(part, "0123456789") != "" && part != "latest" && part != "preview" {
			return false
		}
	}
	return true
}

// within reports whether a host is at, or below it.
func within(host, at string) bool {
	return at == "*" || host == at || strings.HasSuffix(host, "."+at)
}

// A Vendor is who offers models to everybody with a key.
type Vendor struct {
	Key     string // the environment variable that holds it, as a rule
	Preset  string // a name for it
	BaseURL string
	Model   string // one to begin with
}

// Vendors returns the vendors that are known, in the order of the table.
func Vendors() iter.Seq[Vendor] {
	return func(yield func(Vendor) bool) {
		for f := range rows(vendorTable) {
			if !yield(Vendor{Key: f[0], Preset: f[1], BaseURL: f[2], Model: f[3]}) {
				return
			}
		}
	}
}

// IsVendor reports whether an address is that of a vendor, who has no other interfaces to
// ask than the one.
func IsVendor(baseURL string) bool {
	u, err := url.Parse(baseURL)
	if err != nil {
		return false
	}
	for v := range Vendors() {
		if at, err := url.Parse(v.BaseURL); err == nil && strings.EqualFold(at.Hostname(), u.Hostname()) {
			return true
		}
	}
	return false
}

// rows are the fields of the lines of a table that are no comments.
func rows(table string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for line := range strings.Lines(table) {
			if line = strings.TrimRight(line, "\n"); line == "" || line[0] == '#' {
				continue
			}
			if !yield(strings.Split(line, "\t")) {
				return
			}
		}
	}
}
