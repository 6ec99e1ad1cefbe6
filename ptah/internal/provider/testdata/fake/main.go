// Command fake is a provider whose behaviour is its first argument.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

func main() {
	if os.Args[1] == "child" {
		for {
			f, err := os.OpenFile(os.Args[2], os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
			if err != nil {
				os.Exit(1)
			}
			_, _ = f.WriteString("x")
			_ = f.Close()
			time.Sleep(10 * time.Millisecond)
		}
	}
	var request struct {
		Op      string   `json:"op"`
		URL     string   `json:"url"`
		Schemas []string `json:"schemas"`
	}
	line, _ := bufio.NewReader(os.Stdin).ReadString('\n')
	if err := json.Unmarshal([]byte(line), &request); err != nil || request.Op != "read" {
		os.Exit(3)
	}
	_, rest, _ := strings.Cut(request.URL, ":")
	_, rest, _ = strings.Cut(rest, ":")
	password, _, _ := strings.Cut(rest, "@")
	const good = `{"dialect":"vaultdb","version":"7.1","objects":[]}`
	switch os.Args[1] {
	case "echo":
		dir, _ := os.Getwd()
		entries, _ := os.ReadDir(".")
		fmt.Fprintln(os.Stderr, "dir", dir, "entries", len(entries), strings.Join(os.Environ(), " "), "url", request.URL)
		var objects []string
		for _, s := range request.Schemas {
			objects = append(objects, fmt.Sprintf(`{"kind":"table","schema":%q,"name":"t","columns":2}`, s))
		}
		fmt.Printf(`{"dialect":"vaultdb","version":"7.1","objects":[%s]}`+"\n", strings.Join(objects, ","))
	case "chatty":
		fmt.Fprint(os.Stderr, strings.Repeat("y", 100_000))
		fmt.Println(good)
	case "unreachable":
		fmt.Printf(`{"error":{"code":"unreachable","message":"no route to db.example\nfor %s"}}`, password)
		os.Exit(1)
	case "failed":
		fmt.Printf(`{"error":{"code":"failed","message":"the catalog is %s\u001b today"}}`, password)
	case "exit":
		os.Exit(7)
	case "nothing":
	case "text":
		fmt.Println("hello", password)
	case "twice":
		fmt.Println(good + good)
	case "unknown-field":
		fmt.Println(`{"dialect":"vaultdb","rows":[["secret"]]}`)
	case "upper-case":
		fmt.Println(`{"Dialect":"vaultdb"}`)
	case "same-field":
		fmt.Println(`{"dialect":"vaultdb","dialect":"x"}`)
	case "deep":
		fmt.Println(strings.Repeat("[", 1_000_000))
	case "no-kind":
		fmt.Println(`{"dialect":"vaultdb","objects":[{"name":"t"}]}`)
	case "no-dialect":
		fmt.Println(`{"objects":[]}`)
	case "huge":
		chunk := strings.Repeat("z", 1<<20)
		for {
			if _, err := fmt.Print(chunk); err != nil {
				return
			}
		}
	case "hang":
		child := exec.Command(os.Args[0], "child", os.Args[2])
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			os.Exit(4)
		}
		time.Sleep(time.Hour)
	}
}
