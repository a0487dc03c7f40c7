// Package lifecmd holds the commands on the ageing of memories, below `ken memory`:
// hygiene, plan, apply, policy, page, compact, stabilize, reset and stats; and what
// happens by itself when a conversation is saved or ends. What is to be done is
// package lifecycle's business; here it is shown, asked about, written and told.
package lifecmd
