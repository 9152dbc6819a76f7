// What people see: one product and one browser for all of it.
import './console/session.spec.js';
import './console/start.spec.js';
import './console/overview.spec.js';
import './console/conversation.spec.js';
import './console/features.spec.js';
import './console/conflicts.spec.js';
import './console/users.spec.js';
import './console/webhooks.spec.js';
import './console/playground.spec.js';
import './console/ingestion.spec.js';
import './console/deployment.spec.js';
import './console/shell.spec.js';
import './console/accessibility.spec.js';
import './console/models.spec.js';
import './console/states.spec.js';
import './console/pictures.spec.js';
