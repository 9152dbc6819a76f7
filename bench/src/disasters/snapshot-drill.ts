import { eventually, type Fleet } from '@loci/testing';
import pg from 'pg';
import { countIn, type Drill, pointsIn, type Say, timed, UNINDEXED, withFleet } from './drill.js';
import { fill, find } from './traffic.js';

const MESSAGES = 2_000;
/** Added after the snapshot: what the comparison finds missing. */
const LATER = 100;
const QUERY = 'Note 42: the parcel';

/** Longer than it takes to bring the snapshot back: an operator stops the workers instead. */
const PATIENT = { INDEX_LOSS_SPAN_MS: '600000' };

/** The collection of episodes is lost, and comes back from a snapshot that lacks what was added later. */
export const snapshotDrill: Drill = (say) =>
  withFleet({ env: PATIENT }, async (fleet) => {
    await fill(fleet.url, MESSAGES);
    await indexed(fleet);
    const collection = await collectionOf(fleet);
    const path = `/collections/${collection}/snapshots`;
    let snapshot = new Blob([]);
    const taken = await timed(async () => {
      const made = (await (await ask(fleet, 'POST', path)).json()) as { result: { name: string } };
      snapshot = await (await ask(fleet, 'GET', `${path}/${made.result.name}`)).blob();
    });
    say(
      `a snapshot of ${MESSAGES} messages, made and fetched: ${taken}, ${(snapshot.size / 1e6).toFixed(1)} MB`,
    );
    await fill(fleet.url, LATER, MESSAGES);
    await indexed(fleet);
    const before = await find(fleet.url, QUERY);

    await ask(fleet, 'DELETE', `/collections/${collection}`);
    const body = new FormData();
    body.set('snapshot', snapshot);
    const back = await timed(() => ask(fleet, 'POST', `${path}/upload?priority=snapshot`, body));
    say(`the collection, from its snapshot: ${back}`);
    const compared = await timed(async () => {
      await compareNow(fleet);
      await eventually(async () => (await pointsIn(fleet)) === MESSAGES + LATER, {
        what: 'what the snapshot lacked is there',
        timeoutMs: 300_000,
      });
    });
    say(`until a comparison had the ${LATER} made again that the snapshot lacked: ${compared}`);
    return findsTheSame(fleet, before.texts, say);
  });

/** The words of the project may be counted anew meanwhile, which changes scores, so that it may take a while. */
async function findsTheSame(fleet: Fleet, before: readonly string[], say: Say): Promise<string[]> {
  let texts: string[] = [];
  const isSame = async (): Promise<boolean> => {
    ({ texts } = await find(fleet.url, QUERY));
    return texts.join() === before.join();
  };
  const what = 'a search finds what it found before';
  const took = await timed(() => eventually(isSame, { what, timeoutMs: 30_000 }).catch(() => undefined));
  say(`then, until ${what}: ${took}`);
  const index = texts.findIndex((text, position) => text !== before[position]);
  if (index === -1) return [];
  return [`hit ${index + 1} of a search was "${before[index] ?? ''}", and is "${texts[index] ?? ''}" now`];
}

const indexed = (fleet: Fleet): Promise<unknown> =>
  eventually(async () => (await countIn(fleet, UNINDEXED)) === 0, {
    what: 'all have their vectors',
    timeoutMs: 300_000,
  });

async function ask({ servers }: Fleet, method: string, path: string, body?: FormData): Promise<Response> {
  const answer = await fetch(`${servers.qdrantUrl}${path}`, {
    method,
    headers: { 'api-key': servers.qdrantApiKey ?? '' },
    ...(body && { body }),
  });
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

async function collectionOf(fleet: Fleet): Promise<string> {
  const answer = (await (await ask(fleet, 'GET', '/collections')).json()) as {
    result: { collections: { name: string }[] };
  };
  const found = answer.result.collections.find(({ name }) => name.startsWith('episodes_'));
  if (!found) throw new Error('There is no collection of episodes.');
  return found.name;
}

/** As docs/operations.md says. */
async function compareNow({ servers }: Fleet): Promise<void> {
  const client = new pg.Client({ connectionString: servers.databaseUrl });
  await client.connect();
  await client.query(
    'UPDATE episodic.index_collections SET compare_at = now(), compared_at = NULL, comparing_from = NULL',
  );
  await client.end();
}
