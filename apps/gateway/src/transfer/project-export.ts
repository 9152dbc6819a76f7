import { getEpisodicSettings, getProject, type Tenant } from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { RequestContext } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { GatewayEnv } from '../env.js';
import { type ExportPosition, LINE_KINDS, type LineKind, type LinePosition } from './export-cursor.js';
import { ExportPages, type ExportSection } from './export-pages.js';
import { endLine, headerLine } from './transfer-lines.wire.js';

/** Writes a project out, line by line, holding one page at a time. */
@Injectable()
export class ProjectExport {
  constructor(
    private readonly rpc: RpcClient,
    private readonly pages: ExportPages,
    private readonly env: GatewayEnv,
  ) {}

  /** @throws AppError `project_not_found`, before the first line */
  async open(tenant: Tenant, after: ExportPosition | undefined): Promise<AsyncGenerator<string>> {
    const project = await this.rpc.call(getProject, { tenant });
    const settings = await this.rpc.call(getEpisodicSettings, { tenant });
    return this.lines(tenant, headerLine(project, settings), after);
  }

  private async *lines(
    tenant: Tenant,
    header: object,
    start: ExportPosition | undefined,
  ): AsyncGenerator<string> {
    yield written(header);
    const counts: Record<LineKind, number> = {
      ...{ set_type: 0, category_template: 0, set: 0, category: 0, episode: 0, feature: 0 },
    };
    const first = start ? LINE_KINDS.indexOf(start.kind) : 0;
    for (const section of this.pages.sections.slice(first)) {
      const after = start?.kind === section.kind ? start : undefined;
      for await (const lines of this.section(section, tenant, after)) {
        counts[section.kind] += lines.length;
        yield lines.map(written).join('');
      }
    }
    yield written(endLine({ episodes: counts.episode, features: counts.feature }));
  }

  private async *section(
    section: ExportSection,
    tenant: Tenant,
    start: LinePosition | undefined,
  ): AsyncGenerator<readonly object[]> {
    let after = start;
    for (;;) {
      const page = await withTimeAnew(this.env.REQUEST_TIMEOUT_MS, () => section.next(tenant, after));
      if (!page.last) return;
      yield page.lines;
      after = page.last;
    }
  }
}

const written = (line: object): string => `${JSON.stringify(line)}\n`;

/** Each step of a transfer has the time of a request: the whole may take as long as it takes. */
export const withTimeAnew = <T>(timeoutMs: number, step: () => Promise<T>): Promise<T> => {
  const scope = RequestContext.current() ?? { requestId: 'transfer' };
  return RequestContext.run({ ...scope, deadlineMs: Date.now() + timeoutMs }, step);
};
