package scrub

import "ken/internal/view/erase"

// What a plan and a proof say, as every face shows it.
type (
	// A Memory is one that goes.
	Memory = erase.ErasedMemory
	// A Turn is a turn that goes.
	Turn = erase.ErasedTurn
	// A Similar is what resembles a text that goes.
	Similar = erase.Similar
	// A Shared is a turn that stays and shares a rare word with what goes.
	Shared = erase.Shared
	// A Given is another assistant that was given a memory that goes.
	Given = erase.GivenTo
	// A Proof says what a look into every file found of the texts.
	Proof = erase.Proof
	// A Left is a file that holds one of the texts.
	Left = erase.LeftOver
	// An Occurrence is where a secret stands.
	Occurrence = erase.Occurrence
	// A MaskProof says what a look into every file found after masking.
	MaskProof = erase.MaskProof
)
