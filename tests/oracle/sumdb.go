// Answers questions about trees and notes with Go's packages for its checksum database.
//
// Each line of the input is a question in JSON, and each line of the output is its answer.
package main

import (
	"bufio"
	"crypto/rand"
	"encoding/json"
	"log"
	"os"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type question struct {
	Ask    string
	Name   string
	Note   string
	Key    string
	Leaves [][]byte
	Old    int64
	Size   int64
	Level  int
	Index  int64
	Width  int
	Leaf   []byte
	Root   []byte
	Proof  [][]byte
}

type answer struct {
	Error  string   `json:"error,omitempty"`
	Text   string   `json:"text,omitempty"`
	Key    string   `json:"key,omitempty"`
	Vkey   string   `json:"vkey,omitempty"`
	Bytes  []byte   `json:"bytes,omitempty"`
	Hashes [][]byte `json:"hashes,omitempty"`
}

var stored []tlog.Hash

func read(indexes []int64) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, len(indexes))
	for at, index := range indexes {
		hashes[at] = stored[index]
	}
	return hashes, nil
}

var reader = tlog.HashReaderFunc(read)

func hashOf(raw []byte) (hash tlog.Hash) {
	copy(hash[:], raw)
	return hash
}

func hashesOf(raw [][]byte) (hashes []tlog.Hash) {
	for _, each := range raw {
		hashes = append(hashes, hashOf(each))
	}
	return hashes
}

func bytesOf(hashes []tlog.Hash) (raw [][]byte) {
	for _, each := range hashes {
		raw = append(raw, append([]byte(nil), each[:]...))
	}
	return raw
}

func grow(leaves [][]byte) error {
	stored = nil
	for at, leaf := range leaves {
		more, err := tlog.StoredHashesForRecordHash(int64(at), hashOf(leaf), reader)
		if err != nil {
			return err
		}
		stored = append(stored, more...)
	}
	return nil
}

func answered(q question) (a answer, err error) {
	switch q.Ask {
	case "key":
		a.Key, a.Vkey, err = note.GenerateKey(rand.Reader, q.Name)
	case "sign":
		var signer note.Signer
		if signer, err = note.NewSigner(q.Key); err == nil {
			a.Bytes, err = note.Sign(&note.Note{Text: q.Note}, signer)
		}
	case "open":
		var verifier note.Verifier
		var opened *note.Note
		if verifier, err = note.NewVerifier(q.Key); err == nil {
			if opened, err = note.Open([]byte(q.Note), note.VerifierList(verifier)); err == nil {
				a.Text = opened.Text
			}
		}
	case "grow":
		err = grow(q.Leaves)
	case "root":
		var root tlog.Hash
		root, err = tlog.TreeHash(q.Size, reader)
		a.Bytes = root[:]
	case "tile":
		a.Bytes, err = tlog.ReadTileData(tlog.Tile{H: 8, L: q.Level, N: q.Index, W: q.Width}, reader)
	case "inclusion":
		var proof tlog.RecordProof
		proof, err = tlog.ProveRecord(q.Size, q.Index, reader)
		a.Hashes = bytesOf(proof)
	case "consistency":
		var proof tlog.TreeProof
		proof, err = tlog.ProveTree(q.Size, q.Old, reader)
		a.Hashes = bytesOf(proof)
	case "check inclusion":
		err = tlog.CheckRecord(hashesOf(q.Proof), q.Size, hashOf(q.Root), q.Index, hashOf(q.Leaf))
	case "check consistency":
		err = tlog.CheckTree(hashesOf(q.Proof), q.Size, hashOf(q.Root), q.Old, hashOf(q.Leaf))
	default:
		log.Fatalf("unknown question %q", q.Ask)
	}
	return a, err
}

func main() {
	questions := json.NewDecoder(bufio.NewReader(os.Stdin))
	answers := json.NewEncoder(os.Stdout)
	for questions.More() {
		var q question
		if err := questions.Decode(&q); err != nil {
			log.Fatal(err)
		}
		a, err := answered(q)
		if err != nil {
			a.Error = err.Error()
		}
		if err := answers.Encode(a); err != nil {
			log.Fatal(err)
		}
	}
}
