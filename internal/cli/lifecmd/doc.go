// Package lifecmd holds the commands on the ageing of memories, below `ken memory`:
// hygiene, plan, apply, policy, page, compact, stabilize, reset and stats. What is to be
// done is package lifecycle's business, and package upkeep carries it out; here it is
// shown and asked about.
package lifecmd
