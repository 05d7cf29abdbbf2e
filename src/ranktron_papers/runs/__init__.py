"""Running experiments: trials in processes, kept on disk under a fingerprint of all that their numbers depend on."""
