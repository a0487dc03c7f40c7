package term

import (
	"errors"

	"ken/internal/fault"
)

// SetMemory switches memory off or on for this conversation, whatever flags and
// settings say; after Settings.
func (a *Run) SetMemory(on bool) {
	a.Home.Settings.SwitchMemory(on)
	a.KeepFlags(a.Flags)
}

// KeepFlags puts flags in force again after a line that had its own. What was
// switched in the meantime stays so.
func (a *Run) KeepFlags(f Flags) {
	a.Flags = f
	if on, said := a.Home.Settings.Switched(); said {
		a.Flags.NoMemory = !on
	}
}

// MemoryIsOff is the error of what needs memory in a conversation without.
func (a *Run) MemoryIsOff() error {
	switch {
	case a.Shell != nil:
		return fault.New(fault.Refused, errors.New("memory is off in this conversation")).WithHint(":memory on switches it on")
	case a.Flags.NoMemory:
		return fault.New(fault.Refused, errors.New("with --no-memory, memory is neither read nor written")).WithHint("leave --no-memory out")
	}
	return fault.New(fault.Refused, errors.New("memory is off: memory.enabled is false")).WithHint("switch it on: ken config set memory.enabled=true")
}
