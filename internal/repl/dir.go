package repl

import (
	"strings"

	"ken/internal/termsafe"
)

// ShortDir returns a directory in at most so many cells, as far as a prompt can do with
// less: where it is long, its last parts, behind sign, which says that some are left out.
func ShortDir(dir string, cells int, sign string) string {
	if termsafe.Width(dir) <= cells {
		return dir
	}
	head := sign + "/"
	if strings.HasPrefix(dir, "~/") {
		head = "~/" + sign + "/"
	}
	parts := strings.Split(dir, "/")
	short := parts[len(parts)-1]
	for i := len(parts) - 2; i > 0; i-- {
		longer := parts[i] + "/" + short
		if termsafe.Width(head+longer) > cells {
			break
		}
		short = longer
	}
	return termsafe.CutWith(head+short, max(cells, 8), sign)
}
