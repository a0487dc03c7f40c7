//go:build !unix

package regular

// NoWait is a flag for opening a file; this system has none.
const NoWait = 0

// before refuses what is no regular file, since opening may wait here.
func before(path string) error {
	_, err := Stat(path)
	return err
}
