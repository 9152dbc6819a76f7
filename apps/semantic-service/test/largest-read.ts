import { type FeatureRecord } from '../src/features/feature.js';
import { type FeaturesRepository } from '../src/features/features.repository.js';

const bytesOf = (records: readonly FeatureRecord[]): number => Buffer.byteLength(JSON.stringify(records));

/** The bytes of the features that were read together during some work, where these were most. */
export async function largestRead(
  features: FeaturesRepository,
  work: () => Promise<unknown>,
): Promise<number> {
  let largest = 0;
  const note = (records: FeatureRecord[]): FeatureRecord[] => {
    largest = Math.max(largest, bytesOf(records));
    return records;
  };
  const recordsOf = features.recordsOf.bind(features);
  const recordsToChange = features.recordsToChange.bind(features);
  features.recordsOf = async (...asked) => note(await recordsOf(...asked));
  features.recordsToChange = async (...asked) => note(await recordsToChange(...asked));
  try {
    await work();
    return largest;
  } finally {
    Object.assign(features, { recordsOf, recordsToChange });
  }
}
