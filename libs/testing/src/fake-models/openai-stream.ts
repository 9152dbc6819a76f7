import { isJson, type Json, listIn, type ProviderAnswer } from './provider-answer.js';

/** A completion as OpenAI streams it: who speaks, what is said, why it ends, what it cost. */
export function streamed({ choices, usage, ...rest }: Json): ProviderAnswer {
  const [choice] = listIn(choices);
  const { message, finish_reason } = isJson(choice) ? choice : {};
  const { tool_calls, ...said } = isJson(message) ? message : {};
  const calls = listIn(tool_calls).filter(isJson);
  const delta = calls.length === 0 ? said : { ...said, tool_calls: calls.map(numbered) };
  const chunkOf = (body: Json): Json => ({ ...rest, object: 'chat.completion.chunk', ...body });
  const chunks = [
    chunkOf({ choices: [{ index: 0, delta, finish_reason: null }] }),
    chunkOf({ choices: [{ index: 0, delta: {}, finish_reason }] }),
    chunkOf({ choices: [], usage }),
  ].map((chunk) => JSON.stringify(chunk));
  const body = [...chunks, '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
  return { status: 200, headers: { 'content-type': EVENT_STREAM }, body };
}

export const EVENT_STREAM = 'text/event-stream';

const numbered = (call: Json, index: number): Json => ({ index, ...call });
