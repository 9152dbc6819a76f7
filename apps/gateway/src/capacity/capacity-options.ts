import { type GatewayEnv } from '../env.js';
import { type CapacityOptions } from './capacity.js';
import { memoryBudget } from './memory-budget.js';
import { weightsOf } from './owner.js';

/** What a gateway with such settings has for requests. @throws EnvError of `ORG_WEIGHTS` */
export function capacityOptions(env: GatewayEnv): CapacityOptions {
  const shares = { organization: env.ORG_SHARE_PERCENT / 100, key: env.KEY_SHARE_PERCENT / 100 };
  const smallestShare = Math.min(shares.organization, shares.key);
  const { receivingBytes, handlingBytes } = memoryBudget(
    env.MEMORY_BUDGET_BYTES,
    (2 * env.MAX_BODY_BYTES) / smallestShare,
  );
  return {
    slots: env.MAX_IN_FLIGHT,
    bytes: handlingBytes,
    waiting: env.MAX_WAITING,
    maxWaitMs: env.MAX_WAIT_MS,
    maxNewcomerWaitMs: Math.max(env.MAX_WAIT_MS, env.REQUEST_TIMEOUT_MS),
    uploads: env.MAX_UPLOADS,
    receivingBytes,
    shares,
    weightOf: weightsOf(env.ORG_WEIGHTS),
  };
}
