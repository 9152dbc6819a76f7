/** The Qdrant of the integration tests, and the key that it wants to see. */
export const testQdrant = (): { readonly url: string; readonly apiKey: string } => ({
  url: process.env['QDRANT_URL'] ?? 'QDRANT_URL is not set',
  apiKey: process.env['QDRANT_API_KEY'] ?? '',
});

/** Asks that server for something behind the product's back. */
export function askTestQdrant(path: string, method = 'GET', body?: object): Promise<Response> {
  const { url, apiKey } = testQdrant();
  const headers = { 'api-key': apiKey, 'content-type': 'application/json' };
  return fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}
