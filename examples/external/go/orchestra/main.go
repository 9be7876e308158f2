// A plugin that speaks only the protocol of before, as there are some in the wild: it knows nothing of Callboard, signs its own
// certificate, and keeps its notes with the host.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"example.com/callboard-plugin/pluginpb"
	"github.com/quic-go/quic-go"
	"google.golang.org/protobuf/encoding/protojson"
)

const protocol = "orchestra-plugin"

var manifest = &pluginpb.PluginManifest{
	Id:              "tools.notes",
	Version:         "0.1.0",
	Language:        "go",
	ProvidesTools:   []string{"note_add", "note_list", "ask_other", "count"},
	ProvidesPrompts: []string{"summary"},
	NeedsStorage:    []string{"markdown"},
	NeedsTools:      []string{"*"},
}

func main() {
	listen := flag.String("listen-addr", "localhost:0", "`host:port` to listen on")
	orchestrator := flag.String("orchestrator-addr", "", "`host:port` of the host, for storage and tools")
	certificates := flag.String("certs-dir", "", "`folder` with ca.crt and ca.key")
	printManifest := flag.Bool("manifest", false, "print the manifest, and end")
	flag.Parse()
	if *printManifest {
		fmt.Println(protojson.MarshalOptions{UseProtoNames: true, Multiline: true}.Format(manifest))
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	if err := run(ctx, stop, *listen, *orchestrator, *certificates); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, stop context.CancelFunc, listen, orchestrator, certificates string) error {
	own, pool, err := signOwn(certificates, manifest.Id)
	if err != nil {
		return err
	}
	config := &quic.Config{MaxIdleTimeout: 5 * time.Minute, KeepAlivePeriod: 15 * time.Second}
	listener, err := quic.ListenAddr(listen, serverConfig(own, pool), config)
	if err != nil {
		return err
	}
	defer listener.Close()
	p := &plugin{stop: stop}
	fmt.Fprintf(os.Stderr, "READY %s\n", strings.Replace(listener.Addr().String(), "[::]", "localhost", 1))
	if orchestrator != "" {
		if err := p.register(ctx, orchestrator, certificates, config); err != nil {
			return err
		}
	}
	for {
		conn, err := listener.Accept(ctx)
		if err != nil {
			return nil
		}
		go p.serve(conn)
	}
}

// register tells the host who this is, on the connection on which the host is asked from then on.
func (p *plugin) register(ctx context.Context, orchestrator, certificates string, config *quic.Config) error {
	own, pool, err := signOwn(certificates, manifest.Id+"-client")
	if err != nil {
		return err
	}
	p.host, err = quic.DialAddr(ctx, orchestrator, clientConfig(own, pool), config)
	if err != nil {
		return err
	}
	registered, err := p.ask(ctx, &pluginpb.PluginRequest{Request: &pluginpb.PluginRequest_Register{Register: manifest}})
	if err != nil {
		return err
	}
	if result := registered.GetRegister(); !result.GetAccepted() {
		return fmt.Errorf("the host does not accept it: %s", result.GetRejectReason())
	}
	return nil
}
