import { beforeAll, describe, expect, test } from '@jest/globals';
import { Client, type Json } from '../harness/client.js';
import { product } from './product.js';

const SEMANTIC = '/memories/semantic';

/** Characters of four bytes that do not compress: what an index takes least of. */
const wide = (length: number): string =>
  Array.from({ length }, (_, index) =>
    String.fromCodePoint(0x20000 + ((index * 7_919 + index ** 3 * 104_729) % 0xa6df)),
  ).join('');

/** The longest that are taken: characters for messages and projects, bytes for what is indexed. */
const [NAME, SHORT_ENOUGH, PROJECT] = [wide(1_000), wide(325), wide(255)];

let url: string;
let client: Client;
let set: Json;
let featureId: unknown;

const refused = (field: string): object => ({
  status: 422,
  body: {
    detail: [
      {
        loc: ['body', field],
        msg: expect.stringContaining('at most 1300 bytes in UTF-8'),
        type: 'string_too_long',
      },
    ],
  },
});

describe('names as long as they may be, in characters of four bytes', () => {
  beforeAll(async () => {
    ({ url } = await product());
    client = new Client(url, { org_id: PROJECT, project_id: `${wide(254)}x` });
    await client.expect(201, '/projects', {});
    set = { set_id: 'mem_project_set_names', category_name: SHORT_ENOUGH };
    await client.expect(201, `${SEMANTIC}/category`, { ...set, prompt: 'p' });
    const feature = { ...set, tag: SHORT_ENOUGH, feature: SHORT_ENOUGH, subject: SHORT_ENOUGH, value: NAME };
    ({ feature_id: featureId } = await client.expect(201, `${SEMANTIC}/feature`, feature));
  });

  test.each<[string, Json, string]>([
    ['/feature', { category_name: NAME }, 'category_name'],
    ['/feature', { tag: NAME }, 'tag'],
    ['/feature', { feature: NAME }, 'feature'],
    ['/feature', { subject: NAME }, 'subject'],
    ['/feature', { feature_metadata: { user_id: NAME } }, 'subject'],
    ['/feature/update', { category_name: NAME }, 'category_name'],
    ['/feature/update', { tag: NAME }, 'tag'],
    ['/feature/update', { feature: NAME }, 'feature'],
    ['/category', { category_name: NAME, prompt: 'p' }, 'category_name'],
    ['/category/disable', { category_name: NAME }, 'category_name'],
  ])('%s refuses %j', async (path, body, field) => {
    const named =
      path === '/feature/update' ? { feature_id: featureId } : { ...set, tag: 't', feature: 'f', value: 'v' };
    const { status, body: answer } = await client.post(`${SEMANTIC}${path}`, { ...named, ...body });
    expect({ status, body: answer }).toMatchObject(refused(field));
  });

  test('names that are short enough are found by them, and exported', async () => {
    const got = await client.expect(200, `${SEMANTIC}/feature/get`, { feature_id: featureId });
    expect(got).toMatchObject({ category: SHORT_ENOUGH, tag: SHORT_ENOUGH, feature_name: SHORT_ENOUGH });
    const { project } = client;
    const exported = await fetch(`${url}/api/v2/projects/export?${new URLSearchParams(project).toString()}`);
    expect(await exported.text()).toContain(`"feature_name":"${SHORT_ENOUGH}"`);
  });

  test('a message says who said it, to whom and of whom, and is answered', async () => {
    const message = {
      content: 'c',
      producer: NAME,
      produced_for: NAME,
      role: NAME,
      metadata: { user_id: NAME },
    };
    await client.expect(200, '/memories', { messages: [message] });
    expect(await client.list()).toMatchObject([{ producer_id: NAME, metadata: { user_id: NAME } }]);
  });
});
