import { eventually, type Fleet } from '@loci/testing';
import pg from 'pg';
import { countIn, type Drill, pointsIn, type Say, timed, UNINDEXED, withFleet } from './drill.js';
import { fill, find, textOf } from './traffic.js';

const MESSAGES = 2_000;
/** Added after the snapshot: what the comparison finds missing. */
const LATER = 100;

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
    return findsEach(fleet, say);
  });

/** Messages of the snapshot and of later, each asked for by its own text; others are so like it that it need not come first. */
async function findsEach(fleet: Fleet, say: Say): Promise<string[]> {
  const texts = [0, MESSAGES / 2, MESSAGES - 1, MESSAGES, MESSAGES + LATER - 1].map(textOf);
  const broken: string[] = [];
  const took = await timed(async () => {
    for (const text of texts) {
      const found = await find(fleet.url, text, 100);
      if (!found.texts.includes(text)) broken.push(`a search for "${text}" does not find it`);
    }
  });
  say(`then ${texts.length} messages, of the snapshot and later, asked for by their texts: ${took}`);
  return broken;
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
