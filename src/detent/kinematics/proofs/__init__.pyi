# Written by tools/make_doors.py.
from detent.kinematics.proofs.certify import CLOSES as CLOSES
from detent.kinematics.proofs.certify import OPEN as OPEN
from detent.kinematics.proofs.certify import cover as cover
from detent.kinematics.proofs.certify import drive_models as drive_models
from detent.kinematics.proofs.certify import models_of as models_of
from detent.kinematics.proofs.taylor import N as N
from detent.kinematics.proofs.taylor_ops import run_models as run_models
