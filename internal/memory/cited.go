package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
)

// cited is the field of a line that cites: what the memories said that it cites, when it was
// written. Its value is a list of sealed hashes: that of the key, then one for each of cites, ""
// for one whose text was not there.
const cited = "cited"

// Cite notes on a line what the memories say that it cites, as text returns it; a line that has such
// a note keeps it. The nil Seal notes nothing: an unsealed hash of a text outlives its erasing.
func (s *Seal) Cite(r *Record, text func(ID) string) {
	if s == nil || r.Detail == nil || len(r.Detail.Cites) == 0 || r.Kind.Changes() || s.noted(r) != nil {
		return
	}
	list := []string{s.Hash(cited)}
	for _, id := range r.Detail.Cites {
		list = append(list, s.cite(text(id)))
	}
	value, _ := json.Marshal(list) // texts alone
	d := *r.Detail
	d.Extra = append(slices.Clone(d.Extra), Field{Name: cited, Value: value})
	r.Detail = &d
}

// Says reports whether the memory that stands at index i of what a line cites says another text now
// than when the line was written. False where that is not known: the line has no note, or one that
// was made with the key of another person or machine.
func (s *Seal) Says(r *Record, i int, now string) (another bool) {
	if s == nil || now == "" {
		return false
	}
	list := s.noted(r)
	return i+1 < len(list) && list[i+1] != "" && list[0] == s.Hash(cited) && list[i+1] != s.cite(now)
}

// cite is the sealed hash of a text; "" of none.
func (s *Seal) cite(text string) string {
	if text == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(text))
	return s.Hash(hex.EncodeToString(sum[:]))
}

// noted is the note of a line; nil if it has none that fits what it cites.
func (s *Seal) noted(r *Record) (list []string) {
	if r.Detail == nil {
		return nil
	}
	for _, f := range r.Detail.Extra {
		if f.Name == cited && (json.Unmarshal(f.Value, &list) != nil || len(list) != len(r.Detail.Cites)+1) {
			return nil
		}
	}
	return list
}
