// In this sequence: what is refused leaves nothing behind, what is made up may, and none of it is our fault.
import './hostile/refusals.js';
import './hostile/fuzz.js';
import './hostile/aftermath.js';
