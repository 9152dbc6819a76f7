// @ts-check
// Plain JavaScript, because a worker thread can't load TypeScript on every supported Node: the same file runs
// beside the sources under Jest and beside the compiled code in production.
import { Tokenizer } from '@huggingface/tokenizers';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { InferenceSession, Tensor } from 'onnxruntime-node';

/** @type {import('./local-model.js').LocalModel} */
const model = workerData;

const [weights, tokenizerJson, tokenizerConfigJson] = await Promise.all([
  readPinned(model.weights),
  readPinned(model.tokenizer),
  readPinned(model.tokenizerConfig),
]);
const tokenizer = new Tokenizer(
  JSON.parse(tokenizerJson.toString()),
  JSON.parse(tokenizerConfigJson.toString()),
);
const session = await InferenceSession.create(weights, { intraOpNumThreads: 1, interOpNumThreads: 1 });

parentPort?.on('message', (/** @type {readonly string[]} */ texts) => {
  embedAll(texts).then(
    (vectors) => parentPort?.postMessage({ vectors }, [vectors.buffer]),
    (error) => parentPort?.postMessage({ error: String(error) }),
  );
});
parentPort?.postMessage({ ready: true });

/** @param {import('./local-model.js').PinnedFile} file */
async function readPinned({ path, sha256 }) {
  const bytes = await readFile(path).catch((/** @type {unknown} */ cause) => {
    throw new Error(`${basename(path)} cannot be read`, { cause });
  });
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== sha256) throw new Error(`${basename(path)} has sha256 ${found} instead of ${sha256}`);
  return bytes;
}

/**
 * The vectors one behind the other. Each text is run alone: the int8 weights quantize the activations of a
 * whole batch with one scale, so in a batch a vector would depend on its neighbours (cosine down to 0.975,
 * measured), and on one thread batches are no faster (455 texts/s alone, 435 in batches of 16).
 * @param {readonly string[]} texts
 */
async function embedAll(texts) {
  const vectors = new Float32Array(texts.length * model.dimensions);
  for (const [index, text] of texts.entries()) {
    await embedInto(vectors.subarray(index * model.dimensions, (index + 1) * model.dimensions), text);
  }
  return vectors;
}

/**
 * @param {Float32Array} vector
 * @param {string} text
 */
async function embedInto(vector, text) {
  const ids = tokenIdsOf(text);
  const shape = [1, ids.length];
  const output = await session.run({
    input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), shape),
    attention_mask: new Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape),
    token_type_ids: new Tensor('int64', new BigInt64Array(ids.length), shape),
  });
  const states = /** @type {Float32Array} */ (output['last_hidden_state']?.data);
  // the sum over the tokens points where their mean does
  const sum = vector.map((_, dimension) => sumOfEvery(states, dimension, model.dimensions));
  const norm = Math.hypot(...sum);
  vector.set(sum.map((value) => value / norm));
}

/**
 * @param {Float32Array} values
 * @param {number} start
 * @param {number} step
 */
function sumOfEvery(values, start, step) {
  let sum = 0;
  for (let index = start; index < values.length; index += step) sum += values[index] ?? 0;
  return sum;
}

/** @param {string} text */
function tokenIdsOf(text) {
  const { ids } = tokenizer.encode(text);
  return ids.length <= model.maxTokens ? ids : [...ids.slice(0, model.maxTokens - 1), ...ids.slice(-1)];
}
