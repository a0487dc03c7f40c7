package llm

// WaitDrained waits until no connection is being read to its end.
func (c *Client) WaitDrained() { c.drains.Wait() }
