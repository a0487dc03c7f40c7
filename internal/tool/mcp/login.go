package mcp

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"ken/internal/tool/mcp/oauth"
)

// login is how the person signs in to a server: nil where that is not wanted, since it is a program, or a token is
// named for it.
func (v *server) login() *oauth.Login {
	u, err := url.Parse(v.set.URL)
	if err != nil || u.Host == "" || v.set.AuthEnv != "" || v.of.o.Logins == "" {
		return nil
	}
	u.Fragment = ""
	o := oauth.Options{
		Server: v.name, URL: u, Dir: v.of.o.Logins, ClientID: v.set.ClientID, Secret: v.of.o.Secret,
		Person: v.visitor, Now: v.of.o.Now, Proxy: proxy,
	}
	if v.set.ClientSecretEnv != "" {
		o.ClientSecret = strings.TrimSpace(value(v.of.o.Env, v.set.ClientSecretEnv))
	}
	return oauth.New(o)
}

// refusal is why a connection failed: what the server refused first, if it did.
func (v *server) refusal(err error) error {
	if err != nil && v.signIn != nil {
		if why := v.signIn.Refused(); why != nil {
			return why
		}
	}
	return err
}

// visitor is who can be asked to sign in now: the person, as often as is left.
func (v *server) visitor() oauth.Ask {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.visits == 0 || v.of.o.Visit == nil {
		return nil
	}
	v.visits--
	return func(ctx context.Context, q oauth.Visit) (string, error) {
		v.asking.Add(1)
		defer v.asking.Add(-1)
		address, err := v.of.o.Visit(ctx, q)
		if (err != nil || address == "") && ctx.Err() == nil { // they said no
			v.mayVisit(0)
		}
		return address, err
	}
}

// unhurried is ctx, ended after a limit in which the time that the person takes does not count.
func (v *server) unhurried(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	const tick = 100 * time.Millisecond
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		t := time.NewTicker(tick)
		defer t.Stop()
		for left := limit; left > 0; {
			select {
			case <-ctx.Done():
				return
			case <-t.C:
				if v.asking.Load() == 0 {
					left -= tick
				}
			}
		}
		cancel()
	}()
	return ctx, cancel
}

// mayVisit says how often the person can be asked to sign in, as in the middle of a call.
func (v *server) mayVisit(often int) {
	v.mu.Lock()
	v.visits = often
	v.mu.Unlock()
}

// Why nobody was signed in to a server, or out of it.
var (
	ErrNoServer = errors.New("there is no such server")
	ErrNobody   = errors.New("nobody can be asked")
	errNoLogin  = errors.New("it is a program, or its table names a token: there is nothing to sign in to")
)

// Login has the person sign in to a server, whether or not they were, and connects to it. The error is ErrNoServer, or
// ErrNobody where nobody can be asked, else why it failed.
func (s *Servers) Login(ctx context.Context, name string) error {
	v := s.find(name)
	switch {
	case v == nil:
		return ErrNoServer
	case v.signIn == nil:
		return errNoLogin
	case s.o.Visit == nil:
		return ErrNobody
	}
	v = s.newServer(name, v.set)
	v.anew, v.visits = true, 2 // once more where the server sends them to somebody else meanwhile
	err := s.replace(v).ready(ctx)
	if ctx.Err() != nil { // nobody is asked any more
		v.stop()
		<-v.settled()
	}
	v.mu.Lock()
	v.anew, v.visits = false, 0
	v.mu.Unlock()
	if err != nil || v.signIn.Signed() {
		return err
	}
	if err := v.signIn.SignIn(ctx, s.o.Visit); err != nil {
		return err
	}
	return s.Connect(ctx, name, v.set)
}

// Logout forgets what signing in to a server gave, and ends its connection. It reports whether there was something.
func (s *Servers) Logout(ctx context.Context, name string) (had bool, err error) {
	v := s.find(name)
	switch {
	case v == nil:
		return false, ErrNoServer
	case v.signIn == nil:
		return false, errNoLogin
	}
	if had, err = v.signIn.Forget(ctx); err != nil || !had {
		return had, err
	}
	s.replace(s.newServer(name, v.set))
	return true, nil
}
