package web

import (
	"bytes"
	"context"
	"crypto/rand"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"ken/internal/agent/talk"
	"ken/internal/app"
	"ken/internal/app/owner"
	"ken/internal/fault"
	"ken/internal/importing"
	"ken/internal/llm"
	"ken/internal/session"
	"ken/internal/view"
	"ken/internal/web/hall"
)

//go:embed pages/page.html pages/talk.html static/page.css static/page.js static/htmx.js static/hx-sse.js static/talk.css static/talk.js
var files embed.FS

// mostBody is how many bytes are sent to the page at most.
const mostBody = 1 << 20

// policy is what the browser may load and run for the page: what comes from here, and nothing that stands in it.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
	"frame-ancestors 'none'; base-uri 'none'"

// A Client is a program that has a token, as the page shows it.
type Client struct{ Name, Since, May string }

// Options are what a Page stands on.
type Options struct {
	Owner   *owner.Owner
	Now     func() time.Time
	Warn    func(error)
	Clients func() ([]Client, error) // the programs that have tokens
	Doctor  Doctor                   // who looks at the set-up; nil: nobody does
	Imports *importing.Desk          // what brings in files of other programs; nil: nothing does
	Talk    *talk.Options            // how conversations are held; nil: there are none
}

// A Doctor looks at the set-up. It is safe for concurrent use.
type Doctor interface {
	// Look says how what ken needs around it stands. offline: no server is asked.
	Look(ctx context.Context, offline bool) []view.Sign
	// Files checks all files for damage.
	Files(ctx context.Context) (view.Report, error)
}

// A Page answers the browser of the person. It is safe for concurrent use.
type Page struct {
	o     Options
	pages *template.Template

	importing sync.Mutex // held while files are taken in
	once      string     // what the forms carry that work without script: no other page knows it
	streams   atomic.Int32
	reads     time.Duration // a browser may take to read a step of an answer
	hall      *hall.Hall    // the conversations; nil: there are none
}

// OwnerOf is the person at the page of a memory, which the record calls web.
func OwnerOf(a *app.App) *owner.Owner { return owner.New(a, string(session.ChannelWeb)) }

// ImportsOf brings in files for the person at the page of a memory.
func ImportsOf(a *app.App) *importing.Desk {
	return importing.NewDesk(a, app.Actor{Kind: app.Person, Face: string(session.ChannelWeb)})
}

// New returns a page.
func New(o Options) (*Page, error) {
	t, err := template.ParseFS(files, "pages/page.html", "pages/talk.html")
	if err != nil {
		return nil, fmt.Errorf("the page cannot be made: %w", err)
	}
	p := &Page{o: o, pages: t, once: rand.Text(), reads: reads}
	if o.Talk != nil {
		p.hall = hall.New(hall.Options{Open: func(ctx context.Context, id, dir string) (_ *talk.Talk, err error) {
			held, in := *o.Talk, (*talk.Talk)(nil)
			held.Session, held.Dir, held.Without = id, dir, true
			held.Own = o.Owner.With(func(id string) *session.Writer {
				if id == "" {
					return in.Record()
				}
				return p.hall.Record(id)
			})
			held.Channel, held.Where, held.Who = session.ChannelWeb, "at a page in their browser", app.Actor{Kind: app.Person}
			in, err = talk.Open(ctx, held)
			return in, err
		}})
		p.o.Owner = o.Owner.With(func(id string) *session.Writer { return p.hall.Record(id) })
	}
	return p, nil
}

// Has reports whether a path is the page's.
func Has(path string) bool {
	switch first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/"); first {
	case "", "enter", "favicon.ico", "static", "memory", "review", "sessions", "timeline", "undo", "talk", "ask", "import":
		return strings.HasPrefix(path, "/")
	}
	return path == "/health" || strings.HasPrefix(path, "/health/")
}

// An asked is one request for the page.
type asked struct {
	ctx  context.Context
	path []string   // its parts
	form url.Values // of the address, or of what was sent
	part bool       // the page's own script asks, for a piece of it
	host string     // by which the page is asked for
}

// ServeHTTP answers one request of the person's browser, which httpapi has found to be that.
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Security-Policy", policy)
	w.Header().Set("Referrer-Policy", "same-origin") // with none at all, a browser sends no Origin with a form of this page either
	if r.URL.RawPath != "" || strings.Contains(r.URL.Path, "//") || strings.Contains(r.URL.Path, "..") {
		p.fail(w, http.StatusNotFound, "there is no such page")
		return
	}
	switch {
	case r.URL.Path == "/favicon.ico":
		w.WriteHeader(http.StatusNoContent)
		return
	case r.URL.Path == "/enter": // the address of the next one is whole and has no token: fetch refuses one that has
		w.Header().Set("Location", "http://"+r.Host+"/")
		w.WriteHeader(http.StatusSeeOther)
		return
	case strings.HasPrefix(r.URL.Path, "/static/"):
		p.static(w, r)
		return
	}
	a := asked{
		ctx: r.Context(), path: strings.Split(strings.Trim(r.URL.Path, "/"), "/"), part: r.Header.Get("HX-Request") == "true",
		host: r.Host,
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		a.form = r.URL.Query()
		if converses(a.path) {
			p.talkView(w, r, a)
			return
		}
		p.view(w, a)
	case http.MethodPost:
		if r.URL.Path == "/import/look" || r.URL.Path == "/import/do" {
			p.importAct(w, r, r.URL.Path == "/import/look")
			return
		}
		form, status, err := sent(w, r, converses(a.path))
		if err != nil {
			p.fail(w, status, err.Error())
			return
		}
		a.form = form
		if converses(a.path) {
			p.talkAct(w, a)
			return
		}
		p.act(w, a)
	default:
		w.Header().Set("Allow", "GET, HEAD, POST")
		p.fail(w, http.StatusMethodNotAllowed, "the page has no such method")
	}
}

// sent is what a form of the page has: a form only with the header that no other page can send unasked, or one JSON object of texts.
// plain says that a form may come without script, which is known by something else.
func sent(w http.ResponseWriter, r *http.Request, plain bool) (url.Values, int, error) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	form := kind == "application/x-www-form-urlencoded" && (plain || r.Header.Get("HX-Request") == "true")
	if err != nil || !form && kind != "application/json" {
		return nil, http.StatusUnsupportedMediaType, errors.New("this is done by the page itself, and needs its script")
	}
	b, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBody))
	if long := (*http.MaxBytesError)(nil); errors.As(err, &long) {
		return nil, http.StatusRequestEntityTooLarge, errors.New("that is too long")
	}
	if err != nil {
		return nil, http.StatusRequestTimeout, errors.New("it did not come")
	}
	if form {
		v, err := url.ParseQuery(string(b))
		if err != nil {
			return nil, http.StatusBadRequest, errors.New("the form cannot be read")
		}
		return v, 0, nil
	}
	var texts map[string]string
	if json.Unmarshal(b, &texts) != nil {
		return nil, http.StatusBadRequest, errors.New("want one JSON object of texts")
	}
	v := url.Values{}
	for name, text := range texts {
		v.Set(name, text)
	}
	return v, 0, nil
}

func (p *Page) static(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/static/")
	b, err := files.ReadFile("static/" + name)
	if name == "live.js" { // one file: htmx looks at the page once it is read, and what streams is to be known by then
		var more []byte
		b, err = files.ReadFile("static/htmx.js")
		if err == nil {
			more, err = files.ReadFile("static/hx-sse.js")
		}
		b = slices.Concat(b, []byte("\n"), more)
	}
	if err != nil || r.Method != http.MethodGet && r.Method != http.MethodHead {
		p.fail(w, http.StatusNotFound, "there is no such page")
		return
	}
	kind := "text/javascript; charset=utf-8"
	if strings.HasSuffix(name, ".css") {
		kind = "text/css; charset=utf-8"
	}
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(b)
}

// A look is one view as its template gets it.
type look struct {
	Title  string
	Views  []link
	Fault  *trouble
	Memory *memories

	Row        *row
	Erasing    *owner.Erasing
	Review     *waiting
	Sessions   *talks
	Transcript *transcript
	Timeline   *timeline
	Import     *imports
	Health     *health
	Talk       *conversation
	Why        *reasons
}

type link struct {
	Path, Name string
	Here       bool
	Count      int
}

// A trouble is what went wrong, and what to do.
type trouble struct{ What, Hint string }

// troubleOf is an error for the person, and its status. What is the memory's fault is said where the server runs, too.
func (p *Page) troubleOf(err error) (*trouble, int) {
	t := wrong(err)
	changed := (*owner.ChangedError)(nil)
	switch {
	case errors.As(err, &changed):
		return t, http.StatusConflict
	case fault.KindOf(err) == fault.NotFound:
		return t, http.StatusNotFound
	case fault.KindOf(err) == fault.Usage:
		return t, http.StatusBadRequest
	case fault.KindOf(err) == fault.Refused:
		return t, http.StatusUnprocessableEntity
	case fault.KindOf(err) == fault.Interrupted:
		return t, http.StatusServiceUnavailable
	case fault.KindOf(err) == fault.Model:
		return t, http.StatusBadGateway
	}
	p.o.Warn(err)
	return t, http.StatusInternalServerError
}

// wrong is an error for the person.
func wrong(err error) *trouble {
	t := &trouble{What: llm.Sentence(err)}
	var hinted interface{ Hint() string }
	if errors.As(err, &hinted) {
		t.Hint = hinted.Hint()
	}
	return t
}

// fail answers with a page that says what is wrong.
func (p *Page) fail(w http.ResponseWriter, status int, what string) {
	p.show(w, status, "page", look{Title: http.StatusText(status), Views: views(""), Fault: &trouble{What: what}})
}

// show answers with a template.
func (p *Page) show(w http.ResponseWriter, status int, name string, v any) {
	var b bytes.Buffer
	if err := p.pages.ExecuteTemplate(&b, name, v); err != nil {
		p.o.Warn(fmt.Errorf("the page cannot be shown: %w", err))
		http.Error(w, "a fault of ken", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // whoever hung up needs no answer
}

// views are those in the head of the page.
func views(here string) []link {
	list := []link{
		{Path: "/", Name: "Conversation"},
		{Path: "/memory", Name: "Memory"},
		{Path: "/review", Name: "Review"},
		{Path: "/sessions", Name: "Sessions"},
		{Path: "/timeline", Name: "Timeline"},
		{Path: "/import", Name: "Import"},
		{Path: "/health", Name: "Health"},
	}
	for i := range list {
		list[i].Here = list[i].Path == "/"+here
	}
	return list
}
