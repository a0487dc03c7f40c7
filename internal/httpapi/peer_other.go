//go:build !linux && !darwin

package httpapi

import "os"

// peer is not known here: the modes of the socket say who comes in.
func peer(int) (uid int, known bool) { return os.Geteuid(), true }
