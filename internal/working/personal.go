package working

import (
	"ken/internal/regular"
	"ken/internal/termsafe"
)

// mostPersonal is the longest text of the person that Personal gives, in bytes.
const mostPersonal = 64 << 10

// Personal is the text that a name of the person's namespace stands for, made safe for a terminal: who they are
// ("user/profile"), which the file profile says, or what they were lately busy with ("user/working"); false if it is no such
// name. A text that is not there, or has expired, is "".
func Personal(name, profile string, f File) (text string, ok bool) {
	switch name {
	case "user/profile":
		b, _ := regular.Read(profile, mostPersonal) // none is no text
		text = string(b)
	case "user/working":
		if m, err := f.Read(); err == nil {
			text = m.Text
		}
	default:
		return "", false
	}
	return termsafe.Clean(text), true
}
