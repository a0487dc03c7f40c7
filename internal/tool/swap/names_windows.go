package swap

import (
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// Names is how many names the file fi at a path has: hard links. One that cannot be asked has two,
// for what is not known is not let pass.
func Names(path string, _ fs.FileInfo) int {
	f, err := os.Open(path)
	if err != nil {
		return 2
	}
	defer f.Close()
	var about windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &about); err != nil {
		return 2
	}
	return int(about.NumberOfLinks)
}

func sameOwner(*os.File, fs.FileInfo) error { return nil }
