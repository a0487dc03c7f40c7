package view

import (
	"fmt"
	"strings"

	"ken/internal/memory"
)

// An EraseReport is what was erased and found. Its lists are never null, but for those that are
// left out when empty.
type EraseReport struct {
	Erased    []ErasedMemory `json:"erased"` // with --dry-run, what would be
	Lines     int            `json:"lines"`
	Turns     []ErasedTurn   `json:"turns"`
	Proposals int            `json:"proposals"`
	Similar   []Similar      `json:"similar"`          // left alone
	Shared    []Shared       `json:"shared,omitempty"` // turns that stay and share a rare word with the text
	CitedBy   []string       `json:"cited_by"`         // active memories that rest on one of them
	Untouched int            `json:"untouched,omitempty"`
	DryRun    bool           `json:"dry_run,omitempty"`
	// Known is false if the text of what was erased before is not known any more:
	// then nothing was looked for.
	Known bool   `json:"text_known"`
	Proof *Proof `json:"proof,omitempty"`
	// Given are other assistants that were given some of it: what they keep is not reached.
	Given []GivenTo `json:"given,omitempty"`

	Sessions   int  `json:"-"` // conversations that are rewritten
	Unsearched bool `json:"-"` // there were too many texts to look for what resembles them
}

// A GivenTo is another assistant that was given a memory.
type GivenTo struct {
	Agent string `json:"agent"`
	Days  int    `json:"days"` // on so many
	First string `json:"first"`
	Last  string `json:"last"`
	// Keeps is where that assistant keeps what it was told; "" if that is not known.
	Keeps string `json:"keeps,omitempty"`
}

// Text says it in a line: "given to claude on 3 days, last 2026-05-13; its conversations are in ~/.claude/projects".
func (g GivenTo) Text() string {
	day, _, _ := strings.Cut(g.Last, "T")
	text := "given to " + g.Agent + " on 1 day, " + day
	if g.Days > 1 {
		text = fmt.Sprintf("given to %s on %d days, last %s", g.Agent, g.Days, day)
	}
	if g.Keeps != "" {
		return text + "; its conversations are in " + g.Keeps
	}
	return text + "; where it keeps its conversations is not known"
}

// Filled is r with the lists that are always there.
func (r EraseReport) Filled() EraseReport {
	if r.Erased == nil {
		r.Erased = []ErasedMemory{}
	}
	if r.Turns == nil {
		r.Turns = []ErasedTurn{}
	}
	if r.Similar == nil {
		r.Similar = []Similar{}
	}
	if r.CitedBy == nil {
		r.CitedBy = []string{}
	}
	return r
}

// Sealed says how many files had check sums of older versions.
type Sealed struct {
	Files int `json:"files"`
}

// An ErasedMemory is one that goes.
type ErasedMemory struct {
	Ref  string `json:"ref"`
	Text string `json:"content"`
	// Same says that it was not named, and says the same as one that was.
	Same bool `json:"same,omitempty"`
	// Replaced says that it was not named, and that one that was, or another of these, replaced it.
	Replaced bool `json:"replaced,omitempty"`
}

// An ErasedTurn is a turn that goes.
type ErasedTurn struct {
	Ref string `json:"ref"` // "<session>:<n>"
	Why string `json:"why"` // one of those of package scrub
}

// A Similar is what resembles a text that goes, and stays unless somebody says
// otherwise.
type Similar struct {
	Ref  string  `json:"ref"` // of a memory or a turn
	Text string  `json:"content"`
	Like float64 `json:"like"` // how much of the words, 0 to 1
	Says bool    `json:"says"` // it has the whole text in it
	// ID or Turn is what Want names to take it along.
	ID   memory.ID   `json:"-"`
	Turn memory.Turn `json:"-"`
}

// A Shared is a turn that stays and has a word in it that little else has and a text that
// goes: "it is X, as you said" repeats no sentence, and says the same.
type Shared struct {
	Ref  string `json:"ref"` // "<session>:<n>"
	Word string `json:"word"`
	Text string `json:"content"`
}

// A Proof says what a look into every file found of the texts.
type Proof struct {
	Files int        `json:"files"` // that were read
	Bytes int64      `json:"bytes"`
	Hits  int        `json:"hits"` // places where one of the texts stands
	Left  []LeftOver `json:"left"` // where they are; never nil
	// Kept are hits in conversations that were to stay as they are; they are not
	// among Hits.
	Kept int `json:"kept,omitempty"`
	// Unread are files that could not be read, with the reason.
	Unread []string `json:"unread,omitempty"`
	// Beyond are places that may hold the text and that no look finds it in: a
	// history of git keeps what was committed in a form of its own.
	Beyond []string `json:"beyond,omitempty"`
}

// A LeftOver is a file that holds one of the texts.
type LeftOver struct {
	Path string `json:"path"`
	Hits int    `json:"hits"`
	// Lines are the numbers of lines that hold it; none if it stands across
	// lines, or in the file's name.
	Lines []int `json:"lines,omitempty"`
	Name  bool  `json:"name,omitempty"` // the name of the file says it
}

// Clean reports whether everything was read and nothing found.
func (p Proof) Clean() bool { return p.Hits == 0 && len(p.Unread) == 0 }
