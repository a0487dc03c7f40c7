// Package undo takes changes of files back. It keeps the bytes of files as they were (Room), knows
// what was done to which of them (Act, an event of a session), and plans and does what takes
// it back (Room.Plan, Step.Do).
//
// # Order
//
// Before a file is changed, Keep has its bytes and the new ones in the room, and the act is
// written to the session. So whatever is interrupted, what a file was is known: an act that was
// written and not done shows by its file, which still is as before.
//
// # Laws
//
//   - A file that is not as the act left it is not touched: whoever changed it since keeps their work.
//   - Taking back is an act too, and can be taken back.
//   - Of several acts all are taken back, or none.
//
// # Caveats
//
// The room is bounded (Kept, MostBytes), so what is old cannot be taken back. What commands did to
// files is not known here. Directories that were made for a new file stay.
package undo
