package owner

import (
	"context"
	"strings"

	"ken/internal/app"
	"ken/internal/fault"
	"ken/internal/memory"
)

// WhyNot says in words why a question to a model, asked now and in no project, would not have a memory called up; "" is that it
// would. The start-up block, which goes with every question, does not count. Errors: there is no such memory; what the files say.
func (o *Owner) WhyNot(ctx context.Context, ref, question string) (reason string, err error) {
	got, err := o.view().CallUp(ctx, question)
	if err != nil {
		return "", err
	}
	h := o.view()
	ids, err := memory.ParseTyped(ref)
	if err != nil || len(ids) != 1 {
		return reason, fault.NotFoundf("there is no memory %s", ref)
	}
	for _, hit := range got.Hits {
		if hit.Ref == ids[0].String() {
			return reason, nil
		}
	}
	if !got.On {
		reason = "memory is off"
		return reason, nil
	}
	s, err := h.Memory.State(ctx)
	if err != nil {
		return reason, err
	}
	reason, err = app.WhyNot(ctx, h, s, ids[0], app.Answered{Question: strings.TrimSpace(question), Traced: true})
	if err == nil && reason == "" {
		return reason, fault.NotFoundf("there is no memory %s", ref)
	}
	return reason, err
}
