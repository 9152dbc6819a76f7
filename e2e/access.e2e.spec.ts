// Of a product with a lock on its door.
import './access/keys.js';
import './access/key-floods.js';
import './access/isolation.js';
import './access/matrix.js';
import './access/organization.js';
import './access/fairness.js';
import './access/overload.js';
import './access/quotas.js';
import './access/servers.js';
