package attach

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Mentions are the files that a text names.
type Mentions struct {
	Files []string // as the text has them, without "@" and quotes, each once
	// Resources are those of tool servers, each once.
	Resources []Resource
	// Gone are words that look like files and name none: a path, or a name with a suffix.
	Gone []string
	// Pictures are pictures that are named by their whole path, as terminals paste one that is
	// dropped on them.
	Pictures []string
}

// A Resource is a thing that a server has to read, as a text names it behind "@": files:notes://today.
type Resource struct{ Server, URI string }

// Mentioned finds the files that a text names: as "@main.go" or @"a name with blanks", each a word of
// its own that names what there is. What stands in a fenced block names nothing; in a text
// of several lines a directory has a slash at its end, since a word there is more likely
// code. "@NAME:..." is a resource where NAME is a server, whatever files there are; in a text of one line it is
// one of a server that nobody knows where an address with "://" follows.
func (r Reader) Mentioned(text string) (m Mentions) {
	var lines []string
	fenced := false
	for line := range strings.Lines(text) {
		if s := strings.TrimSpace(line); strings.HasPrefix(s, "```") || strings.HasPrefix(s, "~~~") {
			fenced = !fenced
		} else if !fenced && s != "" {
			lines = append(lines, line)
		}
	}
	several := strings.Contains(strings.TrimSpace(text), "\n")
	add := func(list *[]string, name string) {
		if !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
	}
	for _, line := range lines {
		for i := 0; i < len(line); {
			word, end := cutWord(line, i)
			resource, is := r.resource(word, several)
			switch {
			case is:
				if !slices.Contains(m.Resources, resource) {
					m.Resources = append(m.Resources, resource)
				}
			case word.at:
				name, ok := r.named(word, several)
				if ok {
					add(&m.Files, name)
				} else if !several && likeFile(word.text) {
					add(&m.Gone, strings.TrimRight(word.text, closing))
				}
			case !several && word.text != "":
				if name, ok := r.pictureAt(word.text); ok {
					add(&m.Pictures, name)
				}
			}
			i = max(end, i+1)
		}
	}
	return m
}

// A word is one of a line.
type word struct {
	text   string // without quotes and backslashes
	at     bool   // it had an "@" in front, which text has not
	quoted bool
}

// cutWord reads the word that begins at i, or behind blanks and brackets there, and says where it
// ends. The text of what is no word is "".
func cutWord(line string, i int) (w word, end int) {
	for i < len(line) {
		r, size := utf8.DecodeRuneInString(line[i:])
		if r != '(' && !unicode.IsSpace(r) {
			break
		}
		i += size
	}
	if i < len(line) && line[i] == '@' {
		w.at = true
		i++
	}
	if i < len(line) && (line[i] == '"' || line[i] == '\'') {
		if n := strings.IndexByte(line[i+1:], line[i]); n >= 0 {
			w.text, w.quoted = line[i+1:i+1+n], true
			return w, i + n + 2
		}
	}
	var b strings.Builder
	for i < len(line) {
		r, size := utf8.DecodeRuneInString(line[i:])
		if unicode.IsSpace(r) {
			break
		}
		if r == '\\' && i+1 < len(line) && strings.IndexByte(" ()'\"&;\\", line[i+1]) >= 0 {
			i++ // as shells write a name
			size = 1
		}
		b.WriteString(line[i : i+size])
		i += size
	}
	w.text = b.String()
	return w, i
}

// closing are the marks that may stand behind a name in a sentence.
const closing = ".,;:!?)]}'\""

// named is the file that a word names, without the marks behind it.
func (r Reader) named(w word, several bool) (name string, ok bool) {
	for name = w.text; name != "" && name != "."; {
		if isDir, there := r.there(name); there && (!isDir || !several || strings.HasSuffix(name, "/")) {
			return name, true
		}
		last, size := utf8.DecodeLastRuneInString(name)
		if w.quoted || !strings.ContainsRune(closing, last) {
			break
		}
		name = name[:len(name)-size]
	}
	return "", false
}

// resource is what a word names of a server. The marks behind it are the sentence's, unless it stands in quotes.
func (r Reader) resource(w word, several bool) (named Resource, ok bool) {
	server, uri, ok := strings.Cut(w.text, ":")
	if !w.at || !ok || r.Server == nil || server == "" || strings.Trim(server, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return Resource{}, false
	}
	if !w.quoted {
		uri = sentence(uri)
	}
	if r.Server(server) {
		return Resource{server, uri}, uri != ""
	}
	scheme, rest, ok := strings.Cut(uri, "://")
	plain := strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.") == ""
	return Resource{server, uri}, ok && scheme != "" && rest != "" && plain && !several
}

// sentence is a word without the marks behind it that are the sentence's; a bracket that was opened in it is not.
func sentence(s string) string {
	for s != "" && strings.IndexByte(closing, s[len(s)-1]) >= 0 {
		if i := strings.IndexByte(")]}", s[len(s)-1]); i >= 0 && strings.Count(s, ")]}"[i:i+1]) <= strings.Count(s, "([{"[i:i+1]) {
			break
		}
		s = s[:len(s)-1]
	}
	return s
}

// there reports whether there is something of that name, whatever it is.
func (r Reader) there(name string) (isDir, ok bool) {
	if strings.ContainsFunc(name, func(c rune) bool { return c == 0 || c == utf8.RuneError }) || len(name) > longestPath {
		return false, false
	}
	fi, err := os.Stat(r.Resolve(name))
	if err != nil {
		return false, false
	}
	return fi.IsDir(), true
}

// longestPath is the longest word that may be a path, in bytes.
const longestPath = 4096

// likeFile reports whether a word that names nothing was meant to: it is a path, or has a suffix.
func likeFile(s string) bool {
	s = strings.TrimRight(s, closing)
	ext := filepath.Ext(s)
	return strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../") || strings.HasPrefix(s, "/") || strings.HasPrefix(s, "~/") ||
		len(ext) > 1 && len(ext) <= 5 && len(ext) < len(s) && !strings.ContainsAny(s, "@()")
}

// pictureAt is the picture that a word names by its whole path.
func (r Reader) pictureAt(s string) (name string, ok bool) {
	s = strings.TrimPrefix(s, "file://")
	if !filepath.IsAbs(s) && !strings.HasPrefix(s, "~/") {
		return "", false
	}
	switch strings.ToLower(filepath.Ext(s)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp":
	default:
		return "", false
	}
	fi, err := os.Stat(r.Resolve(s))
	return s, err == nil && fi.Mode()&fs.ModeType == 0
}
