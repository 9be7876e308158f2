module example.com/callboard-plugin

go 1.26.0

tool google.golang.org/protobuf/cmd/protoc-gen-go

require (
	github.com/quic-go/quic-go v0.65.0
	google.golang.org/protobuf v1.36.12
)

require (
	golang.org/x/crypto v0.54.0 // indirect
	golang.org/x/net v0.56.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
)
