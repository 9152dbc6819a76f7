// Kills and wipes, one after the other, of one product.
import './recovery/rebuild.spec.js';
import './recovery/semantic.spec.js';
import './recovery/crash.spec.js';
