import { type Loci } from '@loci/testing';

interface Point {
  readonly id: string;
  readonly vector: object;
  readonly payload: Readonly<Record<string, unknown>>;
}

interface Collection {
  readonly name: string;
  readonly url: string;
  readonly apiKey: string;
}

/** What has vectors: the names of collections begin with it. */
export type IndexedKind = 'episodes' | 'features';

/** How many points the vector index of a running product has, over all collections and projects. */
export async function countPoints(loci: Loci): Promise<number> {
  const collections = await collectionsOf(loci);
  const counts = collections.map((it) => ask<{ count: number }>(it, '/points/count', { exact: true }));
  return (await Promise.all(counts)).reduce((sum, { count }) => sum + count, 0);
}

/** The points of each collection, by its name. */
export async function pointsByCollection(loci: Loci): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const collection of await collectionsOf(loci)) {
    const { count } = await ask<{ count: number }>(collection, '/points/count', { exact: true });
    counts[collection.name] = count;
  }
  return counts;
}

/** @returns those of the uids that have a point */
export async function pointsAmong(loci: Loci, uids: readonly string[]): Promise<string[]> {
  const collections = await collectionsOf(loci);
  const found = collections.map((it) => ask<{ id: string }[]>(it, '/points', { ids: uids }));
  const ids = new Set((await Promise.all(found)).flat().map(({ id }) => id));
  return uids.filter((uid) => ids.has(uid));
}

/** Takes points away behind the product's back, as a broken disk would. @returns their ids */
export async function losePoints(
  loci: Loci,
  count: number,
  kind: IndexedKind = 'episodes',
): Promise<string[]> {
  const collection = await collectionOf(loci, kind);
  const { points } = await ask<{ points: Point[] }>(collection, '/points/scroll', { limit: count });
  const ids = points.map(({ id }) => id);
  await ask(collection, '/points/delete?wait=true', { points: ids });
  return ids;
}

/** Makes points as a version before would have made them: of an older recipe, with another vector. */
export async function outdatePoints(loci: Loci, ids: readonly string[]): Promise<void> {
  const collection = await collectionOf(loci, 'episodes');
  const { points } = await ask<{ points: Point[] }>(collection, '/points/scroll', {
    limit: 1,
    filter: { must_not: [{ has_id: ids }] },
    with_vector: true,
  });
  const vectors = ids.map((id) => ({ id, vector: points[0]?.vector }));
  await ask(collection, '/points/vectors?wait=true', { points: vectors }, 'PUT');
  await ask(collection, '/points/payload?wait=true', { points: ids, payload: { version: 1 } });
}

/** The recipes by which points were made. */
export async function versionsOf(loci: Loci, ids: readonly string[]): Promise<number[]> {
  const collection = await collectionOf(loci, 'episodes');
  const points = await ask<Point[]>(collection, '/points', { ids, with_payload: true });
  return points.map(({ payload }) => Number(payload['version']));
}

/** Puts a copy of some point into the index under an id that belongs to no episode. */
export async function insertStrayPoint(
  loci: Loci,
  id: string,
  kind: IndexedKind = 'episodes',
): Promise<void> {
  const collection = await collectionOf(loci, kind);
  const { points } = await ask<{ points: Point[] }>(collection, '/points/scroll', {
    limit: 1,
    with_vector: true,
    with_payload: true,
  });
  const stray = points.map((point) => ({ ...point, id }));
  await ask(collection, '/points?wait=true', { points: stray }, 'PUT');
}

async function collectionOf(loci: Loci, kind: IndexedKind): Promise<Collection> {
  const [found, ...others] = (await collectionsOf(loci)).filter(({ name }) => name.startsWith(`${kind}_`));
  if (found === undefined || others.length > 0)
    throw new Error(`There is not exactly one collection of ${kind}.`);
  return found;
}

async function collectionsOf(loci: Loci): Promise<Collection[]> {
  const { url, apiKey } = await loci.qdrant();
  const { collections } = await ask<{ collections: { name: string }[] }>({ url, apiKey }, '/collections');
  return collections.map(({ name }) => ({ name, url: `${url}/collections/${name}`, apiKey }));
}

/** @throws Error when the vector index does not answer with success */
async function ask<T>(
  { url, apiKey }: Pick<Collection, 'url' | 'apiKey'>,
  path: string,
  body?: object,
  method = body ? 'POST' : 'GET',
): Promise<T> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'api-key': apiKey },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${url}${path} answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { result: T }).result;
}
