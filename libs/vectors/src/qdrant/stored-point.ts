import { type Schemas } from '@qdrant/js-client-rest';
import { PAYLOAD_KEYS } from '../filters/payload-keys.js';
import { type StoredPoint } from '../vector-index.js';

/** The part of the payload that says whose point it is and how old. */
export const STORED_POINT_KEYS = [PAYLOAD_KEYS.tenant, PAYLOAD_KEYS.version];

/** A point that another program wrote may lack them: then it has no tenant and version 0. */
export function toStoredPoint({ id, payload }: Schemas['Record']): StoredPoint {
  const tenant = payload?.[PAYLOAD_KEYS.tenant];
  const version = payload?.[PAYLOAD_KEYS.version];
  return {
    id: String(id),
    tenant: typeof tenant === 'string' ? tenant : '',
    version: typeof version === 'number' ? version : 0,
  };
}
