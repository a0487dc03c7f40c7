package proctest

import "os"

// Outside is what TestMain, which may, hands to what stands in for it.
type Outside struct {
	In, Out, Err *os.File       // those of this process
	Exit         func(code int) // os.Exit
}
