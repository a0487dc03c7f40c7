// Package runner runs command lines that the person did not type: each is judged (package
// gate), asked about through a port where it has to be, noted in the audit, and run in
// the lane of a model (package tool/lane), where its output is captured and masked.
//
// A face gives an Approver, which shows a line whole and asks, and a subscriber that is
// given the remembered rules that a line meets. What the face offers in the person's own lane
// goes through the same Gate and is run by the face, on its terminal.
//
// # Laws
//
//   - Only the person is asked. For anybody else, and where nobody can be asked, what
//     would be asked about does not run.
//   - A yes counts for the line and the directory that were shown.
//   - What was decided is in the audit before anything runs.
//   - Output leaves this package clean and masked, live or captured.
package runner
