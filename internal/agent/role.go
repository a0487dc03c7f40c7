package agent

import "ken/internal/frame"

// role is how the person wants to be answered, as the system message has it behind the
// base text; "" if they have not said. It is theirs, and still a file's: no line of it
// begins another block.
func (c *Conversation) role() string {
	if c.o.Role == "" {
		return ""
	}
	return c.o.mask(frame.Role + "\n" + frame.Inert(c.o.Role))
}

// InRole has the model answer by a text from now on; "": by none.
func (c *Conversation) InRole(text string) { c.o.Role = text }
