"""The statistics on the overview: spans, funnels, series, breakdowns and costs (D-517)."""
