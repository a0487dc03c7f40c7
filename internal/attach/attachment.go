package attach

import (
	"fmt"
	"strconv"
	"strings"

	"ken/internal/frame"
	"ken/internal/termsafe"
	"ken/internal/text"
	"ken/internal/tokens"
)

// A Kind says what was attached.
type Kind string

// The kinds.
const (
	Text      Kind = "text"
	Picture   Kind = "image"
	Directory Kind = "directory"
)

const (
	// MaxText is the most bytes of a text that are read: 8 MiB, as of standard input.
	MaxText = 8 << 20
	// MaxPicture is the largest picture, in bytes: 20 MB, what the larger servers take.
	MaxPicture = 20_000_000
	// MaxSide is the most pixels that a picture has in a row or a column.
	MaxSide = 16384
	// maxName is the longest name that is shown, in cells.
	maxName = 200
)

// An Attachment is what goes along with a question.
type Attachment struct {
	Name  string // as the person wrote it, on one clean line
	Path  string // absolute; "" for standard input
	Leads string // where the path leads, if it is a link; else ""
	Kind  Kind
	Bytes int64 // of the file; 0 for a directory
	// Text is what a text or a directory says: clean, masked, and no line of it begins like
	// a frame.
	Text string
	// Left is how many bytes of the middle of a text were not read.
	Left    int64
	Masked  int      // how many values were masked
	Notes   []string // what was converted, in words for a line
	Image   Image    // of a Picture
	Entries int      // of a directory: how many names are listed
}

// An Image is the bytes of a picture, and what its header says.
type Image struct {
	Type          string // "image/png", "image/jpeg", "image/gif" or "image/webp"
	Width, Height int    // in pixels
	Data          []byte // the file, without what stood beside the pixels
}

// Block is the attachment as it stands in a question, without a line end behind it.
func (a Attachment) Block() string {
	head := frame.Attached + " " + a.Name + " (" + a.about() + ")\n"
	if a.Text == "" {
		return head + frame.AttachedEnd
	}
	return head + a.Text + "\n" + frame.AttachedEnd
}

// about says in a few words what the attachment is.
func (a Attachment) about() string {
	switch a.Kind {
	case Directory:
		return "a directory: " + text.Count(a.Entries, "name") + ", without hidden and ignored ones"
	case Picture:
		return fmt.Sprintf("a picture: %s, %d x %d, %s", a.Image.format(), a.Image.Width, a.Image.Height, Size(a.Bytes))
	}
	if a.Bytes == 0 && a.Text == "" {
		return "empty"
	}
	return Size(a.Bytes)
}

// Tokens is about how many tokens the attachment takes.
func (a Attachment) Tokens() int { return tokens.Estimate(a.Block()) + a.Image.Tokens() }

// Line says what was attached, and its size in tokens, for a line that the person reads.
func (a Attachment) Line() string {
	said := []string{"about " + thousands(a.Tokens()) + " tokens"}
	switch a.Kind {
	case Picture:
		said = []string{fmt.Sprintf("%s, %d x %d, about %s tokens", a.Image.format(), a.Image.Width, a.Image.Height, thousands(a.Tokens()))}
	case Directory:
		said = []string{fmt.Sprintf("a listing of %s, about %s tokens", text.Count(a.Entries, "name"), thousands(a.Tokens()))}
	default:
		if a.Bytes == 0 && a.Text == "" {
			said = []string{"empty"}
		}
	}
	if a.Left > 0 {
		said = append(said, "without its middle: "+Size(a.Left)+" left out")
	}
	if a.Leads != "" {
		said = append(said, "a link to "+a.Leads)
	}
	said = append(said, a.Notes...)
	return a.Name + " (" + strings.Join(said, "; ") + ")"
}

// Line says in one line what was attached to a question; "" if nothing was.
func Line(list []Attachment) string {
	if len(list) == 0 {
		return ""
	}
	var each []string
	masked := 0
	for _, a := range list {
		each = append(each, a.Line())
		masked += a.Masked
	}
	line := "attached " + strings.Join(each, ", ")
	if masked > 0 {
		line += "; " + text.Count(masked, "value") + " masked"
	}
	return line
}

// thousands is a number with commas between thousands.
func thousands(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Size is a number of bytes as people write it.
func Size(n int64) string {
	switch {
	case n == 1:
		return "1 byte"
	case n < 1000:
		return fmt.Sprintf("%d bytes", n)
	case n < 1000*1000:
		return fmt.Sprintf("%.1f KB", float64(n)/1000)
	case n < 1000*1000*1000:
		return fmt.Sprintf("%.1f MB", float64(n)/1000/1000)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1000/1000/1000)
}

// nameOf is a path as it is shown.
func nameOf(path string) string {
	return termsafe.Cut(strings.TrimSpace(termsafe.Line(path)), maxName)
}
