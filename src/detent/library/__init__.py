"""Known machines and parts as data: factories that return a Mechanism, with stated defaults."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "drawing": "meet pinned polar",
        "looks": "brought solid_of LIBRARY_SOLIDS",
        "mating.force_law": "ForceLaw MatingLoad",
        "mating.known_laws": "add_laws law_room ring_load",
        "mating.oring": "OringLaw RingSection constants_of_table",
        "mechedit": "PERFORMANCE_TABLE stress",
        "puma560": "ARM RANGES RECTANGULAR_PEG REFLECTED ROUND_PEG SENSE link_frames",
        "puma560_reached": "ALL_CONFIGURATIONS ArmConfiguration NotReachedError angles_reaching"
        " configuration_of straight_joints",
        "robot_in_document": "RobotInDocument out_of_reach robot_of",
        "robots.carrier": "SpringCarrier",
        "robots.elastic_arm": "ElasticArm",
        "robots.led": "LedRun StraightPath lead",
        "robots.linear": "LinearRobot Vibration",
        "robots.serial_arm": "LinkBody SerialArm is_singular joint_rates",
        "working_point": "settings_of",
    },
)
