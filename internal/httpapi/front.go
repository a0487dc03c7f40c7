package httpapi

import (
	"context"
	"net/http"
	"path"
	"time"

	"ken/internal/endpoint"
	"ken/internal/view/port"
)

// byChat is how a client was given what stood before a question to a model.
const byChat = "chat"

// newFront is what answers for models.
func newFront(s *Server) *endpoint.Endpoint {
	return endpoint.New(endpoint.Options{
		App: s.o.App, Now: s.o.Now, Warn: s.o.Warn,
		Gave: func(client string, refs []string) { s.gaveRefs(Client{Name: client}, byChat, refs) },
	})
}

// mostBody is how many bytes a body of a route has at most.
func (r route) mostBody() int64 {
	if r.most == 0 {
		return mostBody
	}
	return r.most
}

// serveChat answers for a model.
func (s *Server) serveChat(w http.ResponseWriter, r *http.Request, who Client) {
	s.front.Chat(w, r, endpoint.Client{Name: who.Name, Memory: s.caller(who, "http")})
}

func listModels(_ context.Context, x call) (any, error) {
	names, err := x.server.front.Models()
	list := port.Models{Object: "list", Data: make([]port.Model, len(names))}
	for i, name := range names {
		list.Data[i] = port.Model{ID: name, Object: "model", OwnedBy: "ken"}
	}
	return list, err
}

// serveGrounds says what a client's model was given, as it stands now: what was forgotten since is named and says nothing.
func (s *Server) serveGrounds(w http.ResponseWriter, r *http.Request, who Client) {
	ref := path.Base(r.URL.Path)
	model, at, hits, ok := s.front.Why(who.Name, ref)
	if !ok {
		endpoint.Refuse(w, http.StatusNotFound, "not_found", "this explains no answer of the last hour: take it from the header Ken-Why")
		return
	}
	g := port.Grounds{Ref: ref, Model: model, TS: at.UTC().Format(time.RFC3339), Memories: make([]port.Grounded, len(hits))}
	caller := s.caller(who, "http")
	for i, hit := range hits {
		g.Memories[i] = port.Grounded{Ref: hit.Ref, Score: hit.Score, Parts: hit.Parts}
		if about, err := caller.About(r.Context(), "", hit.Ref); err == nil {
			g.Memories[i].Content, g.Memories[i].Kind, g.Memories[i].Scope = about.Item.Content, about.Item.Kind, about.Item.Scope
		}
	}
	s.gave(who, g)
	send(w, http.StatusOK, g)
}
