package httpapi

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ken/internal/assistant"
	"ken/internal/config"
	"ken/internal/fault"
	"ken/internal/jsonl"
	"ken/internal/regular"
)

// Clients are those that have a token, in a file.
type Clients struct {
	Path string // of the file
	Lock string // the directory whose lock is held while it is changed
	Now  func() time.Time
	// Asked is the directory where it is kept when each last asked; "": nowhere.
	Asked string
}

// A Client is whoever comes with one token.
type Client struct {
	Name     string    // of what it suggests: agent:NAME
	Added    time.Time // when its token was made
	ReadOnly bool      // it may suggest nothing
	Page     bool      // it is the person's own browser: it has the page, and nothing else
	sum      []byte    // of the token
}

// line is a client in the file.
type line struct {
	Name     string    `json:"name"`
	SHA256   string    `json:"sha256"`
	Added    time.Time `json:"ts"`
	ReadOnly bool      `json:"read_only,omitempty"`
	Page     bool      `json:"page,omitempty"`
}

const (
	mostFile    = 256 << 10 // bytes of the file of clients
	mostClients = 100       // each request is compared with all
)

// tokenMark begins every token, so that people and programs that look for secrets know one.
const tokenMark = "ken_"

// List returns the clients, in the order in which they came. Errors: the file cannot be read, or is not the person's. A
// line that cannot be read is no client.
func (c Clients) List() ([]Client, error) {
	if err := config.Own(c.Path); err != nil {
		return nil, err
	}
	b, err := regular.Read(c.Path, mostFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the tokens cannot be read: %w", err)
	}
	return parse(b), nil
}

func parse(b []byte) (list []Client) {
	for text := range bytes.Lines(b) {
		var l line
		if json.Unmarshal(text, &l) != nil {
			continue
		}
		sum, err := hex.DecodeString(l.SHA256)
		if err != nil || len(sum) != sha256.Size || !isName(l.Name) {
			continue
		}
		list = append(list, Client{Name: l.Name, Added: l.Added, ReadOnly: l.ReadOnly, Page: l.Page && l.Name == pageName, sum: sum})
	}
	return list
}

func isName(name string) bool { return name != "" && assistant.NameOf(name) == name }

// Of returns the client that has a token. It takes as long whoever it is.
func of(list []Client, token string) (who Client, ok bool) {
	sum := sha256.Sum256([]byte(token))
	for _, c := range list {
		if subtle.ConstantTimeCompare(sum[:], c.sum) == 1 {
			who, ok = c, true
		}
	}
	return who, ok
}

// Add makes a client's token, which is kept nowhere. Errors: a name that is none, or is taken; the file.
func (c Clients) Add(ctx context.Context, name string, readOnly bool) (token string, err error) {
	if !isName(name) {
		return "", fault.Usagef("name %q: want lower case letters, digits and hyphens, at most 32", name)
	}
	if name == pageName {
		return "", fault.Usagef("%s is the name of your own browser", name).WithHint("%s", fault.Command("serve page"))
	}
	token, text, err := c.newToken(line{Name: name, ReadOnly: readOnly})
	if err != nil {
		return "", err
	}
	err = c.edit(ctx, func(old []byte) ([]byte, error) {
		list := parse(old)
		switch {
		case slices.ContainsFunc(list, func(c Client) bool { return c.Name == name }):
			return nil, fault.Refusedf("%s has a token, which cannot be shown again", name).
				WithHint("make a new one: %s, then add it", fault.Command("serve token revoke "+name))
		case len(list) >= mostClients:
			return nil, fault.Refusedf("%d clients have tokens, and no more can", mostClients).
				WithHint("take one away: %s", fault.Command("serve token list"))
		}
		if len(old) > 0 && !bytes.HasSuffix(old, []byte("\n")) {
			old = append(old, '\n')
		}
		return append(append(old, text...), '\n'), nil
	})
	if err != nil {
		return "", err
	}
	return token, nil
}

// pageName is whom the token of the page is listed as.
const pageName = "page"

// mostPages is how many links to the page are good at once: those of a few browsers. A further one voids the oldest.
const mostPages = 4

// AddPage makes a token of the person's own browser, beside the newest that there are. Errors: the file.
func (c Clients) AddPage(ctx context.Context) (token string, err error) {
	token, text, err := c.newToken(line{Name: pageName, Page: true})
	if err != nil {
		return "", err
	}
	err = c.edit(ctx, func(old []byte) ([]byte, error) {
		now, pages := []byte{}, 0
		for _, c := range parse(old) {
			if c.Name == pageName {
				pages++
			}
		}
		for was := range bytes.Lines(old) {
			if list := parse(was); len(list) == 1 && list[0].Name == pageName {
				if pages--; pages+1 >= mostPages {
					continue
				}
			}
			now = append(now, was...)
		}
		if len(now) > 0 && !bytes.HasSuffix(now, []byte("\n")) {
			now = append(now, '\n')
		}
		return append(append(now, text...), '\n'), nil
	})
	if err != nil {
		return "", err
	}
	return token, nil
}

// newToken makes a token, and the line of the file that knows it.
func (c Clients) newToken(l line) (token string, text []byte, err error) {
	secret := make([]byte, 32)
	if _, err := rand.Read(secret); err != nil {
		return "", nil, err
	}
	token = tokenMark + base64.RawURLEncoding.EncodeToString(secret)
	sum := sha256.Sum256([]byte(token))
	l.SHA256, l.Added = hex.EncodeToString(sum[:]), c.Now().UTC().Truncate(time.Second)
	text, err = json.Marshal(l)
	return token, text, err
}

// Revoke takes a client's token away: it is refused from the next request on. Errors: there is no such client; the file.
func (c Clients) Revoke(ctx context.Context, name string) error {
	return c.edit(ctx, func(old []byte) ([]byte, error) {
		now, had := []byte{}, false
		for text := range bytes.Lines(old) {
			if list := parse(text); len(list) == 1 && list[0].Name == name {
				had = true
				continue
			}
			now = append(now, text...)
		}
		if !had {
			return nil, fault.NotFoundf("%q has no token", name).WithHint("%s", fault.Command("serve token list"))
		}
		return now, nil
	})
}

func (c Clients) edit(ctx context.Context, by func([]byte) ([]byte, error)) error {
	if err := config.Own(c.Path); err != nil {
		return err
	}
	_, err := jsonl.Edit{Path: c.Path, Lock: c.Lock, Most: mostFile}.Bytes(ctx, by)
	if known := (*fault.Error)(nil); err != nil && !errors.As(err, &known) {
		return fmt.Errorf("the tokens could not be changed: %w", regular.Cause(err))
	}
	return err
}

// askedEvery is how often it is kept that a client asked.
const askedEvery = time.Minute

// asks keeps that a client asks now. What cannot be kept costs nobody anything.
func (c Clients) asks(name string) {
	if c.Asked != "" && isName(name) {
		_ = regular.PutDerived(filepath.Join(c.Asked, name), c.Now().UTC().Format(time.RFC3339)+"\n")
	}
}

// LastAsked is when a client last asked, to the minute; the zero time if that is not known.
func (c Clients) LastAsked(name string) time.Time {
	if c.Asked == "" || !isName(name) {
		return time.Time{}
	}
	b, err := regular.Read(filepath.Join(c.Asked, name), 100)
	if err != nil {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339, strings.TrimSpace(string(b)))
	if err != nil {
		return time.Time{}
	}
	return at
}

// given is the token of an Authorization header: as a bearer's, or as the password of any user; "" if there is none.
func given(header string) string {
	scheme, value, _ := strings.Cut(header, " ")
	switch {
	case strings.EqualFold(scheme, "Bearer"):
		return strings.TrimSpace(value)
	case strings.EqualFold(scheme, "Basic"):
		b, err := base64.StdEncoding.DecodeString(strings.TrimSpace(value))
		if err != nil {
			return ""
		}
		_, password, _ := strings.Cut(string(b), ":")
		return password
	}
	return ""
}
