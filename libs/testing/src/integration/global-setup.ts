import { startServers } from '@loci/runtime';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allowTestDatabases } from '../postgres-roles.js';
import { rememberServers } from './shared-servers.js';

/** One real NATS, PostgreSQL and Qdrant for all integration tests; each test file keeps to its own names in them. */
export default async function globalSetup(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'loci-integration-'));
  const servers = await startServers({ dataDir, durability: 'fast-for-tests' });
  rememberServers({ servers, dataDir });
  await allowTestDatabases(servers);
  process.env['NATS_URL'] = servers.natsUrl;
  process.env['DATABASE_URL'] = servers.databaseUrl;
  process.env['QDRANT_URL'] = servers.qdrantUrl;
  process.env['QDRANT_API_KEY'] = servers.qdrantApiKey;
}
