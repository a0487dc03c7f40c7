package proctest

import "time"

// Within asks ok until it says so, every millisecond at first and every 50 in the end, and reports whether it did
// before limit was over. It is for what nothing tells of: the files and processes of others.
func Within(limit time.Duration, ok func() bool) bool {
	const longest = 50 * time.Millisecond
	pause := time.Millisecond
	for end := time.Now().Add(limit); ; pause = min(2*pause, longest) {
		if ok() {
			return true
		}
		if time.Now().After(end) {
			return false
		}
		time.Sleep(pause)
	}
}
