import { type Loci } from '@loci/testing';

interface Collections {
  readonly result: { readonly collections: readonly { readonly name: string }[] };
}

/** How many points the vector index of a running product holds, over all collections and projects. */
export async function countPoints(loci: Loci): Promise<number> {
  const { ports } = await loci.process('qdrant');
  const url = `http://127.0.0.1:${String(ports['http'])}/collections`;
  const { result } = (await (await fetch(url)).json()) as Collections;
  const counts = await Promise.all(
    result.collections.map(({ name }) => countIn(`${url}/${name}/points/count`)),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

async function countIn(url: string): Promise<number> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ exact: true }),
  });
  return ((await answer.json()) as { result: { count: number } }).result.count;
}
