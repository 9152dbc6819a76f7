export interface Rotation {
  readonly root: string;
  readonly keep: number;
  ifUnclaimed(name: string, work: () => Promise<void>): Promise<void>;
  save(): Promise<void>;
  say(sentence: string): void;
}

export function rotate(rotation: Rotation): Promise<void>;
