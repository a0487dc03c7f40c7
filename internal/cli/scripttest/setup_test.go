package scripttest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"

	"github.com/rogpeppe/go-internal/testscript"
)

// scriptModelsServer starts a server that lists its models, and refuses the key
// "wrong".
func scriptModelsServer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: models-server NAME...")
	}
	type model struct {
		ID string `json:"id"`
	}
	var list struct {
		Data []model `json:"data"`
	}
	for _, name := range args {
		list.Data = append(list.Data, model{name})
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Header.Get("Authorization") == "Bearer wrong":
			w.WriteHeader(http.StatusUnauthorized)
		case r.URL.Path != "/v1/models":
			w.WriteHeader(http.StatusNotFound)
		default:
			_ = json.NewEncoder(w).Encode(list) // who reads it finds out
		}
	}))
	ts.Defer(s.Close)
	ts.Setenv("SERVER", s.URL+"/v1")
}
