package skill

import (
	"strings"

	"ken/internal/memory"
)

// keyOf is in front of a draft's name in the key of its proposal.
const keyOf = "skill/"

// Ref is how the account of what was done names a draft, and the skill that it became.
func (d Draft) Ref() string { return keyOf + d.Name }

// Record is a draft as the queue of what waits has it, under review.OfSkill: its name, what
// it is for, where its file is and which bytes that holds. The text stays in the file. It
// is never written into the memory.
func (d Draft) Record(origin memory.Origin) memory.Record {
	return memory.Record{
		Kind: memory.KindWorkflow, Key: keyOf + d.Name, Origin: origin,
		Content: d.Name + ": " + d.Skill.Description + " (" + draftsName + "/" + d.Name + "/" + fileName + ", sha256 " + d.SHA256 + ")",
	}
}

// Proposed is the draft that a record names; ok is false if it names none.
func Proposed(r *memory.Record) (name, sha256 string, ok bool) {
	name, ok = strings.CutPrefix(r.Key, keyOf)
	begin := "(" + draftsName + "/" + name + "/" + fileName + ", sha256 "
	i := strings.LastIndex(r.Content, begin)
	if !ok || !ValidName(name) || i < 0 {
		return "", "", false
	}
	sha256, ok = strings.CutSuffix(r.Content[i+len(begin):], ")")
	return name, sha256, ok && len(sha256) == 64 && strings.Trim(sha256, "0123456789abcdef") == ""
}
