package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// mostName is the longest name of a tool that all endpoints take.
const mostName = 64

// Wire returns the name by which models know a tool of a server: alias__tool, with runs of
// characters that endpoints refuse as _. exact says that nothing had to be changed.
func Wire(alias, tool string) (name string, exact bool) {
	var b strings.Builder
	b.WriteString(alias + "__")
	run := false
	for _, c := range []byte(tool) {
		ok := c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		switch {
		case ok:
			b.WriteByte(c)
		case !run:
			b.WriteByte('_')
		}
		run = !ok
	}
	name = b.String()
	if c := name[0]; c == '-' || c >= '0' && c <= '9' {
		name = "_" + name
	}
	if len(name) > mostName {
		sum := sha256.Sum256([]byte(alias + "\x00" + tool))
		name = name[:mostName-9] + "_" + hex.EncodeToString(sum[:4])
	}
	return name, name == alias+"__"+tool
}

// Shown returns the name by which people know a tool of a server.
func Shown(alias, tool string) string { return alias + "." + Line(tool, mostName) }

// Approves reports whether an entry of a list of approvals, alias.tool or alias.*, is about a tool.
func Approves(entry, alias, tool string) bool {
	of, name, ok := strings.Cut(entry, ".")
	return ok && of == alias && (name == "*" || name == tool)
}
