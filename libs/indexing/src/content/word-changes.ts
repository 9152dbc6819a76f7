import { Injectable } from '@nestjs/common';

/** What came and went of one owner. */
export interface ChangedWords {
  /** Rows that came, or were changed. */
  readonly added: number;
  /** Whether rows went. */
  readonly isRemoved: boolean;
}

/**
 * What changed, until it is written down with all else that did. A crash forgets the changes of a few seconds: then the next
 * ones have the words counted a little later.
 */
@Injectable()
export class WordChanges {
  private noted = new Map<string, ChangedWords>();
  private heard: () => void = () => undefined;

  /** Calls this whenever something changed. */
  onChange(heard: () => void): void {
    this.heard = heard;
  }

  noteAdded(ownerUid: string, rows: number): void {
    this.note(ownerUid, rows, false);
  }

  noteRemoved(ownerUid: string): void {
    this.note(ownerUid, 0, true);
  }

  /** What changed since they were taken last, by owner. */
  take(): ReadonlyMap<string, ChangedWords> {
    const taken = this.noted;
    this.noted = new Map();
    return taken;
  }

  /** What was taken and could not be written down. */
  putBack(taken: ReadonlyMap<string, ChangedWords>): void {
    for (const [ownerUid, changed] of taken) this.add(ownerUid, changed);
  }

  private note(ownerUid: string, added: number, isRemoved: boolean): void {
    this.add(ownerUid, { added, isRemoved });
    this.heard();
  }

  private add(ownerUid: string, { added, isRemoved }: ChangedWords): void {
    const known = this.noted.get(ownerUid) ?? { added: 0, isRemoved: false };
    this.noted.set(ownerUid, { added: known.added + added, isRemoved: known.isRemoved || isRemoved });
  }
}
