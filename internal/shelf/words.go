package shelf

import "ken/internal/index"

// Words implements index.Worder.
func (r itemReader) Words(prefix string, yield func(string) bool) error {
	return wordsOf(r.Reader, prefix, yield)
}

// Words implements index.Worder.
func (r saidReader) Words(prefix string, yield func(string) bool) error {
	return wordsOf(r.Reader, prefix, yield)
}

func wordsOf(r index.Reader, prefix string, yield func(string) bool) error {
	if w, ok := r.(index.Worder); ok {
		return w.Words(prefix, yield)
	}
	return nil
}
