//go:build !unix

package inherit

// Defaults does nothing: no signals are inherited here.
func Defaults() {}
