package acts

import (
	"io/fs"
	"slices"
	"strconv"
	"time"

	"ken/internal/session"
	"ken/internal/tool/swap"
)

// A Change is an act that changed one file, or takes such a change back, as it stands in a session beside the lines of Act: who
// else reads the event has their own fields in it.
//
//	{"ts":"...","event":"act","id":"a7k2mq4x","tool":"edit_file","path":"/home/me/a.go",
//	 "before":"<sha-256>","after":"<sha-256>","who":"fast","run":"12"}
type Change struct {
	ID     string // of undo.NewID
	Time   time.Time
	Tool   string // "edit_file", "write_file", "rehearsal" or undo.Tool
	Path   string // absolute, without links
	Before string // swap.Sum of what the file held; "" if it was not there
	After  string // swap.Sum of what it holds then; "" if it is not there any more
	Who    string // who asked for it: a model, or "user"
	Run    string // what it is a part of: acts of one run are taken back together
	Undoes string // the act that it takes back; "" of every tool but undo.Tool
	// Mode is that of a file that is removed, 0 of every other: what is there keeps its own.
	Mode fs.FileMode
	// Was and Is say what was there and what is there then besides the bytes, if that matters: a mode, a link, a
	// directory, whose Before and After are sums of what a link leads to, and of nothing.
	Was, Is swap.Form
}

// Event is the act as a line of a session.
func (a Change) Event() session.Event {
	e := session.Event{Time: a.Time, Name: Event}
	for _, f := range []struct{ name, value string }{
		{"id", a.ID},
		{"tool", a.Tool},
		{"path", a.Path},
		{"before", a.Before},
		{"after", a.After},
		{"who", a.Who},
		{"run", a.Run},
		{"undoes", a.Undoes},
		{"mode", mode(a.Mode)},
		{"was", string(a.Was)},
		{"is", string(a.Is)},
	} {
		if f.value != "" || f.name == "before" || f.name == "after" {
			e.Fields = append(e.Fields, session.StringField(f.name, f.value))
		}
	}
	return e
}

// mode is that of a file in octal digits, as of chmod; "" of none.
func mode(m fs.FileMode) string {
	if m.Perm() == 0 {
		return ""
	}
	return strconv.FormatUint(uint64(m.Perm()), 8)
}

// Void is the line of a session that says that an act whose line was written was not done.
func (a Change) Void() session.Event {
	return session.Event{Name: Event, Fields: []session.Field{session.StringField("id", a.ID), session.StringField("state", string(Void))}}
}

// ChangeOf is the act of a line of a session; ok is false if it is none that changed a file.
func ChangeOf(e session.Event) (a Change, ok bool) {
	a = Change{
		ID: e.Text("id"), Time: e.Time, Tool: e.Text("tool"), Path: e.Text("path"), Before: e.Text("before"), After: e.Text("after"),
		Who: e.Text("who"), Run: e.Text("run"), Undoes: e.Text("undoes"), Was: swap.Form(e.Text("was")), Is: swap.Form(e.Text("is")),
	}
	if m, err := strconv.ParseUint(e.Text("mode"), 8, 9); err == nil {
		a.Mode = fs.FileMode(m)
	}
	return a, e.Name == Event && a.ID != "" && a.Path != "" && a.Path != session.Gone && (a.Before != a.After || a.Was != a.Is)
}

// Read is what a model did in the session in the file at path: session.Events of Act, Change and Pursuit.
func Read(path string) (*session.Transcript, error) { return session.Events(path, Event, EventAuto) }

// Changes are the changes of files of a session, in the order in which they were made. An id that stands
// in several lines is what the last of them says.
func Changes(t *session.Transcript) (list []Change) {
	for _, e := range t.Entries {
		if e.Event == nil {
			continue
		}
		a, ok := ChangeOf(*e.Event)
		i := slices.IndexFunc(list, func(b Change) bool { return b.ID == a.ID })
		switch {
		case i >= 0 && e.Event.Name == Event && e.Event.Text("state") == string(Void):
			list = slices.Delete(list, i, i+1)
		case ok && i >= 0:
			list[i] = a
		case ok:
			list = append(list, a)
		}
	}
	return list
}
