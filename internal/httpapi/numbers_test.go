package httpapi

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A numbered is one of the tests that a server which programs reach has to pass, and what proves it here: "package Test", or a
// script of internal/cli.
type numbered struct {
	n     int
	about string
	by    []string
}

// numbers are all of them.
func numbers() []numbered {
	const here, given, phone = "internal/httpapi ", "internal/tool/mcp ", "internal/telegram "
	return []numbered{
		{1, "everything that listens listens at this machine itself", []string{here + "TestListeners", here + "TestLoopback"}},
		{2, "an address that others reach is refused", []string{here + "TestLoopback", "internal/cli serve.txtar"}},
		{3, "no token: 401 on every route", []string{here + "TestNoToken"}},
		{4, "another token", []string{here + "TestNoToken"}},
		{5, "a token in the address", []string{here + "TestNoToken"}},
		{6, "the token stands in no log, error, address or file", []string{
			here + "TestTokenNowhere", here + "TestEveryAnswer", "internal/cli TestServeEnds",
		}},
		{7, "the file of tokens is the person's alone", []string{here + "TestClients", here + "TestFilesKnown"}},
		{8, "a token that is taken away ends what is open", []string{here + "TestRevoked", here + "TestRevokedStream"}},
		{9, "Host: another name", []string{here + "TestHosts"}},
		{10, "Host: a name that leads here", []string{here + "TestHosts", here + "TestConformance"}},
		{11, "Host: localhost.evil", []string{here + "TestHosts"}},
		{12, "Host: a dot at the end", []string{here + "TestHosts"}},
		{13, "Host: none, and two", []string{here + "TestHosts"}},
		{14, "Origin: another page", []string{here + "TestOrigins"}},
		{15, "Origin: null", []string{here + "TestOrigins"}},
		{16, "Origin: localhost.evil", []string{here + "TestOrigins"}},
		{17, "Origin: a file", []string{here + "TestOrigins"}},
		{18, "Origin: an extension", []string{here + "TestOrigins"}},
		{19, "Origin: another port", []string{here + "TestOrigins"}},
		{20, "no Origin, and a token", []string{here + "TestOrigins"}},
		{21, "a change to WebSocket is asked the same", []string{here + "TestOrigins"}},
		{22, "what a page asks first lets it in nowhere", []string{here + "TestEveryAnswer"}},
		{23, "what a page can send without asking first is refused", []string{here + "TestBodies"}},
		{24, "GET changes nothing", []string{here + "TestGetChangesNothing"}},
		{25, "no header changes the method", []string{here + "TestGetChangesNothing"}},
		{26, "a body that is too long is refused before it is read", []string{here + "TestBodies", here + "TestHundredMegabytes"}},
		{27, "who sends drop by drop is cut off", []string{here + "TestSlow"}},
		{28, "a thousand idle connections", []string{here + "TestFewConnections", here + "TestManyStreams"}},
		{29, "sixty suggestions in a minute", []string{here + "TestMostSuggestions"}},
		{30, "deep JSON, long lines", []string{here + "TestBodies", here + "TestBadAssistant", "internal/mcpserver TestBadLines"}},
		{31, "tricks of paths", []string{here + "TestPaths"}},
		{32, "no address of a client is asked", []string{
			here + "TestFetchesNothing", "internal/tool/mcp/oauth TestSafe", given + "TestMetadata",
		}},
		{33, "what is remembered is text wherever it is shown", []string{
			here + "TestEveryAnswer", "internal/web TestForeignText", "internal/web TestTemplates",
		}},
		{34, "no frame", []string{here + "TestEveryAnswer"}},
		{35, "source, trust and scope of a client count for nothing", []string{here + "TestSuggestions", here + "TestBadAssistant"}},
		{36, "who may read writes nothing", []string{here + "TestReadOnly"}},
		{37, "what holds elsewhere is given to nobody, in a thousand questions", []string{here + "TestWithin"}},
		{38, "a session is no key, for there is none", []string{here + "TestSessionless"}},
		{39, "a tool that has changed is approved of anew", []string{given + "TestChanges", given + "TestIdentity"}},
		{40, "the socket is the person's alone", []string{here + "TestSocket", here + "TestForeign"}},
		{41, "a messenger: one person by number, silence to others, what is not typed is data", []string{
			phone + "TestStrangers", phone + "TestData", "internal/cli TestS61",
		}},
		{42, "a messenger is polled, and what comes again is passed over", []string{phone + "TestOnce", "internal/cli TestTelegramKilled"}},
		{43, "a code: once, 10 minutes, 5 tries", []string{phone + "TestPairing"}},
		{44, "no command runs from here", []string{here + "TestNoCommand", "internal/cli TestTelegramReads"}},
	}
}

// root is the top of the tree.
const root = "../.."

// TestNumbers: each of the numbered tests is proved by tests that there are.
func TestNumbers(t *testing.T) {
	t.Parallel()
	var seen []int
	for _, x := range numbers() {
		seen = append(seen, x.n)
		if len(x.by) == 0 || x.about == "" {
			t.Errorf("%d is proved by nothing", x.n)
		}
		for _, by := range x.by {
			dir, name, _ := strings.Cut(by, " ")
			if !isThere(t, dir, name) {
				t.Errorf("%d: there is no %s in %s", x.n, name, dir)
			}
		}
	}
	want := make([]int, 0, 44)
	for n := 1; n <= 44; n++ {
		want = append(want, n)
	}
	if !slices.Equal(seen, want) {
		t.Errorf("%v, want %v", seen, want)
	}
}

// isThere reports whether a package has a test, or the scripts one of the name.
func isThere(t *testing.T, dir, name string) bool {
	t.Helper()
	if strings.HasSuffix(name, ".txtar") {
		_, err := os.Stat(filepath.Join(root, dir, "testdata", "script", name))
		return err == nil
	}
	files, err := filepath.Glob(filepath.Join(root, dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		return err == nil && strings.Contains(string(text), "\nfunc "+name+"(t *testing.T)")
	})
}

// sources calls f with each Go file of the product, as its path below the top.
func sources(t *testing.T, f func(path string, file *ast.File)) {
	t.Helper()
	for _, top := range []string{"cmd", "internal"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, e fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(root, path)
			f(filepath.ToSlash(rel), file)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestListeners: whatever listens does so in the files named here, which say where; nothing listens by a convenience of a library
// that takes any address.
func TestListeners(t *testing.T) {
	t.Parallel()
	known := map[string]bool{
		"internal/httpapi/listen.go":          true, // TestSocket, TestLoopback
		"internal/tool/mcp/oauth/back.go":     true, // at 127.0.0.1, for the answer of a browser
		"internal/llm/llmtest/server.go":      true, // of tests
		"internal/tool/mcp/mcptest/locked.go": true, // of tests
	}
	found := 0
	sources(t, func(path string, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			s, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			switch s.Sel.Name {
			case "ListenAndServe", "ListenAndServeTLS", "ListenTCP", "ListenUnix", "ListenPacket", "ListenUDP", "NewServer", "NewUnstartedServer":
				if of, ok := s.X.(*ast.Ident); ok && slices.Contains([]string{"net", "http", "httptest", "server"}, of.Name) && !known[path] {
					t.Errorf("%s: %s.%s", path, of.Name, s.Sel.Name)
				}
			case "Listen":
				if len(call.Args) >= 2 { // a network and an address
					found++
					if !known[path] {
						t.Errorf("%s listens", path)
					}
				}
			}
			return true
		})
	})
	if found < 3 {
		t.Errorf("%d places listen: the test sees too little", found)
	}
}

// TestNoCommand: what programs and people reach from elsewhere starts no program and runs no command of a model; only an editor, which
// asks its person for each, is offered tools that act.
func TestNoCommand(t *testing.T) {
	t.Parallel()
	faces := []string{"internal/httpapi/", "internal/mcpserver/", "internal/web/", "internal/telegram/", "internal/endpoint/"}
	act := []string{"os/exec", "ken/internal/runner", "ken/internal/tool/lane", "ken/internal/tool/files", "ken/internal/cli/run"}
	seen := 0
	sources(t, func(path string, file *ast.File) {
		face := slices.ContainsFunc(faces, func(f string) bool { return strings.HasPrefix(path, f) })
		if face {
			seen++
		}
		for _, i := range file.Imports {
			name, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if face && slices.Contains(act, name) {
				t.Errorf("%s imports %s", path, name)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if kv, ok := n.(*ast.KeyValueExpr); ok {
				key, isKey := kv.Key.(*ast.Ident)
				value, isName := kv.Value.(*ast.Ident)
				may := strings.Contains(path, "/acp") || strings.HasPrefix(path, "internal/agent/")
				if isKey && isName && key.Name == "Acts" && value.Name != "false" && !may {
					t.Errorf("%s offers a model tools that act", path)
				}
			}
			return true
		})
	})
	if seen < 10 {
		t.Errorf("%d files of faces: the test sees too little", seen)
	}
}
