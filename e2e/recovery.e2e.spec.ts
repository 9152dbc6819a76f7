// Kills and wipes, one after the other, of one product.
import './recovery/rebuild.js';
import './recovery/semantic.js';
import './recovery/crash.js';
