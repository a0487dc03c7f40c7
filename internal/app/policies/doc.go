// Package policies is how memories age here: what the settings say by themselves, and the
// policies that the person wrote, each a file of its own.
//
// A policy is read when it is asked for, and may have faults (lifecycle.Reading): those
// are the caller's to report.
package policies
