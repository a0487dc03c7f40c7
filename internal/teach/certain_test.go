package teach

import "testing"

// TestR378Certain: which forgettings can hardly be about anything but the memory.
func TestR378Certain(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"forget everything about Zebulon": true, "forget everything about tea": true, "forget Zebulon": true, "forget Tom Miller": true,
		"vergiss alles über Zebulon": true, "forget everything about this project": true,
		"forget Will": false, "forget the mutex": false, "forget the loop, use recursion": false,
		"forget it": false, "don't forget to call Anna": false,
	} {
		if r := Read(line); r.Certain() != want {
			t.Errorf("%q: %+v", line, r)
		}
	}
}
