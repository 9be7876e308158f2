// What the plugin answers: one request a stream.
package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"example.com/callboard-plugin/frame"
	"example.com/callboard-plugin/pluginpb"
	"github.com/quic-go/quic-go"
	"google.golang.org/protobuf/types/known/structpb"
)

const notes = "notes/all.md"

type plugin struct {
	host *quic.Conn
	stop context.CancelFunc

	mutex  sync.Mutex
	booted bool
}

func (p *plugin) serve(conn *quic.Conn) {
	for {
		stream, err := conn.AcceptStream(context.Background())
		if err != nil {
			return
		}
		go p.answer(stream)
	}
}

func (p *plugin) answer(stream *quic.Stream) {
	defer stream.Close()
	request := &pluginpb.PluginRequest{}
	if err := frame.Read(stream, request); err != nil {
		stream.CancelRead(0)
		return
	}
	write := func(response *pluginpb.PluginResponse) {
		response.RequestId = request.RequestId
		_ = frame.Write(stream, response)
	}
	switch asked := request.Request.(type) {
	case *pluginpb.PluginRequest_Boot:
		p.mutex.Lock()
		p.booted = true
		p.mutex.Unlock()
		write(&pluginpb.PluginResponse{Response: &pluginpb.PluginResponse_Boot{Boot: &pluginpb.BootResult{Ready: true}}})
	case *pluginpb.PluginRequest_Health:
		write(&pluginpb.PluginResponse{Response: &pluginpb.PluginResponse_Health{Health: p.health()}})
	case *pluginpb.PluginRequest_Shutdown:
		write(&pluginpb.PluginResponse{Response: &pluginpb.PluginResponse_Shutdown{Shutdown: &pluginpb.ShutdownResult{Clean: true}}})
		time.AfterFunc(100*time.Millisecond, p.stop)
	case *pluginpb.PluginRequest_ListTools:
		write(&pluginpb.PluginResponse{Response: &pluginpb.PluginResponse_ListTools{ListTools: listTools()}})
	case *pluginpb.PluginRequest_ListPrompts:
		write(&pluginpb.PluginResponse{Response: &pluginpb.PluginResponse_ListPrompts{ListPrompts: &pluginpb.ListPromptsResponse{
			Prompts: []*pluginpb.PromptDefinition{{Name: "summary", Description: "Sums the notes up"}},
		}}})
	case *pluginpb.PluginRequest_PromptGet:
		write(&pluginpb.PluginResponse{Response: &pluginpb.PluginResponse_PromptGet{PromptGet: &pluginpb.PromptGetResponse{
			Messages: []*pluginpb.PromptMessage{{Role: "user", Content: &pluginpb.ContentBlock{Type: "text", Text: "Sum up what note_list says."}}},
		}}})
	case *pluginpb.PluginRequest_ToolCall:
		write(&pluginpb.PluginResponse{Response: &pluginpb.PluginResponse_ToolCall{ToolCall: p.call(stream.Context(), asked.ToolCall)}})
	case *pluginpb.PluginRequest_StreamStart:
		count(asked.StreamStart, write)
	default:
		write(&pluginpb.PluginResponse{Response: &pluginpb.PluginResponse_ToolCall{ToolCall: failure("unknown_request", "nothing serves that")}})
	}
}

func (p *plugin) health() *pluginpb.HealthResult {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if !p.booted {
		return &pluginpb.HealthResult{Status: pluginpb.HealthResult_STATUS_DEGRADED, Message: "not yet booted"}
	}
	return &pluginpb.HealthResult{Status: pluginpb.HealthResult_STATUS_HEALTHY}
}

func listTools() *pluginpb.ListToolsResponse {
	one := func(name, description string, required ...any) *pluginpb.ToolDefinition {
		properties := map[string]any{}
		for _, argument := range required {
			properties[argument.(string)] = map[string]any{"type": "string"}
		}
		schema, err := structpb.NewStruct(map[string]any{"type": "object", "properties": properties, "required": required})
		if err != nil {
			panic(err)
		}
		return &pluginpb.ToolDefinition{Name: name, Description: description, InputSchema: schema}
	}
	return &pluginpb.ListToolsResponse{Tools: []*pluginpb.ToolDefinition{
		one("note_add", "Keeps a note", "text"),
		one("note_list", "Every note"),
		one("ask_other", "Calls another tool", "tool"),
		one("count", "Counts to three, in pieces"),
	}}
}

func (p *plugin) call(ctx context.Context, asked *pluginpb.ToolRequest) *pluginpb.ToolResponse {
	text := func(argument string) string { return asked.GetArguments().GetFields()[argument].GetStringValue() }
	switch asked.ToolName {
	case "note_add":
		return answered(p.addNote(ctx, text("text")))
	case "note_list":
		content, _, err := p.readNotes(ctx)
		return answered(content, err)
	case "ask_other":
		return answered(p.callTool(ctx, text("tool")))
	}
	return failure("tool_not_found", fmt.Sprintf("there is no tool %q", asked.ToolName))
}

// addNote tries again while others write, each time with the version that it read.
func (p *plugin) addNote(ctx context.Context, note string) (string, error) {
	for range 20 {
		content, version, err := p.readNotes(ctx)
		if err != nil {
			return "", err
		}
		written, err := p.ask(ctx, &pluginpb.PluginRequest{Request: &pluginpb.PluginRequest_StorageWrite{StorageWrite: &pluginpb.StorageWriteRequest{
			Path: notes, Content: []byte(content + note + "\n"), ExpectedVersion: version, StorageType: "markdown",
		}}})
		if err != nil {
			return "", err
		}
		if result := written.GetStorageWrite(); result.GetSuccess() {
			return fmt.Sprintf("%d notes", strings.Count(content, "\n")+1), nil
		}
	}
	return "", errors.New("others write all the time")
}

func (p *plugin) readNotes(ctx context.Context) (string, int64, error) {
	read, err := p.ask(ctx, &pluginpb.PluginRequest{Request: &pluginpb.PluginRequest_StorageRead{
		StorageRead: &pluginpb.StorageReadRequest{Path: notes, StorageType: "markdown"},
	}})
	return string(read.GetStorageRead().GetContent()), read.GetStorageRead().GetVersion(), err
}

func (p *plugin) callTool(ctx context.Context, name string) (string, error) {
	answer, err := p.ask(ctx, &pluginpb.PluginRequest{Request: &pluginpb.PluginRequest_ToolCall{
		ToolCall: &pluginpb.ToolRequest{ToolName: name, CallerPlugin: manifest.Id},
	}})
	if err != nil {
		return "", err
	}
	result := answer.GetToolCall()
	if !result.GetSuccess() {
		return "", errors.New(result.GetErrorMessage())
	}
	return result.GetResult().GetFields()["text"].GetStringValue(), nil
}

func (p *plugin) ask(ctx context.Context, request *pluginpb.PluginRequest) (*pluginpb.PluginResponse, error) {
	response := &pluginpb.PluginResponse{}
	if p.host == nil {
		return response, errors.New("there is no host to ask; it was started without --orchestrator-addr")
	}
	stream, err := p.host.OpenStreamSync(ctx)
	if err != nil {
		return response, err
	}
	request.RequestId = "1"
	if err := frame.Write(stream, request); err != nil {
		return response, err
	}
	stream.Close()
	return response, frame.Read(stream, response)
}

func count(asked *pluginpb.StreamStart, write func(*pluginpb.PluginResponse)) {
	for at := range int64(3) {
		write(&pluginpb.PluginResponse{Response: &pluginpb.PluginResponse_StreamChunk{StreamChunk: &pluginpb.StreamChunk{
			StreamId: asked.StreamId, Data: fmt.Appendf(nil, "%d ", at+1), ContentType: "text/plain", Sequence: at,
		}}})
	}
	write(&pluginpb.PluginResponse{Response: &pluginpb.PluginResponse_StreamEnd{StreamEnd: &pluginpb.StreamEnd{
		StreamId: asked.StreamId, Success: true, TotalChunks: 3,
	}}})
}

func answered(text string, err error) *pluginpb.ToolResponse {
	if err != nil {
		return failure("handler_error", err.Error())
	}
	result, err := structpb.NewStruct(map[string]any{"text": text})
	if err != nil {
		return failure("handler_error", err.Error())
	}
	return &pluginpb.ToolResponse{Success: true, Result: result}
}

func failure(code, message string) *pluginpb.ToolResponse {
	return &pluginpb.ToolResponse{ErrorCode: code, ErrorMessage: message}
}
