import { type ConnectionOptions } from '@nats-io/transport-node';

/** How a process reaches NATS. */
export interface NatsSettings {
  /** One URL, or several of a cluster separated by commas: `nats://[user:password@|token@]host:port`.
   * `tls://` in one of them: no server is spoken to without TLS, whatever it offers. */
  readonly url: string;
  /** The name of this process in the server's list of connections. */
  readonly name: string;
}

/** A reconnect is tried after 250 to 500 ms, so that many processes don't come back in one instant. */
const RECONNECT_WAIT_MS = 250;
const RECONNECT_JITTER_MS = 250;

/** A peer that vanished without a word is noticed within a minute. */
const PING_INTERVAL_MS = 20_000;
const MAX_PINGS_OUT = 2;

const DIAL_TIMEOUT_MS = 3_000;

/** Of one that logs in without a name. */
const COMMON_INBOX = '_INBOX.anyone';

/**
 * What the driver is given. It reconnects for ever: giving up would leave a process that looks alive and is deaf.
 * @throws Error that shows no secret when a URL cannot be read
 */
export function connectionOptions({ url, name }: NatsSettings): ConnectionOptions {
  const servers = url.split(',').map(parse);
  return {
    name,
    servers: servers.map(({ host }) => host),
    ...credentials(servers),
    ...(servers.some(({ protocol }) => protocol === 'tls:') && { tls: {} }),
    maxReconnectAttempts: -1,
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: RECONNECT_WAIT_MS,
    reconnectJitter: RECONNECT_JITTER_MS,
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: MAX_PINGS_OUT,
    timeout: DIAL_TIMEOUT_MS,
    noAsyncTraces: true,
  };
}

/** The URLs without their secrets, also where they are malformed, for messages and logs. */
export const withoutCredentials = (url: string): string =>
  url
    .split(',')
    .map((one) => one.trim().replace(/^(nats:\/*|tls:\/*)?.*@/, '$1'))
    .join(',');

/** The error of URL itself would carry the text along. */
function parse(text: string): URL {
  if (!URL.canParse(text.trim())) throw new Error('one of its URLs is malformed');
  return new URL(text.trim());
}

/** Begins the inboxes of a user, which no other user may read. A name that is no word in a subject has none. */
const inboxOf = (user = ''): string | undefined => (/^[\w-]+$/.test(user) ? `_INBOX.${user}` : undefined);

/** Begins the subjects at which a process may hear answers. */
export const inboxOfProcess = ({ user }: Pick<ConnectionOptions, 'user'>): string =>
  inboxOf(user) ?? COMMON_INBOX;

/** What the driver asks, NATS itself answers: no service may publish where it hears that, also not as to the version before. */
function inboxOfDriver(user: string): Pick<ConnectionOptions, 'inboxPrefix'> {
  const inbox = inboxOf(user);
  return inbox === undefined ? {} : { inboxPrefix: `${inbox}.own.driver` };
}

/** The driver ignores credentials in URLs, so they are handed over on their own. */
function credentials(
  servers: readonly URL[],
): Pick<ConnectionOptions, 'user' | 'pass' | 'token' | 'inboxPrefix'> {
  const owner = servers.find(({ username }) => username !== '');
  if (!owner) return {};
  const name = decodeURIComponent(owner.username);
  if (owner.password === '') return { token: name };
  return { user: name, pass: decodeURIComponent(owner.password), ...inboxOfDriver(name) };
}
