import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../test/test-gateway.js';
let gateway: TestGateway;
beforeAll(async () => { gateway = await startTestGateway(); });
afterAll(() => gateway.app.close());
test('x', async () => {
  for (const [method, url, payload] of [['GET','/health'],['GET','/nope'],['GET','/api/v2/memories'],['OPTIONS','/api/v2/memories'],['HEAD','/health'],['POST','/api/v2/memories', {messages:[{content:1},5,{metadata:{a:1}}], types:['x']}],['POST','/api/v2/memories/','{"a":tru}'],['POST','/v2/memories',{}],['GET','/%zz'],['GET','/metrics'],['POST','/api/v2/memories'],['POST','/api/v2/memories','null']] as const) {
    const r = await gateway.app.inject({ method, url, ...(payload !== undefined && { payload }), ...(typeof payload === 'string' && { headers: {'content-type':'application/json'}}) } as never);
    console.log(method, url, r.statusCode, JSON.stringify(r.headers), r.body.slice(0, 900));
  }
  console.log(gateway.logger.lines.filter(l => l.message==='request' || l.level==='error').map(l=>JSON.stringify(l)).join('\n'));
});
