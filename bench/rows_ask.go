//go:build unix

package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"ken/bench/floors"
	"ken/bench/model"
	"ken/bench/paired"
)

// ask measures one question and its answer, with memories of several sizes. The
// model answers at once: what is left is ken's own time.
func ask(ctx context.Context, b *bench, rep *paired.Report) error {
	floor, err := b.postFloor(ctx, "ask-floor")
	if err != nil {
		return err
	}
	programs := map[string]program{floors.Ask: floor}
	said := model.Answer{Tokens: b.size.short}
	trials := []paired.Trial{b.asks(floors.Ask, floor, said)}
	for _, n := range b.size.memories {
		for _, k := range b.kens {
			name := k.name + " " + paired.Label(n)
			h, err := b.remembering(ctx, k, "ask-"+k.name+"-"+paired.Label(n), n)
			if err != nil {
				return err
			}
			programs[name] = h.ken(k, "ask", question)
			trials = append(trials, b.asks(name, programs[name], said))
		}
	}
	settle()
	r := paired.Readings{}
	if err := r.Take(ctx, b.o.n, trials); err != nil {
		return err
	}
	if err := b.peaksAndCalls(ctx, rep, r, programs, func() { b.model.Expect(said) }); err != nil {
		return err
	}
	for i, n := range b.size.memories {
		b.askLines(rep, r, n, i)
	}
	return nil
}

// question is what is asked, wherever one is.
const question = "which port does the server use?"

// askLines adds the lines for one size of memory, the i-th. Goals for the
// whole are set at the second size, the ordinary one.
func (b *bench) askLines(rep *paired.Report, r paired.Readings, n, i int) {
	name, with := "ken "+paired.Label(n), ", "+paired.Label(n)+" memories"
	names := []string{"vs " + paired.Label(n), floors.Ask}
	toRequest, wall, cpu, peak := 0.0, 0.0, 0.0, 0.0
	switch i {
	case 0:
		toRequest = goalRequestMS
	case 1:
		toRequest, wall, cpu, peak = goalRequestMS, goalAskWallMS, goalAskCPUMS, goalAskPeakMB
	default:
		toRequest = goalRequestBigMS
	}
	rep.Add(r, paired.Want{What: "start to request" + with, Unit: "ms", Trial: name, Of: requestMS, Goal: toRequest, Names: names})
	rep.Add(r, paired.Want{What: "whole answer, wall" + with, Unit: "ms", Trial: name, Of: wallMS, Goal: wall, Names: names})
	rep.Add(r, paired.Want{What: "whole answer, CPU" + with, Unit: "ms", Trial: name, Of: cpuMS, Goal: cpu, Names: names})
	rep.Add(r, paired.Want{What: "end of stream to exit" + with, Unit: "ms", Trial: name, Of: exitMS, Goal: goalExitMS, Names: names})
	rep.Add(r, paired.Want{What: "peak memory" + with, Unit: "MB", Trial: name, Of: peakMB, Goal: peak, Names: names})
	b.addCalls(rep, r, "system calls"+with, name, names)
}

// postFloor is the floor of asking, in a home of its own.
func (b *bench) postFloor(ctx context.Context, homeName string) (program, error) {
	bin, err := b.floor(ctx, floors.Ask)
	if err != nil {
		return program{}, err
	}
	h, err := b.newHome(homeName)
	file := filepath.Join(h.dir, "answers")
	return program{
		bin: bin, args: []string{b.model.URL + "/v1/chat/completions", file},
		env: environment(h.dir), dir: h.work,
	}, err
}

// asks is a trial that has p ask the model and print the answer.
func (b *bench) asks(name string, p program, a model.Answer) paired.Trial {
	return paired.Trial{Name: name, Run: func(ctx context.Context) (paired.Reading, error) {
		x := b.model.Expect(a)
		var out strings.Builder
		c, err := b.run(ctx, p, &out)
		if err != nil {
			return nil, err
		}
		if err := x.Wait(); err != nil {
			return nil, err
		}
		if got, want := strings.TrimSpace(out.String()), strings.TrimSpace(a.Text()); got != want {
			return nil, fmt.Errorf("%s printed %d bytes that are not the answer of %d bytes: %.100q", p, len(got), len(want), got)
		}
		return paired.Single(map[paired.Quantity]float64{
			wallMS: ms(c.wall()), cpuMS: ms(c.cpu),
			requestMS: ms(x.Arrived.Sub(c.started)), exitMS: ms(c.ended.Sub(x.Ended)),
		}), nil
	}}
}

// request measures what is sent besides the question where nothing is
// remembered.
func request(ctx context.Context, b *bench, rep *paired.Report) error {
	r := paired.Readings{}
	for _, k := range b.kens {
		h, err := b.newHome("request-" + k.name)
		if err != nil {
			return err
		}
		x := b.model.Expect(model.Answer{Tokens: 1})
		if _, err := b.run(ctx, h.ken(k, "ask", question), nil); err != nil {
			return err
		}
		if err := x.Wait(); err != nil {
			return err
		}
		r.Add(k.name, paired.Single(map[paired.Quantity]float64{bodyBytes: float64(len(x.Body) - len(question))}))
	}
	rep.Add(r, paired.Want{
		What: "request without the question, no memory, no tools", Unit: "bytes",
		Trial: "ken", Of: bodyBytes, Goal: goalFixedBytes, Names: []string{"vs"},
	})
	return nil
}
