//go:build !unix

package shellinit

// alive reports whether there is a process pid; here it is not known.
func alive(int) bool { return true }
