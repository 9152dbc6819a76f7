import { getEpisodicSettings, getProject, type RowPosition, type TimedRequest } from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Injectable } from '@nestjs/common';
import { type Lease } from '../capacity/lease.js';
import { GatewayEnv } from '../env.js';
import { type ExportPosition, LINE_KINDS, type LineKind } from './export-cursor.js';
import { type ExportPage, ExportPages, type ExportSection } from './export-pages.js';
import { endLine, headerLine } from './transfer-lines.wire.js';
import { inStep } from '../capacity/in-step.js';
import { heldBytes } from '../capacity/memory-budget.js';

/** Services write 1 MiB of text into a page, and JSON adds to it. */
const PAGE_BYTES = 1.25 * 1024 * 1024;

/** Writes a project out, line by line, one page at a time. */
@Injectable()
export class ProjectExport {
  constructor(
    private readonly rpc: RpcClient,
    private readonly pages: ExportPages,
    private readonly env: GatewayEnv,
  ) {}

  /** @throws AppError `project_not_found`, before the first line */
  async open(
    request: TimedRequest,
    after: ExportPosition | undefined,
    lease: Lease | undefined,
  ): Promise<AsyncGenerator<string>> {
    const { tenant } = request;
    const project = await this.rpc.call(getProject, { tenant });
    const settings = await this.rpc.call(getEpisodicSettings, { tenant });
    return this.lines(request, headerLine(project, settings), { after, lease });
  }

  private async *lines(
    request: TimedRequest,
    header: object,
    { after: start, lease }: { after: ExportPosition | undefined; lease: Lease | undefined },
  ): AsyncGenerator<string> {
    yield written(header);
    const counts: Record<LineKind, number> = {
      set_type: 0,
      category_template: 0,
      set: 0,
      category: 0,
      episode: 0,
      feature: 0,
    };
    const first = start ? LINE_KINDS.indexOf(start.kind) : 0;
    for (const section of this.pages.sections.slice(first)) {
      const after = start?.kind === section.kind ? start : undefined;
      for await (const { text, count } of this.section(section, request, { after, lease })) {
        counts[section.kind] += count;
        yield text;
      }
    }
    yield written(endLine({ episodes: counts.episode, features: counts.feature }));
  }

  private async *section(
    section: ExportSection,
    request: TimedRequest,
    start: { after: RowPosition | undefined; lease: Lease | undefined },
  ): AsyncGenerator<WrittenPage> {
    const { lease } = start;
    const step = { timeoutMs: this.env.REQUEST_TIMEOUT_MS, lease, answerBytes: PAGE_BYTES };
    let { after } = start;
    for (;;) {
      const page = await inStep(step, async () => {
        const next = writtenPage(await section.next(request, after));
        // counts when its turn is over, too: until the next one is asked for, the client has not taken it
        lease?.keep(heldBytes(next.text));
        return next;
      });
      if (!page.last) return;
      yield page;
      lease?.keep(0);
      after = page.last;
    }
  }
}

interface WrittenPage {
  readonly text: string;
  readonly count: number;
  readonly last: RowPosition | undefined;
}

const writtenPage = ({ lines, last }: ExportPage): WrittenPage => ({
  text: lines.map(written).join(''),
  count: lines.length,
  last,
});

const written = (line: object): string => `${JSON.stringify(line)}\n`;
