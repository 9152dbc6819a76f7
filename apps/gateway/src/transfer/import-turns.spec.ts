import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { apiKeysChanged } from '@loci/contracts';
import { startTestGateway, type TestGateway } from '../../test/test-gateway.js';
import { bearer, TestKeys } from '../../test/test-keys.js';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const AMPLE_MS = 10_000;

let gateway: TestGateway;

afterEach(() => gateway.app.close());

const importing = (payload: string | Readable, headers: Readonly<Record<string, string>> = {}) =>
  gateway.app.inject({
    method: 'POST',
    url: '/api/v2/projects/import?org_id=acme&project_id=apollo',
    headers: { 'content-type': 'application/x-ndjson', ...headers },
    payload,
  });

test('lines that store nothing, of many imports at once, leave everything else its turns', async () => {
  gateway = await startTestGateway();
  const [count, lines] = [5, 20_000];
  let answered = 0;
  const imports = Array.from({ length: count }, () =>
    importing('{}\n'.repeat(lines)).finally(() => (answered += 1)),
  );
  let others = 0;
  for (; answered < count; others += 1) await turn();
  for (const answer of await Promise.all(imports)) {
    expect(answer.json()).toEqual({ lines, added: 0, existing: 0, skipped: lines });
  }
  expect(others).toBeGreaterThan(20);
});

test('a key that is revoked ends its import, whose lines store nothing', async () => {
  gateway = await startTestGateway({ AUTH: 'on' });
  const keys = new TestKeys();
  const secret = keys.add({ id: ID, scopes: ['read', 'write'], bounds: { orgId: 'acme' } });
  keys.serve(gateway);
  let hasEnded = false;
  async function* body(): AsyncGenerator<string> {
    yield '{}\n';
    keys.revoke(secret);
    gateway.events.tell(apiKeysChanged, { id: ID });
    for (const begunMs = performance.now(); !hasEnded && performance.now() - begunMs < AMPLE_MS;) {
      yield '{}\n{"kind":"end"}\n'.repeat(50);
      await turn();
    }
  }
  const answer = await importing(Readable.from(body()), bearer(secret)).finally(() => (hasEnded = true));
  expect(answer.statusCode).toBe(401);
});
