/** What the driver of NATS is given: it ignores the credentials in a URL. */
export interface NatsLogin {
  readonly servers: string;
  readonly user: string;
  readonly pass: string;
  readonly inboxPrefix: string;
}

/** Reads a URL with user and password, as processes are given it. */
export function natsLogin(url: string): NatsLogin {
  const { host, username, password } = new URL(url);
  return { servers: host, user: username, pass: password, inboxPrefix: `_INBOX.${username}` };
}
