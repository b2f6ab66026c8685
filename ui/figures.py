"""Record to plotly: the three figures of the page, and each in one sentence.

Every point's ``customdata`` begins with the 0-based index of its document.
"""

from ui.figures_curve import curve
from ui.figures_pool import pool
from ui.figures_ranking import ranking
from ui.summaries import summary_curve, summary_pool, summary_ranking

__all__ = ["curve", "pool", "ranking", "summary_curve", "summary_pool", "summary_ranking"]
