import { Resolver } from 'node:dns/promises';
import { type LookupAddress } from 'node:dns';
import { type Resolve } from './guarded-lookup.js';

/** Of one question to one server; then it is asked once more, for twice as long. */
const TIMEOUT_MS = 2_000;
const TRIES = 2;

/**
 * Looks names up by asking the servers of DNS itself. The look-up of the system takes one of two threads of the process for
 * as long as it lasts, so that two names that no server answers for keep all others waiting. Here nothing but DNS
 * counts: no `/etc/hosts`, and no name that the system would complete.
 * @param newResolver one for each name, so that it asks the servers that the system has by then
 */
export const dnsResolve =
  (newResolver = (): Resolver => new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })): Resolve =>
  (hostname, done) => {
    const resolver = newResolver();
    const looks = [addressesOf(resolver.resolve4(hostname), 4), addressesOf(resolver.resolve6(hostname), 6)];
    void Promise.allSettled(looks).then((found) => {
      const addresses = found.flatMap((look) => (look.status === 'fulfilled' ? look.value : []));
      const failed = found.find((look) => look.status === 'rejected');
      if (addresses.length === 0 && failed) done(failed.reason as Error);
      else done(null, addresses);
    });
  };

const addressesOf = async (asked: Promise<string[]>, family: 4 | 6): Promise<LookupAddress[]> =>
  (await asked).map((address) => ({ address, family }));
