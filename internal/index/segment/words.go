package segment

import (
	"bytes"
	"sort"

	"ken/internal/index"
)

// Words implements index.Worder.
func (r *reader) Words(prefix string, yield func(string) bool) error {
	s := r.s
	key := appendKey(nil, index.Term{Form: index.Word, Text: prefix})
	blocks, first := 0, 0
	err := s.use(func() (err error) {
		blocks = s.blocks(secTermBlocks)
		c := termCursor{}
		first = sort.Search(blocks, func(i int) bool {
			var block []byte
			if block, err = s.block(secTerms, secTermBlocks, i); err != nil {
				return true
			}
			c.begin(block, s.docs)
			if _, ok := c.entry(); !ok && err == nil {
				err = s.corrupt("a block of terms")
			}
			return bytes.Compare(c.key, key) > 0
		})
		return err
	})
	if err != nil {
		return err
	}
	for n := max(first-1, 0); n < blocks; n++ {
		words, over, err := s.wordsOf(n, key)
		if err != nil {
			return err
		}
		for _, w := range words {
			if !yield(w) {
				return nil
			}
		}
		if over {
			return nil
		}
	}
	return nil
}

// wordsOf are the words of a block whose keys begin with that one; over says that a
// later one does not.
func (s *Segment) wordsOf(n int, key []byte) (words []string, over bool, err error) {
	err = s.use(func() error {
		block, err := s.block(secTerms, secTermBlocks, n)
		if err != nil {
			return err
		}
		c := termCursor{}
		c.begin(block, s.docs)
		for {
			if _, ok := c.entry(); !ok {
				break
			}
			switch {
			case bytes.HasPrefix(c.key, key):
				words = append(words, string(c.key[1:]))
			case bytes.Compare(c.key, key) > 0:
				over = true
				return nil
			}
		}
		if c.bad {
			return s.corrupt("a block of terms")
		}
		return nil
	})
	return words, over, err
}
