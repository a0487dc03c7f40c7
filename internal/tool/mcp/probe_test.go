package mcp_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ken/internal/connect"
	"ken/internal/proctest"
	"ken/internal/tool/mcp"
)

// probedEnv has a copy of this program be a server that an assistant starts.
const probedEnv = "KEN_TEST_PROBED_SERVER"

// beProbed answers as how says.
func beProbed(how string) {
	switch how {
	case "says nothing":
		time.Sleep(time.Minute)
	case "ends":
		fmt.Fprintln(os.Stderr, "ken: error: \x1b[31mno memory\nmore")
		os.Exit(1)
	case "floods":
		for {
			fmt.Println(strings.Repeat("x", 1000))
		}
	case "goes on":
		defer time.Sleep(time.Minute)
	case "noise":
		fmt.Println("welcome")
		fmt.Println(`{"jsonrpc":"2.0","method":"notifications/message"}`)
	case "environment":
		fmt.Fprintln(os.Stderr, strings.Join(os.Environ(), " "))
		os.Exit(1)
	}
	name := "ken"
	if how == "another" {
		name = "files"
	}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		switch line := in.Text(); {
		case strings.Contains(line, `"initialize"`) && how == "refuses":
			fmt.Println(`{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"not now"}}`)
		case strings.Contains(line, `"initialize"`):
			fmt.Printf(`{"jsonrpc":"2.0","id":1,"result":{"serverInfo":{"name":%q,"version":"1.2"}}}`+"\n", name)
		case strings.Contains(line, `"tools/list"`) && how == "no tools":
			fmt.Println(`{"jsonrpc":"2.0","id":2,"result":7}`)
		case strings.Contains(line, `"tools/list"`):
			fmt.Println(`{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"recall"},{"name":"status"}]}}`)
		}
	}
}

// probed is a server that is like that, and where it is started.
func probed(t *testing.T, how string) (connect.Server, mcp.Starter) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	find := func(name string) (string, error) { return "", fmt.Errorf("%s: nowhere", name) }
	return connect.Server{Argv: []string{exe, "mcp"}, Env: map[string]string{probedEnv: how}},
		mcp.Starter{Dir: t.TempDir(), Environ: proctest.Environ(t), Find: find, Wait: 20 * time.Second, Now: time.Now}
}

// TestProbe: a server that is asked says what it is, whatever it prints beside that; or what is wrong is known by its kind.
func TestProbe(t *testing.T) {
	t.Parallel()
	for how, want := range map[string]error{
		"ken": nil, "noise": nil, "goes on": nil,
		"ends": mcp.ErrSilent, "refuses": mcp.ErrSilent, "floods": mcp.ErrSilent, "another": mcp.ErrStranger, "no tools": mcp.ErrStranger,
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			s, at := probed(t, how)
			a, err := mcp.Probe(t.Context(), s, at)
			if !errors.Is(err, want) || (err == nil) != (want == nil) {
				t.Fatalf("%v, want %v", err, want)
			}
			if want == nil && (a.Version != "1.2" || !slices.Equal(a.Tools, []string{"recall", "status"}) || a.Took <= 0 || a.Program != s.Argv[0]) {
				t.Errorf("%+v", a)
			}
			if how == "ends" && err.Error() != "it does not answer: it ended (exit status 1): ken: error: no memory" {
				t.Error(err)
			}
		})
	}
}

// TestProbeInTime: a server that says nothing costs what is waited for, and is gone after it.
func TestProbeInTime(t *testing.T) {
	t.Parallel()
	s, at := probed(t, "says nothing")
	at.Wait = 100 * time.Millisecond
	began := time.Now()
	_, err := mcp.Probe(t.Context(), s, at)
	if !errors.Is(err, mcp.ErrSilent) || !strings.HasSuffix(err.Error(), "within 100ms") || time.Since(began) > 5*time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
	at.Wait = time.Minute
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := mcp.Probe(ctx, s, at); !errors.Is(err, mcp.ErrSilent) || time.Since(began) > 10*time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
}

// TestProbeAbsent: what is not there is not there, under a path and under a name; links lead on.
func TestProbeAbsent(t *testing.T) {
	t.Parallel()
	s, at := probed(t, "ken")
	exe := s.Argv[0]
	for _, program := range []string{"/nowhere/ken", "ken", "./ken", at.Dir} {
		s.Argv[0] = program
		if _, err := mcp.Probe(t.Context(), s, at); !errors.Is(err, mcp.ErrAbsent) {
			t.Errorf("%s: %v", program, err)
		}
	}
	link := filepath.Join(at.Dir, "ken")
	if err := os.Symlink(exe, link); err != nil {
		t.Fatal(err)
	}
	at.Find = func(string) (string, error) { return link, nil }
	for _, program := range []string{link, "ken", "./ken"} {
		s.Argv[0] = program
		if a, err := mcp.Probe(t.Context(), s, at); err != nil || a.Program != link {
			t.Errorf("%s: %+v %v", program, a, err)
		}
	}
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(link, []byte("no program"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := mcp.Probe(t.Context(), s, at); !errors.Is(err, mcp.ErrAbsent) || !strings.Contains(err.Error(), "permission denied") {
		t.Error(err)
	}
}

// TestProbeEnvironment: a server has the environment that its assistant gives it.
func TestProbeEnvironment(t *testing.T) {
	t.Parallel()
	s, at := probed(t, "environment")
	at.Environ = []string{"A=1", "B=2", "C=3"}
	s.Env["B"] = "own"
	_, err := mcp.Probe(t.Context(), s, at)
	if err == nil || !strings.HasSuffix(err.Error(), ": A=1 C=3 B=own "+probedEnv+"=environment") {
		t.Error(err)
	}
	s.Only = []string{"C"}
	_, err = mcp.Probe(t.Context(), s, at)
	if err == nil || !strings.HasSuffix(err.Error(), ": C=3 B=own "+probedEnv+"=environment") {
		t.Error(err)
	}
}
