export interface Scale {
  readonly episodes: number;
  readonly projects: number;
  /** Episodes of the project that is searched; the others share the rest. */
  readonly searched: number;
  readonly quantized: boolean;
  /** Of vectors; undefined: those of the embedder that comes with Loci. */
  readonly dimensions: number | undefined;
}

export interface ScaleOptions {
  /** Searches, and adds, that are timed. */
  readonly requests: number;
  /** Sets that are due while claims are timed. */
  readonly due: number;
}

/** Whose projects are filled; their ids are numbers, and the first is searched. */
export const ORGANIZATION = 'scale';
export const SEARCHED = { org_id: ORGANIZATION, project_id: '0' };
