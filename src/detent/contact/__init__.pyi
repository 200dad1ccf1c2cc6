# Written by tools/make_doors.py.
from detent.contact.contacts import Contacts as Contacts
from detent.contact.contacts import spread as spread
from detent.contact.forces.at_velocity import RowRates as RowRates
from detent.contact.forces.consistent import consistent_modes as consistent_modes
from detent.contact.forces.friction import balance as balance
from detent.contact.forces.friction import force_cone as force_cone
from detent.contact.modes.batch import modes_of_many as modes_of_many
from detent.contact.modes.counting import count_contacting_separating as count_contacting_separating
from detent.contact.modes.enumerate import Budget as Budget
from detent.contact.modes.incremental import with_contact as with_contact
from detent.contact.modes.mode import Mode as Mode
from detent.contact.modes.mode import ModeSet as ModeSet
from detent.contact.modes.removal import without_contact as without_contact
from detent.contact.modes.sliding import sliding_modes as sliding_modes
from detent.contact.modes.sliding import stream as stream
from detent.contact.modes.velocity_cone import cone as cone
from detent.contact.touching.document import contacts_of as contacts_of
