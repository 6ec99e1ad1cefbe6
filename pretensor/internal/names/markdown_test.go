package names

import "testing"

func TestMarkdown(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "order_items": "order_items", "_x_": `\_x\_`, "a__b": "a__b", "__init__": `\_\_init\_\_`, "- x": `\- x`, "a - b": "a - b", "1. x": `1\. x`, "1.": `1\.`,
		"12) x": `12\) x`, "v1. x": "v1. x", "1.5": "1.5", "# x": `\# x`, "<b>": `\<b\>`, "&lt;": `\&lt;`, "a|b": `a\|b`, `\`: `\\`, "![a](b)": `!\[a\](b)`,
	} {
		if got := Markdown(text); got != want {
			t.Errorf("Markdown(%q) = %s, want %s", text, got, want)
		}
	}
}
