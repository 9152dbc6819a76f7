// Models that stand behind a deployment, chosen anew and failing. The first one needs an index that no other test uses.
import './models/embedders.js';
import './models/summaries.js';
