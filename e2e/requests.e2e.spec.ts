// What needs nothing but a running product shares one: starting it is what costs most.
import './requests/clients.spec.js';
import './requests/context.spec.js';
import './requests/facade.spec.js';
import './requests/frameworks.spec.js';
import './requests/filters.spec.js';
import './requests/forget.spec.js';
import './requests/idempotency.spec.js';
import './requests/install-texts.spec.js';
import './requests/large-lists.spec.js';
import './requests/made-up-sets.spec.js';
import './requests/mastra-memory.spec.js';
import './requests/python.spec.js';
import './requests/runtimes.spec.js';
import './requests/semantic.spec.js';
import './requests/settings.spec.js';
import './requests/snippets.spec.js';
import './requests/wire.spec.js';
