import { invalid } from '@loci/contracts';
import { UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { type OpenProject, type Scope } from '../projects/project.js';
import { rowsIn } from '../projects/row-scope.js';
import { isShared, metadataOfUser } from '../sets/sets-of-user.js';
import { SetsService } from '../sets/sets.service.js';
import { isSubject } from './is-subject.sql.js';

/** Whom a request asks about, and which of its fields does. */
export interface AskedSubject {
  readonly field: string;
  readonly subject: string;
}

/** Whom a project knows anything of. */
@Injectable()
export class KnownSubjects {
  constructor(
    private readonly sets: SetsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * @param project undefined: there is none, so only the organization knows anybody
   * @throws AppError `unknown_subject` where no feature, not even one that ended, is about the subject and no message of
   * such a user was taken in
   */
  async require(project: OpenProject | undefined, scope: Scope, asked: AskedSubject): Promise<void> {
    const { subject } = asked;
    if (await this.isAbout(scope, subject)) return;
    if (!project || !(await this.spoke(project, scope, subject))) throw unknownSubject(asked);
  }

  private async isAbout(scope: Scope, subject: string): Promise<boolean> {
    const values = [scope.orgId, scope.projectUid, subject];
    const [row] = await this.unitOfWork.execute(isSubject(scope), values, { scope: rowsIn(scope) });
    return row?.found ?? false;
  }

  /** Messages of a user that were taken in made a set. */
  private async spoke(project: OpenProject, scope: Scope, subject: string): Promise<boolean> {
    const sets = await this.sets.setsFor(project, metadataOfUser(subject));
    const own = sets.filter((set) => !isShared(set));
    const registered = await Promise.all(own.map(({ id }) => this.sets.isRegistered(scope, id)));
    return registered.includes(true);
  }
}

export const unknownSubject = ({ field, subject }: AskedSubject): Error =>
  invalid('unknown_subject', [
    {
      loc: ['body', field],
      msg: `Nothing is known of '${subject}': no message of such a user is here, and no fact is about this name`,
      type: 'unknown_subject',
    },
  ]);
