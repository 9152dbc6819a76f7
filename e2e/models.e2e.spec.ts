// Models that stand behind a deployment, chosen again and failing. The first one needs an index that no other test uses.
import './models/embedders.spec.js';
import './models/summaries.spec.js';
import './models/set-aside.spec.js';
import './models/recipes.spec.js';
import './models/large-replies.spec.js';
