import { type Servers } from '../start-servers.js';
import { type ServiceUser } from './nats-users.js';
import { isSchemaOwner } from './postgres-roles.js';

/** A process, as far as it says what it connects to. */
export interface Connecting {
  /** The service that it belongs to, whose credentials it is given. */
  readonly user: ServiceUser;
  readonly needs: readonly string[];
}

/** The environment in which a process finds its servers, each with its own credentials and no others. */
export const connectionEnv = (
  servers: Pick<Servers, 'natsUrlOf' | 'databaseUrlOf' | 'qdrantUrl' | 'qdrantApiKey'>,
  { user, needs }: Connecting,
): Record<string, string> => ({
  NATS_URL: servers.natsUrlOf(user),
  ...(isSchemaOwner(user) && needs.includes('postgres') && { DATABASE_URL: servers.databaseUrlOf(user) }),
  ...(needs.includes('qdrant') && qdrantEnv(servers)),
});

const qdrantEnv = ({
  qdrantUrl,
  qdrantApiKey,
}: Pick<Servers, 'qdrantUrl' | 'qdrantApiKey'>): Record<string, string> => ({
  QDRANT_URL: qdrantUrl,
  ...(qdrantApiKey !== undefined && { QDRANT_API_KEY: qdrantApiKey }),
});
