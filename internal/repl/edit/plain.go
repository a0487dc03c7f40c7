package edit

import (
	"bytes"
	"io"
	"strings"
)

// A plain passes on what is written to it without its colours; bold, dim and
// reverse stay. A sequence may come in pieces.
type plain struct {
	w    io.Writer
	held []byte
}

func (p *plain) Write(b []byte) (int, error) {
	p.held = append(p.held, b...)
	out := make([]byte, 0, len(p.held))
	rest := p.held
	for len(rest) > 0 {
		i := bytes.Index(rest, []byte("\x1b["))
		if i < 0 {
			i = len(rest)
			if rest[i-1] == 0x1b {
				i--
			}
			out, rest = append(out, rest[:i]...), rest[i:]
			break
		}
		out, rest = append(out, rest[:i]...), rest[i:]
		end := bytes.IndexFunc(rest[2:], func(r rune) bool { return r >= 0x40 })
		if end < 0 {
			break
		}
		end += 2
		if seq := rest[:end+1]; seq[end] == 'm' {
			out = append(out, withoutColor(string(seq[2:end]))...)
		} else {
			out = append(out, seq...)
		}
		rest = rest[end+1:]
	}
	p.held = append(p.held[:0], rest...)
	_, err := p.w.Write(out)
	return len(b), err
}

// withoutColor is the sequence that sets what params set, but for colours; "" if
// that is nothing.
func withoutColor(params string) string {
	var keep []string
	list := strings.Split(params, ";")
	for i := 0; i < len(list); i++ {
		n := list[i]
		switch {
		case n == "38" || n == "48":
			if i+1 < len(list) && list[i+1] == "5" {
				i += 2
			} else {
				i += 4
			}
		case len(n) == 2 && (n[0] == '3' || n[0] == '4'), len(n) == 2 && n[0] == '9', len(n) == 3 && n[0] == '1':
		default:
			keep = append(keep, n)
		}
	}
	if len(keep) == 0 {
		return ""
	}
	return "\x1b[" + strings.Join(keep, ";") + "m"
}
