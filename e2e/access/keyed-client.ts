import { type Loci } from '@loci/testing';
import { Client } from '../harness/client.js';
import { adminKeyOf } from './product.js';

/** A key that may do everything in an organization, and a client that uses it in one of its projects. */
export async function keyedClient(
  loci: Loci,
  orgId: string,
  url = loci.url,
): Promise<{ readonly client: Client; readonly authorization: string }> {
  const project = { org_id: orgId, project_id: 'main' };
  const admin = new Client(loci.url, project, {
    headers: { authorization: `Bearer ${await adminKeyOf(loci)}` },
  });
  const wanted = { org_id: orgId, project_id: null, name: 'all', scopes: ['admin'] };
  const { secret } = await admin.expect(201, '/keys', wanted);
  const authorization = `Bearer ${String(secret)}`;
  return { client: new Client(url, project, { headers: { authorization } }), authorization };
}
