import { type components } from '../api.generated.js';
import { type CallOptions, sentWith, type WriteOptions } from '../call-options.js';
import { answered, type LociClient } from '../loci-client.js';
import { named, type ProjectName } from './tenant.js';

type Schemas = components['schemas'];

const PAGE_SIZE = 1000;

/** What waits to become features, and what could not. */
export class Ingestion {
  constructor(private readonly api: LociClient) {}

  /** What waits for each set, since when and why. */
  backlog(
    project: ProjectName,
    options: CallOptions = {},
  ): AsyncGenerator<Schemas['IngestionBacklogEntry'], void> {
    return paged((page) =>
      this.api.GET('/api/v2/ingestion/backlog', {
        params: { query: { ...named(project), ...page } },
        ...sentWith(options),
      }),
    );
  }

  jobs(project: ProjectName, options: CallOptions = {}): AsyncGenerator<Schemas['IngestionJob'], void> {
    return paged((page) =>
      this.api.GET('/api/v2/ingestion/jobs', {
        params: { query: { ...named(project), ...page } },
        ...sentWith(options),
      }),
    );
  }

  deadLetters(
    project: ProjectName,
    options: CallOptions = {},
  ): AsyncGenerator<Schemas['IngestionDeadLetter'], void> {
    return paged((page) =>
      this.api.GET('/api/v2/ingestion/dead-letters', {
        params: { query: { ...named(project), ...page } },
        ...sentWith(options),
      }),
    );
  }

  /** Tries all dead letters of a project again. */
  replayAll(project: ProjectName, options: WriteOptions = {}): Promise<Schemas['ReplayedDeadLetters']> {
    const body = named(project);
    return answered(this.api.POST('/api/v2/ingestion/dead-letters/replay', { body, ...sentWith(options) }));
  }

  async replay(project: ProjectName, id: string, options: WriteOptions = {}): Promise<void> {
    const request = { params: { path: { id } }, body: named(project), ...sentWith(options) };
    await answered(this.api.POST('/api/v2/ingestion/dead-letters/{id}/replay', request));
  }

  /** Gives a dead letter up. */
  async drop(project: ProjectName, id: string, options: WriteOptions = {}): Promise<void> {
    const params = { path: { id }, query: named(project) };
    await answered(this.api.DELETE('/api/v2/ingestion/dead-letters/{id}', { params, ...sentWith(options) }));
  }

  /** Calls and tokens of language models, by day and model. */
  usage(project: ProjectName, days = 30, options: CallOptions = {}): Promise<Schemas['IngestionUsage'][]> {
    const params = { query: { ...named(project), days } };
    return answered(this.api.GET('/api/v2/ingestion/usage', { params, ...sentWith(options) }));
  }
}

interface Page {
  readonly page_size: number;
  readonly page_num: number;
}

async function* paged<Item>(
  read: (page: Page) => Promise<{ data?: Item[]; error?: unknown; response: Response }>,
): AsyncGenerator<Item, void> {
  for (let page_num = 0; ; page_num += 1) {
    const page = await answered(read({ page_size: PAGE_SIZE, page_num }));
    yield* page;
    if (page.length < PAGE_SIZE) return;
  }
}
