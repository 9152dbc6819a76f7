import { SCHEMA } from '../database.js';
import { IS_LIVE } from './feature-conditions.js';

/** Features of a subject that are looked at, whatever they are, so that its others cost nothing. */
export const LOOKED_AT = 1_000;

/** An index serves the sequence of those without a subject, too, where it names the subject. */
const recent = (set: number, about: string): string => `(
  SELECT * FROM ${SCHEMA}.features
  WHERE features.set_uid = $${set} AND ${about} AND ${IS_LIVE}
  ORDER BY features.subject DESC, features.updated_at DESC, features.uid DESC LIMIT ${LOOKED_AT})`;

/**
 * SQL of the features of each subject that were changed last, by the index `features_recent`. Parameters: the set, and the
 * subjects (NULL among them: those without), each once.
 */
export const recentOfSubjects = (set: number, subjects: number): string =>
  `unnest($${subjects}::text[]) AS asked(subject) CROSS JOIN LATERAL (${recent(set, 'features.subject = asked.subject')}
  UNION ALL ${recent(set, 'asked.subject IS NULL AND features.subject IS NULL')}) AS features`;
