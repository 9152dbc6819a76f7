import {
  exportEpisodes,
  exportSemantic,
  type ExportedEpisode,
  getIngestedMessages,
  type RowPosition,
  type TimedRequest,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Injectable } from '@nestjs/common';
import { cursorBehind, type LineKind } from './export-cursor.js';
import { type PartLines } from './part-lines.js';
import { FEATURE_LINES, STRUCTURE_LINES } from './semantic-lines.wire.js';
import { episodeLine } from './transfer-lines.wire.js';

/** Some lines of one kind. */
export interface ExportPage {
  readonly lines: readonly object[];
  /** Where the last of them is; absent behind the last one that there is. */
  readonly last?: RowPosition | undefined;
}

/** The lines of one kind, page by page. */
export interface ExportSection {
  readonly kind: LineKind;
  next(request: TimedRequest, after: RowPosition | undefined): Promise<ExportPage>;
}

/** Asks each service for its own part of a project. */
@Injectable()
export class ExportPages {
  /** In the sequence in which an import needs them. */
  readonly sections: readonly ExportSection[] = [
    ...STRUCTURE_LINES.map((lines) => this.semantic(lines)),
    { kind: 'episode', next: (request, after) => this.episodes(request, after) },
    this.semantic(FEATURE_LINES),
  ];

  constructor(private readonly rpc: RpcClient) {}

  private async episodes(request: TimedRequest, after: RowPosition | undefined): Promise<ExportPage> {
    const { tenant } = request;
    const { episodes } = await this.rpc.call(exportEpisodes, { tenant, after });
    const last = episodes.at(-1);
    if (!last) return { lines: [] };
    const ingested = await this.ingested(request, episodes);
    return {
      lines: episodes.map((episode) => episodeLine({ ...episode, ingested: ingested(episode) })),
      last: { createdAt: last.createdAt, uid: last.uid },
    };
  }

  /**
   * Semantic memory knows what it has ingested; of what it has not yet heard, the episode itself may know something. Sets
   * whose facts do not go along are to learn from the message where it is imported.
   */
  private async ingested(
    { tenant, organization }: TimedRequest,
    episodes: readonly ExportedEpisode[],
  ): Promise<(episode: ExportedEpisode) => ExportedEpisode['ingested']> {
    const learnable = episodes.filter(({ types }) => types.includes('semantic'));
    if (learnable.length === 0) return () => undefined;
    const uids = learnable.map(({ uid }) => uid);
    const { messages } = await this.rpc.call(getIngestedMessages, { tenant, uids });
    const known = new Map(messages.map(({ uid, ingested }) => [uid, ingested]));
    return ({ uid, ingested }) =>
      (known.get(uid) ?? ingested)?.filter(({ isOrgLevel }) => !isOrgLevel || organization !== 'none');
  }

  private semantic(form: PartLines): ExportSection {
    const { kind, part } = form;
    return {
      kind,
      next: async (request, after) => {
        const { parts, positions } = await this.rpc.call(exportSemantic, { ...request, part, after });
        const lines = form.write(parts).flatMap((line, index) => {
          const position = positions[index];
          return position ? [{ kind, cursor: cursorBehind(kind, position), ...line }] : [];
        });
        return { lines, last: positions.at(-1) };
      },
    };
  }
}
