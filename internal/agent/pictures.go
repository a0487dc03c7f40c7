package agent

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"ken/internal/llm"
	"ken/internal/session"
	"ken/internal/termsafe"
	"ken/internal/trace"
)

// mostPictures is how many bytes of pictures are held, and sent again with each question: of
// more the oldest ones go.
const mostPictures = 40 << 20

// A picture is one that live turns speak of.
type picture struct {
	hash string // as the turn has it
	Picture
}

// pictures are those of the live turns, oldest first.
type pictures struct {
	o    *Options
	list []picture
	deaf bool // the model in force takes none
}

// add holds a picture.
func (p *pictures) add(hash string, pic Picture) {
	if slices.ContainsFunc(p.list, func(has picture) bool { return has.hash == hash }) {
		return
	}
	p.list = append(p.list, picture{hash, pic})
	size := 0
	for i, has := range slices.Backward(p.list) {
		if size += len(has.Data); size > mostPictures && i < len(p.list)-1 {
			p.list = slices.Clone(p.list[i+1:])
			return
		}
	}
}

// of returns the pictures that go with a turn, and the names of those that do not any more.
func (p *pictures) of(t session.Turn) (images []llm.Image, gone []string) {
	for _, a := range trace.ReadAttached(t.Attached) {
		if a.Kind != kindImage {
			continue
		}
		i := slices.IndexFunc(p.list, func(has picture) bool { return has.hash == a.Hash })
		if i < 0 || p.deaf {
			gone = append(gone, a.Name)
			continue
		}
		images = append(images, p.list[i].Picture)
	}
	return images, gone
}

// kindImage is the kind of a picture, as a turn has it.
const kindImage = "image"

// attach says in a turn which files went along, and holds their pictures.
func (p *pictures) attach(t *session.Turn, files []File) {
	if len(files) == 0 {
		return
	}
	list := trace.ReadAttached(t.Attached)
	for _, f := range files {
		a := trace.Attached{Name: termsafe.Line(f.Name), Kind: f.Kind, Bytes: f.Bytes}
		if f.Kind == kindImage {
			a.Path, a.Hash = f.Path, p.hashOf(f.Picture)
			p.add(a.Hash, f.Picture)
		}
		list = append(list, a)
	}
	t.Attached = trace.AttachedJSON(list)
}

// AttachedJSON says which files go along, as a turn does, but for where pictures are.
func AttachedJSON(files []File) json.RawMessage {
	var list []trace.Attached
	for _, f := range files {
		list = append(list, trace.Attached{Name: termsafe.Line(f.Name), Kind: f.Kind, Bytes: f.Bytes})
	}
	return trace.AttachedJSON(list)
}

// hashOf says what a picture holds, for nobody without the person's key.
func (p *pictures) hashOf(pic Picture) string {
	sum := sha256.Sum256(pic.Data)
	hash := hex.EncodeToString(sum[:])
	if seal := p.o.seal(); seal != nil {
		return seal.Hash(hash)
	}
	return hash[:8]
}

// reopen reads the pictures of live turns again, as far as their files hold what they held.
func (p *pictures) reopen(ctx context.Context, turns []session.Turn) {
	p.list = nil
	for _, t := range turns {
		for _, a := range trace.ReadAttached(t.Attached) {
			if a.Kind != kindImage {
				continue
			}
			if why := p.reopenOne(ctx, a); why != "" {
				p.o.Voice.Warn(fmt.Errorf("the picture %s is not sent again: %s", a.Name, why))
			}
		}
	}
}

// reopenOne reads one of them, and says why it cannot be had.
func (p *pictures) reopenOne(ctx context.Context, a trace.Attached) (why string) {
	if a.Path == "" {
		return "it came from standard input"
	}
	if p.o.Pictures == nil {
		return "nobody reads it"
	}
	pic, err := p.o.Pictures.Reopen(ctx, a.Path)
	switch {
	case err != nil:
		return err.Error()
	case len(pic.Data) == 0 || p.hashOf(pic) != a.Hash:
		return "the file changed since"
	}
	p.add(a.Hash, pic)
	return ""
}

// hasPictures reports whether the next request holds pictures.
func (tr *Transcript) hasPictures() bool {
	return slices.ContainsFunc(tr.turns, func(t session.Turn) bool {
		images, _ := tr.pictures.of(t)
		return len(images) > 0
	})
}
