package termsafe

import "unicode"

// fate says what is to become of a character, before its neighbours are asked.
type fate uint8

const (
	shown     fate = iota // printable: stays
	control               // C0 and C1 other than newline and tab, DEL
	separator             // U+2028, U+2029: a newline by another name
	joiner                // ZWNJ, ZWJ: may stay after what they join
	selector              // variation selectors: one may stay after its character
	tag                   // tag characters: may stay in a flag
	mark                  // LRM, RLM, ALM: may stay in right-to-left text
	hidden                // invisible, and never needed
	nonchar               // code points that are no characters
)

// fateOf sorts one character. Code points that Unicode has not assigned yet are
// shown, unless they lie in a range that is reserved for invisible ones: a new
// emoji is no attack.
func fateOf(r rune) fate {
	switch {
	case r < 0x20:
		if r == '\n' || r == '\t' {
			return shown
		}
		return control
	case r < 0x7f:
		return shown
	case r < 0xa0:
		return control
	case r < 0x34f:
		if r == 0xad { // soft hyphen
			return hidden
		}
		return shown
	case r < 0x2000:
		return fateLow(r)
	case r < 0x2070:
		return fatePunctuation(r)
	case r < 0x3164:
		return shown
	default:
		return fateHigh(r)
	}
}

// isCommon reports whether r is in one of the large ranges of which all are
// shown, stand alone and are written left to right: for speed.
func isCommon(r rune) bool {
	return r > 0xad && r < 0x34f || r > 0x34f && r < 0x590 || r >= 0x2070 && r < 0x3164 || r > 0x3164 && r < 0xe000
}

func fateLow(r rune) fate {
	switch {
	case r == 0x61c: // Arabic letter mark
		return mark
	case r >= 0x180b && r <= 0x180d, r == 0x180f: // Mongolian variation selectors
		return selector
	case r == 0x34f, // combining grapheme joiner
		r == 0x115f, r == 0x1160, // Hangul fillers
		r == 0x17b4, r == 0x17b5, // Khmer inherent vowels
		r == 0x180e: // Mongolian vowel separator
		return hidden
	}
	return shown
}

func fatePunctuation(r rune) fate {
	switch {
	case r == 0x200c, r == 0x200d:
		return joiner
	case r == 0x200e, r == 0x200f:
		return mark
	case r == 0x2028, r == 0x2029:
		return separator
	case r == 0x200b, // zero-width space
		r >= 0x202a && r <= 0x202e, // embeddings and overrides
		r >= 0x2060 && r <= 0x206f: // word joiner, invisible operators, isolates
		return hidden
	}
	return shown
}

func fateHigh(r rune) fate {
	switch {
	case r&0xfffe == 0xfffe, r >= 0xfdd0 && r <= 0xfdef:
		return nonchar
	case r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0100 && r <= 0xe01ef:
		return selector
	case r >= 0xe0020 && r <= 0xe007f:
		return tag
	case r == 0x3164, r == 0xffa0, // Hangul fillers
		r == 0xfeff,                // byte order mark
		r >= 0xfff0 && r <= 0xfffb, // reserved, interlinear annotation
		r >= 0x13430 && r <= 0x1343f,
		r >= 0x1bca0 && r <= 0x1bca3, // shorthand format controls
		r >= 0x1d173 && r <= 0x1d17a, // musical format controls
		r >= 0xe0000 && r <= 0xe0fff:
		return hidden
	}
	return shown
}

// mayJoin reports whether ZWJ or ZWNJ has a job after prev: in an emoji
// sequence (ZWJ only), or after a letter or mark of a script whose letters
// change shape with their neighbours.
func mayJoin(prev, r rune) bool {
	if r == 0x200d && (isPictograph(prev) || prev == 0xfe0f) {
		return true
	}
	switch {
	case prev < 0x600:
		return false
	case prev < 0x1100: // Arabic, Syriac, Thaana, N'Ko, ..., Indic, Thai, Tibetan, Myanmar
		return unicode.IsLetter(prev) || unicode.IsMark(prev)
	case prev >= 0x1700 && prev < 0x1cd0, // Philippine, Khmer, Mongolian, Tai, Balinese, ...
		prev >= 0xa800 && prev < 0xabff, // Syloti Nagri, Saurashtra, Javanese, Meetei Mayek, ...
		prev >= 0xfb50 && prev < 0xfe00, // Arabic presentation forms
		prev >= 0xfe70 && prev < 0xfeff,
		prev >= 0x10a00 && prev < 0x12000, // Kharoshthi, Brahmi, Chakma, Grantha, ...
		prev >= 0x1e900 && prev < 0x1e960: // Adlam
		return unicode.IsLetter(prev) || unicode.IsMark(prev)
	}
	return false
}

// mayVary reports whether the variation selector r has a job after prev.
func mayVary(prev, r rune) bool {
	switch {
	case r == 0xfe0e || r == 0xfe0f: // text or emoji presentation
		return isPictograph(prev) || prev >= '0' && prev <= '9' || prev == '#' || prev == '*'
	case r < 0x2000:
		return prev >= 0x1800 && prev < 0x18b0 // Mongolian
	case r >= 0xe0100:
		return unicode.Is(unicode.Han, prev)
	default:
		return unicode.Is(unicode.Han, prev) || unicode.Is(unicode.Sm, prev) ||
			unicode.Is(unicode.Myanmar, prev) || unicode.Is(unicode.Phags_Pa, prev) ||
			prev >= 0x3001 && prev <= 0x3002 || prev >= 0xff01 && prev <= 0xff1f
	}
}

// isPictograph reports whether r is, roughly, Extended_Pictographic: the blocks
// that hold emoji, and the few emoji that stand alone elsewhere.
func isPictograph(r rune) bool {
	switch {
	case r >= 0x1f000 && r <= 0x1faff, r >= 0x2600 && r <= 0x27bf:
		return true
	case r < 0x2000:
		return r == 0xa9 || r == 0xae
	case r < 0x2b00:
		return r == 0x203c || r == 0x2049 || r == 0x2122 || r == 0x2139 ||
			r >= 0x2194 && r <= 0x21aa || r >= 0x231a && r <= 0x23ff || r == 0x24c2 ||
			r >= 0x25aa && r <= 0x25fe || r == 0x2934 || r == 0x2935
	}
	return r >= 0x2b05 && r <= 0x2b55 || r == 0x3030 || r == 0x303d || r == 0x3297 || r == 0x3299
}

// isRightToLeft reports whether r is, roughly, a letter written right to left.
func isRightToLeft(r rune) bool {
	return r >= 0x590 && r < 0x900 || r >= 0xfb1d && r < 0xfe00 || r >= 0xfe70 && r < 0xfeff ||
		r >= 0x10800 && r < 0x11000 || r >= 0x1e800 && r < 0x1f000
}

// isFlagTag reports whether name, the letters of a run of tag characters, is a
// flag that emoji fonts draw.
func isFlagTag(name []byte) bool {
	switch string(name) {
	case "gbeng", "gbsct", "gbwls":
		return true
	}
	return false
}
