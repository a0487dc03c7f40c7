package talk

import (
	"fmt"

	"ken/internal/fault"
	"ken/internal/session"
	"ken/internal/verbs"
)

// Remembers reports whether the conversation has memory.
func (t *Talk) Remembers() bool { return t.home.Settings.MemoryOn() }

// Switch has the conversation have memory from now on, or none, whatever the settings say: then nothing of it is sent, and nothing
// new is kept. The record notes it, for who goes on with the conversation.
func (t *Talk) Switch(on bool) {
	if on == t.Remembers() {
		return
	}
	t.home.Settings.SwitchMemory(on)
	t.d.Changed(nil)
	t.noteSwitch()
}

// noteSwitch notes in the record how memory was switched, if it was.
func (t *Talk) noteSwitch() {
	on, said := t.home.Settings.Switched()
	if !said {
		return
	}
	if err := t.d.Recorder().AppendMemory(on); err != nil {
		t.home.Warn(fmt.Errorf("the session does not know whether it has memory: %w", err))
	}
}

// asLeft has the conversation at path as it was left: without memory, if it had none.
func (t *Talk) asLeft(path string) {
	if !t.o.Without {
		return
	}
	r, err := session.Load(path)
	if err != nil {
		return // who opens it says so
	}
	if on, said := r.Remembers(); said {
		t.home.Settings.SwitchMemory(on)
	}
}

// mayDo refuses what needs the memory in a conversation that has none. What was done can be taken back.
func (t *Talk) mayDo(verb string) error {
	v, _ := verbs.Find(verbs.Anywhere, verb)
	if on, said := t.home.Settings.Switched(); said && !on && v.Memory {
		return fault.Refusedf("memory is off in this conversation").WithHint("switch it on beside the box")
	}
	return nil
}
