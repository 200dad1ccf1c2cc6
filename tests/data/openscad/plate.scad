// A plate with two holes and a slot, and a hexagon beside it.
w = 40;
thick = 3; /* all of
             one thickness */
difference() {
  cube([w, w / 2, thick]);
  translate([5, w / 4, -1]) cylinder(h = thick + 2, d = 4, $fn = 64);
  translate([w - 5, w / 4, -1]) cylinder(h = thick + 2, r = 2);
  translate([15, 8, -1]) linear_extrude(height = thick + 2) square([10, 4]);
}
translate([60, 0, 0]) rotate([0, 0, 15]) cylinder(h = thick, r = 6, $fn = 6);
*sphere(r = 100);
