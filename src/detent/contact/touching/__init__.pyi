# Written by tools/make_doors.py.
from detent.contact.touching.document import contacts_of as contacts_of
from detent.contact.touching.near import near_misses as near_misses
from detent.contact.touching.near import pair_gaps as pair_gaps
from detent.contact.touching.off_shapes import given_off_shapes as given_off_shapes
from detent.contact.touching.piece_contacts import Meeting as Meeting
from detent.contact.touching.piece_contacts import without_buried as without_buried
from detent.contact.touching.pieces import pieces_of as pieces_of
from detent.contact.touching.touching import touching_parts as touching_parts
