import { type AddedBytes } from './added-bytes.js';
import { type Memory } from './memory.js';
import { type QuietNight } from './quiet-night.js';
import { type Scale } from './scale.js';
import { type StatementCost } from './statement-costs.js';
import { type Latency } from './timed-requests.js';

/** What was measured at one scale. */
export interface ScaleResult extends Scale {
  readonly search: Latency;
  readonly add: Latency;
  /** Of Qdrant. */
  readonly memory: Memory;
  readonly bytes: AddedBytes;
  readonly night: QuietNight;
  readonly claim: StatementCost | undefined;
}
