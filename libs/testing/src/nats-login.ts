/** What the driver of NATS is given: it ignores the credentials in a URL. */
export interface NatsLogin {
  readonly servers: string;
  readonly user: string;
  readonly pass: string;
  readonly inboxPrefix: string;
  /** With the certificate of the server's authority. */
  readonly tls?: { readonly caFile: string };
}

/**
 * Reads a URL with user and password, as processes are given it.
 * @param authority path of the certificate by which a server is known that speaks TLS
 */
export function natsLogin(url: string, authority?: string): NatsLogin {
  const { host, username, password } = new URL(url);
  return {
    servers: host,
    user: username,
    pass: password,
    inboxPrefix: `_INBOX.${username}`,
    ...(authority !== undefined && { tls: { caFile: authority } }),
  };
}
