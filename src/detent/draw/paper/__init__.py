"""From a scene to bytes: pages, SVG, PNG, labels, reports."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "labels": "Ink place_labels",
        "page": "box_of_text on_paper",
        "report": "Section ReportSummary render",
    },
)
