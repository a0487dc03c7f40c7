package programs

import (
	"strings"
)

// unpackers are the functions of programs that take files out of an archive: what they
// are called stands in the archive.
func unpackers(name string) func(l *findings) {
	switch name {
	case "unzip", "7z", "7za", "7zr", "7zz", "unrar", "rar", "unar", "cpio", "pax", "ar", "bsdcpio", "aunpack", "atool", "patool", "dtrx", "jar":
		return unpacks
	}
	return nil
}

func unpacks(l *findings) {
	if !byTable(l) {
		l.Caution("makes or changes files", l.Words[0])
	}
	args := l.Args()
	writes, into := false, Word{}
	to := func(i int, value string) {
		switch {
		case value != "":
			into = args[i]
			into.Text = value
		case i+1 < len(args):
			into = args[i+1]
		}
	}
	first := ""
	if len(args) > 0 {
		first = args[0].Text
	}
	switch l.Name {
	case "unzip":
		writes = true
		for i, w := range args {
			t := w.Text
			switch {
			case strings.HasPrefix(t, "-d") && !strings.HasPrefix(t, "--"):
				to(i, t[2:])
			case len(t) > 1 && t[0] == '-' && t[1] != '-' && strings.ContainsAny(t[1:], "lptvzZ"):
				writes = false
			case t == "-:" || len(t) > 1 && t[0] == '-' && strings.Contains(t, ":"):
				l.Danger("may write anywhere: names in the archive are taken as they are", w)
			}
			if !writes {
				return
			}
		}
	case "7z", "7za", "7zr", "7zz", "unrar", "rar", "jar":
		writes = isOneOf(first, "x", "e") || l.Name == "jar" && strings.Contains(first, "x")
		for i, w := range args {
			if strings.HasPrefix(w.Text, "-o") && len(w.Text) > 2 && l.Name[0] == '7' {
				to(i, w.Text[2:])
			}
			if w.Text == "-C" && l.Name == "jar" {
				to(i, "")
			}
			if i > 1 && strings.HasSuffix(w.Text, "/") && !IsFlag(w) {
				into = w
			}
			if w.Text == "-spf" || w.Text == "-spf2" {
				l.Danger("may write anywhere: names in the archive are taken as they are", w)
			}
		}
	case "cpio", "bsdcpio", "pax":
		for i, w := range args {
			t := w.Text
			flag := len(t) > 1 && t[0] == '-' && t[1] != '-'
			writes = writes || t == "--extract" || t == "--pass-through" || flag && (strings.ContainsAny(t, "ip") && l.Name != "pax" || l.Name == "pax" && strings.Contains(t, "r"))
			if t == "-D" || t == "--directory" {
				to(i, "")
			} else if v, ok := strings.CutPrefix(t, "--directory="); ok {
				to(i, v)
			} else if flag && strings.HasPrefix(t, "-D") {
				to(i, t[2:])
			}
			if t == "--absolute-filenames" {
				l.Danger("may write anywhere: names in the archive are taken as they are", w)
			}
		}
	case "ar":
		writes = strings.Contains(first, "x")
	default:
		writes = true
		for i, w := range args {
			if isOneOf(w.Text, "-o", "-output-directory", "-X", "--extract-to", "--outdir") {
				to(i, "")
			}
		}
	}
	if !writes {
		return
	}
	if into.Text == "" {
		into = l.Words[0]
		into.Text = "."
	}
	l.Operations = append(l.Operations, Operation{Act: Write, Words: []Word{into}, Word: into, Root: l.Root, Deep: true})
}
