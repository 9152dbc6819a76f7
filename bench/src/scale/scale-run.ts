import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { measureAddedBytes } from './added-bytes.js';
import { fillProduct } from './fill-product.js';
import { measureClaims } from './measured-claims.js';
import { watchQuietNight } from './quiet-night.js';
import { type Scale, type ScaleOptions, SEARCHED } from './scale.js';
import { type ScaleResult } from './scale-result.js';
import { ScaledProduct } from './scaled-product.js';
import { noteAbout } from './synthetic-episodes.js';
import { type Latency, timeRequests } from './timed-requests.js';

const WARM_UP = 50;
const FILLED = 'filled.json';
/** Characters of each part that are said as soon as it is measured. */
const SHOWN = 2_000;

/** Fills a product on the folder, unless an earlier call did. */
export async function fillFolder(folder: string, scale: Scale): Promise<void> {
  const note = join(folder, FILLED);
  const isFilled = await access(note).then(
    () => true,
    () => false,
  );
  if (isFilled) return;
  // while episodes are put in from outside, the vectors come after their rows
  const product = await ScaledProduct.start(folder, scale, { RECONCILE_CHECK_INTERVAL_MS: '86400000' });
  try {
    await fillProduct(product, scale);
  } finally {
    await product.stop();
  }
  await writeFile(note, JSON.stringify(scale));
}

/** Measures a product on a folder that was filled, as it is delivered. */
export async function measureFolder(
  folder: string,
  scale: Scale,
  { requests, due }: ScaleOptions,
): Promise<ScaleResult> {
  const product = await ScaledProduct.start(folder, scale);
  try {
    const search = shown('search', await timeSearches(product, requests));
    const add = shown('add', await timeAdds(product, requests));
    const memory = shown('memory', await product.qdrantMemory());
    const night = shown('night', await watchQuietNight(product));
    const bytes = shown('bytes', await measureAddedBytes(product, scale.projects));
    const claim = due > 0 ? shown('claim', await measureClaims(product, due)) : undefined;
    return { ...scale, search, add, memory, bytes, night, claim };
  } finally {
    await product.stop();
  }
}

/** On standard error, so that a run which fails later says what it had found. */
function shown<Part>(name: string, part: Part): Part {
  process.stderr.write(`${name}: ${JSON.stringify(part).slice(0, SHOWN)}\n`);
  return part;
}

const TYPES = ['episodic'];

async function timeSearches({ loci, spentMs }: ScaledProduct, requests: number): Promise<Latency> {
  const url = `${loci.url}/api/v2/memories/search`;
  const searches = Array.from({ length: WARM_UP + requests }, (_, n) => ({
    ...SEARCHED,
    types: TYPES,
    query: noteAbout(7 * n),
  }));
  await timeRequests(url, searches.slice(0, WARM_UP), spentMs);
  return timeRequests(url, searches.slice(WARM_UP), spentMs);
}

function timeAdds({ loci, spentMs }: ScaledProduct, requests: number): Promise<Latency> {
  const adds = Array.from({ length: requests }, (_, n) => ({
    ...SEARCHED,
    types: TYPES,
    messages: [{ content: `A further note, number ${n}.` }],
  }));
  return timeRequests(`${loci.url}/api/v2/memories`, adds, spentMs);
}
