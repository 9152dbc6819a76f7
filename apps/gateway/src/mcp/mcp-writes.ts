import {
  addEpisodes,
  type Filter,
  type FilterField,
  type IdempotencyToken,
  listEpisodes,
  listFeatures,
  notFound,
  type PageByPosition,
  type RemovedEpisodes,
  removeEpisodes,
  removeFeatures,
  type RowPosition,
  settleConflict,
  updateFeature,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Injectable } from '@nestjs/common';
import { type Caller } from '../access/caller.js';
import { episodesOf, setMetadataOf } from '../context/context-scope.js';
import { type AddMemoriesBody, toAddEpisodes } from '../memories/add-memories.wire.js';
import { refuseMissing } from '../wire/errors/refuse-missing.js';
import { type McpScope } from './mcp-identity.js';
import { bothOf } from './mcp-reads.js';

const UID: FilterField = { kind: 'system', name: 'uid' };

/** Rows of one page of the look whether they are of the user. */
const PAGE_SIZE = 100;

interface Correction {
  readonly value: string;
  readonly idempotency: IdempotencyToken | undefined;
}

/** What MCP clients write. Where the scope names a user, what is not of this user does not exist. */
@Injectable()
export class McpWrites {
  constructor(private readonly rpc: RpcClient) {}

  /** @returns the uid of the only message */
  async add(
    body: AddMemoriesBody,
    caller: Caller,
    idempotency: IdempotencyToken | undefined,
  ): Promise<readonly string[]> {
    return (await this.rpc.call(addEpisodes, toAddEpisodes(body, caller, idempotency))).uids;
  }

  /** @throws AppError `feature_not_found` */
  async correct(scope: McpScope, featureId: string, given: Correction): Promise<void> {
    const { tenant, organization } = scope;
    await this.requireOwn(scope, featureId);
    await this.rpc.call(updateFeature, { tenant, organization, featureId, ...given });
  }

  /** @throws AppError `feature_not_found`, `conflict_not_found` */
  async settle(scope: McpScope, featureId: string, idempotency: IdempotencyToken | undefined): Promise<void> {
    const { tenant, organization } = scope;
    await this.requireOwn(scope, featureId);
    await this.rpc.call(settleConflict, { tenant, organization, featureId, idempotency });
  }

  private async requireOwn(scope: McpScope, featureId: string): Promise<void> {
    const [own] = await this.ownFeatures(scope, [featureId]);
    if (own === undefined)
      throw notFound(
        'feature_not_found',
        'This fact does not exist; search_memory and list_memories show the ids.',
      );
  }

  /** @throws AppError `memory_not_found` with the ids that are not there; the others are deleted */
  async remove(scope: McpScope, uids: readonly string[], featureIds: readonly string[]): Promise<void> {
    const [episodes, features] = await Promise.all([
      this.removeOwn(
        uids,
        () => this.ownEpisodes(scope, uids),
        (own) => this.rpc.call(removeEpisodes, { tenant: scope.tenant, uids: own }),
      ),
      this.removeOwn(
        featureIds,
        () => this.ownFeatures(scope, featureIds),
        (own) => {
          const { tenant, organization } = scope;
          return this.rpc.call(removeFeatures, { tenant, organization, featureIds: own });
        },
      ),
    ]);
    refuseMissing({
      deleted: [...episodes.deleted, ...features.deleted],
      notFound: [...episodes.notFound, ...features.notFound],
    });
  }

  private async removeOwn(
    named: readonly string[],
    findOwn: () => Promise<readonly string[]>,
    remove: (own: readonly string[]) => Promise<RemovedEpisodes>,
  ): Promise<RemovedEpisodes> {
    const own = named.length > 0 ? new Set(await findOwn()) : new Set();
    const foreign = named.filter((id) => !own.has(id));
    if (own.size === 0) return { deleted: [], notFound: foreign };
    const removed = await remove(named.filter((id) => own.has(id)));
    return { deleted: removed.deleted, notFound: [...foreign, ...removed.notFound] };
  }

  private async ownEpisodes({ tenant, user }: McpScope, uids: readonly string[]): Promise<readonly string[]> {
    if (user === undefined) return uids;
    const filter = bothOf(isOneOf(uids), episodesOf({ user }));
    return everyId(async (byPosition) => {
      const asked = { tenant, filter, pageSize: PAGE_SIZE, pageNum: 0, byPosition };
      const { episodes, next } = await this.rpc.call(listEpisodes, asked);
      return { ids: episodes.map(({ uid }) => uid), next };
    });
  }

  private async ownFeatures(
    { tenant, organization, user }: McpScope,
    ids: readonly string[],
  ): Promise<readonly string[]> {
    if (user === undefined) return ids;
    const of = { tenant, organization, user, setMetadata: setMetadataOf({ user }), filter: isOneOf(ids) };
    return everyId(async (byPosition) => {
      const asked = { ...of, pageSize: PAGE_SIZE, pageNum: 0, byPosition };
      const { features, next } = await this.rpc.call(listFeatures, asked);
      return { ids: features.map(({ featureId }) => featureId), next };
    });
  }
}

const isOneOf = (ids: readonly string[]): Filter => ({
  op: 'in',
  field: UID,
  values: ids.map((value) => ({ type: 'string', value })),
});

interface IdPage {
  readonly ids: readonly string[];
  readonly next?: RowPosition | undefined;
}

async function everyId(read: (page: PageByPosition) => Promise<IdPage>): Promise<string[]> {
  const all: string[] = [];
  for (let after: RowPosition | undefined, isMore = true; isMore;) {
    const { ids, next } = await read({ after });
    all.push(...ids);
    [after, isMore] = [next, next !== undefined];
  }
  return all;
}
