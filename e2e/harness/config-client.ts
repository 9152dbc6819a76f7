import { eventually } from '@loci/testing';
import { type Answer, type Json, parse, TIMEOUT_MS } from './client.js';

/** Speaks the configuration part of the public wire. */
export class ConfigClient {
  /** Every body that was answered, as it came. */
  readonly answered: string[] = [];

  constructor(
    private readonly url: string,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

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

  /**
   * Registers a model. On a busy machine its probe takes longer than an answer waits for it: then it is waited for.
   * @param kind such as `embedders`
   * @returns the answer, as it would be with what the probe came to
   */
  async register(kind: string, spec: Json & { readonly name: string }): Promise<Answer> {
    return this.probed(kind, spec.name, await this.post(`/resources/${kind}`, spec));
  }

  /** Has a model probed again, and waits for that as `register` does. */
  async retry(kind: string, name: string): Promise<Answer> {
    const path = `/resources/${kind}/${encodeURIComponent(name)}`;
    return this.probed(kind, name, await this.post(`${path}/retry`));
  }

  private async probed(kind: string, name: string, answer: Answer): Promise<Answer> {
    if (answer.body['status'] !== 'pending') return answer;
    const outcome = await eventually(
      async () => {
        const { status, error } = await this.read(`/resources/${kind}/${encodeURIComponent(name)}`);
        return status !== 'pending' && { status, error };
      },
      { what: `${name} is probed` },
    );
    return { ...answer, body: { ...answer.body, ...outcome, success: outcome.status === 'ready' } };
  }

  private send(method: string, path: string, body?: object): Promise<Answer> {
    return this.at(method, `/api/v2/config${path}`, body);
  }

  /** Any other part of the wire. */
  async at(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { ...this.headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    this.answered.push(text);
    return { status: response.status, headers: response.headers, body: parse(text) };
  }
}
