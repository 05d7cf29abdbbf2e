"""What runs before a command: the group of commands, which imports them when they are needed, and the help."""
