// What needs nothing but a running product shares one: starting it is what costs most.
import './requests/clients.js';
import './requests/filters.js';
import './requests/idempotency.js';
import './requests/made-up-sets.js';
import './requests/semantic.js';
import './requests/settings.js';
import './requests/wire.js';
