import { EnvError } from '@loci/platform';
import { type FastifyRequest } from 'fastify';
import { isKnown } from '../access/caller.js';
import { clientNetwork } from '../access/client-address.js';
import { type Owner } from './shares.js';

/**
 * Whose share a request takes: that of its caller's key and organization. A caller who belongs to no organization is one
 * of its own, and so is each network of clients where no authentication is required.
 */
export function ownerOf(request: FastifyRequest): Owner {
  const { caller } = request;
  if (!isKnown(caller)) return ownerAt(request.clientAddress);
  const name = `${caller.kind} ${caller.id}`;
  const { orgId } = caller.bounds;
  if (orgId === undefined) return { org: name, key: name };
  const org = organization(orgId);
  return { org, key: `${org} ${name}` };
}

/** Owners that were made of addresses: reading an address takes longer than everything else here. */
const MAX_ADDRESSES = 1_000;
const byAddress = new Map<string, Owner>();

function ownerAt(address: string): Owner {
  const known = byAddress.get(address);
  if (known) return known;
  const network = `address ${clientNetwork(address)}`;
  const owner = { org: network, key: network };
  if (byAddress.size >= MAX_ADDRESSES) byAddress.clear();
  byAddress.set(address, owner);
  return owner;
}

const organization = (orgId: string): string => `organization ${orgId}`;

/**
 * How much each organization gets, compared with others.
 * @param setting `acme=4,globex=0.5`; an organization that is not named has 1
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
