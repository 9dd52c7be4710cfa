"""The shapes that every part relies on. Imports nothing else of the project.

Needs the standard library and jsonschema alone.
"""
