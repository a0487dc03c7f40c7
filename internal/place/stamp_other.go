//go:build !unix

package place

import "io/fs"

func stampOf(fs.FileInfo) string { return "" }
