"""Where captures are remembered: one protocol, several stores."""
