package setup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"strings"
	"time"

	"ken/internal/cli/term"
	"ken/internal/cli/which"
	"ken/internal/config/edit"
	"ken/internal/llm/discover"
	"ken/internal/models"
	"ken/internal/repl/choose"
	"ken/internal/settings"
	"ken/internal/termsafe"
	"ken/internal/view"
)

const (
	// lookWithin is how long is looked for servers on this machine, where the person waits for it.
	lookWithin = time.Second
	// tryWithin is how long a model has to say a word: it may have to be loaded first.
	tryWithin = time.Minute
)

// askModel has the person choose a model to begin with: from what is on this machine and what they have the key of, or at an
// address. What they choose is tried. The Model is zero where they want none.
func askModel(ctx context.Context, a *term.Run) (settings.Model, error) {
	q := &questions{a: a}
	for {
		address, err := q.line(ctx, q.where(), a.Env.Getenv("OPENAI_BASE_URL"), "base_url")
		if err != nil {
			return settings.Model{}, err
		}
		f := settings.Model{BaseURL: address}
		if address == "" {
			if f, err = q.here(ctx); err != nil || f.BaseURL == "" {
				return settings.Model{}, err
			}
		}
		if f, err = q.at(ctx, f); err != nil {
			return settings.Model{}, err
		}
		if keep, err := q.try(ctx, f); err != nil || keep {
			return f, err
		}
	}
}

// questions are what a person is asked about a model.
type questions struct {
	a *term.Run
}

// where is the first question.
func (q *questions) where() string {
	text := "model server, such as http://127.0.0.1:11434/v1"
	for _, v := range q.a.Home.Models().Vendors() {
		text += ", or " + v.Vendor + " (" + v.KeyEnv + " is set)"
	}
	return text + " (Enter: look here)"
}

// line asks for the value of a setting, until it can be one.
func (q *questions) line(ctx context.Context, question, offer, key string) (string, error) {
	if offer != "" {
		question += " [" + offer + "]"
	}
	for {
		answer, err := q.a.Person.AskLine(ctx, question+": ")
		if err != nil {
			return "", err
		}
		answer = cmp.Or(strings.TrimSpace(answer), offer)
		if key == "base_url" {
			for _, v := range q.a.Home.Models().Vendors() {
				if answer == v.Vendor {
					return v.BaseURL, nil
				}
			}
		}
		if p, wrong := settings.Problem([]string{"models", "x", key}, edit.Quote(answer)); wrong {
			q.a.Say("ken: ", p.What)
			continue
		}
		return answer, nil
	}
}

// here shows what is on this machine, and what the person has the key of. The settings.Model is empty
// if they take nothing of it.
func (q *questions) here(ctx context.Context) (settings.Model, error) {
	sites, asked := q.a.Home.Models().Here(ctx, lookWithin)
	if ctx.Err() != nil {
		return settings.Model{}, context.Cause(ctx)
	}
	vendors := q.a.Home.Models().Vendors()
	if len(sites)+len(vendors) == 0 {
		q.a.Status("no model answers here (%s): one is looked for again at your first question", strings.Join(asked, ", "))
		return settings.Model{}, nil
	}
	for _, s := range sites {
		q.a.Status("%s has %s", s.Host, view.Count(len(s.Models), "model"))
	}
	var list []settings.Model
	var entries []choose.Entry
	add := func(s models.Site, model, text string) {
		entries = append(entries, choose.Entry{ID: fmt.Sprint(len(list)), Text: text, Note: s.Host})
		list = append(list, settings.Model{BaseURL: s.BaseURL, Name: model, KeyEnv: s.KeyEnv})
	}
	for _, s := range sites {
		for _, name := range s.Models {
			add(s, name, name)
		}
	}
	for _, s := range vendors {
		add(s, "", s.Vendor+", with "+s.KeyEnv)
	}
	c, err := q.pick(ctx, entries, false)
	if err != nil || !c.Taken {
		return settings.Model{}, err
	}
	var n int
	if _, err := fmt.Sscan(c.ID, &n); err != nil {
		return settings.Model{}, err
	}
	return list[n], nil
}

func (q *questions) pick(ctx context.Context, entries []choose.Entry, typed bool) (choose.Choice, error) {
	return which.FromList(ctx, q.a, choose.Options{Ask: "which model?", Typed: typed, Entries: func(context.Context) iter.Seq[choose.Entry] {
		return func(yield func(choose.Entry) bool) {
			for _, e := range entries {
				if !yield(e) {
					return
				}
			}
		}
	}})
}

// at asks for the key and the model at a server, where these are not known.
func (q *questions) at(ctx context.Context, f settings.Model) (settings.Model, error) {
	f = settings.Named(q.a.Home.Models(), f)
	u, err := url.Parse(f.BaseURL)
	if err != nil {
		return f, err
	}
	if f.KeyEnv == "" && f.Name == "" {
		offer := ""
		if strings.TrimSpace(q.a.Env.Getenv("OPENAI_API_KEY")) != "" && !discover.IsLocal(f.BaseURL) {
			offer = "OPENAI_API_KEY"
		}
		if f.KeyEnv, err = q.line(ctx, "environment variable that holds its key (Enter: "+cmp.Or(offer, "none")+")", offer, "api_key_env"); err != nil {
			return f, err
		}
	}
	if f.Name != "" {
		return f, nil
	}
	ask, cancel := context.WithTimeout(ctx, settings.ListWait)
	site, err := q.a.Home.Models().At(ask, f.BaseURL, f.KeyEnv)
	cancel()
	if ctx.Err() != nil {
		return f, context.Cause(ctx)
	}
	if err == nil && len(site.Models) > 0 {
		var entries []choose.Entry
		for _, name := range site.Models {
			entries = append(entries, choose.Entry{ID: name, Text: name})
		}
		c, err := q.pick(ctx, entries, true)
		if c.Taken { // what was typed and left is no name
			f.Name = cmp.Or(c.ID, c.Typed)
		}
		if err != nil || f.Name != "" {
			return f, err
		}
	} else {
		why := "it lists none"
		if err != nil {
			why = termsafe.Line(err.Error())
		}
		q.a.Status("%s: %s", u.Host, why)
	}
	for f.Name == "" {
		if f.Name, err = q.line(ctx, "name of the model there", q.a.Env.Getenv("KEN_MODEL"), "model"); err != nil {
			return f, err
		}
		if f.Name == "" {
			q.a.Say("ken: ", "a model has a name; Ctrl-C leaves all as it was")
		}
	}
	return f, nil
}

// try asks the model for a word, says what came, and reports whether the person keeps it.
func (q *questions) try(ctx context.Context, f settings.Model) (keep bool, err error) {
	q.a.Status("trying %s at %s", f.Name, f.BaseURL)
	ask, cancel := context.WithTimeout(ctx, tryWithin)
	defer cancel()
	said, err := q.a.Home.Models().Try(ask, f.BaseURL, f.Name, f.KeyEnv)
	switch {
	case ctx.Err() != nil:
		return false, context.Cause(ctx)
	case err == nil:
		const most = 60 // characters of a word
		q.a.Status("it answers: %s", cmp.Or(view.Excerpt(termsafe.Line(said), most), "(without a word)"))
		return true, nil
	case errors.Is(err, context.DeadlineExceeded):
		err = fmt.Errorf("no word within %s", tryWithin)
	}
	q.a.Status("it does not answer: %s", termsafe.Line(q.a.Home.Keys.MaskText(err.Error())))
	return q.a.Person.Confirm(ctx, "keep it all the same?")
}
