package termsafe

import "io"

// A Writer cleans what is written to it and passes it on. What an unfinished
// sequence or character holds back is passed on by Flush.
type Writer struct {
	w io.Writer
	c Cleaner
}

// NewWriter returns a Writer that writes clean text to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write implements io.Writer. The count is len(p), or 0 with the error of the
// underlying writer: how much of p that writer took cannot be known, because what
// it gets is not p. After an error the text is incomplete.
func (w *Writer) Write(p []byte) (int, error) {
	if err := w.pass(w.c.Write(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// WriteString is Write for a string.
func (w *Writer) WriteString(s string) (int, error) {
	if err := w.pass(w.c.Write(s)); err != nil {
		return 0, err
	}
	return len(s), nil
}

// Flush ends the text, as Cleaner.Flush does. It does not close the underlying
// writer.
func (w *Writer) Flush() error { return w.pass(w.c.Flush()) }

func (w *Writer) pass(s string) error {
	if s == "" {
		return nil
	}
	_, err := io.WriteString(w.w, s)
	return err
}
