"""What runs before a command: the group that imports commands when they are called, the help, and completion."""
