package endpoint

import (
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"ken/internal/app"
)

// The headers in which Open WebUI says who asks: by name, or signed, where it has a secret for that.
const (
	userHeader   = "X-Openwebui-User-Id"
	signedHeader = "X-Openwebui-User-Jwt"
	signedBy     = "open-webui"
	clockError   = 30 * time.Second // between its clock and ours
)

// isOwner reports whether a question is the person's, as far as the program says whose it is. Where a secret is set, the
// headers of Open WebUI count as it signed them alone: whoever has the token could write the others.
func (e *Endpoint) isOwner(f app.Front, r *http.Request, q request) bool {
	ids := slices.Clone(r.Header.Values(userHeader))
	signed := r.Header.Values(signedHeader)
	if !f.Signed.IsZero() && len(ids) > 0 && len(signed) == 0 {
		return false
	}
	for _, text := range signed {
		id, err := e.signer(f, text)
		if err != nil {
			return false
		}
		ids = append(ids, id)
	}
	if q.hasUser {
		ids = append(ids, q.user)
	}
	return !slices.ContainsFunc(ids, func(id string) bool { return !slices.Contains(f.Owner, id) })
}

var errUnsigned = errors.New("no secret is set to check by") //nolint:gochecknoglobals // a value to compare with

// signer is who asks, as Open WebUI signed it.
func (e *Endpoint) signer(f app.Front, text string) (id string, err error) {
	if f.Signed.IsZero() {
		return "", errUnsigned
	}
	var claims jwt.RegisteredClaims
	_, err = jwt.ParseWithClaims(text, &claims, func(*jwt.Token) (any, error) { return []byte(f.Signed.Reveal()), nil },
		jwt.WithValidMethods([]string{"HS256"}), jwt.WithIssuer(signedBy), jwt.WithExpirationRequired(), jwt.WithLeeway(clockError),
		jwt.WithTimeFunc(e.o.Now))
	return claims.Subject, err
}
