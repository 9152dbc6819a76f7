import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, type Fleet, QdrantPeer } from '@loci/testing';
import { countIn, type Drill, EPISODES, type Say, timed, UNINDEXED, withFleet } from './drill.js';
import { fill, find } from './traffic.js';

const PEERS = 3;
const SHARDS = 3;
const REPLICAS = 2;
const MESSAGES = 400;
const QUERY = 'Note 42: the parcel';

/** As delivered, workers ask for 20 s before they believe that an index is lost; they look every 5 s. */
const WATCHED_MS = 45_000;

interface ClusterState {
  readonly peers: Readonly<Record<string, { readonly uri: string }>>;
}

interface Shards {
  readonly peer_id: number;
  readonly local_shards: readonly { readonly shard_id: number; readonly state: string }[];
  readonly remote_shards: readonly {
    readonly shard_id: number;
    readonly peer_id: number;
    readonly state: string;
  }[];
}

/** A peer of a Qdrant cluster comes back with an empty volume, as the only one that Loci asks; then it joins the others. */
export const peerDrill: Drill = async (say) => {
  const peers = await Promise.all(Array.from({ length: PEERS }, () => QdrantPeer.create()));
  const [first, second, third] = peers;
  if (!first || !second || !third) throw new Error('There are three peers.');
  try {
    await first.start();
    await second.start({ through: first });
    await third.start({ through: first });
    const env = {
      QDRANT_URL: first.url,
      QDRANT_API_KEY: '',
      QDRANT_PEERS: String(PEERS),
      QDRANT_SHARDS: String(SHARDS),
      QDRANT_REPLICATION_FACTOR: String(REPLICAS),
    };
    return await withFleet({ env }, (fleet) => lose(fleet, first, second, say));
  } finally {
    await Promise.all(peers.map((peer) => peer.destroy()));
  }
};

async function lose(fleet: Fleet, lost: QdrantPeer, living: QdrantPeer, say: Say): Promise<string[]> {
  await fill(fleet.url, MESSAGES);
  const isIndexed = async (): Promise<boolean> => (await countIn(fleet, UNINDEXED)) === 0;
  await eventually(isIndexed, { what: 'all have their vectors', timeoutMs: 300_000 });
  const before = await find(fleet.url, QUERY);

  await lost.kill();
  await lost.wipe();
  await lost.start();
  let mostGivenUp = 0;
  for (let watchedMs = 0; watchedMs < WATCHED_MS; watchedMs += 1_000) {
    mostGivenUp = Math.max(mostGivenUp, await countIn(fleet, UNINDEXED));
    await sleep(1_000);
  }
  say(
    `a peer without its data, in a cluster of its own, asked for ${WATCHED_MS / 1_000} s: ${mostGivenUp} of ${MESSAGES} vectors given up`,
  );

  await lost.kill();
  await lost.wipe();
  const joined = await timed(async () => {
    await forget(living, lost);
    await lost.start({ through: living });
  });
  say(`forgotten under its old id, and joined through a living peer: ${joined}`);
  const filled = await timed(() => replicate(living, lost));
  say(`until each of the ${SHARDS} shards has ${REPLICAS} replicas again: ${filled}`);
  const after = await find(fleet.url, QUERY);
  const episodes = await countIn(fleet, EPISODES);
  return [
    ...(mostGivenUp === 0 ? [] : [`${mostGivenUp} vectors were given up, and embedded again`]),
    ...(episodes === MESSAGES ? [] : [`${episodes} messages of ${MESSAGES} are there`]),
    ...(after.missing === null ? [] : [`a search is without ${after.missing}`]),
    ...(after.texts.join() === before.texts.join() ? [] : ['a search finds something else than before']),
  ];
}

/** The cluster knows the address of the lost peer under an id that no peer has any more. */
async function forget(living: QdrantPeer, lost: QdrantPeer): Promise<void> {
  const { peers } = await living.ask<ClusterState>('GET', '/cluster');
  const [id] = Object.entries(peers).find(([, { uri }]) => uri.startsWith(lost.uri)) ?? [];
  if (id !== undefined) await living.ask('DELETE', `/cluster/peer/${id}?force=true`);
}

/** A new peer is not filled by itself. */
async function replicate(living: QdrantPeer, joined: QdrantPeer): Promise<void> {
  const { collections } = await living.ask<{ collections: { name: string }[] }>('GET', '/collections');
  for (const { name } of collections) {
    const path = `/collections/${name}/cluster`;
    const shards = await living.ask<Shards>('GET', path);
    const { peer_id: to } = await joined.ask<Shards>('GET', path);
    for (const [shard, holders] of holdersOf(shards)) {
      const [from] = holders;
      if (holders.length >= REPLICAS || from === undefined) continue;
      await living.ask('POST', path, {
        replicate_shard: { shard_id: shard, from_peer_id: from, to_peer_id: to },
      });
    }
    const isWhole = async (): Promise<boolean> => {
      const holders = [...holdersOf(await living.ask<Shards>('GET', path)).values()];
      return holders.length === SHARDS && holders.every((of) => of.length === REPLICAS);
    };
    await eventually(isWhole, { what: `${name} has all of its replicas`, timeoutMs: 120_000 });
  }
}

/** The peers that have a replica of each shard that can be searched. */
function holdersOf({ peer_id, local_shards, remote_shards }: Shards): Map<number, number[]> {
  const holders = new Map<number, number[]>();
  for (const { shard_id, state, peer_id: holder } of [
    ...local_shards.map((shard) => ({ ...shard, peer_id })),
    ...remote_shards,
  ]) {
    if (state === 'Active') holders.set(shard_id, [...(holders.get(shard_id) ?? []), holder]);
  }
  return holders;
}
