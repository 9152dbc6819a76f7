import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@loci/testing';
import { ASKED_FEATURES, NONSENSE } from './retrieval/known-features.js';
import { openProduct } from './retrieval/product.js';

/**
 * `npm run bench:features`: what a `score_threshold` is worth for features, with the embedded embedder, over HTTP. Recall is
 * the share of the answerable questions whose feature is found with at least this score; precision, with as many questions
 * that nothing answers, the share of the first hits with at least this score that answer their question.
 */
const THRESHOLDS = [0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
const TOP_K = 20;
const PROJECT = { org_id: 'bench', project_id: 'features' };
const SET = 'mem_project_set_org_bench_project_features_0_46b9dd2b0ba8__';

interface Hit {
  readonly value: string;
  readonly score: number;
}

interface Asked {
  readonly query: string;
  /** Undefined: nothing answers it. */
  readonly answer: string | undefined;
  readonly hits: readonly Hit[];
}

async function post(url: string, path: string, body: object): Promise<unknown> {
  const answer = await fetch(`${url}/api/v2${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...PROJECT, ...body }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

async function ask(url: string, query: string, answer: string | undefined): Promise<Asked> {
  const body = { query, types: ['semantic'], top_k: TOP_K };
  const found = (await post(url, '/memories/search', body)) as { content: { semantic_memory: Hit[] } };
  return { query, answer, hits: found.content.semantic_memory };
}

const share = (part: number, whole: number): string =>
  whole === 0 ? '-' : ((100 * part) / whole).toFixed(1);

function report(asked: readonly Asked[]): string {
  const answerable = asked.filter(({ answer }) => answer !== undefined);
  const unanswerable = asked.filter(({ answer }) => answer === undefined);
  const rows = THRESHOLDS.map((threshold) => {
    const isFound = ({ hits, answer }: Asked): boolean =>
      hits.some(({ value, score }) => value === answer && score >= threshold);
    const firstHits = asked.flatMap(({ hits: [first], answer }) =>
      first && first.score >= threshold ? [{ isRight: first.value === answer }] : [],
    );
    const refused = unanswerable.filter(({ hits: [first] }) => !first || first.score < threshold);
    return [
      threshold.toFixed(1),
      share(answerable.filter(isFound).length, answerable.length),
      share(firstHits.filter(({ isRight }) => isRight).length, firstHits.length),
      share(refused.length, unanswerable.length),
    ].join('\t');
  });
  return ['threshold\trecall\tprecision\trefused', ...rows].join('\n');
}

const dataDir = await mkdtemp(join(tmpdir(), 'loci-bench-'));
const product = await openProduct(undefined, {}, dataDir);
const { url } = product;
try {
  await post(url, '/projects', {});
  for (const { tag, feature, value } of ASKED_FEATURES) {
    const content = { category_name: 'profile', tag, feature, value };
    await post(url, '/memories/semantic/feature', { set_id: SET, ...content });
  }
  // a search indexes what waits, within its budget: after the first few all is indexed
  await eventually(async () => (await ask(url, 'Who is she?', undefined)).hits.length === TOP_K, {
    what: 'features are indexed',
  });
  const asked: Asked[] = [];
  for (const { value, answered, unanswered } of ASKED_FEATURES) {
    asked.push(await ask(url, answered, value), await ask(url, unanswered, undefined));
  }
  process.stdout.write(`${report(asked)}\n`);
  const nonsense = await Promise.all(NONSENSE.map((query) => ask(url, query, undefined)));
  const best = Math.max(...nonsense.map(({ hits: [first] }) => first?.score ?? 0));
  process.stdout.write(`nonsense: ${NONSENSE.length} queries, the best hit has ${best.toFixed(2)}\n`);
} finally {
  await product.stop();
  await rm(dataDir, { recursive: true, force: true });
}
