import { MAX_ANSWER_BYTES } from '@loci/contracts';
import { execute, rowsWithin, scopedManager, type Transaction, UnitOfWork } from '@loci/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { SemanticServiceEnv } from '../env.js';
import { raiseOfSets } from '../notifications/raise-of-sets.js';
import { union } from '../features/feature-states.js';
import { type Scope } from '../projects/project.js';
import { rowsIn } from '../projects/row-scope.js';
import { countProposals } from './count-proposals.sql.js';
import { findProposal } from './find-proposal.sql.js';
import { listProposals } from './list-proposals.sql.js';
import { toProposal } from './proposal-rows.js';
import { ProposalEntity } from './proposal.entity.js';
import { type NewProposal, type Proposal } from './proposal.js';
import { removeProposal } from './remove-proposal.sql.js';
import { SAME_PROPOSAL } from './same-proposal.sql.js';

/** Messages that one proposal cites: the first ones that brought it about. */
const MAX_CITATIONS = 100;

/** Open proposals; a decided one is gone. What a scope does not show is not there. */
@Injectable()
export class ProposalsRepository {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    @Inject(SemanticServiceEnv) private readonly env: Pick<SemanticServiceEnv, 'MAX_PROPOSALS_PER_SET'>,
  ) {}

  /**
   * One that asks for the same as an open one becomes one with it. Takes place under the lock of the set.
   * @returns false when the set has as many as it may have
   */
  async add(proposal: NewProposal, tx: Transaction): Promise<boolean> {
    const { location, command, subject, category, tag, name, value, features, jobId, model } = proposal;
    const { setUid, orgId, projectUid } = location;
    const manager = await scopedManager(tx, rowsIn(location));
    const same = [setUid, category, command, tag, name, value, proposal.sourceProjectUid, subject];
    const [known] = await execute(manager, SAME_PROPOSAL, same);
    if (!known) {
      const open = await manager.countBy(ProposalEntity, { setUid });
      if (open >= this.env.MAX_PROPOSALS_PER_SET) return false;
    }
    const citations = union(known?.citations ?? [], proposal.citations).slice(0, MAX_CITATIONS);
    const current = {
      features: [...features],
      featureUids: features.map(({ uid }) => uid),
      citations: [...citations],
      validity: proposal.validity,
      episodeUids: citations.map(({ episodeUid }) => episodeUid),
      jobId: jobId ?? null,
      model: model ?? null,
    };
    if (known) await manager.update(ProposalEntity, { setUid, uid: known.uid }, current);
    else {
      const uid = uuidv7();
      await manager.insert(ProposalEntity, {
        uid,
        setUid,
        orgId,
        projectUid: projectUid ?? null,
        command,
        subject: subject ?? null,
        category,
        tag,
        name,
        value,
        sourceProjectUid: proposal.sourceProjectUid ?? null,
        ...current,
      });
      const data = { proposal_id: uid, category };
      await raiseOfSets('proposal.added', location, [{ setUid, data }], tx);
    }
    return true;
  }

  /** Oldest first; `total` counts all pages. @param setUid undefined = of all sets */
  async list(
    scope: Scope,
    setUid: string | undefined,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): Promise<{ proposals: Proposal[]; total: number }> {
    const values = [scope.orgId, scope.projectUid, setUid];
    const inScope = { scope: rowsIn(scope) };
    const [counted] = await this.unitOfWork.execute(countProposals(scope), values, inScope);
    const rows = await this.unitOfWork.execute(
      listProposals(scope),
      [...values, limit, offset, MAX_ANSWER_BYTES],
      inScope,
    );
    const asked = { maxBytes: MAX_ANSWER_BYTES, field: 'page_size', count: limit };
    return { proposals: rowsWithin(rows, asked).map(toProposal), total: counted?.total ?? 0 };
  }

  async find(scope: Scope, uid: string, tx: Transaction): Promise<Proposal | undefined> {
    const values = [scope.orgId, scope.projectUid, uid];
    const [row] = await this.unitOfWork.execute(findProposal(scope), values, { tx, scope: rowsIn(scope) });
    return row && toProposal(row);
  }

  /** @returns false when it is gone already */
  async remove(scope: Scope, uid: string, tx: Transaction): Promise<boolean> {
    const values = [scope.orgId, scope.projectUid, uid];
    const rows = await this.unitOfWork.execute(removeProposal(scope), values, { tx, scope: rowsIn(scope) });
    return rows.length === 1;
  }
}
