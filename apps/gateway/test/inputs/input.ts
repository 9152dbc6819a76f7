/**
 * Requests that must be refused, each with its documented answer, and odd ones that must not be. Nothing here depends on
 * what is stored: project `acme/bad-inputs` does not exist and is never created.
 */
export interface Input {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and bytes are sent as they are, anything else as JSON; JSON is announced unless `headers` say otherwise. */
  readonly body?: unknown;
  readonly status: number;
  /** Of an answer 422: the `type` of one of its problems. */
  readonly type?: string;
  /** Of an answer 422: the `loc` of that problem. */
  readonly loc?: readonly (string | number)[];
  /** Of any other refusal. */
  readonly code?: string;
}

export const TENANT = { org_id: 'acme', project_id: 'bad-inputs' };
export const ADD = '/api/v2/memories';
export const SEARCH = '/api/v2/memories/search';
export const LIST = '/api/v2/memories/list';
export const DELETE = '/api/v2/memories/episodic/delete';
export const CREATE = '/api/v2/projects';
export const CONFIG = '/api/v2/memory/episodic/config';

/** Refused with 422 and one known problem. */
export const refuse = (
  name: string,
  path: string,
  body: unknown,
  type: string,
  loc?: Input['loc'],
): Input => ({
  name,
  method: 'POST',
  path,
  body,
  status: 422,
  type,
  ...(loc && { loc }),
});

/** Texts that PostgreSQL cannot store. */
export const UNSTORABLE = ['a\u0000b', '\ud800', 'x\udc00y'] as const;
