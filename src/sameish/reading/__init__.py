"""From bytes to calm sentences."""
