//go:build !linux

package doctor

// volatile names the kind of file system at dir if it is none to keep a memory
// on. Only Linux is asked.
func volatile(string) string { return "" }
