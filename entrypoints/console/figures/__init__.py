"""What the overview shows of the statistics: spans, funnels, series, breakdowns and costs (D-517)."""
