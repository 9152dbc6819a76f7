import { expect, test } from '@jest/globals';
import { Loci } from '../index.js';

/** A server that has done what it is asked, and shows no secret any more. */
const loci = (secret: string | null) =>
  new Loci({ url: 'http://127.0.0.1:9', fetch: () => Promise.resolve(Response.json({ id: 'k-1', secret })) });

const lost = { code: 'secret_lost', message: expect.stringContaining('k-1') };

test('a secret whose answer was lost is told, not handed over as nothing', async () => {
  const { keys, webhooks } = loci(null);
  await expect(keys.create({ name: 'agent', scopes: ['read'] })).rejects.toMatchObject(lost);
  await expect(keys.rotate('k-1')).rejects.toMatchObject(lost);
  await expect(webhooks.create({ url: 'https://receiver.example' })).rejects.toMatchObject(lost);
  await expect(webhooks.rotate('k-1')).rejects.toMatchObject(lost);
});

test('a secret that arrived is handed over', async () => {
  await expect(loci('loci_s').keys.rotate('k-1')).resolves.toMatchObject({ secret: 'loci_s' });
});
