import {
  type ImportedEpisode,
  MAX_EPISODES_PER_IMPORT,
  MAX_PARTS_PER_IMPORT,
  type SemanticPart,
  type SemanticParts,
} from '@loci/contracts';

const MAX_BATCH_BYTES = 1024 * 1024;

type Group = 'structure' | 'episodes' | 'features';

/** Parts that are being gathered. */
type GatheredParts = { -readonly [Part in SemanticPart]: SemanticParts[Part][number][] };

/**
 * Lines that are stored together. Those of one group only: a message is learned from by what stands before it, and is
 * cited by what stands behind it.
 */
export class ImportBatch {
  private readonly gathered: ImportedEpisode[] = [];
  private readonly parts: GatheredParts = {
    setTypes: [],
    templates: [],
    sets: [],
    categories: [],
    features: [],
  };
  private group: Group | undefined;
  private bytes = 0;
  private count = 0;
  private passed = 0;

  get episodes(): readonly ImportedEpisode[] {
    return this.gathered;
  }

  get semantic(): SemanticParts | undefined {
    return this.group === 'episodes' || this.group === undefined ? undefined : this.parts;
  }

  get size(): number {
    return this.count;
  }

  get isFull(): boolean {
    const most = this.group === 'episodes' ? MAX_EPISODES_PER_IMPORT : MAX_PARTS_PER_IMPORT;
    return this.count + this.passed >= most || this.bytes >= MAX_BATCH_BYTES;
  }

  /** Whether a line of this kind has to wait until the batch is stored. */
  excludes(kind: SemanticPart | 'episodes'): boolean {
    return this.group !== undefined && this.group !== groupOf(kind);
  }

  addEpisode(episode: ImportedEpisode, bytes: number): void {
    this.gathered.push(episode);
    this.note('episodes', bytes);
  }

  addPart<Part extends SemanticPart>(part: Part, value: SemanticParts[Part][number], bytes: number): void {
    (this.parts[part] as SemanticParts[Part][number][]).push(value);
    this.note(groupOf(part), bytes);
  }

  /** A line was read of which nothing is stored. */
  pass(bytes: number): void {
    this.bytes += bytes;
    this.passed += 1;
  }

  private note(group: Group, bytes: number): void {
    this.group = group;
    this.bytes += bytes;
    this.count += 1;
  }
}

function groupOf(kind: SemanticPart | 'episodes'): Group {
  if (kind === 'episodes') return 'episodes';
  return kind === 'features' ? 'features' : 'structure';
}
