import { EnvError } from '@loci/platform';
import { type FastifyRequest } from 'fastify';
import { isKnown } from '../access/caller.js';
import { clientAddress, clientNetwork } from '../http/client-address.js';
import { type Owner } from './shares.js';

/**
 * Whose share a request takes: that of its caller's key and organization. A caller who belongs to no organization is one
 * of its own, and so is each network of clients where nobody has to say who they are.
 */
export function ownerOf(request: FastifyRequest): Owner {
  const { caller } = request;
  if (!isKnown(caller)) {
    const address = `address ${clientNetwork(clientAddress(request))}`;
    return { org: address, key: address };
  }
  const key = `${caller.kind} ${caller.id}`;
  const { orgId } = caller.bounds;
  return { org: orgId === undefined ? key : organization(orgId), key };
}

const organization = (orgId: string): string => `organization ${orgId}`;

/**
 * How much each organization gets, compared with others.
 * @param setting `acme=4,globex=0.5`; whoever is not named has 1
 * @throws EnvError naming the entry that does not fit
 */
export function weightsOf(setting: string): (org: string) => number {
  const entries = setting.split(',').filter((entry) => entry.trim() !== '');
  const weights = new Map(
    entries.map((entry, index) => {
      const [orgId = '', weight = ''] = entry.trim().split('=');
      if (orgId === '' || !/^\d+(?:\.\d+)?$/.test(weight) || Number(weight) === 0) {
        throw new EnvError(
          `ORG_WEIGHTS: entry ${index + 1} is not organization=weight, with a weight above 0.`,
        );
      }
      return [organization(orgId), Number(weight)];
    }),
  );
  return (org) => weights.get(org) ?? 1;
}
