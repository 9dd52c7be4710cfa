"""What is evaluated: profiles (data) of systems, and the few ways in which systems are reached."""
