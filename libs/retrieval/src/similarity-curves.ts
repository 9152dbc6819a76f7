import { type SimilarityCurve } from './calibration.js';

/**
 * Of embedders that were measured, by the beginning of their fingerprints; on LoCoMo, split dev, the names of participants
 * taken out of the questions.
 */
const MEASURED: readonly (readonly [fingerprint: string, curve: SimilarityCurve])[] = [
  ['minilm-l6-v2', { midpoint: 0.35, scale: 0.1 }],
];

/** Of any other: the one embedder for dialogues and questions that was measured. */
const DEFAULT: SimilarityCurve = { midpoint: 0.35, scale: 0.1 };

/** The curve of the embedder with this fingerprint. */
export const similarityCurveOf = (fingerprint: string): SimilarityCurve =>
  MEASURED.find(([beginning]) => fingerprint.startsWith(beginning))?.[1] ?? DEFAULT;
