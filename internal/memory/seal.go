package memory

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
)

// A Seal turns the sum or hash of a text into one that nobody without the key of the person can
// test texts against. What is erased may have been four digits, and it takes a second to sum all of
// them. A Seal takes the sum and not the text, so a sum that was written without a key can be
// sealed later, when the text is gone. The nil Seal changes nothing.
type Seal struct{ key []byte }

// NewSeal returns a Seal under the key, which must not be empty.
func NewSeal(key []byte) *Seal { return &Seal{slices.Clone(key)} }

// Hash seals a hash in hexadecimal digits. It returns 8 of them, the head of an HMAC-SHA256.
func (s *Seal) Hash(hash string) string {
	if s == nil {
		return hash
	}
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte("ken sum\x00" + hash))
	return hex.EncodeToString(mac.Sum(nil)[:4])
}

// Sum seals the sum of a line.
func (s *Seal) Sum(sum Sum) Sum {
	if s == nil {
		return sum
	}
	n, _ := strconv.ParseUint(s.Hash(fmt.Sprintf("%08x", uint32(sum))), 16, 32) // of 8 digits
	return Sum(n)
}

// ID seals the name of a line that was written without an id, which is a hash of the line. It
// returns every other name unchanged.
func (s *Seal) ID(id ID) ID {
	if s != nil && id.Hash != 0 {
		id.Hash, _ = parseHash(s.Hash(id.Hash.String())) // it gives 8 digits
	}
	return id
}
