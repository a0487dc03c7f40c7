// Package auto is a run of a model towards a goal as the terminal has it: what it says, where it asks, and what it did.
package auto
