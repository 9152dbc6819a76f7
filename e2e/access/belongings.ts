import { expect } from '@jest/globals';
import { eventually, type FakeModels, type Loci } from '@loci/testing';
import { randomUUID } from 'node:crypto';
import { type Client, type Json } from '../harness/client.js';
import { withAllRows } from '../harness/database.js';
import { SCRIBE, TRIGGER } from './scribe.js';

export const S = '/memories/semantic';
export const SECRET = 'We will acquire the zeppelin works.';
/** A user in a set of the organization, of whom both projects have heard. */
export const ZOE = 'zoe';

/** What belongs to the organization as a whole. */
export interface Belongings extends OfZoe {
  readonly set: string;
  readonly setType: string;
  readonly template: string;
  readonly category: string;
  readonly tag: string;
  /** Features that rest on messages of project one, of project two, of both, and on none. */
  readonly ofOne: string;
  readonly ofTwo: string;
  readonly ofBoth: string;
  readonly ofNone: string;
}

/** What hangs on the set of a user. */
interface OfZoe {
  readonly setOfZoe: string;
  /** A feature that another one contradicts. */
  readonly conflict: string;
  readonly proposal: string;
  readonly letter: string;
  /** About messages of project one. */
  readonly call: string;
}

/** Administrators of the organization, by projects. */
interface Administrators {
  readonly admin: Client;
  readonly adminOfTwo: Client;
}

export const feature = (value: string, more: object = {}): object => ({
  category_name: 'facts',
  tag: 'Plans',
  feature: 'plan',
  value,
  ...more,
});

async function made(by: Client, path: string, body: object, field: string): Promise<string> {
  const status = path === '/set_id/get' ? 200 : 201;
  return String((await by.expect(status, `${S}${path}`, body))[field]);
}

/** Gives an organization all that it may have as a whole. */
export async function furnish(by: Administrators, loci: Loci, models: FakeModels): Promise<Belongings> {
  const { admin, adminOfTwo } = by;
  const [first] = await admin.add(['Said in project one.']);
  const [second] = await adminOfTwo.add([SECRET]);
  const type = { metadata_tags: ['team'], is_org_level: true, name: 'Teams' };
  const setType = await made(admin, '/set_type', type, 'set_type_id');
  const inherited = { set_type_id: setType, category_name: 'facts', prompt: 'p' };
  const template = await made(admin, '/category/template', inherited, 'category_id');
  const set = await made(admin, '/set_id/get', { ...type, set_metadata: { team: 'red' } }, 'set_id');
  const own = { set_id: set, category_name: 'more', prompt: 'p' };
  const category = await made(admin, '/category', own, 'category_id');
  const tagged = { category_id: category, tag_name: 't', tag_description: 'd' };
  const tag = await made(admin, '/category/tag', tagged, 'tag_id');
  const add = (value: string, citation: string | undefined, author: Client): Promise<string> =>
    made(
      author,
      '/feature',
      feature(value, { set_id: set, citations: citation ? [citation] : [] }),
      'feature_id',
    );
  const ofOne = await add('Project one plans a picnic.', first, admin);
  const ofTwo = await add(SECRET, second, adminOfTwo);
  const both = 'Both plan a party.';
  const ofBoth = await add(both, first, admin);
  expect(await add(both, second, adminOfTwo)).toBe(ofBoth);
  const ofNone = await add('The organization plans a merger.', undefined, admin);
  const things = { set, setType, template, category, tag, ofOne, ofTwo, ofBoth, ofNone };
  return { ...things, ...(await tellOfZoe(by, loci, models)) };
}

const UNUSABLE = 'This airship makes every reply unusable.';

/** Has both projects say something of a user, of which a model makes what ingestion makes. */
async function tellOfZoe(
  { admin, adminOfTwo }: Administrators,
  loci: Loci,
  models: FakeModels,
): Promise<OfZoe> {
  const type = { metadata_tags: ['user_id'], is_org_level: true, name: 'Users' };
  const set_type_id = await made(admin, '/set_type', type, 'set_type_id');
  await made(
    admin,
    '/category/template',
    { set_type_id, category_name: 'facts', prompt: 'p' },
    'category_id',
  );
  const named = { ...type, set_metadata: { user_id: ZOE } };
  const setOfZoe = await made(admin, '/set_id/get', named, 'set_id');
  const write = (value: string, more: object): Promise<string> =>
    made(adminOfTwo, '/feature', feature(value, { set_id: setOfZoe, ...more }), 'feature_id');
  await write('the zeppelin works', {});
  const base = { feature: 'base', subject: ZOE, single_valued: true };
  await write('the zeppelin hall', base);
  const conflict = await write('the zeppelin field', base);
  await admin.expect(204, `${S}/set/configure`, { set_id: setOfZoe, llm_name: SCRIBE });
  // also where it is asked to mend a reply
  models.replyBy(
    ({ first }) => first.includes('airship'),
    ({ first }) => (first.includes(UNUSABLE) ? 'certainly!' : JSON.stringify({ commands: [] })),
  );
  const said = Array.from(
    { length: TRIGGER - 1 },
    (_, n) => `The plan of the airship has changed ${n} times.`,
  );
  const ofZoe = { metadata: { user_id: ZOE } };
  await adminOfTwo.add([...said, UNUSABLE], ofZoe);
  await admin.add([...said, 'That is all of the airship.'], ofZoe);
  const proposal = await putProposal(loci, setOfZoe);
  return eventually(
    async () => {
      const letter = idOfFirst((await adminOfTwo.ask('GET', '/ingestion/dead-letters')).body, 'id');
      const call = idOfFirst((await admin.ask('GET', '/ingestion/calls')).body, 'id');
      return letter && call ? { setOfZoe, conflict, proposal, letter, call } : undefined;
    },
    { what: 'there are a dead letter and a call of a model', timeoutMs: 180_000 },
  );
}

function idOfFirst(list: unknown, field: string): string | undefined {
  const [one] = list as Json[];
  return one && String(one[field]);
}

/** Puts a proposal where the service keeps them: which features a model is shown is not what this is about. */
async function putProposal(loci: Loci, setId: string): Promise<string> {
  const uid = randomUUID();
  await withAllRows(loci, async (database) => {
    const { rowCount } = await database.query(
      `INSERT INTO semantic.proposals (uid, set_uid, org_id, command, category, tag, name, value, features, feature_uids,
         citations, episode_uids)
       SELECT $1, uid, org_id, 'update', 'facts', 'Plans', 'plan', 'the zeppelin garage', '[]', '{}', '[]', '{}'
       FROM semantic.sets WHERE id = $2`,
      [uid, setId],
    );
    expect(rowCount).toBe(1);
  });
  return uid;
}
