import { type Answer, type Json, parse } from './client.js';

/** Speaks the configuration part of the public wire. */
export class ConfigClient {
  /** Every body that was answered, as it came. */
  readonly answered: string[] = [];

  constructor(private readonly url: string) {}

  get(path: string): Promise<Answer> {
    return this.send('GET', path);
  }

  put(path: string, body: object): Promise<Answer> {
    return this.send('PUT', path, body);
  }

  post(path: string, body: object = {}): Promise<Answer> {
    return this.send('POST', path, body);
  }

  delete(path: string): Promise<Answer> {
    return this.send('DELETE', path);
  }

  /** @throws Error when the answer is not 200 */
  async read(path: string): Promise<Json> {
    const { status, body } = await this.get(path);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  }

  private send(method: string, path: string, body?: object): Promise<Answer> {
    return this.at(method, `/api/v2/config${path}`, body);
  }

  /** Any other part of the wire. */
  async at(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    });
    const text = await response.text();
    this.answered.push(text);
    return { status: response.status, headers: response.headers, body: parse(text) };
  }
}
