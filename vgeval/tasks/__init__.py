"""From a manifest to the items that systems are asked about."""
