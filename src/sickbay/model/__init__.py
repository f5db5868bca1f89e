"""What the product knows: plain, immutable data."""
