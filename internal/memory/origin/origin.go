// Package origin ranks where texts come from by how far they are trusted.
package origin

import (
	"cmp"
	"slices"
	"strings"
)

// An Origin says where a text came from. It is stamped by ken and never
// changes; the empty Origin means User.
type Origin string

// The origins, most trusted first. Agents have the form "agent:<name>".
const (
	User     Origin = "user"
	Model    Origin = "model"
	Agent    Origin = "agent"
	Tool     Origin = "tool"
	Import   Origin = "import"
	External Origin = "external"
)

// Rank orders origins by trust: 0 for the user, larger for less trusted, an
// unknown origin last.
func (o Origin) Rank() int {
	order := [...]Origin{User, Model, Agent, Tool, Import, External}
	switch {
	case o == "" || o == User:
		return 0
	case strings.HasPrefix(string(o), "agent:"):
		o = Agent
	}
	if i := slices.Index(order[:], o); i >= 0 {
		return i
	}
	return len(order)
}

// Lowest returns the less trusted of two origins; of two that rank alike, o.
func (o Origin) Lowest(p Origin) Origin {
	if p.Rank() > o.Rank() {
		return p
	}
	return cmp.Or(o, User)
}
