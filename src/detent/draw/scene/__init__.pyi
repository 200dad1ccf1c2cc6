# Written by tools/make_doors.py.
from detent.draw.scene.palette import CONTACT as CONTACT
from detent.draw.scene.scene import Area as Area
from detent.draw.scene.scene import Arrow as Arrow
from detent.draw.scene.scene import Bar as Bar
from detent.draw.scene.scene import DrawnDisc as DrawnDisc
from detent.draw.scene.scene import DrawnLine as DrawnLine
from detent.draw.scene.scene import Label as Label
from detent.draw.scene.scene import Scene as Scene
from detent.draw.scene.scene import Style as Style
from detent.draw.scene.scene import Symbol as Symbol
from detent.draw.scene.scene import Text as Text
