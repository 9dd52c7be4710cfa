"""Training mixtures, LoRA fine-tuning and counterfactual-pair GRPO."""
