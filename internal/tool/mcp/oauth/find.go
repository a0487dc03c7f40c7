package oauth

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

// A challenge is what a server says with its refusal.
type challenge struct {
	failure  string   // its error code
	scopes   []string // that are needed
	metadata *url.URL // where it describes itself; nil: where all do, or where it may not
}

// challenge reads the refusal of a server. Where it describes itself counts under its own address alone.
func (l *Login) challenge(resp *http.Response) challenge {
	var c challenge
	list, err := oauthex.ParseWWWAuthenticate(resp.Header.Values("WWW-Authenticate"))
	if err != nil {
		return c
	}
	for _, one := range list {
		if one.Scheme != "bearer" {
			continue
		}
		if c.failure == "" {
			c.failure = one.Params["error"]
		}
		if len(c.scopes) == 0 {
			c.scopes = strings.Fields(one.Params["scope"])
		}
		if u, err := url.Parse(one.Params["resource_metadata"]); err == nil && c.metadata == nil && sameOrigin(u, l.o.URL) {
			c.metadata = u
		}
	}
	return c
}

// show has the library see the challenge as it counts.
func (l *Login) show(resp *http.Response, c challenge) {
	params := []string{}
	add := func(name, value string) {
		if value != "" {
			params = append(params, fmt.Sprintf("%s=\"%s\"", name, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value)))
		}
	}
	add("error", c.failure)
	add("scope", strings.Join(c.scopes, " "))
	if c.metadata != nil {
		add("resource_metadata", c.metadata.String())
	}
	resp.Header = http.Header{}
	if len(params) > 0 {
		resp.Header.Set("WWW-Authenticate", "Bearer "+strings.Join(params, ", "))
	}
}

// issuer is who signs the person in, as the server names them: itself, if it names nobody.
func (l *Login) issuer(ctx context.Context, c challenge) string {
	root := *l.o.URL
	root.Path, root.RawQuery, root.Fragment = "", "", ""
	known := func(path string) string {
		u := *l.o.URL
		u.Path, u.RawPath = "/.well-known/oauth-protected-resource"+path, ""
		return u.String()
	}
	whole := l.o.URL.String()
	places := [][2]string{{known("/" + strings.TrimLeft(l.o.URL.Path, "/")), whole}, {known(""), root.String()}}
	if c.metadata != nil {
		places = slices.Insert(places, 0, [2]string{c.metadata.String(), whole})
	}
	for _, p := range places {
		meta, err := oauthex.GetProtectedResourceMetadata(ctx, p[0], p[1], l.client)
		if err == nil && meta != nil && len(meta.AuthorizationServers) > 0 {
			return meta.AuthorizationServers[0]
		}
	}
	return root.String()
}

// method is how ken would say who it is where tokens are given out: by no secret where that will do, since
// a program on the person's machine keeps none from them.
func (l *Login) method(ctx context.Context, issuer string) string {
	const none = "none"
	meta, err := auth.GetAuthServerMetadata(ctx, issuer, l.client)
	if err != nil || meta == nil || len(meta.TokenEndpointAuthMethodsSupported) == 0 ||
		slices.Contains(meta.TokenEndpointAuthMethodsSupported, none) {
		return none
	}
	for _, m := range []string{"client_secret_post", "client_secret_basic"} {
		if slices.Contains(meta.TokenEndpointAuthMethodsSupported, m) {
			return m
		}
	}
	return ""
}
