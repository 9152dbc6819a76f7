import { MOMENT_FIELDS, SYSTEM_FIELDS, type SystemField } from './filter.js';

/** Further names that clients use for a field (api-contract §2.2). */
const ALIASES: Readonly<Record<string, SystemField>> = {
  id: 'uid',
  episode_uid: 'uid',
  session: 'session_key',
  timestamp: 'created_at',
  set: 'set_id',
  category: 'category_name',
  semantic_category_id: 'category_id',
  feature: 'feature_name',
};

const BY_NAME: ReadonlyMap<string, SystemField> = new Map([
  ...SYSTEM_FIELDS.map((name) => [name, name] as const),
  ...Object.entries(ALIASES),
]);

/** @param name in any case @returns undefined when the system knows no such field */
export const systemField = (name: string): SystemField | undefined => BY_NAME.get(name.toLowerCase());

/** Whether the field is a moment, and is compared with moments only. */
export const isMomentField = (name: SystemField): boolean => MOMENT_FIELDS.has(name);
