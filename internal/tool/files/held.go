package files

import (
	"bytes"
	"os"
	"strings"

	"ken/internal/attach"
	"ken/internal/tool/swap"
)

// held is what an editor holds of a file, if that is other than what the file has: how lines end, a mark at the beginning and
// empty lines at the end are not, for editors have their own ways with these.
func (p Place) held(at Target) (text []byte, other bool) {
	if p.Held == nil || at.Dir {
		return nil, false
	}
	var disk []byte
	if at.There {
		b, _, err := swap.Read(at.Path)
		if err != nil {
			return nil, false // it is said of the file
		}
		if what, isText := attach.Sniff(b); len(b) > 0 && (!isText || what != "") {
			return nil, false
		}
		disk = b
	}
	said, ok := p.Held(at.Path)
	if !ok || len(said) > swap.Most || level([]byte(said)) == level(disk) {
		return nil, false
	}
	if said != "" && bytes.HasSuffix(disk, []byte("\n")) && !strings.HasSuffix(said, "\n") {
		said += "\n"
	}
	return []byte(said), true
}

// Unsaved reports whether the editor holds another text of a file than the file has.
func (p Place) Unsaved(path string) bool {
	fi, err := os.Stat(path)
	_, other := p.held(Target{Path: path, There: err == nil, Dir: err == nil && fi.IsDir()})
	return other
}

// level is a text as held compares it.
func level(b []byte) string {
	return strings.TrimRight(strings.ReplaceAll(strings.TrimPrefix(string(b), "\ufeff"), "\r\n", "\n"), "\n")
}
