/**
 * How an operation is audited.
 * `first`: a record is stored before the operation begins, and another with its outcome before it is answered; an
 * operation whose record cannot be stored is refused.
 * `later`: one record, after the answer, or when one that is endless begins. For what happens far more often than anything else, or must not wait
 * for the audit: the last records are lost when a gateway is killed.
 * `refused`: one record, after the answer, when that is a refusal; otherwise what it asks for is audited, each for itself.
 * `never`: it reads the memory of its own tenant. Refused because it named another one, it leaves one record all the same, after
 * the answer.
 */
export type AuditRule = 'first' | 'later' | 'refused' | 'never';

const SEMANTIC: Readonly<Record<string, AuditRule>> = {
  'POST /delete': 'first',
  'POST /feature': 'first',
  'POST /feature/get': 'never',
  'POST /feature/update': 'first',
  'POST /feature/history': 'never',
  'POST /feature/undo': 'first',
  'POST /changes/list': 'never',
  'POST /changes/undo': 'first',
  'POST /conflict/list': 'never',
  'POST /conflict/settle': 'first',
  'POST /proposal/list': 'never',
  'POST /proposal/accept': 'first',
  'POST /proposal/reject': 'first',
  'POST /set_type': 'first',
  'POST /set_type/list': 'never',
  'POST /set_type/delete': 'first',
  'POST /set_id/get': 'never',
  'POST /set_id/list': 'never',
  'POST /set/configure': 'first',
  'POST /category': 'first',
  'POST /category/get': 'never',
  'POST /category/template': 'first',
  'POST /category/template/list': 'never',
  'POST /category/disable': 'first',
  'POST /category/set_ids/get': 'never',
  'POST /category/update': 'first',
  'POST /category/delete': 'first',
  'POST /category/tag': 'first',
  'POST /category/tag/delete': 'first',
};

/**
 * Every operation that clients can ask for, and whether it leaves a record. A route is called by its method and its path
 * below `/api/v2`, for the same route below `/v2` too; a tool of MCP by its name, and what else reads memory there by its
 * method. What writes, deletes or administers is audited, and so is every read by which data leaves in bulk, which shows
 * what models were shown, or which is about the deployment: exports, calls of models, keys, webhooks, quotas, the
 * configuration, usage, statistics, dead letters, the audit itself.
 */
export const AUDITED_OPERATIONS: Readonly<Record<string, AuditRule>> = {
  'POST /projects': 'first',
  'POST /projects/get': 'never',
  'POST /projects/list': 'never',
  'POST /projects/episode_count/get': 'never',
  'POST /projects/delete': 'first',
  'PUT /projects/config': 'first',
  'GET /projects/index': 'never',
  'GET /projects/export': 'first',
  'POST /projects/import': 'first',
  'POST /memories': 'later',
  'POST /memories/search': 'never',
  'POST /memories/list': 'never',
  'POST /context': 'never',
  'POST /profile': 'never',
  'POST /recall': 'never',
  'POST /memories/episodic/delete': 'first',
  'POST /memories/episodic/groups': 'never',
  'POST /memories/forget': 'first',
  'POST /memories/forget/preview': 'never',
  'GET /memories/forget': 'never',
  'GET /memories/forget/:id': 'never',
  ...below('/memories/semantic', SEMANTIC),
  'POST /memory/episodic/config': 'first',
  'POST /memory/episodic/config/get': 'never',
  'POST /memory/episodic/short_term/config': 'first',
  'POST /memory/episodic/short_term/config/get': 'never',
  'POST /memory/episodic/long_term/config': 'first',
  'POST /memory/episodic/long_term/config/get': 'never',
  'POST /memory/semantic/config': 'first',
  'POST /memory/semantic/config/get': 'never',
  'GET /ingestion/backlog': 'never',
  'GET /ingestion/jobs': 'never',
  'GET /ingestion/usage': 'first',
  'POST /ingestion/preview': 'later',
  'GET /ingestion/calls': 'never',
  'GET /ingestion/calls/:id': 'first',
  'POST /ingestion/relearn/preview': 'never',
  'POST /ingestion/relearn': 'first',
  'GET /ingestion/relearn': 'never',
  'GET /ingestion/dead-letters': 'first',
  'GET /ingestion/dead-letters/:id': 'first',
  'DELETE /ingestion/dead-letters/:id': 'first',
  'POST /ingestion/dead-letters/:id/replay': 'first',
  'POST /ingestion/dead-letters/replay': 'first',
  'GET /keys': 'first',
  'POST /keys': 'first',
  'DELETE /keys/:id': 'first',
  'POST /keys/:id/rotate': 'first',
  'GET /webhooks': 'first',
  'POST /webhooks': 'first',
  'GET /webhooks/:id': 'first',
  'PUT /webhooks/:id': 'first',
  'DELETE /webhooks/:id': 'first',
  'POST /webhooks/:id/rotate': 'first',
  'POST /webhooks/:id/test': 'first',
  'GET /webhooks/:id/deliveries': 'first',
  'GET /quotas': 'first',
  'PUT /quotas': 'first',
  'GET /audit': 'first',
  'GET /events': 'never',
  // figures that one looks at while a service is down, the one that keeps the audit, too; a stream is recorded as it begins
  'GET /statistics': 'later',
  'GET /statistics/stream': 'later',
  'GET /config': 'first',
  'GET /config/resources': 'first',
  'GET /config/resources/:kind/:name': 'first',
  'POST /config/resources/:kind': 'first',
  'DELETE /config/resources/:kind/:name': 'first',
  'POST /config/resources/:kind/:name/retry': 'first',
  'PUT /config/memory': 'first',
  'GET /config/memory/episodic': 'first',
  'PUT /config/memory/episodic': 'first',
  'GET /config/memory/episodic/long_term': 'first',
  'PUT /config/memory/episodic/long_term': 'first',
  'GET /config/memory/episodic/short_term': 'first',
  'PUT /config/memory/episodic/short_term': 'first',
  'GET /config/memory/semantic': 'first',
  'PUT /config/memory/semantic': 'first',
  // a message or a batch of them: each call of a tool is an operation of its own
  'POST /mcp': 'refused',
  'tool add_memory': 'later',
  'tool search_memory': 'never',
  'tool get_context': 'never',
  'tool list_memories': 'never',
  'tool correct_memory': 'first',
  'tool delete_memory': 'first',
  'tool list_conflicts': 'never',
  'tool settle_conflict': 'first',
  'resources/read': 'never',
  'prompts/get': 'never',
};

const PREFIX = /^\/(?:api\/)?v2(?=\/)/;

/**
 * What the table calls a route.
 * @param method HEAD is as GET: it does the same work
 */
export const routeOperation = (method: string, url: string): string =>
  `${method === 'HEAD' ? 'GET' : method} ${url.replace(PREFIX, '')}`;

/** @throws Error when the table does not name the operation: a mistake of ours, found when the process starts */
export function auditRuleOf(operation: string): AuditRule {
  const rule = Object.hasOwn(AUDITED_OPERATIONS, operation) ? AUDITED_OPERATIONS[operation] : undefined;
  if (rule) return rule;
  throw new Error(`${operation} does not say whether it is audited: add it to AUDITED_OPERATIONS.`);
}

function below(path: string, rules: Readonly<Record<string, AuditRule>>): Record<string, AuditRule> {
  const named = ([name, rule]: [string, AuditRule]): [string, AuditRule] => [
    name.replace(' ', ` ${path}`),
    rule,
  ];
  return Object.fromEntries(Object.entries(rules).map(named));
}
