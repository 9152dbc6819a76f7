import {
  isJsonObject,
  type MapLimits,
  mapOf,
  nullAsAbsent,
  type Limit,
  ruled,
  text,
} from '@loci/platform/schema';
import { type TUnsafe } from 'typebox';
import { METADATA_LIMITS } from './metadata-limits.js';

/** A map of any JSON values, each turned into a text; null is as good as no value. */
export const jsonTexts = ({
  maxChars,
  ...limits
}: MapLimits & { maxChars: Limit }): TUnsafe<Readonly<Record<string, string>>> =>
  ruled(mapOf(nullAsAbsent(text(maxChars)), limits), { coerce: textsFrom });

const textsFrom = (value: unknown): unknown =>
  isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([, one]) => one !== null)
          .map(([key, one]) => [key, typeof one === 'string' ? one : JSON.stringify(one)]),
      )
    : value;

/** What chooses sets: metadata as an episode would have it. */
export const setMetadata = jsonTexts(METADATA_LIMITS);
