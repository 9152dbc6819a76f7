import { eventually } from '@loci/testing';
import { type Dialogue, type DialogueMessage } from './dialogue.js';
import { type LearnedFeature } from './score.js';

const ORG = 'bench-knowledge';
const IN_VAIN_MS = 10 * 60_000;

type Body = Readonly<Record<string, unknown>>;

/** Requests of the public API. */
export class Api {
  constructor(private readonly url: string) {}

  async send(method: 'GET' | 'POST' | 'PUT', path: string, body?: Body): Promise<unknown> {
    const answer = await fetch(`${this.url}/api/v2${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }
}

interface Job {
  readonly set_id: string;
  readonly state: string;
  readonly waiting: number;
  readonly attempts: number;
  readonly reason: string | null;
}

/** Its own, which no other dialogue shares. */
export const projectOf = ({ id }: Dialogue): { readonly org_id: string; readonly project_id: string } => ({
  org_id: ORG,
  project_id: id,
});

/** Lets a project of its own learn from a dialogue, part by part. @returns all that it knows then, with what ended */
export async function learn(api: Api, dialogue: Dialogue): Promise<LearnedFeature[]> {
  const project = projectOf(dialogue);
  await api.send('POST', '/projects', project);
  const uids: string[] = [];
  for (const part of dialogue.parts) {
    const before = (await job(api, project))?.attempts ?? 0;
    const { results } = (await api.send('POST', '/memories', {
      ...project,
      messages: part.map(toMessage),
    })) as { results: readonly { readonly uid: string }[] };
    uids.push(...results.map(({ uid }) => uid));
    await eventually(
      async () => {
        const now = await job(api, project);
        if (now?.state === 'blocked') throw new Error(`The model cannot be asked: ${now.reason ?? ''}`);
        return now !== undefined && now.attempts > before && now.state === 'idle' && now.waiting === 0;
      },
      { what: `${dialogue.id} is learned from`, timeoutMs: IN_VAIN_MS },
    );
  }
  return known(api, project, uids);
}

/** Of the set of the project. */
async function job(
  api: Api,
  { org_id, project_id }: { org_id: string; project_id: string },
): Promise<Job | undefined> {
  const jobs = (await api.send('GET', `/ingestion/jobs?org_id=${org_id}&project_id=${project_id}`)) as Job[];
  return jobs.find(({ set_id }) => set_id.startsWith('mem_project_set'));
}

const toMessage = ({ from, role = 'user', to, at, text }: DialogueMessage): Body => ({
  content: text,
  producer: from,
  role,
  timestamp: at,
  ...(to !== undefined && { produced_for: to }),
});

interface WireFeature {
  readonly subject?: string;
  readonly value: string;
  readonly valid_from?: string;
  readonly valid_until?: string;
  readonly superseded_by?: string;
  readonly metadata: { readonly id: string; readonly citations?: readonly string[] };
}

async function known(api: Api, project: Body, uids: readonly string[]): Promise<LearnedFeature[]> {
  const list = async (validity?: string): Promise<readonly WireFeature[]> => {
    const asked = {
      ...project,
      type: 'semantic',
      page_size: 100,
      ...(validity !== undefined && { validity }),
    };
    const { content } = (await api.send('POST', '/memories/list', asked)) as {
      readonly content: { readonly semantic_memory: readonly WireFeature[] };
    };
    return content.semantic_memory;
  };
  const live = new Set((await list()).map(({ metadata }) => metadata.id));
  return Promise.all(
    (await list('all')).map(async ({ metadata: { id } }) => {
      const asked = { ...project, feature_id: id, load_citations: true };
      const feature = (await api.send('POST', '/memories/semantic/feature/get', asked)) as WireFeature;
      const { metadata, subject = '', value } = feature;
      return {
        subject,
        value,
        validFrom: feature.valid_from,
        validUntil: feature.valid_until,
        isLive: live.has(id),
        isReplaced: feature.superseded_by !== undefined,
        messages: (metadata.citations ?? []).map((uid) => uids.indexOf(uid) + 1).sort((a, b) => a - b),
      };
    }),
  );
}
