package app

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"ken/internal/config"
	"ken/internal/config/edit"
	"ken/internal/engine"
	"ken/internal/fault"
	"ken/internal/jsonl"
)

// MostAsked is how many questions of its own accord ken asks a day.
const MostAsked = 2

// The sorts of questions that ken asks of its own accord, as questions.off names them: config.OwnQuestions.
const (
	AskReplace  = "replace"  // something said in passing gives another value to what has one
	AskEnded    = "ended"    // something said in passing ended, and memories speak of it
	AskKeep     = "keep"     // something is worth keeping
	AskLessons  = "lessons"  // something is worth a lesson
	AskProjects = "projects" // a project is another one than it was
)

// An OwnQuestion is a question that nobody asked for: the person is at something else, and ken noticed something.
// What follows from a wish of theirs (keep this, forget that, run this) is none.
type OwnQuestion struct {
	Sort string
	// About is what it is about, without any text: references of memories, an identity, a sum. What was asked
	// about once is not asked about again. "": it is always another one.
	About string
}

// A Leave says whether a question may be asked.
type Leave int

// The leaves.
const (
	MayAsk  Leave = iota + 1 // now: it counts from now on
	MayWait                  // not today: it waits in the queue, or is one line that stops nobody
	Asked                    // it was asked before, and answered
	Off                      // the person wants no such question, or nothing may be noted here
)

// Questions are those that ken asks of its own accord. Each of them, whatever noticed something and whichever face it is
// at, passes May, so that there are no more than MostAsked on a day of the person's clock. They are noted in
// questions.jsonl, which holds no text and may be deleted.
type Questions struct {
	o        *terms
	settings *Settings
	changed  func()
}

// An askedLine is one line of the file.
type askedLine struct {
	Time  string `json:"ts"`
	Sort  string `json:"sort"`
	About string `json:"about,omitempty"`
	// Wished says that it was no question of ken's own accord.
	Wished bool `json:"wished,omitempty"`
}

func (q *Questions) file() *jsonl.Journal[askedLine] {
	return &jsonl.Journal[askedLine]{
		Path: q.settings.paths.Questions(), Name: "what was asked", Dir: q.settings.paths.State, Wait: time.Second, Lazy: true,
		Parse: func(line []byte) (m askedLine, err error) {
			err = json.Unmarshal(line, &m)
			return m, err
		},
		Encode: func(dst []byte, m askedLine) []byte {
			line, _ := json.Marshal(m) // texts alone
			return append(dst, line...)
		},
	}
}

// May reports whether a question may be asked now. MayAsk is given to who asks it at once: it is one of those of the day then, whatever
// is answered. It needs Settings.
func (q *Questions) May(ctx context.Context, own OwnQuestion) Leave {
	cfg, ok := q.settings.InForce()
	if !ok || !q.settings.MemoryOn() || q.settings.ReadOnly() || slices.Contains(cfg.Questions.Off, own.Sort) {
		return Off
	}
	leave := MayWait
	err := q.file().Append(context.WithoutCancel(ctx), func(lines []jsonl.Record[askedLine]) ([]askedLine, error) {
		now, today := q.o.Now(), 0
		leave = MayAsk
		for _, l := range lines {
			at, err := time.Parse(time.RFC3339, l.Value.Time)
			if l.Err != nil || err != nil {
				continue
			}
			if own.About != "" && l.Value.Sort == own.Sort && l.Value.About == own.About {
				leave = Asked
				return nil, nil
			}
			if !l.Value.Wished && at.Local().Format(time.DateOnly) == now.Local().Format(time.DateOnly) {
				today++
			}
		}
		if today >= MostAsked {
			leave = MayWait
			return nil, nil
		}
		return []askedLine{{Time: now.UTC().Format(time.RFC3339), Sort: own.Sort, About: own.About}}, nil
	})
	if err != nil { // what cannot be counted is not asked
		q.o.Voice.Warn(fault.Once(fmt.Errorf("nothing is asked: %w", err)))
		return MayWait
	}
	return leave
}

// Known reports whether something was asked about, by ken or at the person's wish.
func (q *Questions) Known(sort, about string) bool {
	lines, _ := q.file().Read() // what cannot be read is not known
	return slices.ContainsFunc(lines, func(l jsonl.Record[askedLine]) bool { return l.Value.Sort == sort && l.Value.About == about })
}

// Note notes what was asked about at the person's wish, or with others. It is none of the questions of the day.
func (q *Questions) Note(ctx context.Context, sort string, about ...string) {
	if q.settings.ReadOnly() || len(about) == 0 {
		return
	}
	var lines []askedLine
	for _, a := range about {
		lines = append(lines, askedLine{Time: q.o.Now().UTC().Format(time.RFC3339), Sort: sort, About: a, Wished: true})
	}
	q.o.Voice.Warn(fault.Detail(fault.Once(q.file().Add(context.WithoutCancel(ctx), lines...))))
}

// Never has no question of a sort asked any more, and returns the command, without the name of the program, that has them asked again.
// It is in the file of settings then, and in force.
func (q *Questions) Never(ctx context.Context, sort string) (back string, err error) {
	if q.settings.ReadOnly() {
		return "", engine.OnlyRead()
	}
	f := SettingsFile{Path: q.settings.paths.ConfigFile()}
	var cfg config.Config
	_, err = f.Change(ctx, q.settings.paths.State, func(f SettingsFile) ([]byte, error) {
		now, err := config.Parse(f.Text, f.Path)
		if err != nil {
			return nil, err
		}
		rest := slices.DeleteFunc(slices.Clone(now.Questions.Off), func(s string) bool { return s == sort })
		back = "config set --unset questions.off"
		if len(rest) > 0 {
			back = "config set questions.off '" + strings.Join(rest, ", ") + "'"
		}
		if len(rest) < len(now.Questions.Off) {
			return f.Text, nil
		}
		text, err := edit.Set(f.Text, []string{"questions", "off"}, edit.Literal(append(rest, sort)))
		if err == nil {
			cfg, err = config.Parse(text, f.Path)
		}
		return text, err
	})
	if err != nil {
		return "", fmt.Errorf("not noted: %w", err)
	}
	if len(cfg.Questions.Off) > 0 {
		q.settings.Take(cfg)
		q.changed()
	}
	return back, nil
}
