# Written by tools/make_doors.py.
from detent.draw.film.gif import film as film
from detent.draw.film.strip import captions as captions
