// Answers whatever a host asks on the streams that it opens.
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"example.com/callboard-plugin/frame"
	"example.com/callboard-plugin/pluginpb"
	"github.com/quic-go/quic-go"
)

// A host is the peer of one link.
type host struct {
	conn   *quic.Conn
	end    context.CancelFunc
	lastID atomic.Uint64
}

// serve answers until the link ends.
func serve(conn *quic.Conn, end context.CancelFunc) {
	peer := &host{conn: conn, end: end}
	for {
		stream, err := conn.AcceptStream(context.Background())
		if err != nil {
			return
		}
		go (&exchange{host: peer, stream: stream, running: map[string]context.CancelFunc{}}).serve()
	}
}

// An exchange is one stream: one request, or many that are told apart by their ids.
type exchange struct {
	host    *host
	stream  *quic.Stream
	writing sync.Mutex
	out     bytes.Buffer

	mutex   sync.Mutex
	running map[string]context.CancelFunc
	answers sync.WaitGroup
}

func (x *exchange) serve() {
	// Done when the host reads no more of this stream: everything on it is cancelled.
	ctx, cancel := context.WithCancel(x.stream.Context())
	defer cancel()
	reader := bufio.NewReader(x.stream)
	for {
		request := &pluginpb.PluginRequest{}
		if err := frame.Read(reader, request); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			cancel()
			x.stream.CancelRead(1)
			x.stream.CancelWrite(1)
			return
		}
		if request.GetCancel() != nil {
			x.cancel(request.RequestId)
			continue
		}
		x.answers.Add(1)
		go x.answer(x.begin(ctx, request), request)
	}
	x.answers.Wait()
	x.stream.Close()
}

func (x *exchange) begin(parent context.Context, request *pluginpb.PluginRequest) context.Context {
	ctx, cancel := within(parent, request.GetToolCall().GetTimeoutMs())
	x.mutex.Lock()
	defer x.mutex.Unlock()
	x.running[request.RequestId] = cancel
	return ctx
}

// within bounds the context; 0 is no bound.
func within(parent context.Context, ms uint64) (context.Context, context.CancelFunc) {
	if ms == 0 {
		return context.WithCancel(parent)
	}
	return context.WithTimeout(parent, time.Duration(ms)*time.Millisecond)
}

func (x *exchange) cancel(id string) {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	if cancel := x.running[id]; cancel != nil {
		cancel()
		delete(x.running, id)
	}
}

func (x *exchange) answer(ctx context.Context, request *pluginpb.PluginRequest) {
	defer x.answers.Done()
	defer x.cancel(request.RequestId)
	answer := x.host.answer(ctx, request, func(part *pluginpb.PluginResponse) { x.write(request, part) })
	x.write(request, answer)
	if request.GetShutdown() != nil {
		// The host closes the link when it has the answer.
		select {
		case <-x.host.conn.Context().Done():
		case <-time.After(time.Second):
		}
		x.host.end()
	}
}

// write waits while the host does not read, which holds back who writes. What can't be written has nobody to read it.
func (x *exchange) write(request *pluginpb.PluginRequest, response *pluginpb.PluginResponse) {
	response.RequestId = request.RequestId
	x.locked(func() { _ = frame.Write(&x.out, response) })
	// Others that have an answer by now add it first, so that one packet takes them all.
	runtime.Gosched()
	x.locked(func() { _, _ = x.out.WriteTo(x.stream) })
}

func (x *exchange) locked(write func()) {
	x.writing.Lock()
	defer x.writing.Unlock()
	write()
}

func (h *host) answer(ctx context.Context, request *pluginpb.PluginRequest, part func(*pluginpb.PluginResponse)) *pluginpb.PluginResponse {
	switch asked := request.Request.(type) {
	case *pluginpb.PluginRequest_Hello:
		return &pluginpb.PluginResponse{Response: &pluginpb.PluginResponse_Hello{
			Hello: &pluginpb.Hello{Version: 1, Software: "go example 1.0.0", Manifest: manifest},
		}}
	case *pluginpb.PluginRequest_ListTools:
		return &pluginpb.PluginResponse{Response: &pluginpb.PluginResponse_ListTools{
			ListTools: &pluginpb.ListToolsResponse{Tools: definitions()},
		}}
	case *pluginpb.PluginRequest_ToolCall:
		return h.run(ctx, &call{host: h, id: request.RequestId, request: asked.ToolCall, part: part})
	case *pluginpb.PluginRequest_Health:
		return &pluginpb.PluginResponse{Response: &pluginpb.PluginResponse_Health{
			Health: &pluginpb.HealthResult{Status: pluginpb.HealthResult_STATUS_HEALTHY},
		}}
	case *pluginpb.PluginRequest_Shutdown:
		return &pluginpb.PluginResponse{Response: &pluginpb.PluginResponse_Shutdown{
			Shutdown: &pluginpb.ShutdownResult{Clean: true},
		}}
	}
	return fault(pluginpb.Fault_CODE_UNKNOWN_REQUEST, "nothing serves such a request here")
}

func (h *host) run(ctx context.Context, c *call) *pluginpb.PluginResponse {
	tool, found := tools[c.request.ToolName]
	if !found {
		return fault(pluginpb.Fault_CODE_NOT_FOUND, fmt.Sprintf("there is no tool %q here", c.request.ToolName))
	}
	result, err := tool.run(ctx, c)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fault(pluginpb.Fault_CODE_TIMEOUT, "the call took too long")
	case err != nil:
		return fault(pluginpb.Fault_CODE_INTERNAL, err.Error())
	}
	return &pluginpb.PluginResponse{Response: &pluginpb.PluginResponse_ToolCall{
		ToolCall: &pluginpb.ToolResponse{Success: true, ResultJson: result},
	}}
}

func fault(code pluginpb.Fault_Code, message string) *pluginpb.PluginResponse {
	return &pluginpb.PluginResponse{Response: &pluginpb.PluginResponse_Fault{Fault: &pluginpb.Fault{Code: code, Message: message}}}
}

// ask asks the host for something on a stream of its own; the last answer ends it.
func (h *host) ask(ctx context.Context, request *pluginpb.PluginRequest) (*pluginpb.PluginResponse, error) {
	stream, err := h.conn.OpenStreamSync(ctx)
	if err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, func() { stream.CancelRead(1) })()
	request.RequestId = strconv.FormatUint(h.lastID.Add(1), 10)
	if err := frame.Write(stream, request); err != nil {
		return nil, err
	}
	stream.Close()
	reader := bufio.NewReader(stream)
	for {
		response := &pluginpb.PluginResponse{}
		if err := frame.Read(reader, response); err != nil {
			return nil, err
		}
		switch response.Response.(type) {
		case *pluginpb.PluginResponse_Progress, *pluginpb.PluginResponse_StreamChunk, *pluginpb.PluginResponse_LogMessage:
			continue
		}
		return response, nil
	}
}
