"""Azure resources that let traffic pass or not: security groups and what they speak of."""
