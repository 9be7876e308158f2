// A Callboard plugin in Go: what it is started with, where it listens, and when it ends.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"example.com/callboard-plugin/pluginpb"
	"github.com/quic-go/quic-go"
	"google.golang.org/protobuf/encoding/protojson"
)

const (
	protocol = "callboard/1"
	hostURI  = "spiffe://callboard/host"
	// After so long without a host it ends, where nobody can know its port but who started it.
	lonely = 30 * time.Second
)

var manifest = &pluginpb.PluginManifest{
	Id:            "example/go",
	Version:       "1.0.0",
	Language:      "go",
	Title:         "Go example",
	ProvidesTools: []string{"echo", "count", "relay", "wait"},
}

func main() {
	listen := flag.String("listen-addr", "localhost:0", "`host:port` to listen on")
	certificates := flag.String("certs-dir", "", "`folder` with ca.crt and plugin.pem")
	printManifest := flag.Bool("manifest", false, "print what the plugin is, and end")
	flag.Parse()
	if *printManifest {
		fmt.Println(protojson.MarshalOptions{UseProtoNames: true, Multiline: true}.Format(manifest))
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	if err := run(ctx, *listen, *certificates); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run serves one host after the other until one asks for the end, or none comes.
func run(ctx context.Context, listen, certificates string) error {
	if _, err := tlsConfig(certificates); err != nil {
		return err
	}
	// The files are read anew for every link, since the host renews them while the plugin runs.
	config := &tls.Config{GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) { return tlsConfig(certificates) }}
	listener, err := quic.ListenAddr(listen, config, &quic.Config{MaxIdleTimeout: 30 * time.Second, KeepAlivePeriod: 10 * time.Second})
	if err != nil {
		return err
	}
	defer listener.Close()
	fmt.Fprintf(os.Stderr, "READY %s\n", listener.Addr())

	ctx, end := context.WithCancel(ctx)
	defer end()
	var alone *time.Timer
	if strings.HasSuffix(listen, ":0") {
		alone = time.AfterFunc(lonely, end)
	}
	for {
		conn, err := listener.Accept(ctx)
		if err != nil {
			return nil
		}
		if alone != nil {
			alone.Stop()
		}
		go func() {
			serve(conn, end)
			if alone != nil {
				alone.Reset(lonely)
			}
		}()
	}
}

func tlsConfig(folder string) (*tls.Config, error) {
	own, err := tls.LoadX509KeyPair(filepath.Join(folder, "plugin.pem"), filepath.Join(folder, "plugin.pem"))
	if err != nil {
		return nil, err
	}
	ca, err := os.ReadFile(filepath.Join(folder, "ca.crt"))
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(ca) {
		return nil, errors.New("ca.crt holds no certificate")
	}
	return &tls.Config{
		MinVersion:       tls.VersionTLS13,
		NextProtos:       []string{protocol},
		Certificates:     []tls.Certificate{own},
		ClientAuth:       tls.RequireAndVerifyClientCert,
		ClientCAs:        pool,
		VerifyConnection: isHost,
	}, nil
}

// isHost lets nobody in but the host: its CA signs for other plugins too.
func isHost(state tls.ConnectionState) error {
	for _, uri := range state.PeerCertificates[0].URIs {
		if uri.String() == hostURI {
			return nil
		}
	}
	return errors.New("the certificate is not the host's")
}
