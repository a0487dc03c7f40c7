package app

import (
	"encoding/json"
	"testing"

	"ken/internal/view/port"
)

// TestPorts: a face has the ports that the command line has. What a tool states by one
// waits, what the person states counts, and a call that says where it is for is answered
// for there.
func TestPorts(t *testing.T) {
	t.Parallel()
	a, _ := open(t)
	here := t.TempDir()
	call := port.Call{Key: "indent", Value: json.RawMessage(`{"tabs": true}`)}
	d, err := a.View(Standing{Actor: Actor{Kind: Tool}, Dir: here}).Ports(nil, nil).Remember(t.Context(), call)
	if err != nil || d.Status != "proposed" || d.Ref != "p1" || d.Decide != "ken review" || d.Undo != "" {
		t.Errorf("a tool: %+v, %v", d, err)
	}
	if _, err := a.View(Standing{Dir: here}).Ports(nil, nil).Remember(t.Context(), call); err == nil {
		t.Error("nobody remembered by way of a port")
	}
	d, err = person(a, here).Ports(nil, nil).Remember(t.Context(), call)
	if err != nil || d.Status != "remembered" || d.Ref != "1" || d.Undo != "ken undo 1" {
		t.Fatalf("the person: %+v, %v", d, err)
	}
	at, err := json.Marshal(map[string]string{"cwd": here})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		where string
		call  port.Call
		want  int
	}{
		{here, port.Call{}, 1},
		{t.TempDir(), port.Call{}, 0},
		{t.TempDir(), port.Call{Activation: at}, 1},
	} {
		r, err := a.View(Standing{Actor: Actor{Kind: Tool}, Dir: c.where}).Ports(nil, nil).Recall(t.Context(), c.call)
		if err != nil || len(r.Items) != c.want || r.Plan.Limit != port.DefaultLimit {
			t.Errorf("%+v: %+v, %v", c, r, err)
			continue
		}
		for _, it := range r.Items {
			if value, ok := it.Value.(json.RawMessage); !ok || string(value) != `{"tabs":true}` {
				t.Errorf("the value is %s", it.Value)
			}
		}
	}
	zero := 0
	if _, err := person(a, here).Ports(nil, nil).Recall(t.Context(), port.Call{Limit: &zero}); err == nil {
		t.Error("a limit of 0 was answered")
	}
	f, err := person(a, here).Ports(nil, nil).Forget(t.Context(), port.Call{Keys: []string{"indent"}})
	if err != nil || f.Status != "forgot" || len(f.Forgotten) != 1 {
		t.Errorf("forget: %+v, %v", f, err)
	}
	if f, err = person(a, here).Ports(nil, nil).Forget(t.Context(), port.Call{}); err != nil || f.Status != "nothing" {
		t.Errorf("forget nothing: %+v, %v", f, err)
	}
}
