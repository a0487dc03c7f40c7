// Package battery drives what ken does with its files (remember, forget, erase from
// the log and from everywhere, converse, resume, import, propose, decide) while
// something goes wrong, and asks afterwards whether every promise was kept.
//
// A Driver does one operation through the packages that ken itself uses, and
// writes into a Ledger what was reported to the person. A fault comes in at every call
// that changes a file, or as a byte that turned over, a cut, an edit by hand, a
// clock that jumps. Then a fresh reader opens what is left, and Check compares it
// with the ledger.
//
// # Laws
//
//   - What was acknowledged is there, once, whole.
//   - What failed is not there, unless the error said that it may be.
//   - What was forgotten is in no view; what was erased is in no byte.
//   - Damage costs the lines that have it, and each of them is reported; where nothing
//     is damaged, nothing is reported.
//   - Lines that this version cannot read or does not know stay, byte for byte.
//   - Everything works afterwards, and what was cut off can be said again: then it is
//     done, whatever was done before.
//
// # Caveats
//
// It is made for tests, and no program imports it. A Bug is a mistake that the
// battery must find: if one is not found, its silence about ken proves nothing.
// Calls that make directories, take locks and keep derived files do not fail
// here; they go by the machine.
//
// # Reasons
//
// The packages test their own files. The battery tests what lies between two files, or between a dead process and
// the next one. It keeps a ledger of what the person was told instead of expectations, so one check serves every
// operation and every fault, and a new operation is one function. Of the states after a power failure most have
// the same bytes and the same ledger; such a state gets the verdict of the first one, which is why sixteen hundred
// states a call take minutes. A new kind of file is added in Files, a new operation in Drivers, a new kind of bad
// content in the fixtures.
package battery
