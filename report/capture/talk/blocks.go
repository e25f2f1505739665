package talk

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// blocks passes a pcapng file on and holds each block to the length that it
// says it has. Who only reads on by a wrong one comes to the end of the file,
// and would say that it was cut off.
type blocks struct {
	r     io.Reader
	order binary.ByteOrder
	at    int64  // of the block
	size  int64  // of the block
	head  []byte // of it, not yet passed on
	left  int64  // behind the head
}

// Kinds of blocks, and how much of each is looked at.
const (
	sectionBlock, sectionHead = 0x0A0D0D0A, 12
	packetBlock, packetHead   = 6, 28
	otherHead                 = 8
)

func (b *blocks) Read(p []byte) (int, error) {
	if len(b.head) == 0 && b.left == 0 {
		if err := b.next(); err != nil {
			return 0, err
		}
	}
	if len(b.head) > 0 {
		n := copy(p, b.head)
		b.head = b.head[n:]
		return n, nil
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// next looks at the head of the next block. What is cut off is passed on: the
// reader says so.
func (b *blocks) next() error {
	b.at += b.size
	head, err := b.more(nil, otherHead)
	if err != nil || len(head) < otherHead {
		return err
	}
	kind := binary.LittleEndian.Uint32(head)
	if kind == sectionBlock { // the same in both orders
		if head, err = b.more(head, sectionHead); err != nil || len(head) < sectionHead {
			return err
		}
		b.order = binary.LittleEndian
		if head[8] == 0x1A {
			b.order = binary.BigEndian
		}
	}
	kind, b.size = b.order.Uint32(head), int64(b.order.Uint32(head[4:]))
	if b.size < 12 || b.size < int64(len(head)) || b.size%4 != 0 || b.size > betweenFrames {
		return fmt.Errorf("the block at byte %d says that it has %d bytes", b.at, b.size)
	}
	if kind == packetBlock && b.size >= packetHead+4 {
		if head, err = b.more(head, packetHead); err != nil || len(head) < packetHead {
			return err
		}
		if n := int64(b.order.Uint32(head[20:])); n > b.size-packetHead-4 {
			return fmt.Errorf("the block at byte %d has %d bytes, and a frame of %d in it", b.at, b.size, n)
		}
	}
	b.head, b.left = head, b.size-int64(len(head))
	return nil
}

// more returns a head that goes on up to n bytes; less at the end of the file.
func (b *blocks) more(head []byte, n int) ([]byte, error) {
	was := len(head)
	head = append(head, make([]byte, n-was)...)
	got, err := io.ReadFull(b.r, head[was:])
	head = head[:was+got]
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) && was > 0 {
		b.head, err = head, nil
	}
	return head, err
}
