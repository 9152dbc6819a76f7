import { AppError, type EpisodicMemoryConfiguration } from '@loci/contracts';
import { type Registry } from '@loci/registry';

/** What counts until config-service has answered for the first time. */
const UNTIL_KNOWN = {
  enabled: true,
  longTerm: { enabled: true, reranker: '' },
  shortTerm: { enabled: true, messageCapacity: 64_000 },
} as const;

type Known = Pick<EpisodicMemoryConfiguration, 'enabled'> & {
  readonly longTerm: Pick<EpisodicMemoryConfiguration['longTerm'], 'enabled' | 'reranker'>;
  readonly shortTerm: EpisodicMemoryConfiguration['shortTerm'];
};

/** How episodic memory works in this deployment: as it is now, to be asked again for every piece of work. */
export class MemorySettings {
  constructor(private readonly registry: Pick<Registry, 'memory'>) {}

  get isEnabled(): boolean {
    return this.known.enabled;
  }

  get isLongTermEnabled(): boolean {
    return this.known.enabled && this.known.longTerm.enabled;
  }

  get isShortTermEnabled(): boolean {
    return this.known.enabled && this.known.shortTerm.enabled;
  }

  /** Characters that fit into the short-term window of a project, its summary included. */
  get capacityChars(): number {
    return this.known.shortTerm.messageCapacity;
  }

  /** Name of the language model that writes summaries; undefined: there are none. */
  get summaryModel(): string | undefined {
    return this.known.shortTerm.llmModel || undefined;
  }

  /** Name of the reranker of projects that chose none; empty: none. */
  get reranker(): string {
    return this.known.longTerm.reranker;
  }

  private get known(): Known {
    try {
      return this.registry.memory.episodic;
    } catch (error) {
      if (error instanceof AppError && error.code === 'registry_unavailable') return UNTIL_KNOWN;
      throw error;
    }
  }
}
