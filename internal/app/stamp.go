package app

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
)

// Stamp is another text once the memory was written to, or what waits for the person, by whatever program. It says nothing of
// either. Errors: the settings.
func (a *App) Stamp() (stamp string, err error) {
	err = a.with(Actor{}, "", func(h *View) error {
		if _, err := h.Settings.Read(); err != nil {
			return err
		}
		sum := sha256.New()
		for _, path := range []string{h.Settings.Paths().Memory(), h.Settings.Paths().Review()} {
			fi, err := os.Stat(path)
			if err != nil { // it is not there, or cannot be looked at: that may change as well
				fmt.Fprintln(sum, "none")
				continue
			}
			fmt.Fprintln(sum, fi.Size(), fi.ModTime().UnixNano())
		}
		stamp = hex.EncodeToString(sum.Sum(nil)[:8])
		return nil
	})
	return stamp, err
}
