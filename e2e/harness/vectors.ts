import { type Loci } from '@loci/testing';

interface Point {
  readonly id: string;
  readonly vector: object;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** What has vectors: the names of collections begin with it. */
export type IndexedKind = 'episodes' | 'features';

/** How many points the vector index of a running product holds, over all collections and projects. */
export async function countPoints(loci: Loci): Promise<number> {
  const collections = await collectionsOf(loci);
  const counts = collections.map((url) => ask<{ count: number }>(`${url}/points/count`, { exact: true }));
  return (await Promise.all(counts)).reduce((sum, { count }) => sum + count, 0);
}

/** The points of each collection, by its name. */
export async function pointsByCollection(loci: Loci): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const url of await collectionsOf(loci)) {
    const { count } = await ask<{ count: number }>(`${url}/points/count`, { exact: true });
    counts[url.slice(url.lastIndexOf('/') + 1)] = count;
  }
  return counts;
}

/** @returns those of the uids that have a point */
export async function pointsAmong(loci: Loci, uids: readonly string[]): Promise<string[]> {
  const collections = await collectionsOf(loci);
  const found = collections.map((url) => ask<{ id: string }[]>(`${url}/points`, { ids: uids }));
  const ids = new Set((await Promise.all(found)).flat().map(({ id }) => id));
  return uids.filter((uid) => ids.has(uid));
}

/** Takes points away behind the product's back, as a broken disk would. */
export async function losePoints(loci: Loci, count: number, kind: IndexedKind = 'episodes'): Promise<void> {
  const url = await collectionOf(loci, kind);
  const { points } = await ask<{ points: Point[] }>(`${url}/points/scroll`, { limit: count });
  await ask(`${url}/points/delete?wait=true`, { points: points.map(({ id }) => id) });
}

/** Puts a copy of some point into the index under an id that belongs to no episode. */
export async function insertStrayPoint(
  loci: Loci,
  id: string,
  kind: IndexedKind = 'episodes',
): Promise<void> {
  const url = await collectionOf(loci, kind);
  const { points } = await ask<{ points: Point[] }>(`${url}/points/scroll`, {
    limit: 1,
    with_vector: true,
    with_payload: true,
  });
  const stray = points.map((point) => ({ ...point, id }));
  await ask(`${url}/points?wait=true`, { points: stray }, 'PUT');
}

async function collectionOf(loci: Loci, kind: IndexedKind): Promise<string> {
  const [url, ...others] = (await collectionsOf(loci)).filter((one) => one.includes(`/${kind}_`));
  if (url === undefined || others.length > 0)
    throw new Error(`There is not exactly one collection of ${kind}.`);
  return url;
}

/** The addresses of all collections. */
async function collectionsOf(loci: Loci): Promise<string[]> {
  const { ports } = await loci.process('qdrant');
  const url = `http://127.0.0.1:${String(ports['http'])}/collections`;
  const { collections } = await ask<{ collections: { name: string }[] }>(url);
  return collections.map(({ name }) => `${url}/${name}`);
}

/** @throws Error when the vector index does not answer with success */
async function ask<T>(url: string, body?: object, method = body ? 'POST' : 'GET'): Promise<T> {
  const answer = await fetch(url, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { result: T }).result;
}
