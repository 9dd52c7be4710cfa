"""Audio LLMs run over a manifest under one action contract, and scored."""
