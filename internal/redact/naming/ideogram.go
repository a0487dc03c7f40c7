package naming

import (
	"strings"
	"unicode/utf8"

	"ken/internal/redact/chars"
)

// IdeogramStems are the words for a password in scripts that ASCII stands out of,
// which ReadIdeogram reads from.
func IdeogramStems() []string {
	return []string{
		"パスワード", "暗証番号", "密码", "密碼", "口令", "비밀번호", "비번", "암호",
		"סיסמ", "كلمة المرور", "كلمة السر", "پسورد", "رمز عبور", "पासवर्ड", "รหัสผ่าน", "mật khẩu", "পাসওয়ার্ড", "கடவுச்சொல்",
	}
}

// maxIdeogram is how far behind such a word the value may begin, in bytes: a dozen
// characters.
const maxIdeogram = 40

// ReadIdeogram looks at what IdeogramStems has before text[end]. The value is the
// first piece of ASCII that follows, if a word or sign between binds them.
func (r *Reader) ReadIdeogram(_, end int) {
	s := r.text
	i, limit := end, min(len(s), end+maxIdeogram)
	if k := strings.Index(s[i:limit], "là "); k >= 0 && k < 16 {
		i += k + len("là ") // Vietnamese is of ASCII for the most part
	}
	for i < limit {
		c, n := utf8.DecodeRuneInString(s[i:])
		if c > 0x20 && c < 0x7f && strings.IndexByte(":=\"'`(", byte(c)) < 0 || c == '\n' {
			break
		}
		i += n
	}
	if i >= limit || s[i] == '\n' {
		return
	}
	gap := s[end:i]
	stop := chars.RunOf(s, i, func(c byte) bool { return c > ' ' && c < 0x7f && !chars.IsQuote(c) })
	if stop == len(s) {
		r.hold(i)
	}
	for stop > i && strings.IndexByte(".,;)?", s[stop-1]) >= 0 && stop < len(s) && s[stop] < 0x80 {
		stop--
	}
	v := s[i:stop]
	sh := chars.ShapeOf(v)
	switch {
	case len(v) < 4 || len(v) > 128 || chars.Thing(v).IsProduct() || !binds(gap) || chars.IsReference(v) || chars.IsSettled(v) || strings.Contains(v, "://"):
	case sh.Digit == len(v):
		kind := "password"
		if len(v) < 6 {
			kind = "pin"
		}
		r.add(kind, i, stop)
	case acceptSpokenPassword(v, sh, false), chars.Thing(v).IsGiven() && !chars.Thing(v).IsAdjective(), len(v) >= 6 && chars.RunOf(v,
		0, chars.IsLower) == len(v) && !tellsOfPassword(v):
		r.add("password", i, stop)
	}
}

// binds reports whether gap, what stands between the word for a password and a
// value, says that the one is the other.
func binds(gap string) bool {
	if strings.TrimSpace(gap) == "" {
		return true
	}
	for _, w := range [...]string{"は", "是", "为", "為", "：", ":", "=", "を", "成", "는", "은", "「", "\"", "היא", "הוא", "هي", "هو", "است", "है", "คือ", "là "} {
		if strings.Contains(gap, w) {
			return true
		}
	}
	return false
}
