import { createServer } from 'node:http';

/** The program of `BareRefuser`. */
const BODY = JSON.stringify({ detail: 'Send a valid API key.', code: 'unauthenticated' });
const HEAD = { 'content-type': 'application/json', 'content-length': BODY.length };

const server = createServer((request, response) => {
  request.resume();
  response.writeHead(401, HEAD).end(BODY);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' ? address?.port : undefined);
});
process.on('disconnect', () => process.exit());
