package models

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"ken/internal/llm/discover"
	"ken/internal/regular"
)

// What servers said of their models is kept in a file for each server, in a directory of
// derived files: who asks again soon need not wait, and a name is completed without asking
// anybody. A file has a line with the form, the time and the address, and a line for each model:
// its name, its window, how that is known, its prices, when it was asked about by
// itself, and, where that is known, whether it takes images, and then what refusals taught
// and when, with tabs between.

// A known is what is known of a server.
type known struct {
	at     time.Time // when it gave its list; zero: it never did
	models []knownModel
}

// A knownModel is a model of a server.
type knownModel struct {
	discover.Model
	at time.Time // when its window was asked for; zero: it never was

	taught []string  // how requests are put, by refusals of the server: see llm.Options
	since  time.Time // when that was learned
}

const (
	knownForm  = "ken models 1"
	mostKnown  = 4 << 20 // bytes of the file
	mostModels = 10_000  // of one server
)

// find is the place of a model in what is known; -1 if it is not there. A server may leave
// out the tag that stands for none.
func (k *known) find(name string) int {
	latest := -1
	for i, m := range k.models {
		switch m.Name {
		case name:
			return i
		case name + ":latest":
			latest = i
		}
	}
	return latest
}

// take puts a list in the place of the last one; what was found out about single models
// since stays where the list does not say it.
func (k *known) take(list []discover.Model, now time.Time) {
	old := *k
	k.at, k.models = now, make([]knownModel, 0, min(len(list), mostModels))
	for _, m := range list[:min(len(list), mostModels)] {
		n := knownModel{Model: m}
		if i := old.find(m.Name); i >= 0 {
			n.at = old.models[i].at
			if m.Window == 0 {
				n.Window, n.Guess = old.models[i].Window, old.models[i].Guess
			}
			n.Images = cmp.Or(m.Images, old.models[i].Images)
			n.taught, n.since = old.models[i].taught, old.models[i].since
		}
		k.models = append(k.models, n)
	}
	for _, m := range old.models { // a server may answer for a name that it does not list
		if len(m.taught) > 0 && now.Sub(m.since) < freshAway && k.find(m.Name) < 0 && len(k.models) < mostModels {
			k.models = append(k.models, m)
		}
	}
}

// of is what is known of a model, which is one of the server's from now on; nil where there are too many.
func (k *known) of(name string) *knownModel {
	i := k.find(name)
	if i < 0 {
		if len(k.models) >= mostModels {
			return nil
		}
		i = len(k.models)
		k.models = append(k.models, knownModel{Model: discover.Model{Name: name}})
	}
	return &k.models[i]
}

// learn notes what was found out about one model.
func (k *known) learn(m discover.Model, now time.Time) {
	n := k.of(m.Name)
	if n == nil {
		return
	}
	n.at, n.Window, n.Guess = now, m.Window, m.Guess
	if m.Priced {
		n.In, n.Out, n.Priced = m.In, m.Out, true
	}
	n.Images = cmp.Or(m.Images, n.Images)
}

// plainBase is the address of a server without what could be a secret; "" if it is none.
func plainBase(base string) string {
	u, err := url.Parse(strings.TrimSpace(base))
	if err != nil || u.Host == "" || strings.ContainsAny(base, "\t\n") {
		return ""
	}
	plain := url.URL{Scheme: u.Scheme, Host: u.Host, Path: strings.TrimRight(u.Path, "/")}
	return plain.String()
}

// knownAt is the file of a server.
func knownAt(dir, base string) string {
	sum := sha256.Sum256([]byte(base))
	return filepath.Join(dir, hex.EncodeToString(sum[:8]))
}

// readKnown reads what is kept of a server; nothing for whatever is no such file.
func readKnown(dir, base string) known {
	if dir == "" || base == "" {
		return known{}
	}
	text, err := regular.Read(knownAt(dir, base), mostKnown)
	if err != nil {
		return known{}
	}
	var k known
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if k.models == nil {
			at, err := time.Parse(time.RFC3339, at(f, 1))
			if len(f) != 3 || f[0] != knownForm || f[2] != base || err != nil {
				return known{}
			}
			k.at, k.models = at, []knownModel{}
			continue
		}
		if m, ok := parseKnown(f); ok {
			k.models = append(k.models, m)
		}
	}
	return k
}

func at(fields []string, i int) string {
	if i >= len(fields) {
		return ""
	}
	return fields[i]
}

// parseKnown reads a line.
func parseKnown(f []string) (m knownModel, ok bool) {
	if len(f) != 6 && len(f) != 7 && len(f) != 9 || !discover.IsName(f[0]) {
		return m, false
	}
	m.Name = f[0]
	n, err := strconv.Atoi(f[1])
	if err != nil || n < 0 || n > discover.MostWindow {
		return m, false
	}
	m.Window, m.Guess = n, f[2] == "guess"
	in, ierr := strconv.ParseFloat(f[3], 64)
	out, oerr := strconv.ParseFloat(f[4], 64)
	if ierr == nil && oerr == nil && in >= 0 && out >= 0 {
		m.In, m.Out, m.Priced = in, out, true
	}
	if f[5] != "-" {
		if m.at, err = time.Parse(time.RFC3339, f[5]); err != nil {
			return m, false
		}
	}
	if len(f) > 6 && (f[6] != "-" || len(f) == 7) {
		if m.Images = discover.Said(f[6]); m.Images != discover.Yes && m.Images != discover.No {
			return m, false
		}
	}
	if len(f) == 9 {
		if m.since, err = time.Parse(time.RFC3339, f[8]); err != nil {
			return m, false
		}
		m.taught = strings.Split(f[7], ",")
	}
	return m, true
}

// writeKnown keeps what is known of a server. What cannot be kept is asked for again.
func writeKnown(dir, base string, k known) {
	if dir == "" || base == "" {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\t%s\t%s\n", knownForm, k.at.UTC().Format(time.RFC3339), base)
	for _, m := range k.models {
		guess, in, out, at := "-", "-", "-", "-"
		if m.Guess {
			guess = "guess"
		}
		if m.Priced {
			in, out = strconv.FormatFloat(m.In, 'g', -1, 64), strconv.FormatFloat(m.Out, 'g', -1, 64)
		}
		if !m.at.IsZero() {
			at = m.at.UTC().Format(time.RFC3339)
		}
		fmt.Fprintf(&b, "%s\t%d\t%s\t%s\t%s\t%s", m.Name, m.Window, guess, in, out, at)
		images := string(cmp.Or(m.Images, "-"))
		switch {
		case len(m.taught) > 0:
			fmt.Fprintf(&b, "\t%s\t%s\t%s", images, strings.Join(m.taught, ","), m.since.UTC().Format(time.RFC3339))
		case m.Images != discover.Unsaid:
			b.WriteString("\t" + images)
		}
		b.WriteByte('\n')
	}
	_ = regular.PutDerived(knownAt(dir, base), b.String()) // what cannot be kept is asked for again
}
