import { EgressRefusedError } from '../egress/address-policy.js';
import { HostNotFoundError } from '../egress/guarded-lookup.js';
import { ReplyTooLargeError } from '../egress/reply-bounds.js';
import { causesOf, textOf } from './error-like.js';
import { ProviderFailure } from './provider-failure.js';

const TIMEOUT_CODES = /TIMEOUT|ETIMEDOUT/;
const CERTIFICATE_CODES = /CERT|SIGNATURE|ISSUER|SELF_SIGNED|ERR_TLS|ERR_SSL|EPROTO/;
const NAMELESS =
  "can't be reached: its host name is unknown, or leads to a private address (EGRESS_ALLOW_PRIVATE=true allows these)";

const NOT_HTTP_CODES =
  /^(?:HPE_.*|ERR_ASSERTION|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/;

/** What an error without an HTTP status means: the network, a reply that is no JSON, an address that is refused. */
export function failureOfConnection(error: unknown): ProviderFailure {
  const chain = [...causesOf(error)];
  const failure = chain.find((cause) => cause instanceof ProviderFailure);
  if (failure) return failure;
  const refused = chain.find((cause) => cause instanceof EgressRefusedError);
  if (refused) return new ProviderFailure('misconfigured', refused.message);
  if (chain.some((cause) => cause instanceof HostNotFoundError)) {
    return new ProviderFailure('unreachable', NAMELESS);
  }
  const tooLarge = chain.find((cause) => cause instanceof ReplyTooLargeError);
  if (tooLarge) {
    return new ProviderFailure('reply_too_large', `answers with ${tooLarge.excess}; the reply was not read`);
  }
  if (chain.some((cause) => textOf(cause, 'name') === 'SyntaxError')) {
    return new ProviderFailure('broken', 'answered with something that is not JSON; check the address');
  }
  if (chain.some(isNotHttp)) {
    return new ProviderFailure('broken', 'answered with something that is not valid HTTP; check the address');
  }
  const code = chain.map((cause) => textOf(cause, 'code')).find((found) => found !== undefined) ?? '';
  // that of a fetch has a cause or a code: an SDK stumbled over a reply that it does not check
  if (code === '' && chain.length === 1 && chain.some((cause) => textOf(cause, 'name') === 'TypeError')) {
    return new ProviderFailure(
      'broken',
      'answered with something that is not a reply of its protocol; check the address',
    );
  }
  return failureOfCode(code);
}

/**
 * What undici, and a Response, make of an answer that is not HTTP: errors of a parser, an assertion about a status below
 * 100, a status that no Response can have, a switch of protocols, a body that is not as long as it says.
 */
function isNotHttp(cause: object): boolean {
  const [name = '', code = '', message = ''] = ['name', 'code', 'message'].map((key) => textOf(cause, key));
  return (
    name === 'HTTPParserError' ||
    NOT_HTTP_CODES.test(code) ||
    // what is no Error of its realm, as in Jest, undici wraps with its text alone
    message.startsWith('AssertionError [ERR_ASSERTION]') ||
    (name === 'RangeError' && message.includes('"status"')) ||
    (name === 'SocketError' && /^bad (?:upgrade|response)$/.test(message))
  );
}

function failureOfCode(code: string): ProviderFailure {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new ProviderFailure('unreachable', `can't be reached: its host name is unknown (${code})`);
  }
  if (code === 'ECONNREFUSED') {
    return new ProviderFailure('unreachable', `can't be reached: nothing listens at its address (${code})`);
  }
  if (TIMEOUT_CODES.test(code)) return new ProviderFailure('timeout', 'did not answer in time');
  if (CERTIFICATE_CODES.test(code)) {
    return new ProviderFailure('unreachable', `can't be reached: no trusted TLS connection (${code})`);
  }
  const story = code === '' ? 'the connection failed' : `the connection failed (${code})`;
  return new ProviderFailure('unreachable', `can't be reached: ${story}`);
}
