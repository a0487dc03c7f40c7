package httpapi

import (
	"context"
	"net/http"
	"path"
	"strings"

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
	s.front.Chat(w, r, s.asking(who))
}

// asking is a client as who asks a model.
func (s *Server) asking(who Client) endpoint.Client {
	return endpoint.Client{Name: who.Name, Memory: s.view(who, "http")}
}

func listModels(_ context.Context, x call) (any, error) {
	names, err := x.server.front.Models()
	list := port.Models{Object: "list", Data: make([]port.Model, len(names))}
	for i, name := range names {
		list.Data[i] = modelOf(name)
	}
	return list, err
}

// A modelled is a writer of answers to programs that speak with a model: they read errors in another form.
type modelled struct{ http.ResponseWriter }

// Unwrap is for http.ResponseController.
func (m modelled) Unwrap() http.ResponseWriter { return m.ResponseWriter }

// serveModel says that there is a model of a name, which may have slashes in it.
func (s *Server) serveModel(w http.ResponseWriter, r *http.Request, _ Client) {
	if name := strings.TrimPrefix(r.URL.Path, modelPath); s.front.HasModel(w, name) {
		send(w, http.StatusOK, modelOf(name))
	}
}

func modelOf(name string) port.Model { return port.Model{ID: name, Object: "model", OwnedBy: "ken"} }

// serveGrounds says what a client's model was given, as it stands now: what was forgotten since is named and says nothing.
func (s *Server) serveGrounds(w http.ResponseWriter, r *http.Request, who Client) {
	g, ok := s.front.Grounds(r.Context(), s.asking(who), path.Base(r.URL.Path))
	if !ok {
		endpoint.Refuse(w, http.StatusNotFound, "not_found", "this explains no answer of the last hour: take it from the header Ken-Why")
		return
	}
	s.gave(who, g)
	send(w, http.StatusOK, g)
}
