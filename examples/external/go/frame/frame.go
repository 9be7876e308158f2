// Package frame reads and writes frames: four bytes with the length of what follows, big-endian, and that many bytes of protobuf.
package frame

import (
	"encoding/binary"
	"fmt"
	"io"

	"google.golang.org/protobuf/proto"
)

const maxFrame = 16 << 20

// Read fills the message with what the next frame holds; io.EOF is the end of the stream.
func Read(from io.Reader, message proto.Message) error {
	var head [4]byte
	if _, err := io.ReadFull(from, head[:]); err != nil {
		return err
	}
	length := binary.BigEndian.Uint32(head[:])
	if length > maxFrame {
		return fmt.Errorf("a frame of %d bytes; at most %d are read", length, maxFrame)
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(from, body); err != nil {
		return err
	}
	return proto.Unmarshal(body, message)
}

// Write writes the message as one frame, in one piece.
func Write(to io.Writer, message proto.Message) error {
	frame, err := proto.MarshalOptions{}.MarshalAppend(make([]byte, 4, 256), message)
	if err != nil {
		return err
	}
	if len(frame)-4 > maxFrame {
		return fmt.Errorf("a message of %d bytes; at most %d can be sent", len(frame)-4, maxFrame)
	}
	binary.BigEndian.PutUint32(frame, uint32(len(frame)-4))
	_, err = to.Write(frame)
	return err
}
