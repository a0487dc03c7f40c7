package app

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
)

// Stamp is another text once the memory was written to, or what waits for the person, by whatever program. It says nothing of
// either. Errors: the settings.
func (v *View) Stamp() (stamp string, err error) {
	if _, err := v.Settings.Read(); err != nil {
		return "", err
	}
	sum := sha256.New()
	for _, path := range []string{v.Settings.Paths().Memory(), v.Settings.Paths().Review()} {
		fi, err := os.Stat(path)
		if err != nil { // it is not there, or cannot be looked at: that may change as well
			fmt.Fprintln(sum, "none")
			continue
		}
		fmt.Fprintln(sum, fi.Size(), fi.ModTime().UnixNano())
	}
	return hex.EncodeToString(sum.Sum(nil)[:8]), nil
}
