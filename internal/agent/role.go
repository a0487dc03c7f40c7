package agent

import "ken/internal/frame"

// role is how the person wants to be answered, as the system message has it behind the
// base text; "" if they have not said. It is theirs, and still a file's: no line of it
// begins another block.
func (c *Conversation) role() string {
	if c.o.Role == nil {
		return ""
	}
	text := c.o.Role()
	if text == "" {
		return ""
	}
	return c.o.Mask(frame.Role + "\n" + frame.Inert(text))
}
