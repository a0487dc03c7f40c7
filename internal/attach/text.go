package attach

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"ken/internal/frame"
	"ken/internal/termsafe"
)

// sniffed is how many bytes at the beginning of a file are looked at for what it is.
const sniffed = 8000

// mostControl and mostBad are which part of a text may be control characters, and no UTF-8: one
// byte in so many. Texts of before UTF-8 have some of the latter.
const (
	mostControl = 20
	mostBad     = 4
)

// binaryName says what a file is that is no text and no picture, in a word or two, and what
// can be done with it; "" for what is not known.
func binaryName(head []byte) (name, hint string) {
	for _, m := range [...]struct{ at, begin, name, hint string }{
		{"", "\x7fELF", "a program", ""},
		{"", "\xcf\xfa\xed\xfe", "a program", ""},
		{"", "\xca\xfe\xba\xbe", "a program", ""},
		{"", "MZ", "a program", ""},
		{"", "%PDF-", "a PDF", "pipe its text in: pdftotext FILE - | "},
		{"", "PK\x03\x04", "a ZIP archive", "name what is in it, once it is unpacked"},
		{"", "\x1f\x8b", "a gzip archive", "pipe it in: zcat FILE | "},
		{"", "BZh", "a bzip2 archive", "pipe it in: bzcat FILE | "},
		{"", "\xfd7zXZ\x00", "an xz archive", "pipe it in: xzcat FILE | "},
		{"", "\x28\xb5\x2f\xfd", "a zstd archive", "pipe it in: zstdcat FILE | "},
		{"", "7z\xbc\xaf\x27\x1c", "a 7z archive", "name what is in it, once it is unpacked"},
		{"", "SQLite format 3\x00", "an SQLite database", "pipe in what a query of it prints"},
		{"", "\x00asm", "a WebAssembly program", ""},
		{"", "ID3", "a sound", ""},
		{"", "OggS", "a sound", ""},
		{"", "fLaC", "a sound", ""},
		{"", "BM", "a BMP picture", "PNG, JPEG, GIF and WebP are taken"},
		{"", "II*\x00", "a TIFF picture", "PNG, JPEG, GIF and WebP are taken"},
		{"", "MM\x00*", "a TIFF picture", "PNG, JPEG, GIF and WebP are taken"},
		{"    ", "ftypheic", "a HEIC picture", "PNG, JPEG, GIF and WebP are taken"},
		{"    ", "ftypavif", "an AVIF picture", "PNG, JPEG, GIF and WebP are taken"},
		{"    ", "ftyp", "a film", ""},
	} {
		if len(head) > len(m.at) && bytes.HasPrefix(head[len(m.at):], []byte(m.begin)) {
			return m.name, m.hint
		}
	}
	return "", ""
}

// isBinary reports whether bytes are no text: there are NULs where a text begins, or too many
// control characters or bytes that are no UTF-8.
func isBinary(b []byte) bool {
	if bytes.IndexByte(b[:min(len(b), sniffed)], 0) >= 0 {
		return true
	}
	bad, control := 0, 0
	for i := 0; i < len(b); {
		c := b[i]
		if c < utf8.RuneSelf {
			if c < ' ' && (c < '\a' || c > '\r') && c != 0x1b || c == 0x7f {
				control++
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 {
			bad++
		}
		i += size
	}
	return control*mostControl > len(b) || bad*mostBad > len(b)
}

// wide reports whether bytes begin with the mark of UTF-16, and which byte comes first.
func wide(b []byte) (little, is bool) {
	switch {
	case bytes.HasPrefix(b, []byte{0xff, 0xfe}) && !bytes.HasPrefix(b, []byte{0xff, 0xfe, 0, 0}):
		return true, true
	case bytes.HasPrefix(b, []byte{0xfe, 0xff}):
		return false, true
	}
	return false, false
}

// Narrow is a text in UTF-16 that has its mark as UTF-8; another one stays as it is.
func Narrow(b []byte) []byte {
	if c := codingOf(b); c.wide {
		return bytes.TrimPrefix(narrow(b, c.little), []byte("\xef\xbb\xbf"))
	}
	return b
}

// narrow is UTF-16 as UTF-8.
func narrow(b []byte, little bool) []byte {
	units := make([]uint16, len(b)/2)
	for i := range units {
		if units[i] = uint16(b[2*i])<<8 | uint16(b[2*i+1]); little {
			units[i] = uint16(b[2*i+1])<<8 | uint16(b[2*i])
		}
	}
	return []byte(string(utf16.Decode(units)))
}

// A coding is what the bytes of a file were made of.
type coding struct{ wide, little bool }

// codingOf is that of a file that begins with b.
func codingOf(b []byte) coding {
	little, is := wide(b)
	return coding{is, little}
}

// text makes clean text of bytes. binary says that they are none; bad is how many of them have a
// mark in their place.
func (c coding) text(b []byte) (s string, bad int, binary bool) {
	if c.wide {
		b = narrow(b, c.little)
	}
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	if isBinary(b) {
		return "", 0, true
	}
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 {
			bad++
		}
		i += size
	}
	s = strings.ReplaceAll(string(b), "\r\n", "\n")
	s = strings.ReplaceAll(s, "\r", "\n")
	return termsafe.Clean(strings.ToValidUTF8(s, "\ufffd")), bad, false
}

// notes says what was converted.
func (c coding) notes(bad int) (list []string) {
	if c.wide {
		list = append(list, "converted from UTF-16")
	}
	switch {
	case bad == 1:
		list = append(list, "1 byte of it is no text")
	case bad > 1:
		list = append(list, fmt.Sprintf("%d bytes of it are no text", bad))
	}
	return list
}

// inert is a text as it stands in a block. It was masked.
func inert(s string) string { return frame.Data(strings.Trim(s, "\n")) }

// gap stands where the middle of a text was left out.
func gap(left int64) string { return "\n[... " + Size(left) + " left out ...]\n" }

// wholeLines cuts the line that is not whole off the end of a first part, or off the beginning
// of a last one. A part of one line stays as it is.
func wholeLines(first, last string) (string, string) {
	if i := strings.LastIndexByte(first, '\n'); i > 0 {
		first = first[:i]
	}
	if i := strings.IndexByte(last, '\n'); i >= 0 && i < len(last)-1 {
		last = last[i+1:]
	}
	// The end of a key whose beginning was left out shows as one no more.
	if end := strings.Index(last, "-----END "); end >= 0 {
		if begin := strings.Index(last, "-----BEGIN "); begin < 0 || begin > end {
			if i := strings.IndexByte(last[end:], '\n'); i >= 0 {
				last = last[end+i+1:]
			} else {
				last = ""
			}
		}
	}
	return first, last
}

// Sniff says what a file is that begins with head, in a word or two, and whether it is text. A text
// that is no UTF-8 is text all the same; one in UTF-16 has its mark.
func Sniff(head []byte) (what string, text bool) {
	head = head[:min(len(head), sniffed)]
	if kind := isImage(head); kind != "" {
		return strings.ToUpper(strings.TrimPrefix(kind, "image/")), false
	}
	name, _ := binaryName(head)
	if codingOf(head).wide {
		return "UTF-16", true
	}
	if isBinary(head) || name == "a PDF" {
		return name, false
	}
	return "", true
}
