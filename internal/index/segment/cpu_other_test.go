//go:build !unix

package segment

import "testing"

// cpu has nothing to ask here.
func cpu(*testing.B) (report func()) { return func() {} }
