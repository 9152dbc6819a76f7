import { type Revised, ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { IndexedTable } from '../index-versions/indexed-table.js';
import { CountedWords } from './counted-words.js';
import { noteChangedWords } from './note-changed-words.sql.js';
import { readWords } from './read-words.sql.js';
import { saveWords } from './save-words.sql.js';
import { takeUncounted } from './take-uncounted.sql.js';
import { type ChangedWords } from '../content/word-changes.js';

/** An owner whose words are to be counted. */
export interface UncountedWords {
  readonly ownerUid: string;
  /** Changes that the count answers to. */
  readonly changed: number;
  /** Tells whether more changed while they were counted. */
  readonly token: string;
}

const statementsOf = (table: IndexedTable) => ({
  note: noteChangedWords(table),
  read: readWords(table),
  save: saveWords(table),
  take: takeUncounted(table),
});

/** For statements that are about all owners, or join them. */
const IN_ALL = { scope: ROWS_OF_ALL };

/** How often words are in the texts of each owner. */
@Injectable()
export class WordStatisticsRepository {
  private readonly statements: ReturnType<typeof statementsOf>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly table: IndexedTable,
  ) {
    this.statements = statementsOf(table);
  }

  /** Undefined when nothing was counted, or the owner is gone. */
  async of(ownerUid: string): Promise<Revised<CountedWords> | undefined> {
    const scope = this.table.scopeOf(ownerUid);
    const [row] = await this.unitOfWork.execute(this.statements.read, [ownerUid], { scope });
    return row && { revision: row.revision, value: new CountedWords(row.texts, row.terms) };
  }

  /** Notes what changed, and so which owners are to be counted. */
  async note(changes: ReadonlyMap<string, ChangedWords>): Promise<void> {
    const columns = [
      [...changes.keys()],
      [...changes.values()].map(({ added }) => added),
      [...changes.values()].map(({ isRemoved }) => isRemoved),
    ];
    await this.unitOfWork.execute(this.statements.note, columns, IN_ALL);
  }

  /** Takes some owners whose words are to be counted: no other worker counts them in the next minute. */
  take(limit: number): Promise<UncountedWords[]> {
    return this.unitOfWork.execute(this.statements.take, [limit], IN_ALL);
  }

  /** Notes the words of an owner that was taken. */
  async save({ ownerUid, changed, token }: UncountedWords, { texts, terms }: CountedWords): Promise<void> {
    const values = [ownerUid, changed, token, texts, terms];
    await this.unitOfWork.execute(this.statements.save, values, IN_ALL);
  }
}
