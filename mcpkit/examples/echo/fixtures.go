package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/quartet-mcp/quartet/mcpkit"
)

// The names and texts in this file are fixed by the scenarios of the official
// conformance suite, @modelcontextprotocol/conformance. Most of them go past
// mcpkit's own tools, because they return what a mcpkit tool never does: images,
// schemas with $defs, requests to the client. They show that the SDK's server
// stays within reach.

// fixtureOptions turns on what the suite expects of a server.
func fixtureOptions(o *mcpkit.Options) {
	o.SDKOptions = func(so *mcp.ServerOptions) {
		so.Capabilities.Logging = &mcp.LoggingCapabilities{} //nolint:staticcheck // deprecated, but a scenario of the suite
		so.CompletionHandler = complete
		so.SubscribeHandler = func(context.Context, *mcp.SubscribeRequest) error { return nil }
		so.UnsubscribeHandler = func(context.Context, *mcp.UnsubscribeRequest) error { return nil }
	}
}

func addFixtures(s *mcpkit.Server) {
	addContentTools(s.SDK())
	addTalkingTools(s.SDK())
	addElicitationTools(s.SDK())
	addPrompts(s.SDK())
	addResources(s.SDK())
	addMischief(s)
}

const noArguments = `{"type":"object","properties":{},"additionalProperties":false}`

// fixture registers a tool with the SDK. schema is JSON.
func fixture(s *mcp.Server, name, description, schema string, handle func(context.Context, *mcp.CallToolRequest) ([]mcp.Content, error)) {
	s.AddTool(&mcp.Tool{Name: name, Description: description, InputSchema: json.RawMessage(schema)},
		func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			content, err := handle(ctx, req)
			if err != nil {
				return &mcp.CallToolResult{IsError: true, Content: words(err.Error())}, nil
			}
			return &mcp.CallToolResult{Content: content}, nil
		})
}

func words(s string) []mcp.Content { return []mcp.Content{&mcp.TextContent{Text: s}} }

func addContentTools(s *mcp.Server) {
	constant := func(content ...mcp.Content) func(context.Context, *mcp.CallToolRequest) ([]mcp.Content, error) {
		return func(context.Context, *mcp.CallToolRequest) ([]mcp.Content, error) { return content, nil }
	}
	picture := &mcp.ImageContent{Data: redDot(), MIMEType: "image/png"}
	fixture(s, "test_simple_text", "Returns a text.", noArguments,
		constant(words("This is a simple text response for testing.")...))
	fixture(s, "test_image_content", "Returns a picture.", noArguments, constant(picture))
	fixture(s, "test_audio_content", "Returns a sound.", noArguments,
		constant(&mcp.AudioContent{Data: silence(), MIMEType: "audio/wav"}))
	fixture(s, "test_embedded_resource", "Returns a resource.", noArguments,
		constant(&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{
			URI: "test://embedded-resource", MIMEType: "text/plain", Text: "This is an embedded resource content."}}))
	fixture(s, "test_multiple_content_types", "Returns a text, a picture and a resource.", noArguments,
		constant(&mcp.TextContent{Text: "Multiple content types test:"}, picture,
			&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{
				URI: "test://mixed-content-resource", MIMEType: "application/json", Text: `{"test":"data","value":123}`}}))
	fixture(s, "json_schema_2020_12_tool", "Has a schema with definitions.", `{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"type": "object",
		"$defs": {"address": {"type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
		"properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}},
		"additionalProperties": false}`,
		func(_ context.Context, req *mcp.CallToolRequest) ([]mcp.Content, error) {
			return words(string(req.Params.Arguments)), nil
		})
	s.AddTool(&mcp.Tool{Name: "test_error_handling", Description: "Returns an error.", InputSchema: json.RawMessage(noArguments)},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{IsError: true, Content: words("This tool intentionally returns an error for testing")}, nil
		})
}

// step is the pause that the suite asks for between two notifications.
const step = 50 * time.Millisecond

// addTalkingTools registers tools that send something before they return.
func addTalkingTools(s *mcp.Server) {
	fixture(s, "test_tool_with_logging", "Logs three messages to the client.", noArguments,
		func(ctx context.Context, req *mcp.CallToolRequest) ([]mcp.Content, error) {
			for i, text := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
				if i > 0 {
					time.Sleep(step)
				}
				if err := req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Logger: "echo", Data: text}); err != nil { //nolint:staticcheck // deprecated, but a scenario of the suite
					return nil, err
				}
			}
			return words("logged three messages"), nil
		})
	fixture(s, "test_tool_with_progress", "Reports progress three times.", noArguments,
		func(ctx context.Context, req *mcp.CallToolRequest) ([]mcp.Content, error) {
			token := req.Params.GetProgressToken()
			for done := 0.0; done <= 100; done += 50 {
				if done > 0 {
					time.Sleep(step)
				}
				if token == nil {
					continue
				}
				if err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
					ProgressToken: token, Progress: done, Total: 100, Message: fmt.Sprintf("%v of 100", done)}); err != nil {
					return nil, err
				}
			}
			return words("done"), nil
		})
	fixture(s, "test_sampling", "Asks the client's model.",
		`{"type":"object","properties":{"prompt":{"type":"string","description":"what to ask"}},"required":["prompt"]}`,
		func(ctx context.Context, req *mcp.CallToolRequest) ([]mcp.Content, error) {
			var args struct{ Prompt string }
			if err := json.Unmarshal(req.Params.Arguments, &args); err != nil {
				return nil, err
			}
			res, err := req.Session.CreateMessage(ctx, &mcp.CreateMessageParams{ //nolint:staticcheck // deprecated, but a scenario of the suite
				MaxTokens: 100,
				Messages:  []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: args.Prompt}}}, //nolint:staticcheck // deprecated, but a scenario of the suite
			})
			if err != nil {
				return nil, err
			}
			text, ok := res.Content.(*mcp.TextContent)
			if !ok {
				return nil, fmt.Errorf("the model answered with %T, want text", res.Content)
			}
			return words("LLM response: " + text.Text), nil
		})
	fixture(s, "test_reconnection", "Closes the stream of its answer, so that the client has to come back for it.", noArguments,
		func(_ context.Context, req *mcp.CallToolRequest) ([]mcp.Content, error) {
			if extra := req.Extra; extra != nil && extra.CloseSSEStream != nil {
				extra.CloseSSEStream(mcp.CloseSSEStreamArgs{RetryAfter: step})
			}
			time.Sleep(2 * step)
			return words("answered after the stream was closed"), nil
		})
}

// addElicitationTools registers tools that ask the user.
func addElicitationTools(s *mcp.Server) {
	ask := func(ctx context.Context, req *mcp.CallToolRequest, prefix, message, schema string) ([]mcp.Content, error) {
		res, err := req.Session.Elicit(ctx, &mcp.ElicitParams{Message: message, RequestedSchema: json.RawMessage(schema)})
		if err != nil {
			return nil, err
		}
		content, err := json.Marshal(res.Content)
		if err != nil {
			return nil, err
		}
		return words(fmt.Sprintf("%s: action=%s, content=%s", prefix, res.Action, content)), nil
	}
	fixture(s, "test_elicitation", "Asks the user for a name and an address.",
		`{"type":"object","properties":{"message":{"type":"string","description":"what to show"}},"required":["message"]}`,
		func(ctx context.Context, req *mcp.CallToolRequest) ([]mcp.Content, error) {
			var args struct{ Message string }
			if err := json.Unmarshal(req.Params.Arguments, &args); err != nil {
				return nil, err
			}
			return ask(ctx, req, "User response", args.Message, `{"type":"object","properties":{
				"username":{"type":"string","description":"User's response"},
				"email":{"type":"string","description":"User's email address"}},"required":["username","email"]}`)
		})
	fixture(s, "test_elicitation_sep1034_defaults", "Asks the user with a default for every kind of field.", noArguments,
		func(ctx context.Context, req *mcp.CallToolRequest) ([]mcp.Content, error) {
			return ask(ctx, req, "Elicitation completed", "Please confirm", `{"type":"object","properties":{
				"name":{"type":"string","default":"John Doe"},
				"age":{"type":"integer","default":30},
				"score":{"type":"number","default":95.5},
				"status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},
				"verified":{"type":"boolean","default":true}}}`)
		})
	fixture(s, "test_elicitation_sep1330_enums", "Asks the user with every kind of choice.", noArguments,
		func(ctx context.Context, req *mcp.CallToolRequest) ([]mcp.Content, error) {
			return ask(ctx, req, "Elicitation completed", "Please choose", `{"type":"object","properties":{
				"untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
				"titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},
				"legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["Option One","Option Two","Option Three"]},
				"untitledMulti":{"type":"array","items":{"type":"string","enum":["option1","option2","option3"]}},
				"titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},{"const":"value2","title":"Second Choice"},{"const":"value3","title":"Third Choice"}]}}}}`)
		})
}

func addPrompts(s *mcp.Server) {
	text := func(t string) *mcp.PromptMessage {
		return &mcp.PromptMessage{Role: "user", Content: &mcp.TextContent{Text: t}}
	}
	constant := func(messages ...*mcp.PromptMessage) mcp.PromptHandler {
		return func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return &mcp.GetPromptResult{Messages: messages}, nil
		}
	}
	s.AddPrompt(&mcp.Prompt{Name: "test_simple_prompt", Description: "One message."},
		constant(text("This is a simple prompt for testing.")))
	s.AddPrompt(&mcp.Prompt{Name: "test_prompt_with_image", Description: "A picture and a text."},
		constant(&mcp.PromptMessage{Role: "user", Content: &mcp.ImageContent{Data: redDot(), MIMEType: "image/png"}},
			text("Please analyze the image above.")))
	s.AddPrompt(&mcp.Prompt{Name: "test_prompt_with_arguments", Description: "A text with two arguments.", Arguments: []*mcp.PromptArgument{
		{Name: "arg1", Description: "First test argument", Required: true},
		{Name: "arg2", Description: "Second test argument", Required: true},
	}}, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{text(fmt.Sprintf(
			"Prompt with arguments: arg1='%s', arg2='%s'", req.Params.Arguments["arg1"], req.Params.Arguments["arg2"]))}}, nil
	})
	s.AddPrompt(&mcp.Prompt{Name: "test_prompt_with_embedded_resource", Description: "A resource and a text.", Arguments: []*mcp.PromptArgument{
		{Name: "resourceUri", Description: "URI of the resource to embed", Required: true},
	}}, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{
			{Role: "user", Content: &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{
				URI: req.Params.Arguments["resourceUri"], MIMEType: "text/plain", Text: "Embedded resource content for testing."}}},
			text("Please process the embedded resource above."),
		}}, nil
	})
}

func addResources(s *mcp.Server) {
	read := func(fill func(*mcp.ResourceContents)) mcp.ResourceHandler {
		return func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			c := &mcp.ResourceContents{URI: req.Params.URI}
			fill(c)
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{c}}, nil
		}
	}
	s.AddResource(&mcp.Resource{URI: "test://static-text", Name: "Static text", Description: "A text that never changes.", MIMEType: "text/plain"},
		read(func(c *mcp.ResourceContents) { c.Text = "This is the content of the static text resource." }))
	s.AddResource(&mcp.Resource{URI: "test://static-binary", Name: "Static picture", Description: "A picture that never changes.", MIMEType: "image/png"},
		read(func(c *mcp.ResourceContents) { c.Blob = redDot() }))
	s.AddResource(&mcp.Resource{URI: "test://watched-resource", Name: "Watched text", Description: "A text that clients may subscribe to.", MIMEType: "text/plain"},
		read(func(c *mcp.ResourceContents) { c.Text = "watched" }))
	s.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "test://template/{id}/data", Name: "Template", Description: "A text for each id.", MIMEType: "application/json"},
		read(func(c *mcp.ResourceContents) {
			id := strings.TrimSuffix(strings.TrimPrefix(c.URI, "test://template/"), "/data")
			data, _ := json.Marshal(struct { // of strings and a bool, which cannot fail
				ID   string `json:"id"`
				Test bool   `json:"templateTest"`
				Data string `json:"data"`
			}{id, true, "Data for ID: " + id})
			c.Text = string(data)
		}))
}

// complete offers cities for any argument.
func complete(_ context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	values := []string{}
	for _, city := range []string{"paris", "park", "party", "prague"} {
		if strings.HasPrefix(city, req.Params.Argument.Value) {
			values = append(values, city)
		}
	}
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: values, Total: len(values)}}, nil
}

// redDot is a PNG picture of one red pixel.
func redDot() []byte {
	dot := image.NewRGBA(image.Rect(0, 0, 1, 1))
	dot.Set(0, 0, color.RGBA{R: 255, A: 255})
	var b bytes.Buffer
	if err := png.Encode(&b, dot); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// silence is a WAV sound of eight samples: the header, then zeros.
func silence() []byte {
	return []byte("RIFF\x2c\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x40\x1f\x00\x00\x01\x00\x08\x00" +
		"data\x08\x00\x00\x00\x80\x80\x80\x80\x80\x80\x80\x80")
}
