//go:build !unix

package llm_test

// cpu is not known here.
func cpu() int64 { return 0 }
