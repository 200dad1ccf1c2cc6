"""What a drawing says of itself: joints that do not close or repeat others, parts that overlap, shapes."""
