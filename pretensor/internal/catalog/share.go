package catalog

import "github.com/quartet-mcp/quartet/pretensor/internal/model"

// shareTexts makes what repeats itself in the data one text each.
func shareTexts(data *Data) {
	s := model.Texts{}
	s.ShareTables(data.Tables)
	for i := range data.Joins {
		j := &data.Joins[i]
		s.Share(&j.FromColumn, &j.ToColumn, &j.Source, &j.Reasoning)
	}
}
