"""What was handed in, on its way to a snapshot: files, texts, documents."""
