"""Lessons: steps, exercises whose answers the engine computes, drills."""
