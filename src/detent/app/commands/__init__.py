"""One module a verb: `configure` adds its flags, `run` returns an `Answer`."""
