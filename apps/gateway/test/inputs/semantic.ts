import { type Input, refuse, TENANT, UNSTORABLE } from './input.js';

const S = '/api/v2/memories/semantic';

const FEATURE = { ...TENANT, set_id: 's', category_name: 'c', tag: 't', feature: 'f', value: 'v' };

/** The body of each route, each of its fields needed. */
const NEEDED: Readonly<Record<string, object>> = {
  [`${S}/feature`]: { set_id: 's', category_name: 'c', tag: 't', feature: 'f', value: 'v' },
  [`${S}/feature/get`]: { feature_id: 'x' },
  [`${S}/feature/update`]: { feature_id: 'x' },
  [`${S}/feature/history`]: { feature_id: 'x' },
  [`${S}/feature/undo`]: { feature_id: 'x' },
  [`${S}/changes/list`]: { set_id: 's' },
  [`${S}/set_type`]: { metadata_tags: [] },
  [`${S}/set_type/delete`]: { set_type_id: 'x' },
  [`${S}/set_id/get`]: { metadata_tags: [] },
  [`${S}/set/configure`]: { set_id: 's' },
  [`${S}/category`]: { set_id: 's', category_name: 'c', prompt: 'p' },
  [`${S}/category/get`]: { category_id: 'x' },
  [`${S}/category/template`]: { set_type_id: 'x', category_name: 'c', prompt: 'p' },
  [`${S}/category/template/list`]: { set_type_id: 'x' },
  [`${S}/category/disable`]: { set_id: 's', category_name: 'c' },
  [`${S}/category/set_ids/get`]: { category_id: 'x' },
  [`${S}/category/update`]: { category_id: 'x', ttl_seconds: 0 },
  [`${S}/category/delete`]: { category_id: 'x' },
  [`${S}/category/tag`]: { category_id: 'x', tag_name: 't', tag_description: 'd' },
  [`${S}/category/tag/delete`]: { tag_id: 'x' },
};

export const BAD_SEMANTIC_INPUTS: Input[] = [
  ...Object.entries(NEEDED).flatMap(([path, body]) =>
    Object.keys(body).flatMap((field) => [
      refuse(`${path}: no ${field}`, path, { ...TENANT, ...body, [field]: undefined }, 'missing', [
        'body',
        field,
      ]),
      ...(field === 'metadata_tags'
        ? [refuse(`${path}: tags a text`, path, { ...TENANT, [field]: 'a' }, 'list_type', ['body', field])]
        : [
            field === 'ttl_seconds'
              ? refuse(
                  `${path}: ${field} a text`,
                  path,
                  { ...TENANT, ...body, [field]: 'a' },
                  'int_parsing',
                  ['body', field],
                )
              : refuse(`${path}: ${field} 5`, path, { ...TENANT, ...body, [field]: 5 }, 'string_type', [
                  'body',
                  field,
                ]),
          ]),
    ]),
  ),
  ...UNSTORABLE.map((value) =>
    refuse(
      `feature: value ${JSON.stringify(value)}`,
      `${S}/feature`,
      { ...FEATURE, value },
      'string_unicode',
    ),
  ),
  refuse('feature: metadata a list', `${S}/feature`, { ...FEATURE, feature_metadata: [] }, 'dict_type'),
  refuse('feature: citations a text', `${S}/feature`, { ...FEATURE, citations: 'x' }, 'list_type'),
  refuse('feature: tag empty', `${S}/feature`, { ...FEATURE, tag: '' }, 'string_too_short'),
  refuse(
    'feature: tag of 1,304 bytes',
    `${S}/feature`,
    { ...FEATURE, tag: '𠮷'.repeat(326) },
    'string_too_long',
    ['body', 'tag'],
  ),
  refuse('semantic delete: no id', `${S}/delete`, TENANT, 'too_short', ['body', 'semantic_ids']),
  refuse('semantic delete: empty id', `${S}/delete`, { ...TENANT, semantic_id: '' }, 'string_too_short'),
  refuse(
    'set types: org_id with a space',
    `${S}/set_type/list`,
    { org_id: 'a b' },
    'string_pattern_mismatch',
  ),
  refuse('sets: metadata a text', `${S}/set_id/list`, { ...TENANT, set_metadata: 'x' }, 'dict_type'),
];
