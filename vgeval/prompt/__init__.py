"""What every system is told: the instruction, the tools, the three forms of an action. Frozen, hashed."""
