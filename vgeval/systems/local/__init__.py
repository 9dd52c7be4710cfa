"""Models in this process, by transformers: the real classes, greedy, with an optional LoRA adapter."""
