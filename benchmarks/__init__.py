"""Speed, always as a ratio to a named peer measured in the same run."""
