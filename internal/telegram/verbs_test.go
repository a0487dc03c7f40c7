package telegram

import (
	"strings"
	"testing"

	"ken/internal/verbs"
)

// TestVerbs: what the table of verbs has for a phone is read as a command in all its forms and told by /help, and nothing else is.
func TestVerbs(t *testing.T) {
	t.Parallel()
	for _, v := range verbs.All() {
		on := v.On&verbs.Phone != 0
		if strings.Contains(v.Name, "-") || strings.Contains(v.Name, " ") {
			continue
		}
		for form, argument := range map[string]string{"/": "", "/ tea": "tea", "/@ken_bot tea": "tea", "/_12": "12", "/\ntea": "tea"} {
			text := "/" + v.Name + form[1:]
			name, rest, ok := commandOf(text)
			if ok != on || on && (name != v.Name || rest != argument) {
				t.Errorf("%q: %q, %q, %v", text, name, rest, ok)
			}
		}
		if told := strings.Contains(help(), "• /"+v.Usage()+": "+v.Does+"\n"); told != (on && v.Does != "") {
			t.Errorf("/help tells of %s: %v", v.Name, told)
		}
	}
}
