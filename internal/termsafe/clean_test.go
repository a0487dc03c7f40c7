package termsafe

import (
	"testing"
)

func TestDev(t *testing.T) {
	for _, s := range []string{"a\x1b[31mb", "x\x1b]0;t\x07y", "\x9b2Jz", "a\rb\r\nc", "\x1b]0;never ends", "👩‍💻 ❤️ 1️⃣ 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f r\u200dm", "می‌خواهم", "\xe2\x9bA"} {
		t.Logf("%q -> %q", s, Clean(s))
	}
}
