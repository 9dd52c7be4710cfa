"""What every system is told: the instruction, the tools and the three forms of an action. Frozen and hashed."""
