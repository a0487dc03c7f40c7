package programs

import (
	"strings"
)

// asksMongo says that a line for mongosh is one chain of calls that only ask, whose
// words are data.
func asksMongo(line string) bool {
	rest := strings.TrimSuffix(strings.TrimSpace(line), ";")
	// An operator may be code, also where it is a quoted key.
	for at := strings.IndexByte(rest, '$'); at >= 0; {
		end := at + 1
		for end < len(rest) && isLetter(rest[end]) {
			end++
		}
		if !isOneOf(rest[at+1:end], "gt", "gte", "lt", "lte", "in", "nin", "ne", "eq", "exists", "regex", "options", "and", "or", "not", "match", "group", "sum", "avg", "min", "max", "sort", "limit", "project", "count", "size", "type", "elemMatch", "unwind") {
			return false
		}
		next := strings.IndexByte(rest[end:], '$')
		if next < 0 {
			break
		}
		at = end + next
	}
	if strings.ContainsAny(rest, "`\\\n=;") {
		return false
	}
	bare, ok := withoutStrings(rest)
	if !ok {
		return false
	}
	calls := 0
	for len(bare) > 0 {
		name := bare
		if i := strings.IndexFunc(name, func(r rune) bool {
			return r >= 0x80 || !isLetter(byte(r)) && r != '_' && r != '.' && (r < '0' || r > '9')
		}); i >= 0 {
			name = name[:i]
		}
		words := strings.Split(strings.TrimPrefix(name, "."), ".")
		last := words[len(words)-1]
		switch {
		case calls == 0 && len(words) >= 2 && words[0] == "rs":
			ok = len(words) == 2 && isOneOf(last, "status", "conf", "hello")
		case calls == 0 && words[0] == "db" && len(words) == 2:
			ok = isOneOf(last, "stats", "version", "getCollectionNames", "getCollectionInfos", "getName", "serverStatus", "hostInfo", "hello", "isMaster", "currentOp", "getUsers", "getRoles", "serverBuildInfo", "getMongo", "getSiblingDB", "getCollection")
		case calls == 0 && words[0] == "db" && len(words) > 2:
			ok = isOneOf(last, "find", "findOne", "count", "countDocuments", "estimatedDocumentCount", "distinct", "stats", "getIndexes", "aggregate", "totalSize", "dataSize", "storageSize", "isCapped", "explain")
		case calls > 0 && len(words) <= 2:
			ok = isOneOf(last, "limit", "sort", "skip", "toArray", "count", "pretty", "projection", "size", "itcount", "hasNext", "next", "explain", "find", "findOne", "countDocuments", "distinct", "length", "stats", "getCollectionNames", "getDBNames", "databases", "batchSize", "maxTimeMS", "hint", "collation")
		default:
			ok = false
		}
		bare = bare[len(name):]
		if !ok || !strings.HasPrefix(bare, "(") {
			return ok && calls > 0 && bare == "" && isOneOf(last, "length", "databases")
		}
		end := closing(bare)
		if end < 0 || !onlyData(bare[1:end]) {
			return false
		}
		bare = strings.TrimSpace(bare[end+1:])
		calls++
		if bare != "" && bare[0] != '.' {
			return false
		}
	}
	return calls > 0
}

func isLetter(b byte) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' }

// withoutStrings is text with its strings emptied; false: one is not closed.
func withoutStrings(text string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\'' && text[i] != '"' {
			b.WriteByte(text[i])
			continue
		}
		end := strings.IndexByte(text[i+1:], text[i])
		if end < 0 {
			return "", false
		}
		b.WriteString(`""`)
		i += end + 1
	}
	return b.String(), true
}

// closing is where the bracket that text begins with is closed; -1: nowhere.
func closing(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// onlyData says that text is data: each of its words is a key, or known.
func onlyData(text string) bool {
	for i := 0; i < len(text); {
		b := text[i]
		switch {
		case isLetter(b) || b == '_' || b == '$':
			end := i
			for end < len(text) && (isLetter(text[end]) || text[end] == '_' || text[end] == '$' || text[end] >= '0' && text[end] <= '9') {
				end++
			}
			key := strings.HasPrefix(strings.TrimSpace(text[end:]), ":")
			if !key && !isOneOf(text[i:end], "true", "false", "null", "ISODate", "ObjectId", "NumberLong", "NumberInt", "new", "Date") {
				return false
			}
			i = end
		case strings.IndexByte("{}[](),:\" .-", b) >= 0 || b >= '0' && b <= '9':
			i++
		default:
			return false
		}
	}
	return true
}
