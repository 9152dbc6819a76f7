import { work } from '../message.js';
import { SetReference } from '../set-name.contract.js';

/**
 * Work message: to work on a set that is due. It is a permit more than an address: its receiver works on the due set
 * whose tenant has the least work under way, so that a flood of one tenant does not starve the others.
 */
export const ingestSet = work('semantic', 'set.ingest', SetReference);
