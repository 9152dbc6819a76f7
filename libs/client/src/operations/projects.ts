import { type components } from '../api.generated.js';
import { type CallOptions, sentWith, type WriteOptions } from '../call-options.js';
import { answered, type LociClient } from '../loci-client.js';
import { type ExportLine, exportedLines } from './export-lines.js';
import { named, type ProjectName } from './tenant.js';

type Schemas = components['schemas'];

export interface NewProject extends ProjectName {
  readonly description?: string;
  readonly config?: Schemas['ProjectConfigSpec'];
}

/** Characters that one request of an import takes about. */
const IMPORTED_AT_ONCE = 1_000_000;

/** Projects, and their data as a whole. */
export class Projects {
  constructor(private readonly api: LociClient) {}

  create(project: NewProject, options: WriteOptions = {}): Promise<Schemas['ProjectResponse']> {
    const { description, config } = project;
    const body = {
      ...named(project),
      ...(description !== undefined && { description }),
      ...(config !== undefined && { config }),
    };
    return answered(this.api.POST('/api/v2/projects', { body: body, ...sentWith(options) }));
  }

  get(project: ProjectName, options: CallOptions = {}): Promise<Schemas['ProjectResponse']> {
    return answered(this.api.POST('/api/v2/projects/get', { body: named(project), ...sentWith(options) }));
  }

  /** Those that the key may see. */
  async list(options: CallOptions = {}): Promise<ProjectName[]> {
    const found = await answered(this.api.POST('/api/v2/projects/list', sentWith(options)));
    return found.map(({ org_id, project_id }) => ({ org: org_id, project: project_id }));
  }

  /** Ends a project; its data are erased behind the answer. */
  async delete(project: ProjectName, options: WriteOptions = {}): Promise<void> {
    await answered(this.api.POST('/api/v2/projects/delete', { body: named(project), ...sentWith(options) }));
  }

  /**
   * Everything that a project holds, line by line; the last is of kind `end`. A connection that breaks off is taken up
   * again behind the last line.
   */
  export(project: ProjectName, options: CallOptions = {}): AsyncGenerator<ExportLine, void> {
    return exportedLines(async (after) => {
      const query = { ...named(project), ...(after !== undefined && { after }) };
      const lines = this.api.GET('/api/v2/projects/export', {
        params: { query },
        parseAs: 'stream',
        ...sentWith(options),
      });
      return answered(lines);
    }, options.signal);
  }

  /** Reads an export in, or the rest of one. Lines that are there already are no error. */
  async import(
    project: ProjectName,
    lines: Iterable<ExportLine> | AsyncIterable<ExportLine>,
    options: CallOptions = {},
  ): Promise<Schemas['ImportResult']> {
    const total = { lines: 0, added: 0, existing: 0, skipped: 0 };
    let waiting = '';
    const send = async (): Promise<void> => {
      const taken = await this.importPart(project, waiting, options);
      for (const name of ['lines', 'added', 'existing', 'skipped'] as const) total[name] += taken[name];
      waiting = '';
    };
    for await (const line of lines) {
      waiting += `${JSON.stringify(line)}\n`;
      if (waiting.length >= IMPORTED_AT_ONCE) await send();
    }
    if (waiting !== '') await send();
    return total;
  }

  private importPart(
    project: ProjectName,
    text: string,
    options: CallOptions,
  ): Promise<Schemas['ImportResult']> {
    return answered(
      this.api.POST('/api/v2/projects/import', {
        params: { query: named(project) },
        body: text,
        bodySerializer: (body) => body,
        headers: { 'content-type': 'application/x-ndjson' },
        ...sentWith(options),
      }),
    );
  }
}
