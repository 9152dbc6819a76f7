import { rm } from 'node:fs/promises';
import { forgetServers } from './shared-servers.js';

export default async function globalTeardown(): Promise<void> {
  const shared = forgetServers();
  if (!shared) return;
  await shared.servers.stop();
  await rm(shared.dataDir, { recursive: true, force: true });
}
