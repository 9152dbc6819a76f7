import { type Fault, type FaultKind } from './fault.js';
import { type PromptMatcher } from './scripted-replies.js';
import { isJson, type Json, ok, type ProviderAnswer } from './provider-answer.js';

interface ControlRequest {
  readonly method: string;
  readonly path: string;
  readonly body: Json;
}

const KINDS: readonly FaultKind[] = [
  'truncated',
  'invalid_json',
  'wrong_shape',
  'reset',
  'hang',
  'huge',
  'huge_error',
  'nested',
  'drip',
];

/** What tests in other processes may do to the stand-in. */
export interface Controls {
  fail(fault: Fault): void;
  /** @param times how often; absent = always */
  reply(matcher: PromptMatcher, value: unknown, times?: number): void;
  calls(): readonly { readonly path: string; readonly body: unknown }[];
  reset(): void;
}

/** The side door for tests in other processes: `POST /faults`, `POST /replies`, `GET /calls`, `POST /reset`. */
export function answerControl(
  { method, path, body }: ControlRequest,
  fake: Controls,
): ProviderAnswer | undefined {
  switch (`${method} ${path}`) {
    case 'POST /faults':
      fake.fail(faultIn(body));
      return ok({});
    case 'POST /replies': {
      const { contains, value, times } = body;
      fake.reply(
        typeof contains === 'string' ? contains : '',
        value,
        typeof times === 'number' ? times : undefined,
      );
      return ok({});
    }
    case 'GET /calls':
      return ok({ calls: fake.calls().map((call) => ({ path: call.path, body: call.body })) });
    case 'POST /reset':
      fake.reset();
      return ok({});
    default:
      return undefined;
  }
}

function faultIn({ path, text, times, delayMs, status, headers, body, kind }: Json): Fault {
  const known = KINDS.find((name) => name === kind);
  return {
    ...(typeof path === 'string' && { path }),
    ...(typeof text === 'string' && { text }),
    ...(typeof times === 'number' && { times }),
    ...(typeof delayMs === 'number' && { delayMs }),
    ...(typeof status === 'number' && { status }),
    ...(isJson(headers) && {
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    }),
    ...(body !== undefined && { body }),
    ...(known && { kind: known }),
  };
}
