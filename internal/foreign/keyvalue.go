package foreign

import (
	"strings"

	"ken/internal/jsonl"
	"ken/internal/memory"
)

// keyValue reads one value of a file of keys: a record, or an Object that has
// records by their keys or in lists.
func (rd *reader) keyValue(p piece) error {
	o, err := Parse(p.Bytes)
	if err != nil {
		return err
	}
	if o.Has("key") || o.Has("value") && !o.Has("items") {
		return rd.keyed("", p.Bytes)
	}
	lists := false
	for _, f := range o {
		lists = lists || oneOf(string(f.Name), "items", "records", "preferences", "memories", "entries") && (f.Value.Type() == "array" || f.Value.Type() == "object")
	}
	for _, f := range o {
		if !lists {
			if err := rd.keyed(string(f.Name), f.Value); err != nil {
				rd.bad(err)
			}
			continue
		}
		entries(f.Value, func(key string, v jsonl.Value) {
			if err := rd.keyed(key, v); err != nil {
				rd.bad(err)
			}
		})
	}
	return nil
}

// keyed reads one record. key is the name that it stands under, "" in a list.
func (rd *reader) keyed(key string, v jsonl.Value) error {
	c := Candidate{Line: rd.at.Line}
	r := &c.Record
	r.Key = key
	text, scope := Words(v), ""
	if v.Type() == "object" {
		o, err := Parse(v)
		if err != nil {
			return err
		}
		r.Key = o.Text("key", "name")
		if r.Key == "" {
			r.Key = key
		}
		text = ""
		for _, name := range []string{"value", "content", "text"} {
			if text = Words(o.Get(name)); strings.TrimSpace(text) != "" {
				break
			}
		}
		kinded(r, o.Text("kind", "type"))
		sourced(r, o)
		if profile := o.Text("profile"); profile != "" {
			r.Tags = append(r.Tags, ProfileTag(profile))
		}
		r.Tags = append(r.Tags, o.List("tags")...)
		r.Detail = &memory.Detail{Expires: o.Time("expires", "expires_at")}
		scope = o.Text("scope")
		c.Why = rd.why(o.Time("ts", "timestamp", "updated_at", "created_at"))
	}
	if scope == "" { // a file holds the records of one scope, and has its name
		if scope = rd.stem(); !oneOf(scope, "user", "global", "cwd") {
			scope = ""
		}
	}
	if strings.TrimSpace(text) == "" {
		return errNoText
	}
	rd.scoped(r, scope)
	r.Content = Stated(r.Key, text)
	c, err := rd.made(c)
	if err == nil {
		rd.give(Entry{Candidates: []Candidate{c}})
	}
	return err
}

// ProfileTag returns the tag of what belongs to a profile.
func ProfileTag(profile string) string { return "profile:" + profile }
