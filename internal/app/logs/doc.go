// Package logs is the logs that a memory consists of: that of this device, the replicas of
// the person's other devices, and what a repository brings and the person let in: memory, and
// docs for agents, which are none; with the queue of proposals and the list of what was erased
// beside them.
//
// No line is read here. What is no replica, or was not let in, counts for nothing, and
// whoever asks gets the reason.
package logs
