import { isUnseen, storableText } from '@loci/platform/schema';
import { countedUsage } from '../calls/counted-usage.js';
import { ProviderFailure } from '../calls/provider-failure.js';
import { type ProviderCalls } from '../calls/provider-calls.js';
import {
  type JsonReply,
  type JsonRequest,
  LanguageModel,
  type TextReply,
  type TextRequest,
} from '../language-model.js';
import { type Completion, type CompletionClient, type ReplySchema } from './completion-client.js';
import { JsonCheck } from './json-check.js';
import { withoutBounds } from './strict-schema.js';

/** More than any model writes in one reply, several times over. */
const MAX_REPLY_CHARACTERS = 2_000_000;

/** A language model behind any provider: checks and repairs replies, and counts what they cost. */
export class ProviderLanguageModel extends LanguageModel {
  private readonly json = new JsonCheck();

  constructor(
    private readonly client: CompletionClient,
    private readonly calls: ProviderCalls,
  ) {
    super();
  }

  get name(): string {
    return this.calls.resource.name;
  }

  async generateText(request: TextRequest): Promise<TextReply> {
    const text = await this.ask(request);
    if (isUnseen(text)) throw this.unusable('gave an empty reply; try again or choose another model');
    return { text };
  }

  async generateJson(request: JsonRequest): Promise<JsonReply> {
    const schema = { name: request.schemaName, schema: withoutBounds(request.schema) };
    const reply = await this.ask(request, schema);
    const checked = this.json.check(reply, request.schema);
    if ('value' in checked) return checked;
    const asItIs = this.accepted(request, reply);
    if (asItIs && request.isBeyondRepair?.(asItIs.value)) return asItIs;
    const repaired = await this.ask(
      { ...request, messages: repairMessages(request, reply, checked.problem) },
      schema,
    );
    const checkedAgain = this.json.check(repaired, request.schema);
    if ('value' in checkedAgain) return checkedAgain;
    const usable = this.accepted(request, repaired) ?? asItIs;
    if (usable) return usable;
    throw this.unusable(
      'did not give the JSON that was asked for, even when told what was wrong; choose another model',
    );
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  private accepted({ accepts }: JsonRequest, reply: string): JsonReply | undefined {
    const checked = accepts && this.json.check(reply, accepts);
    return checked && 'value' in checked ? checked : undefined;
  }

  private async ask(request: TextRequest, json?: ReplySchema): Promise<string> {
    const { messages, maxOutputTokens, signal, beforeRequest, maxPauseMs } = request;
    const completion = await this.calls.run(
      (attempt) => this.client.complete({ messages, maxOutputTokens, json, signal: attempt }),
      { signal, beforeRequest, maxPauseMs },
    );
    const usage = countedUsage(completion.usage);
    this.calls.used(usage);
    request.onUsage?.(usage);
    if (completion.text.length > MAX_REPLY_CHARACTERS) throw this.unusable(TOO_LONG);
    request.onReply?.(storableText(completion.text));
    return this.textOf(completion);
  }

  private textOf({ end, text }: Completion): string {
    switch (end) {
      case 'cut_off':
        throw this.unusable(
          'was cut off before the end of its reply; allow it more output tokens',
          'cut_off',
        );
      case 'refused':
        throw this.unusable('refused to answer');
      case 'complete':
        return storableText(text);
    }
  }

  private unusable(message: string, kind: 'unusable_reply' | 'cut_off' = 'unusable_reply'): Error {
    return this.calls.toAppError(new ProviderFailure(kind, message));
  }
}

const TOO_LONG = `gave a reply of more than ${MAX_REPLY_CHARACTERS} characters; choose another model`;

const repairMessages = (
  { messages }: JsonRequest,
  reply: string,
  problem: string,
): JsonRequest['messages'] => [
  ...messages,
  { role: 'assistant', content: isUnseen(reply) ? '(an empty reply)' : reply },
  {
    role: 'user',
    content: `That reply can't be used. ${problem} Reply again with only the JSON object, corrected.`,
  },
];
