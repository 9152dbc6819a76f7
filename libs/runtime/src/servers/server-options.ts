import { type Credentials } from '../access/credentials.js';
import { type DataFolder } from '../folder/data-folder.js';

/**
 * `durable` survives a power failure as far as the server can; `fast-for-tests` skips syncing to disk, which only a
 * crash of the whole machine can notice.
 */
export type Durability = 'durable' | 'fast-for-tests';

/** Paths of PEM files with which servers prove who they are. */
export interface TlsFiles {
  /** For `localhost` and `127.0.0.1`. */
  readonly certificate: string;
  readonly key: string;
  /** The certificate of the authority that signed, by which clients know it. */
  readonly authority: string;
}

/** What every server of ours is started with. */
export interface ServerOptions {
  readonly folder: DataFolder;
  /** What clients have to show. */
  readonly credentials: Credentials;
  readonly durability: Durability;
  readonly port: number;
  /** Clients are served by TLS alone; absent: without it. */
  readonly tls?: TlsFiles | undefined;
}

/** Servers listen here only. */
export const LOOPBACK = '127.0.0.1';

/** The environment of a server: what the machine needs, nothing that could configure it behind our back. */
export const serverEnv: NodeJS.ProcessEnv = {
  PATH: process.env['PATH'],
  LC_ALL: 'C.UTF-8',
  TZ: 'UTC',
};
