import { CONFIG, DELETE, type Input, TENANT } from './input.js';

const missing = (path: string, body: object = {}): Input => ({
  name: `no such project: ${path}`,
  method: 'POST',
  path,
  body: { ...TENANT, ...body },
  status: 404,
  code: 'project_not_found',
});

/** In good shape, about a project that does not exist. */
export const UNKNOWN_PROJECT: readonly Input[] = [
  missing('/api/v2/projects/get'),
  missing('/api/v2/projects/delete'),
  missing(DELETE, { episodic_ids: ['abc', '../x', "' OR 1=1", '😀', 'x'.repeat(500)] }),
  missing('/api/v2/memories/semantic/delete', { semantic_ids: ['abc'] }),
  missing(CONFIG, { enabled: true }),
  missing('/api/v2/memory/episodic/config/get'),
  missing('/api/v2/memory/episodic/short_term/config', { enabled: false }),
  missing('/api/v2/memory/episodic/long_term/config/get'),
];
