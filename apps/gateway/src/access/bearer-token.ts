import { type IncomingMessage } from 'node:http';
import { headerCount } from '../wire/header-count.js';

const BEARER = /^Bearer +([\x21-\x7e]+)$/i;

/** Far more than JWTs of identity providers have; a longer one is not looked at. */
const MAX_TOKEN_CHARS = 8_192;

/**
 * The token of a request. Of several headers none counts: a proxy in front may have checked another one than we would.
 * @returns undefined without a single header that has a token
 */
export function bearerToken({
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): string | undefined {
  if (headerCount({ rawHeaders }, 'authorization') > 1) return undefined;
  const token = BEARER.exec(headers.authorization ?? '')?.[1];
  return token !== undefined && token.length <= MAX_TOKEN_CHARS ? token : undefined;
}
