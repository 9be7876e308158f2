// The tools of this plugin.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sort"
	"strings"

	"example.com/callboard-plugin/pluginpb"
)

// A call is one run of a tool, as the host asked for it.
type call struct {
	host    *host
	id      string
	request *pluginpb.ToolRequest
	part    func(*pluginpb.PluginResponse)
}

// A tool is what the host is told of it, and what runs. Its answer is a result of MCP, as JSON.
type tool struct {
	definition *pluginpb.ToolDefinition
	run        func(ctx context.Context, c *call) ([]byte, error)
}

var tools = map[string]tool{
	"echo": {
		&pluginpb.ToolDefinition{
			Name:            "echo",
			Description:     "Says it again, and to whom",
			ReadOnly:        true,
			InputSchemaJson: []byte(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`),
		},
		func(_ context.Context, c *call) ([]byte, error) {
			var args struct{ Text string }
			if err := json.Unmarshal(c.request.ArgumentsJson, &args); err != nil {
				return nil, err
			}
			return text(args.Text, map[string]any{"text": args.Text, "user": c.request.User}), nil
		},
	},
	"count": {
		&pluginpb.ToolDefinition{
			Name:            "count",
			Description:     "Counts up to a number, in pieces",
			ReadOnly:        true,
			Streaming:       true,
			InputSchemaJson: []byte(`{"type":"object","properties":{"to":{"type":"integer","minimum":1}},"required":["to"]}`),
		},
		func(_ context.Context, c *call) ([]byte, error) {
			var args struct{ To int }
			if err := json.Unmarshal(c.request.ArgumentsJson, &args); err != nil {
				return nil, err
			}
			pieces := make([]string, args.To)
			for at := range pieces {
				pieces[at] = fmt.Sprintf("%d ", at+1)
				c.part(&pluginpb.PluginResponse{Response: &pluginpb.PluginResponse_StreamChunk{
					StreamChunk: &pluginpb.StreamChunk{Data: []byte(pieces[at]), Sequence: int64(at)},
				}})
			}
			return text(strings.Join(pieces, ""), nil), nil
		},
	},
	"relay": {
		&pluginpb.ToolDefinition{
			Name:            "relay",
			Description:     "Calls a tool of the host, as the user who called this one",
			InputSchemaJson: []byte(`{"type":"object","properties":{"tool":{"type":"string"},"arguments":{"type":"object"}},"required":["tool"]}`),
		},
		func(ctx context.Context, c *call) ([]byte, error) {
			var args struct {
				Tool      string
				Arguments json.RawMessage
			}
			if err := json.Unmarshal(c.request.ArgumentsJson, &args); err != nil {
				return nil, err
			}
			answer, err := c.host.ask(ctx, &pluginpb.PluginRequest{Request: &pluginpb.PluginRequest_ToolCall{
				ToolCall: &pluginpb.ToolRequest{ToolName: args.Tool, ArgumentsJson: args.Arguments, ParentRequestId: c.id},
			}})
			if err != nil {
				return nil, err
			}
			if failed := answer.GetFault(); failed != nil {
				return nil, errors.New(failed.Message)
			}
			return answer.GetToolCall().GetResultJson(), nil
		},
	},
	"wait": {
		&pluginpb.ToolDefinition{Name: "wait", Description: "Waits until it is cancelled", InputSchemaJson: []byte(`{"type":"object"}`)},
		func(ctx context.Context, c *call) ([]byte, error) {
			c.part(&pluginpb.PluginResponse{Response: &pluginpb.PluginResponse_Progress{
				Progress: &pluginpb.Progress{Progress: 1, Message: "waiting"},
			}})
			<-ctx.Done()
			fmt.Fprintln(os.Stderr, "given up")
			return nil, ctx.Err()
		},
	},
}

func definitions() []*pluginpb.ToolDefinition {
	list := make([]*pluginpb.ToolDefinition, 0, len(tools))
	for _, tool := range tools {
		list = append(list, tool.definition)
	}
	sort.Slice(list, func(a, b int) bool { return list[a].Name < list[b].Name })
	return list
}

// text is a result of MCP: a text for models, and data for programs where there is some.
func text(text string, data any) []byte {
	result := map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}}
	if data != nil {
		result["structuredContent"] = data
	}
	bytes, err := json.Marshal(result)
	if err != nil {
		panic(err)
	}
	return bytes
}
