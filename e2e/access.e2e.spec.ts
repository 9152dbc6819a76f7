// Of a product with a lock on its door.
import './access/keys.spec.js';
import './access/two-gateways.spec.js';
import './access/key-floods.spec.js';
import './access/isolation.spec.js';
import './access/bound-keys.spec.js';
import './access/matrix.spec.js';
import './access/organization.spec.js';
import './access/fairness.spec.js';
import './access/overload.spec.js';
import './access/quotas.spec.js';
import './access/events.spec.js';
import './access/webhooks.spec.js';
import './access/servers.spec.js';
import './access/json-web-tokens.spec.js';
