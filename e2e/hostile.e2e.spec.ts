// In this sequence: what is refused leaves nothing behind, what is made up may, and none of it is our fault.
import './hostile/refusals.spec.js';
import './hostile/fuzz.spec.js';
import './hostile/long-names.spec.js';
import './hostile/aftermath.spec.js';
