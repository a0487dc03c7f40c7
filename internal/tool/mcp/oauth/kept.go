package oauth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/oauth2"

	"ken/internal/config"
	"ken/internal/jsonl"
	"ken/internal/regular"
)

const (
	mostKept = 256 << 10        // bytes of a file
	lockWait = 2 * answering    // for somebody who renews
	early    = 10 * time.Second // before its end a token is renewed
)

// kept is what is known of one login: a file of its own.
type kept struct {
	Server   string    `json:"server"`              // its name
	URL      string    `json:"url"`                 // its address
	Issuer   string    `json:"issuer,omitempty"`    // who signed in, as the server named them
	TokenURL string    `json:"token_url,omitempty"` // where tokens are renewed
	Style    int       `json:"style,omitempty"`     // how the client says there who it is: oauth2.AuthStyle
	Client   string    `json:"client,omitempty"`    // ken's name there
	Secret   string    `json:"secret,omitempty"`    // with its secret
	Redirect string    `json:"redirect,omitempty"`  // it registered itself with this address to come back to
	Access   string    `json:"access,omitempty"`
	Refresh  string    `json:"refresh,omitempty"`
	Expires  time.Time `json:"expires,omitzero"`  // of Access; zero: nobody knows
	Scopes   []string  `json:"scopes,omitempty"`  // that were given
	Lacking  []string  `json:"lacking,omitempty"` // that the server asked for when nobody could be asked
}

// token is what goes with a request; nil: there is none that holds.
func (k kept) token(now time.Time) *oauth2.Token {
	if k.Access == "" || !k.Expires.IsZero() && !now.Before(k.Expires.Add(-early)) {
		return nil
	}
	return &oauth2.Token{AccessToken: k.Access, TokenType: "Bearer", Expiry: k.Expires}
}

// path is the file of a login: a server is one by its name and its address.
func path(dir, server, url string) string {
	sum := sha256.Sum256([]byte(url))
	return filepath.Join(dir, server+"-"+hex.EncodeToString(sum[:8])+".json")
}

// load reads what is kept, each secret of which is made known. The zero value is no login.
func (l *Login) load() (kept, error) {
	file := path(l.o.Dir, l.o.Server, l.o.URL.String())
	if err := config.Own(file); err != nil {
		return kept{}, err
	}
	b, err := regular.Read(file, mostKept)
	if errors.Is(err, fs.ErrNotExist) {
		return kept{}, nil
	}
	if err != nil {
		return kept{}, err
	}
	var k kept
	if json.Unmarshal(b, &k) != nil || k.Server != l.o.Server || k.URL != l.o.URL.String() {
		return kept{}, nil // it says nothing of this server: the next login replaces it
	}
	l.tell(k)
	return k, nil
}

// tell makes the secrets of a login known to whoever masks them.
func (l *Login) tell(k kept) {
	for _, s := range []string{k.Access, k.Refresh, k.Secret} {
		if l.o.Secret != nil && s != "" {
			l.o.Secret(s)
		}
	}
}

// save keeps a login. The directory is locked.
func (l *Login) save(ctx context.Context, k kept) error {
	k.Server, k.URL = l.o.Server, l.o.URL.String()
	l.tell(k)
	b, err := json.MarshalIndent(k, "", "  ")
	if err != nil {
		return err
	}
	edit := jsonl.Edit{Path: path(l.o.Dir, k.Server, k.URL)}
	if _, err = edit.Bytes(ctx, func([]byte) ([]byte, error) { return append(b, '\n'), nil }); err != nil {
		return fmt.Errorf("its login could not be kept: %w", regular.Cause(err))
	}
	return nil
}

// locked does something while no other program changes logins.
func (l *Login) locked(ctx context.Context, do func() error) error {
	lock, err := jsonl.LockDir(ctx, l.o.Dir, lockWait)
	if err != nil {
		return err
	}
	return errors.Join(do(), lock.Unlock())
}

// Forget takes a login away, and all that ken was told for it. It reports whether there was one.
func (l *Login) Forget(ctx context.Context) (had bool, err error) {
	file := path(l.o.Dir, l.o.Server, l.o.URL.String())
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept, l.read = kept{}, true
	if _, err := os.Lstat(file); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	err = l.locked(ctx, func() error {
		err := os.Remove(file)
		had = err == nil
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
	return had, err
}
