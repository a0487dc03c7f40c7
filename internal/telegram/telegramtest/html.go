package telegramtest

import (
	"fmt"
	"strings"
)

// Parse reads a text of the Bot API's HTML and returns what is shown of it. The error says why the real one would
// refuse it, or show something else than was meant: a tag that there is none of, or that is not closed, a bare
// "<" or "&", quotes in each other, code with markup in it.
func Parse(html string) (shown string, err error) {
	var b strings.Builder
	var open []string
	for html != "" {
		i := strings.IndexAny(html, "<>&")
		if i < 0 {
			b.WriteString(html)
			break
		}
		b.WriteString(html[:i])
		rest := html[i:]
		switch rest[0] {
		case '>':
			return "", fmt.Errorf("a bare > at %.20q", rest)
		case '&':
			name, after, ok := strings.Cut(rest, ";")
			char := map[string]string{"&lt": "<", "&gt": ">", "&amp": "&", "&quot": `"`}[name]
			if !ok || char == "" {
				return "", fmt.Errorf("entity %.20q", rest)
			}
			b.WriteString(char)
			html = after
		default:
			tag, after, ok := strings.Cut(rest[1:], ">")
			if !ok {
				return "", fmt.Errorf("unclosed tag at %.20q", rest)
			}
			html = after
			if name, closes := strings.CutPrefix(tag, "/"); closes {
				if len(open) == 0 || open[len(open)-1] != name {
					return "", fmt.Errorf("unexpected end tag %q in %v", name, open)
				}
				open = open[:len(open)-1]
				continue
			}
			name, attribute, _ := strings.Cut(tag, " ")
			if err := allowed(name, attribute, open); err != nil {
				return "", err
			}
			open = append(open, name)
		}
	}
	if len(open) > 0 {
		return "", fmt.Errorf("can't find end tag of %v", open)
	}
	return b.String(), nil
}

func allowed(name, attribute string, open []string) error {
	within := strings.Join(open, " ")
	switch name {
	case "b", "i", "s":
		if attribute != "" {
			return fmt.Errorf("attribute %q of %s", attribute, name)
		}
	case "blockquote":
		if strings.Contains(within, "blockquote") || attribute != "" {
			return fmt.Errorf("a quote in a quote")
		}
	case "pre":
		if within != "" || attribute != "" {
			return fmt.Errorf("pre in %q", within)
		}
		return nil
	case "code":
		if within == "pre" {
			value, ok := strings.CutPrefix(attribute, `class="language-`)
			if !ok || strings.Trim(value, `"`) == "" || strings.ContainsAny(value, "<& ") {
				return fmt.Errorf("attribute %q of code", attribute)
			}
			return nil
		}
		if attribute != "" {
			return fmt.Errorf("attribute %q of code", attribute)
		}
	case "a":
		value, ok := strings.CutPrefix(attribute, `href="`)
		value, end := strings.CutSuffix(value, `"`)
		if !ok || !end || strings.ContainsAny(value, `"<>`) || strings.Contains(within, "a") && strings.Contains(" "+within+" ", " a ") {
			return fmt.Errorf("attribute %q of a", attribute)
		}
		if !strings.HasPrefix(value, "http://") && !strings.HasPrefix(value, "https://") && !strings.HasPrefix(value, "mailto:") {
			return fmt.Errorf("a link to %q", value)
		}
	default:
		return fmt.Errorf("unsupported start tag %q", name)
	}
	for _, o := range open {
		if o == "pre" || o == "code" {
			return fmt.Errorf("%s in %v", name, open)
		}
	}
	return nil
}
