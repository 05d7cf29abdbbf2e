"""What several commands use: options, algorithms by name, reading of data, output and messages."""
