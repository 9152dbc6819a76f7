import {
  type EpisodePosition,
  exportEpisodes,
  getEpisodicSettings,
  getProject,
  type Tenant,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { RequestContext } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { GatewayEnv } from '../env.js';
import { endLine, episodeLine, headerLine } from './transfer-lines.wire.js';

/** Writes a project out, line by line, holding one page at a time. */
@Injectable()
export class ProjectExport {
  constructor(
    private readonly rpc: RpcClient,
    private readonly env: GatewayEnv,
  ) {}

  /** @throws AppError `project_not_found`, before the first line */
  async open(tenant: Tenant, after: EpisodePosition | undefined): Promise<AsyncGenerator<string>> {
    const project = await this.rpc.call(getProject, { tenant });
    const settings = await this.rpc.call(getEpisodicSettings, { tenant });
    return this.lines(tenant, headerLine(project, settings), after);
  }

  private async *lines(
    tenant: Tenant,
    header: object,
    start: EpisodePosition | undefined,
  ): AsyncGenerator<string> {
    yield written(header);
    let [after, count] = [start, 0];
    for (;;) {
      const { episodes } = await withTimeAnew(this.env.REQUEST_TIMEOUT_MS, () =>
        this.rpc.call(exportEpisodes, { tenant, after }),
      );
      const last = episodes.at(-1);
      if (!last) break;
      yield episodes.map((episode) => written(episodeLine(episode))).join('');
      after = { createdAt: last.createdAt, uid: last.uid };
      count += episodes.length;
    }
    yield written(endLine(count));
  }
}

const written = (line: object): string => `${JSON.stringify(line)}\n`;

/** Each step of a transfer has the time of a request: the whole may take as long as it takes. */
export const withTimeAnew = <T>(timeoutMs: number, step: () => Promise<T>): Promise<T> => {
  const scope = RequestContext.current() ?? { requestId: 'transfer' };
  return RequestContext.run({ ...scope, deadlineMs: Date.now() + timeoutMs }, step);
};
