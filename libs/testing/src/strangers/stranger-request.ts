import { newApiKeySecret } from '@loci/contracts';
import { randomBytes } from 'node:crypto';

/** What strangers send instead of a key that the deployment has issued. */
export const STRANGER_KINDS = ['made-up key', 'wrong checksum', 'random token', 'no token'] as const;
export type StrangerKind = (typeof STRANGER_KINDS)[number];

const BODY = JSON.stringify({ org_id: 'flooded', project_id: 'apollo', query: 'tea', top_k: 10 });

/** A search as a client would send it, each time with another key. */
export function strangerRequest(kind: StrangerKind, host: string): string {
  const head = [
    'POST /api/v2/memories/search HTTP/1.1',
    `host: ${host}`,
    'content-type: application/json',
    `content-length: ${BODY.length}`,
    authorization(kind),
  ];
  return `${head.join('\r\n')}\r\n\r\n${BODY}`;
}

function authorization(kind: StrangerKind): string {
  switch (kind) {
    case 'made-up key':
      return `authorization: Bearer ${newApiKeySecret()}`;
    case 'wrong checksum':
      return `authorization: Bearer loci_${randomBytes(36).toString('base64url')}`;
    case 'random token':
      return `authorization: Bearer ${randomBytes(24).toString('hex')}`;
    case 'no token':
      return `authorization: ${randomBytes(24).toString('hex')}`;
  }
}
