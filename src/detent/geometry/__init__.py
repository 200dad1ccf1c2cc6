"""Floor 2: frames, outlines, solids, features, gaps, envelopes, mass."""

from detent.foundation.doors import door

__getattr__, __dir__, __all__ = door(
    __name__,
    {
        "apart": "are_apart near_part",
        "feature": "Arc Boundary Edge Vertex boundary union_outline",
        "frame": "AXES IDENTITY Frame",
        "gap": "Gap disc_corner disc_disc disc_edge exchanged inverted plane_pose vertex_edge",
        "layered": "Bounded LayeredFeature layered_features share_a_layer",
        "naming": "contact_name crossing_name feature_name in_part meeting_name",
        "polyhedron": "FlatFace Polyhedron SolidCorner StraightEdge",
        "pose": "matrix_of quaternion_of rotation_of rotation_vector_of",
        "revolved.bore": "bore_of",
        "revolved.meridian": "Meridian MeridianPiece meridians",
        "revolved.edges": "with_broken_edges",
        "revolved.nearest": "nearest_rounds nearest_rows round_table",
        "revolved.wall": "Bore BoreWall",
        "rings": "fixed_edge_ring outline_rings",
        "solid": "Point Solid Torus leaves",
        "surfaces.closest": "Closest closest_from closest_points",
        "surfaces.jet": "Christoffel Forms Jet Weingarten",
        "surfaces.patch": "Patch circle_edge cone_patch curve_edge cylinder_patch line_edge plane_patch"
        " revolved_patch sphere_patch surface_patch torus_patch",
        "surfaces.sliding": "Sliding Twist acceleration_rows sliding",
    },
)
