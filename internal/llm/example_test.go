package llm_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"ken/internal/llm"
	"ken/internal/llm/llmtest"
)

func ExampleClient_Stream() {
	server, err := llmtest.Start(llmtest.Text("Hel", "lo"), llmtest.Error(401, "no such key"))
	if err != nil {
		return
	}
	defer func() { _ = server.Stop() }()

	c := llm.New(llm.Preset{Name: "fast", BaseURL: server.URL, Model: "small"}, llm.Options{})
	defer c.Close()
	req := llm.Request{Messages: []llm.Message{{Role: "user", Content: "hi"}}}

	a, err := c.Stream(context.Background(), req, func(d llm.Delta) error {
		_, err := io.WriteString(os.Stdout, d.Text+"|")
		return err
	})
	fmt.Println(a.Finish, a.Usage.Completion, err)

	_, err = c.Complete(context.Background(), req)
	var e *llm.Error
	if errors.As(err, &e) {
		fmt.Println(e.Kind, e.Status, e.Message)
		fmt.Println(e.Hint())
	}
	// Output:
	// Hel|lo|stop 2 <nil>
	// auth 401 no such key
	// check models.fast.api_key_env or models.fast.api_key_file
}
