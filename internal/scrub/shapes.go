package scrub

import "ken/internal/view"

// What a plan and a proof say, as every face shows it.
type (
	// A Memory is one that goes.
	Memory = view.ErasedMemory
	// A Turn is a turn that goes.
	Turn = view.ErasedTurn
	// A Similar is what resembles a text that goes.
	Similar = view.Similar
	// A Shared is a turn that stays and shares a rare word with what goes.
	Shared = view.Shared
	// A Given is another assistant that was given a memory that goes.
	Given = view.GivenTo
	// A Proof says what a look into every file found of the texts.
	Proof = view.Proof
	// A Left is a file that holds one of the texts.
	Left = view.LeftOver
	// An Occurrence is where a secret stands.
	Occurrence = view.Occurrence
	// A MaskProof says what a look into every file found after masking.
	MaskProof = view.MaskProof
)
