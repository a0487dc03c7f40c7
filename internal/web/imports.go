package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"

	"ken/internal/app/owner"
	"ken/internal/fault"
	"ken/internal/importing"
	"ken/internal/termsafe"
	"ken/internal/view"
)

const (
	// mostUpload is how many bytes of files are sent to the page at most: they are held, for they may have secrets, and no file of
	// ken's has those.
	mostUpload = 64 << 20
	mostField  = 4 << 10 // bytes of a choice beside the files
	mostShown  = 100     // memories that would come in
	mostGaps   = 20
)

// imports is the view from which files of other programs are brought in.
type imports struct {
	Formats  []string
	Desk     owner.Desk
	MostSize string
}

func (p *Page) imports() (*imports, error) {
	desk, err := p.o.Owner.Desk()
	return &imports{Formats: importing.Formats(), Desk: desk, MostSize: fmt.Sprintf("%d MB", mostUpload>>20)}, err
}

// An imported is what came in, or would.
type imported struct {
	Says   string
	Would  []view.ImportFound
	More   int // memories that would come in and are not shown
	Pages  []string
	Gaps   []string
	Others int    // gaps that are not shown
	Was    string // the digest of what was looked at; "": it was taken in
	Undo   string // by which it is taken back; "": nothing was written
	Waits  bool   // something waits for the person
	Fault  *trouble
}

// upload is what a form with files has.
type upload struct {
	sources []importing.Source
	request importing.Request
	was     string
	digest  string // of the files and their names
}

// uploaded reads a form with files, which only the page's own script can send. Errors are those of sent.
func uploaded(w http.ResponseWriter, r *http.Request) (u upload, status int, err error) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" || r.Header.Get("HX-Request") != "true" {
		return u, http.StatusUnsupportedMediaType, errors.New("this is done by the page itself, and needs its script")
	}
	r.Body = http.MaxBytesReader(w, r.Body, mostUpload+mostBody)
	parts, err := r.MultipartReader()
	if err != nil {
		return u, http.StatusBadRequest, errors.New("the form cannot be read")
	}
	sum := sha256.New()
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		var b []byte
		if err == nil {
			b, err = io.ReadAll(part)
		}
		if long := (*http.MaxBytesError)(nil); errors.As(err, &long) {
			return u, http.StatusRequestEntityTooLarge,
				fmt.Errorf("that is more than %d MB: import it at the terminal, with ken import FILE", mostUpload>>20)
		}
		if err != nil {
			return u, http.StatusBadRequest, errors.New("the form did not come whole")
		}
		if part.FormName() == "file" {
			name := termsafe.Line(part.FileName())
			_, _ = fmt.Fprintf(sum, "%s\n%d\n", name, len(b)) // a hash takes all
			_, _ = sum.Write(b)
			u.sources = append(u.sources, importing.Source{Name: name, Data: bytes.NewReader(b)})
			continue
		}
		if len(b) > mostField {
			return u, http.StatusRequestEntityTooLarge, errors.New("that is too long")
		}
		switch part.FormName() {
		case "format":
			u.request.Format = string(b)
		case "scope":
			u.request.Scope = string(b)
		case "was":
			u.was = string(b)
		}
	}
	if len(u.sources) == 0 || u.sources[0].Name == "" {
		return u, http.StatusBadRequest, errors.New("which file? choose one first")
	}
	u.digest = hex.EncodeToString(sum.Sum(nil))
	return u, 0, nil
}

// importAct looks at the files of a form, or takes them in.
func (p *Page) importAct(w http.ResponseWriter, r *http.Request, look bool) {
	if p.o.Imports == nil {
		p.fail(w, http.StatusNotFound, "there is no such page")
		return
	}
	answer := func(status int, v imported) { p.show(w, status, "imported", v) }
	refuse := func(status int, what, hint string) { answer(status, imported{Fault: &trouble{what, hint}}) }
	if !p.importing.TryLock() { // what is sent is held, and once is enough
		refuse(http.StatusServiceUnavailable, "another import is under way", "try again when it is done")
		return
	}
	defer p.importing.Unlock()
	u, status, err := uploaded(w, r)
	switch {
	case err != nil:
		refuse(status, err.Error(), "")
		return
	case !look && u.was != u.digest:
		refuse(http.StatusConflict, "these are other files than you looked at: nothing was done", "look at them first")
		return
	}
	u.request.DryRun = look
	done, id, err := p.o.Imports.Run(r.Context(), u.request, u.sources...)
	v := importedOf(done)
	v.Undo = id
	if look {
		v.Was = u.digest
	}
	if err != nil {
		v.Fault, status = p.importTrouble(err, u.request.Format == "")
		v.Was = ""
		answer(status, v)
		return
	}
	answer(http.StatusOK, v)
}

// importTrouble is an error of an import for the person. That a file is none that is known is no fault of the memory.
func (p *Page) importTrouble(err error, guessed bool) (*trouble, int) {
	if kind := fault.KindOf(err); kind != fault.Failure && kind != fault.Usage || !isSaid(err) {
		return p.troubleOf(err)
	}
	t := wrong(err)
	if t.Hint = ""; guessed {
		t.Hint = "is it the right file? if so, choose its format"
	}
	return t, http.StatusUnprocessableEntity
}

// isSaid reports whether an error is one that ken itself made for who asked.
func isSaid(err error) bool {
	said := (*fault.Error)(nil)
	return errors.As(err, &said)
}

func importedOf(done importing.Result) imported {
	v := imported{Says: sentence(done.Text("")), Pages: done.Pages, Waits: !done.DryRun && done.Proposed > 0}
	v.Would = done.Would[:min(len(done.Would), mostShown)]
	if done.DryRun {
		v.More = done.Proposed - len(v.Would)
	}
	for _, gap := range done.Bad[:min(len(done.Bad), mostGaps)] {
		v.Gaps = append(v.Gaps, gap.Text())
	}
	for _, err := range done.Unread {
		v.Gaps = append(v.Gaps, wrong(err).What)
	}
	v.Others = done.Left - min(len(done.Bad), mostGaps)
	return v
}

// importUndo takes an import back.
func (p *Page) importUndo(w http.ResponseWriter, a asked) {
	if p.o.Imports == nil {
		p.fail(w, http.StatusNotFound, "there is no such page")
		return
	}
	done, err := p.o.Imports.Undo(a.ctx, a.form.Get("of"))
	v, status := imported{Says: sentence(done.Text())}, http.StatusOK
	if err != nil {
		v = imported{}
		v.Fault, status = p.troubleOf(err)
	}
	p.show(w, status, "imported", v)
}
