// Package web is the page: the memory in a browser of this machine, for the person whose it is. It makes HTML on the server
// and decides nothing: what may be seen and changed is the owner's, of app/owner, and who asks is for httpapi, which carries it.
//
// # Laws
//
//   - A GET changes nothing. What changes something is sent by the page's own script, which no other page can do unasked; a
//     conversation also by a form with a word that no other page knows.
//   - Nothing that waits is decided before all of it was shown, with what is invisible in it written out.
//   - An answer is shown as far as it is, and goes on whoever looks: see package hall.
//   - Text of a memory, a model, a tool or a session is escaped by html/template, or made of markdown.Read, and stands
//     where htmx looks at nothing (hx-ignore).
//   - Nothing comes from outside, and no script or style stands in the page.
package web
