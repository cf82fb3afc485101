"""Reports on the other growers, who bring their fruit to our shed."""
