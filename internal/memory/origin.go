package memory

import (
	"cmp"
	"slices"
	"strings"
)

// An Origin says where a text came from. It is stamped by ken and never
// changes; the empty Origin means OriginUser.
type Origin string

// The origins, most trusted first. Agents have the form "agent:<name>".
const (
	OriginUser     Origin = "user"
	OriginModel    Origin = "model"
	OriginAgent    Origin = "agent"
	OriginTool     Origin = "tool"
	OriginImport   Origin = "import"
	OriginExternal Origin = "external"
)

// Rank orders origins by trust: 0 for the user, larger for less trusted, an
// unknown origin last.
func (o Origin) Rank() int {
	order := [...]Origin{OriginUser, OriginModel, OriginAgent, OriginTool, OriginImport, OriginExternal}
	switch {
	case o == "" || o == OriginUser:
		return 0
	case strings.HasPrefix(string(o), "agent:"):
		o = OriginAgent
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
	return cmp.Or(o, OriginUser)
}
