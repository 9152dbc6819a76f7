import { beforeAll, describe, expect, test } from '@jest/globals';
import { Loci as LociClient, type LociEvent } from '@loci/client';
import { type NotificationData } from '@loci/contracts';
import { eventually, type Loci } from '@loci/testing';
import { keyedClient } from './keyed-client.js';
import { product } from './product.js';

const SECOND_MS = 1_000;

type Heard = {
  readonly [Event in Exclude<LociEvent, { type: 'stream.reset' }> as Event['type']]: Event['data'];
};

type Assignable<From extends To, To> = From;

/** The client is published alone and names itself what events carry: the compiler says where services send something else. */
export type PayloadsAgree = [Assignable<Heard, NotificationData>, Assignable<NotificationData, Heard>];

describe('the stream of events', () => {
  let loci: Loci;

  beforeAll(async () => {
    loci = await product();
  });

  /** The administrator of an organization, who hears what happens there. */
  async function listenerIn(org: string) {
    const { client, authorization } = await keyedClient(loci, org);
    await client.expect(201, '/projects', {});
    const connection = new LociClient({ url: loci.url, apiKey: authorization.slice('Bearer '.length) });
    const heard: LociEvent[] = [];
    const stop = new AbortController();
    const done = (async () => {
      for await (const event of connection.events({ after: '0', signal: stop.signal })) heard.push(event);
    })().catch(() => undefined);
    const end = (): Promise<unknown> => {
      stop.abort();
      return done;
    };
    return { client, connection, heard, end };
  }

  const ofType = <Type extends LociEvent['type']>(heard: readonly LociEvent[], type: Type) =>
    heard.filter((event): event is Extract<LociEvent, { type: Type }> => event.type === type);

  const addFeature = async (client: Awaited<ReturnType<typeof keyedClient>>['client'], value: string) => {
    const set = await client.expect(200, '/memories/semantic/set_id/get', { metadata_tags: [] });
    const feature = { set_id: set['set_id'], category_name: 'profile', tag: 'food', feature: 'drink', value };
    const { feature_id } = await client.expect(201, '/memories/semantic/feature', feature);
    return { setId: set['set_id'], id: String(feature_id) };
  };

  test('tells of changed features, finished deletions and deleted projects, and no other organization', async () => {
    const [mine, others] = [await listenerIn('hears'), await listenerIn('hears-not')];
    const { setId, id } = await addFeature(mine.client, 'tea');
    await eventually(() => ofType(mine.heard, 'features.changed').length === 1, {
      what: 'the feature is told',
    });
    expect(ofType(mine.heard, 'features.changed')[0]).toMatchObject({
      org_id: 'hears',
      project_id: 'main',
      data: {
        set_id: setId,
        added: [id],
        updated: [],
        removed: [],
        counts: { added: 1, updated: 0, removed: 0 },
      },
    });
    await mine.client.expect(200, '/memories', { messages: [{ content: 'Forget me.', producer: 'mira' }] });
    const job = await mine.client.expect(202, '/memories/forget', { filter: "producer_id='mira'" });
    await eventually(() => ofType(mine.heard, 'deletion.done').length === 1, {
      what: 'the deletion is told',
    });
    expect(ofType(mine.heard, 'deletion.done')[0]?.data).toEqual({ job_id: job['id'], deleted: 1 });
    expect((await mine.client.post('/projects/delete', {})).status).toBe(204);
    await eventually(() => ofType(mine.heard, 'project.deleted').length === 1, { what: 'the end is told' });
    expect(others.heard).toEqual([]);
    await Promise.all([mine.end(), others.end()]);
  });

  test('a listener that comes later gets what it missed, once and in sequence', async () => {
    const { client, connection, heard, end } = await listenerIn('misses');
    const first = await addFeature(client, 'coffee');
    await eventually(() => heard.length === 1, { what: 'the first is told' });
    await end();
    const [known] = heard;
    const later = [await addFeature(client, 'milk'), await addFeature(client, 'juice')];
    const added: string[] = [];
    for await (const event of connection.events({ after: known?.position ?? '0' })) {
      if (event.type === 'features.changed') added.push(...event.data.added);
      if (added.length === later.length) break;
    }
    expect(added).toEqual(later.map(({ id }) => id));
    expect(added).not.toContain(first.id);
  });

  test('a revoked key hears nothing a second later', async () => {
    const { client, authorization } = await keyedClient(loci, 'revoked');
    const { id, secret } = await client.expect(201, '/keys', { name: 'reader', scopes: ['read'] });
    const headers = { authorization: `Bearer ${String(secret)}` };
    const response = await fetch(`${loci.url}/api/v2/events`, { headers });
    let heard: string | undefined;
    void response.text().then((text) => (heard = text));
    const revoked = await fetch(`${loci.url}/api/v2/keys/${String(id)}`, {
      method: 'DELETE',
      headers: { authorization },
    });
    const revokedAt = performance.now();
    expect(revoked.status).toBe(204);
    await eventually(() => performance.now() - revokedAt > SECOND_MS, { what: 'a second is over' });
    const later = await addFeature(client, 'tea');
    await eventually(() => heard !== undefined, { what: 'the stream has ended' });
    expect(heard).not.toContain(later.id);
  });
});
