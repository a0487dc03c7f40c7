package edit

import (
	"bytes"
	"fmt"

	"github.com/pelletier/go-toml/v2"
)

// Decode is what a text says: its tables as maps, its lists as []any. The error is ErrSyntax.
func Decode(src []byte) (map[string]any, error) {
	v := map[string]any{}
	if err := toml.Unmarshal(bytes.TrimPrefix(src, []byte(byteOrderMark)), &v); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSyntax, err)
	}
	return v, nil
}
