package repl

// A watch is somebody who wants to know of a key while no line is read.
type watch struct {
	begin func() (stop func())
	stop  func() // nil while somebody else reads
}

// Watch calls hit, on a goroutine of its own, for each press of a key that is bound to action until stop is called, where an editor
// reads lines. What else is typed is kept for the next line. Questions of this Terminal, and what it is lent to, have it meanwhile.
func (t *Terminal) Watch(action string, hit func()) (stop func()) {
	e, ok := t.Editor.(interface {
		Watch(action string, hit func()) (stop func())
	})
	if !ok {
		return func() {}
	}
	w := &watch{begin: func() func() { return e.Watch(action, hit) }}
	t.watching.Lock()
	defer t.watching.Unlock()
	t.watch, w.stop = w, w.begin()
	return func() {
		t.Aside()
		t.watching.Lock()
		defer t.watching.Unlock()
		t.watch = nil
	}
}

// Aside has nobody but the caller read from the terminal until back is called.
func (t *Terminal) Aside() (back func()) {
	t.watching.Lock()
	defer t.watching.Unlock()
	w := t.watch
	if w == nil || w.stop == nil {
		return func() {}
	}
	w.stop()
	w.stop = nil
	return func() {
		t.watching.Lock()
		defer t.watching.Unlock()
		if t.watch == w {
			w.stop = w.begin()
		}
	}
}
