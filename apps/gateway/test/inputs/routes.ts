import { ADD, CONFIG, type Input, SEARCH, TENANT } from './input.js';

const media = (name: string, headers: Readonly<Record<string, string>>, body: string): Input => ({
  name: `media: ${name}`,
  method: 'POST',
  path: SEARCH,
  headers,
  body,
  status: 415,
  code: 'unsupported_media_type',
});

const QUERY = JSON.stringify({ ...TENANT, query: 'x' });

export const WRONG_MEDIA: Input[] = [
  media('form', { 'content-type': 'application/x-www-form-urlencoded' }, 'query=x'),
  media('plain text', { 'content-type': 'text/plain' }, QUERY),
  media('XML', { 'content-type': 'application/xml' }, '<query/>'),
  media('multipart', { 'content-type': 'multipart/form-data; boundary=x' }, '--x--'),
  media('a content type that is none', { 'content-type': 'json' }, QUERY),
  media('UTF-16 by its name', { 'content-type': 'application/json; charset=utf-16' }, QUERY),
  media('compressed', { 'content-type': 'application/json', 'content-encoding': 'gzip' }, QUERY),
  {
    name: 'body of 5 MiB',
    method: 'POST',
    path: ADD,
    body: JSON.stringify({ ...TENANT, messages: [{ content: 'x'.repeat(5 * 1024 * 1024) }] }),
    status: 413,
    code: 'body_too_large',
  },
];

const route = (method: Input['method'], path: string, status: number, code: string): Input => ({
  name: `route: ${method} ${path}`,
  method,
  path,
  status,
  code,
});

export const WRONG_ROUTES: Input[] = [
  ...[
    '/nothing',
    '/api',
    '/api/v2',
    '/api/v3/memories',
    '/API/V2/memories',
    '/api/v2/memories/nope',
    '/v1/health',
    '/.env',
  ].map((path) => route('GET', path, 404, 'route_not_found')),
  route('POST', '/api/v2/memories%2Fsearch', 404, 'route_not_found'),
  route('POST', '/v2/memory/episodic/config', 404, 'route_not_found'),
  route('OPTIONS', '/api/v2/nope', 404, 'route_not_found'),
  route('GET', `/api/v2/memories/forget/${'a'.repeat(5_000)}`, 404, 'route_not_found'),
  route('GET', '/api/v2/%zz', 400, 'bad_request'),
  route('GET', ADD, 405, 'method_not_allowed'),
  route('PUT', SEARCH, 405, 'method_not_allowed'),
  route('DELETE', '/api/v2/projects', 405, 'method_not_allowed'),
  route('PATCH', CONFIG, 405, 'method_not_allowed'),
  route('POST', '/health', 405, 'method_not_allowed'),
  route('GET', '/v2/memories', 405, 'method_not_allowed'),
];
