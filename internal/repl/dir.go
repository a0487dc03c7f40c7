package repl

import (
	"strings"

	"ken/internal/termsafe"
)

// ShortDir returns a directory in at most so many cells, as far as a prompt can do with
// less: where it is long, its last parts, behind an ellipsis.
func ShortDir(dir string, cells int) string {
	if termsafe.Width(dir) <= cells {
		return dir
	}
	head := "…/"
	if strings.HasPrefix(dir, "~/") {
		head = "~/…/"
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
	return termsafe.Cut(head+short, max(cells, 8))
}
