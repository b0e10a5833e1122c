"""What the tests of the model's side share."""

from __future__ import annotations

from scripted_llm import scripted_llm

__all__ = ["scripted_llm"]
