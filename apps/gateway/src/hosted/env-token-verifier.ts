import { createHash, timingSafeEqual } from 'node:crypto';
import { IDENTIFIER } from '@loci/contracts';
import { EnvError } from '@loci/platform';
import { type Caller, TokenVerifier } from './token-verifier.js';

interface Entry {
  readonly digest: Buffer;
  readonly caller: Caller;
}

/** The tokens of `HOSTED_TOKENS`. Keeps their digests only, and compares all of them in constant time. */
export class EnvTokenVerifier extends TokenVerifier {
  private readonly entries: readonly Entry[];

  /**
   * @param setting `token=org` or `token=org/project`, separated by commas
   * @throws EnvError naming the place of the entry that does not fit, never its text
   */
  constructor(setting: string) {
    super();
    const entries = setting.split(',').map((entry) => entry.trim());
    this.entries = entries.filter((entry) => entry !== '').map(parseEntry);
  }

  override verify(token: string): Promise<Caller | undefined> {
    const digest = digestOf(token);
    const matches = this.entries.filter((entry) => timingSafeEqual(entry.digest, digest));
    return Promise.resolve(matches[0]?.caller);
  }
}

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();

function parseEntry(entry: string, index: number): Entry {
  const split = entry.lastIndexOf('=');
  const [orgId = '', projectId, ...rest] = entry.slice(split + 1).split('/');
  const isFine =
    split > 0 && rest.length === 0 && [orgId, projectId ?? orgId].every((id) => IDENTIFIER.test(id));
  if (!isFine) {
    throw new EnvError(`HOSTED_TOKENS: entry ${index + 1} is not token=org or token=org/project.`);
  }
  return {
    digest: digestOf(entry.slice(0, split)),
    caller: { orgId, ...(projectId !== undefined && { projectId }) },
  };
}
