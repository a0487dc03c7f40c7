package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
)

// cited is a field of a line that cites others. It holds what the cited memories said when the line
// was written, as a list of sealed hashes: first the hash of the key, then one for each of cites,
// "" if its text was not there.
const cited = "cited"

// Cite adds to a line a note of what the memories that it cites say; text returns what one says. A
// line that has such a note keeps it. The nil Seal adds nothing, because an unsealed hash of a text
// outlives its erasing.
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

// Says reports whether the memory at index i of the cites of a line now says another text than when
// the line was written. It returns false if that is not known: the line has no note, or one under
// the key of another person or machine.
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
