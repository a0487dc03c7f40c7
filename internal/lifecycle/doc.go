// Package lifecycle says which memories should be put away, forgotten or settled
// with time, and renders the page MEMORY.md. It is pure: it gets a state, a policy
// and a time, and gives the lines that would be appended; who writes them, and who
// asks the person, is the business of others.
//
// # Terms
//
// A policy is what a person wrote about the ageing of memories: a file of
// policies/, a foreign profile, or the settings alone. A plan is what it comes to
// now. An action is one step of it: some items, what is done to them, and why.
//
// # Laws
//
//   - The same state, policy, uses and time give the same plan. Nothing is changed.
//   - A plan that was carried out is empty when it is made again at the same time.
//   - What is pinned, a rule, a preference, stabilized or rigid is neither archived
//     nor forgotten.
//   - An action that makes an item more settled waits for a person, whatever the
//     policy says; so does forgetting, unless the settings or the policy allow it.
//   - An item makes one transition a day at most, and the age at which it is
//     forgotten counts from when it was archived.
//   - A clock that is wrong does no harm: nothing is old before its time if it is
//     behind, and nothing is done for reasons of age if nobody was here for longer
//     than a year.
//   - Only items of this device's own log are touched: of those of others nobody
//     knows here when they were last used there.
package lifecycle
