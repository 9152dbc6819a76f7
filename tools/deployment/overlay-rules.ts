import { BACKUP_RULES } from './backups.js';
import { compositionRules } from './composition.js';
import { enoughConnections, poolsByTransaction, requestsKeepConnections } from './connections.js';
import { NETWORK_RULES } from './network.js';
import { POD_RULES } from './pods.js';
import { allSettings } from './processes.js';
import { knowsItsClients, servedOutside } from './routes.js';
import { type Rule } from './rule.js';
import { PRODUCTION_SCALING_RULES, SCALING_RULES } from './scaling.js';
import { SECRET_RULES } from './secrets.js';
import { PRODUCTION_SERVER_RULES, SERVER_RULES } from './servers.js';

/** Every rule that an overlay has to keep. */
export async function overlayRules({
  isProduction,
}: {
  readonly isProduction: boolean;
}): Promise<readonly Rule[]> {
  return [
    ...compositionRules(await allSettings()),
    ...POD_RULES,
    ...SECRET_RULES,
    ...NETWORK_RULES,
    ...SCALING_RULES,
    ...SERVER_RULES,
    ...(isProduction
      ? [
          ...PRODUCTION_SCALING_RULES,
          ...PRODUCTION_SERVER_RULES,
          ...BACKUP_RULES,
          enoughConnections,
          poolsByTransaction,
          requestsKeepConnections,
          servedOutside,
          knowsItsClients,
        ]
      : []),
  ];
}
