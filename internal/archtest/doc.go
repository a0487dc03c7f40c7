// Package archtest holds the tests on the tree itself: what a package may
// import, how long functions and lines may be, what must be documented, which words are not
// used, which test proves which row of docs/rows.md, and what the papers say of the
// tree. A rule that only stands in a document decays; a rule that stands here fails the
// build.
//
// # How a gate is made
//
// A gate is a function from a parsed tree to complaints. TestTree runs every
// gate on this repository and expects none. TestEveryGateBites runs every gate
// on small sources that break it and expects the complaint: a gate that cannot
// fail is a defect too. Sources are read with go/parser and never through the go
// command, so that the files a gate has read are known to the test cache and a
// breach cannot hide behind an old result. All files count, whatever their build
// constraints.
//
// # Caveats
//
// The tables in the test files (floors, homes of imports, limits, the rows of a
// release, what a gate lets through) are policy. They change when the design changes,
// with a decision in docs/decisions; they are not edited to make a build pass. What can
// only be counted is no gate: TestReport prints it (make house).
package archtest
