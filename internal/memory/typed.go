package memory

import (
	"fmt"
	"strconv"
	"strings"
)

// maxSpan is the most lines that one span of references names.
const maxSpan = 100_000

// around is what stands around references where ken prints them, and between them
// where people type them.
const around = "[](){}<>#.,;:"

// TypedRefs splits what a person typed into single references and spans. It takes them in every
// form that ken prints: "[2]", "#1", "5,6" and "(3)," mean 2, 1, 5 and 6, and 3. The references may
// be of any kind: memories, proposals ("p5"), turns.
func TypedRefs(words ...string) []string {
	var refs []string
	for _, w := range words {
		for part := range strings.FieldsFuncSeq(w, func(r rune) bool { return r == ',' || r == ';' || r == ' ' || r == '\t' || r == '\n' }) {
			if part = strings.Trim(part, around); part != "" {
				refs = append(refs, part)
			}
		}
	}
	return refs
}

// ParseTyped reads what a person typed as references of memories: one or several, as
// TypedRefs parts them, and spans of them: "3-9", "#3-#9", "laptop-7f3a/3-9".
func ParseTyped(words ...string) ([]ID, error) {
	var ids []ID
	for _, ref := range TypedRefs(words...) {
		log, from, to, ok := span(ref)
		if !ok {
			id, err := ParseID(ref)
			if err != nil {
				return nil, err
			}
			ids = append(ids, id)
			continue
		}
		if to < from || to-from >= maxSpan-int64(len(ids)) {
			return nil, fmt.Errorf("%s: a span goes up, over at most %d lines", ref, maxSpan)
		}
		for n := from; n <= to; n++ {
			ids = append(ids, ID{Log: log, N: n})
		}
	}
	if len(ids) == 0 && len(words) > 0 {
		return nil, fmt.Errorf("memory reference %q: want a number like 3, laptop-7f3a/3 or h1a2b3c4d", strings.Join(words, " "))
	}
	return ids, nil
}

func span(ref string) (log string, from, to int64, ok bool) {
	if i := strings.LastIndexByte(ref, '/'); i >= 0 {
		log, ref = ref[:i], ref[i+1:]
	}
	a, b, ok := strings.Cut(ref, "-")
	if !ok || log != "" && !validLog(log) {
		return "", 0, 0, false
	}
	from, err1 := strconv.ParseInt(strings.Trim(a, around), 10, 64)
	to, err2 := strconv.ParseInt(strings.Trim(b, around), 10, 64)
	return log, from, to, err1 == nil && err2 == nil && from > 0 && to <= MaxID
}
