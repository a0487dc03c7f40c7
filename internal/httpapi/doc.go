// Package httpapi is the face for programs that come over HTTP: the ports and the memories as
// JSON, and the server for assistants at /mcp. It translates, and decides nothing: what a client
// may see and write is package app's business.
//
// # Laws
//
//   - Without a token nothing is answered, on no route; a token is one client's, is kept as its SHA-256, and is in no
//     address, log or error.
//   - A request is for this machine by its Host, and comes from no other page by its Origin: 421 and 403 otherwise.
//   - GET changes nothing. What a client states or changes is a suggestion under the name that its token has.
//   - A client is given what holds everywhere, and nothing of what holds in a project.
//   - Every answer that is no success is one JSON shape with the next step.
//   - Bodies, headers, times, connections and suggestions in a minute are bounded.
//   - One table has the routes: the server, the description at /api/openapi.json and the tests go by it.
//
// # Reasons
//
// "ken mcp --http" is the server of "ken serve" with one route, for assistants that take an address and start no
// program: the same code, checks and tokens. A client over HTTP is given what holds everywhere, because a
// directory that it names would be a claim. There are no sessions, because the server asks its clients nothing.
package httpapi
