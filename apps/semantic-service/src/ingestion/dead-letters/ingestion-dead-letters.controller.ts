import {
  type ChangeIngestionDeadLetterRequest,
  type Done,
  dropIngestionDeadLetter,
  getIngestionDeadLetter,
  type IngestionDeadLetter as Letter,
  type IngestionDeadLetterList,
  type IngestionDeadLetterRequest,
  type IngestionPageRequest,
  listIngestionDeadLetters,
  replayIngestionDeadLetter,
  replayIngestionDeadLetters,
  type ReplayedDeadLetters,
  type ReplayIngestionDeadLettersRequest,
  tenantName,
} from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { Idempotency } from '@loci/persistence';
import { Controller } from '@nestjs/common';
import { ProjectsService } from '../../projects/projects.service.js';
import { type IngestionDeadLetter } from './ingestion-dead-letters.repository.js';
import { IngestionDeadLettersService, type RunOnce } from './ingestion-dead-letters.service.js';

@Controller()
export class IngestionDeadLettersController {
  constructor(
    private readonly letters: IngestionDeadLettersService,
    private readonly projects: ProjectsService,
    private readonly idempotency: Idempotency,
  ) {}

  @Handle(listIngestionDeadLetters)
  async list(request: IngestionPageRequest): Promise<IngestionDeadLetterList> {
    const { pageSize, pageNum } = request;
    const page = { offset: pageSize * pageNum, limit: pageSize };
    const { letters, total } = await this.letters.list(await this.projects.scope(request), page);
    return { letters: letters.map(toContract), total };
  }

  @Handle(getIngestionDeadLetter)
  async get(request: IngestionDeadLetterRequest): Promise<Letter> {
    return toContract(await this.letters.get(await this.projects.scope(request), request.id));
  }

  @Handle(replayIngestionDeadLetter)
  async replay(request: ChangeIngestionDeadLetterRequest): Promise<Done> {
    const once = this.once(replayIngestionDeadLetter.subject, request);
    await this.letters.replay(await this.projects.changeScope(request), request.id, once);
    return {};
  }

  @Handle(replayIngestionDeadLetters)
  async replayAll(request: ReplayIngestionDeadLettersRequest): Promise<ReplayedDeadLetters> {
    const scope = await this.projects.changeScope(request);
    const operation = { tenant: tenantName(request.tenant), operation: replayIngestionDeadLetters.subject };
    const replayed = await this.letters.replayAll(scope, (prepare, work) =>
      this.idempotency.runPrepared(operation, request.idempotency, prepare, work),
    );
    return { replayed };
  }

  @Handle(dropIngestionDeadLetter)
  async drop(request: ChangeIngestionDeadLetterRequest): Promise<Done> {
    const once = this.once(dropIngestionDeadLetter.subject, request);
    await this.letters.drop(await this.projects.changeScope(request), request.id, once);
    return {};
  }

  private once(operation: string, { tenant, idempotency }: ReplayIngestionDeadLettersRequest): RunOnce {
    return (work) => this.idempotency.run({ tenant: tenantName(tenant), operation }, idempotency, work);
  }
}

const toContract = ({ uid, episodeUids, ...letter }: IngestionDeadLetter): Letter => ({
  id: uid,
  episodeIds: episodeUids,
  ...letter,
});
