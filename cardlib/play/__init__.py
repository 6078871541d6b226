"""Players: bots that see what their seat sees, and a session of a learner with bots."""
