import { type AppliedChanges } from './feature-change.js';

/** What a change has touched so far; a feature that came and went is among the removed. */
export class TouchedFeatures {
  private readonly kinds = new Map<string, keyof AppliedChanges>();

  note(kind: keyof AppliedChanges, uid: string): void {
    const isNew = this.kinds.get(uid) === 'added';
    this.kinds.set(uid, isNew && kind === 'updated' ? 'added' : kind);
  }

  /** Notes what changes behind these touched. */
  noteAll({ kinds }: TouchedFeatures): void {
    for (const [uid, kind] of kinds) this.note(kind, uid);
  }

  get all(): string[] {
    return [...this.kinds.keys()];
  }

  get applied(): AppliedChanges {
    return { added: this.of('added'), updated: this.of('updated'), removed: this.of('removed') };
  }

  private of(kind: keyof AppliedChanges): string[] {
    return [...this.kinds].flatMap(([uid, noted]) => (noted === kind ? [uid] : []));
  }
}
