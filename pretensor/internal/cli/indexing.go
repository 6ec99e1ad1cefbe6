package cli

// aliasSources is how many tables may feed a view that stands for one of them.
func (s *session) aliasSources() int {
	if !s.cfg.Graph.CollapseShadowAliases {
		return 0
	}
	return s.cfg.Graph.LineageInMaxForAlias
}
