import { RequestContext } from '../context/request-context.js';
import { detached } from './span.js';

/**
 * Does work that goes on when the request that happened to begin it has ended, or that others wait for too: it has neither
 * the deadline of that request nor its organization, its author and its trace.
 */
export const inBackground = <T>(work: () => T): T => RequestContext.outside(() => detached(work));
