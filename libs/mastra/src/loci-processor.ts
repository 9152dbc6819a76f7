import { type Memory, turnOf } from '@loci/client';
import {
  type ProcessInputArgs,
  type ProcessInputResult,
  type Processor,
  type ProcessOutputResultArgs,
} from '@mastra/core/processors';
import { DEFAULT_TIMEOUT_MS, remembered, textOfLast } from './remembered.js';

type Said = ProcessInputArgs['messages'];

export interface LociProcessorOptions {
  /** Tokens of the context at most; default 1000. */
  readonly maxTokens?: number;
  /** Whether what the user says and the agent answers is stored; default true. */
  readonly remember?: boolean;
  /** Milliseconds that memory may take before the model is asked, and again to store what was said; default 10000. */
  readonly timeoutMs?: number;
  /** Hears of a failure of memory, after which the agent answers without it. Default: the failure is thrown. */
  readonly onError?: (error: unknown) => void;
}

/**
 * A processor of an agent: before the model it adds what is remembered behind the instructions, after it it stores what was
 * said. It has to stand on both sides.
 * @example
 * const memory = new LociProcessor(loci.memory({ org, project, user }));
 * new Agent({ id, name, instructions, model, inputProcessors: [memory], outputProcessors: [memory] });
 */
export class LociProcessor implements Processor<'loci-memory'> {
  readonly id = 'loci-memory';
  readonly name = 'Memory of Loci';

  constructor(
    private readonly memory: Memory,
    private readonly options: LociProcessorOptions = {},
  ) {}

  async processInput(args: ProcessInputArgs): Promise<ProcessInputResult> {
    const { messages, systemMessages } = args;
    let content: string | undefined;
    await this.attempt(async () => {
      content = await remembered(this.memory, args, this.options);
    });
    if (content === undefined) return messages;
    return { messages, systemMessages: [...systemMessages, { role: 'system', content }] };
  }

  async processOutputResult(args: ProcessOutputResultArgs): Promise<Said> {
    const { messages, messageList, result } = args;
    if (this.options.remember === false) return messages;
    const said = turnOf(textOfLast(messageList.get.input.db(), 'user'), result.text);
    await this.attempt(async () => {
      const { timeoutMs = DEFAULT_TIMEOUT_MS } = this.options;
      if (said.length > 0) await this.memory.add(said, { signal: AbortSignal.timeout(timeoutMs) });
    });
    return messages;
  }

  private async attempt(task: () => Promise<unknown>): Promise<void> {
    try {
      await task();
    } catch (error) {
      if (!this.options.onError) throw error;
      this.options.onError(error);
    }
  }
}
