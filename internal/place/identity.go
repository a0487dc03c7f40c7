package place

import (
	"strings"
	"unicode"
)

// Identity returns the host and path of a remote's address, lower case:
// "github.com/me/aish". It is "" for what has no host: local paths, file:
// addresses, remote helpers.
//
// Dropped are scheme, user, password, port, query, fragment, a final ".git" and
// slashes in excess. Escapes (%20) stay as they are.
func Identity(address string) string {
	var host, path string
	if scheme, rest, ok := strings.Cut(address, "://"); ok {
		if !remoteScheme(scheme) {
			return ""
		}
		if i := strings.IndexAny(rest, "?#"); i >= 0 {
			rest = rest[:i]
		}
		host, path, _ = strings.Cut(rest, "/")
		host = hostOf(host)
	} else {
		host, path, ok = scpLike(address)
		if !ok {
			return ""
		}
	}
	path = cleanPath(path)
	if !validHost(host) || path == "" || path[0] == ':' || strings.ContainsFunc(path, notInIdentity) {
		return ""
	}
	return strings.ToLower(sshHost(strings.ToLower(host)) + "/" + path)
}

// sshHost is the host that is meant by the names under which the large forges
// speak ssh on the port of https, for networks that let nothing else through.
func sshHost(host string) string {
	switch host {
	case "ssh.github.com":
		return "github.com"
	case "altssh.gitlab.com":
		return "gitlab.com"
	case "altssh.bitbucket.org":
		return "bitbucket.org"
	}
	return host
}

// remoteScheme reports whether addresses of the scheme name a host.
func remoteScheme(scheme string) bool {
	switch strings.ToLower(scheme) {
	case "ssh", "git", "http", "https", "ftp", "ftps", "git+ssh", "ssh+git", "git+http", "git+https":
		return true
	}
	return false
}

// hostOf drops user and port from the authority of a URL. The brackets of an
// IPv6 address stay.
func hostOf(authority string) string {
	authority = authority[strings.LastIndexByte(authority, '@')+1:]
	if strings.HasPrefix(authority, "[") {
		if i := strings.IndexByte(authority, ']'); i >= 0 {
			return authority[:i+1]
		}
		return ""
	}
	host, _, _ := strings.Cut(authority, ":")
	return strings.TrimRight(host, ".")
}

// scpLike splits [user@]host:path. As for git, a slash before the first colon
// makes it a local path, and so does a single letter, which is a drive.
func scpLike(address string) (host, path string, ok bool) {
	at := 0
	if i := strings.Index(address, "@["); i >= 0 && !strings.ContainsAny(address[:i], ":/") {
		at = i + 1
	}
	if strings.HasPrefix(address[at:], "[") {
		end := strings.Index(address[at:], "]:")
		if end < 0 {
			return "", "", false
		}
		inside, path := address[at+1:at+end], address[at+end+2:]
		// In brackets stands an IPv6 address, or a host with its port.
		if strings.Count(inside, ":") > 1 {
			return "[" + inside + "]", path, true
		}
		return hostOf(inside), path, true
	}
	before, path, ok := strings.Cut(address, ":")
	if !ok || strings.ContainsAny(before, `/\`) || strings.HasPrefix(path, ":") {
		return "", "", false
	}
	host = hostOf(before)
	if len(host) < 2 && !strings.Contains(before, "@") {
		return "", "", false
	}
	return host, path, true
}

// cleanPath drops a final ".git", the marks of a home directory, and slashes
// in excess.
func cleanPath(path string) string {
	path = strings.TrimRight(path, "/")
	if len(path) >= 4 && strings.EqualFold(path[len(path)-4:], ".git") {
		path = path[:len(path)-4]
	}
	parts := strings.FieldsFunc(path, func(c rune) bool { return c == '/' })
	return strings.Join(parts, "/")
}

// validHost reports whether host may be one: letters, digits and ".-_", or an
// IPv6 address in brackets.
func validHost(host string) bool {
	if inside, ok := strings.CutPrefix(host, "["); ok {
		inside, ok = strings.CutSuffix(inside, "]")
		return ok && inside != "" && strings.Trim(inside, "0123456789abcdefABCDEF:.") == ""
	}
	return host != "" && !strings.ContainsFunc(host, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune(".-_", c)
	})
}

// notInIdentity reports whether c cannot be part of the path of an identity:
// an identity is written in lines and shown on terminals.
func notInIdentity(c rune) bool {
	return c == unicode.ReplacementChar || !unicode.IsGraphic(c) || unicode.IsSpace(c)
}
