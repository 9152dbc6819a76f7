/** The largest name that DNS knows, and the largest part of one (RFC 1035, 2.3.4). */
const MAX_HOST_CHARS = 253;
const MAX_LABEL_CHARS = 63;

/** `http:host` and `http:///host` are addresses to a URL parser, which reads another host from them than people do. */
const WITH_HOST = /^https?:\/\/[^/\\?#]/i;

/** What browsers and clients drop or encode before they read an address. */
const UNSEEN = /[\s\p{C}]/u;

/** A URL parser ends the host with it, people and other parsers do not: `http://a\@b` has the host `a`, or `b`. */
const BACKSLASH = '\\';

/**
 * Reads an address that we are to send requests to, as every client of ours reads it: its `href` is what to store.
 * @returns what is wrong with it as a text, as in `Input should be an http(s) URL …`
 */
export function httpAddress(text: string): URL | string {
  if (UNSEEN.test(text)) return `${EXPECTED}, and without blanks and control characters`;
  if (text.includes(BACKSLASH)) return `${EXPECTED}, and without backslashes; write / instead`;
  if (!WITH_HOST.test(text) || !URL.canParse(text)) return EXPECTED;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return `${EXPECTED} and without credentials before it`;
  return isHostOfDns(url.hostname)
    ? url
    : `${EXPECTED} of at most ${MAX_HOST_CHARS} characters, ${MAX_LABEL_CHARS} between two dots`;
}

const EXPECTED = 'Input should be an http(s) URL with a host';

/** Addresses of IP are names of this kind, but those of IPv6, which stand in brackets. */
function isHostOfDns(hostname: string): boolean {
  if (hostname.startsWith('[')) return true;
  const name = hostname.replace(/\.$/, '');
  const isLabel = (label: string): boolean => label !== '' && label.length <= MAX_LABEL_CHARS;
  return name.length <= MAX_HOST_CHARS && name.split('.').every(isLabel);
}

/**
 * The base of an API as requests are sent to it: what people read is the host that is dialled. A base without a path gets
 * no slash at its end, as paths are appended to it.
 * @param text as it is when it is no URL
 */
export function dialledBase(text: string): string {
  if (!URL.canParse(text)) return text;
  const { href, pathname } = new URL(text);
  return pathname === '/' && !text.endsWith('/') ? href.replace(/\/$/, '') : href;
}
