package undo

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"ken/internal/session"
	"ken/internal/tool/swap"
)

// Tool is the tool of an act that takes another one back.
const Tool = "undo"

// EventName is the name of the event of an act.
const EventName = "act"

// An Act is a change of one file, as it stands in a session:
//
//	{"ts":"...","event":"act","id":"a7k2mq4x","tool":"edit_file","path":"/home/me/a.go",
//	 "before":"<sha-256>","after":"<sha-256>","who":"fast","run":"12"}
type Act struct {
	ID     string // of NewID
	Time   time.Time
	Tool   string // "edit_file", "write_file" or Tool
	Path   string // absolute, without links
	Before string // swap.Sum of what the file held; "" if it was not there
	After  string // swap.Sum of what it holds then; "" if it is not there any more
	Who    string // who asked for it: a model, or "user"
	Run    string // what it is a part of: acts of one run are taken back together
	Undoes string // the act that it takes back; "" of every tool but Tool
	// Mode is that of a file that is removed, 0 of every other: what is there keeps its own.
	Mode fs.FileMode
}

// NewID is the id of a new act: "a" and seven of 32 letters and digits.
func NewID() string { return "a" + strings.ToLower(rand.Text()[:7]) }

// Event is the act as a line of a session.
func (a Act) Event() session.Event {
	e := session.Event{Time: a.Time, Name: EventName}
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
func (a Act) Void() session.Event {
	return session.Event{Name: EventName, Fields: []session.Field{session.StringField("id", a.ID), session.StringField("state", stateVoid)}}
}

const stateVoid = "void"

// ActOf is the act of a line of a session; ok is false if it is none that changed a file.
func ActOf(e session.Event) (a Act, ok bool) {
	a = Act{
		ID: e.Text("id"), Time: e.Time, Tool: e.Text("tool"), Path: e.Text("path"), Before: e.Text("before"), After: e.Text("after"),
		Who: e.Text("who"), Run: e.Text("run"), Undoes: e.Text("undoes"),
	}
	if m, err := strconv.ParseUint(e.Text("mode"), 8, 9); err == nil {
		a.Mode = fs.FileMode(m)
	}
	return a, e.Name == EventName && a.ID != "" && a.Path != "" && a.Path != session.Gone && a.Before != a.After
}

// isBack says that the file of an act is as it was before it.
func (a Act) isBack() bool {
	b, _, err := swap.Read(a.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return a.Before == ""
	}
	return err == nil && swap.Sum(b) == a.Before
}

// Acts are the changes of files of a session, in the order in which they were made. An id that stands
// in several lines is what the last of them says.
func Acts(t *session.Transcript) (list []Act) {
	for _, e := range t.Entries {
		if e.Event == nil {
			continue
		}
		a, ok := ActOf(*e.Event)
		i := slices.IndexFunc(list, func(b Act) bool { return b.ID == a.ID })
		switch {
		case i >= 0 && e.Event.Name == EventName && e.Event.Text("state") == stateVoid:
			list = slices.Delete(list, i, i+1)
		case ok && i >= 0:
			list[i] = a
		case ok:
			list = append(list, a)
		}
	}
	return list
}

// Standing are the acts that were not taken back, the newest first, and none that takes another back.
func Standing(acts []Act) (list []Act) {
	undone := map[string]bool{}
	for _, a := range slices.Backward(acts) {
		if undone[a.ID] {
			continue
		}
		if a.Undoes != "" {
			undone[a.Undoes] = true
			continue
		}
		list = append(list, a)
	}
	return list
}

// RunOf are the acts of a run that stand, the newest first.
func RunOf(acts []Act, run string) (list []Act) {
	for _, a := range Standing(acts) {
		if a.Run == run {
			list = append(list, a)
		}
	}
	return list
}
