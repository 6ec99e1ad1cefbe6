package mcptest

import (
	"context"
	"fmt"
)

// ListTools starts the server and returns the names that tools/list answers,
// in its order, from all pages.
func ListTools(ctx context.Context, server Server) ([]string, error) {
	s, err := openSession(ctx, server, LegacyVersion)
	if err != nil {
		return nil, err
	}
	defer s.end()
	if err := s.open(ctx, ""); err != nil {
		return nil, fmt.Errorf("%w; stderr ends with: %s", err, s.p.stderr.String())
	}
	var names []string
	params := `{}`
	for page := 1; params != ""; page++ {
		id := fmt.Sprint(page)
		if err := s.p.send(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"method":"tools/list","params":%s}`, id, params)); err != nil {
			return nil, err
		}
		params = ""
		err := s.until(ctx, "tools/list", map[string]func(*node) string{id: func(n *node) string {
			tools := n.get("result", "tools")
			if tools == nil || tools.kind != kindArray {
				return "want a list of tools"
			}
			for _, tool := range tools.items {
				name := tool.get("name")
				if name == nil || name.kind != kindString {
					return "want tools with names"
				}
				names = append(names, name.text)
			}
			if cursor := n.get("result", "nextCursor"); cursor != nil {
				params = fmt.Sprintf(`{"cursor":%s}`, cursor)
			}
			return ""
		}})
		if err != nil {
			return nil, err
		}
	}
	if len(s.problems) > 0 {
		return nil, fmt.Errorf("tools/list: %s", s.problems[0])
	}
	return names, nil
}
