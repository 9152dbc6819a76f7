import { ProviderFailure } from '../calls/provider-failure.js';
import { type ChatMessage } from '../language-model.js';
import { type ReplySchema } from './completion-client.js';

/**
 * The ways to ask a server for JSON, strictest first. One that it rejects is not tried again, once a looser one was
 * accepted in its place.
 */
export class ReplyFormats<Format> {
  private usable: readonly Format[];

  constructor(formats: readonly [Format, ...Format[]]) {
    this.usable = formats;
  }

  /** @param toFailure what an error of the call means */
  async tryEach<T>(
    call: (format: Format) => Promise<T>,
    toFailure: (error: unknown) => ProviderFailure,
  ): Promise<T> {
    let first: ProviderFailure | undefined;
    for (const [index, format] of this.usable.entries()) {
      try {
        const result = await call(format);
        this.usable = this.usable.slice(index);
        return result;
      } catch (error) {
        const failure = toFailure(error);
        if (failure.reason !== 'rejected') throw failure;
        first ??= failure;
      }
    }
    throw first ?? new ProviderFailure('rejected', 'rejected the request');
  }
}

/** For models that don't know schemas: the schema in words, as the first message. */
export const withSchemaInPrompt = (
  messages: readonly ChatMessage[],
  { schema }: ReplySchema,
): readonly ChatMessage[] => [
  {
    role: 'system',
    content: `Reply with one JSON object and nothing else. It must fit this JSON schema:\n${JSON.stringify(schema)}`,
  },
  ...messages,
];
