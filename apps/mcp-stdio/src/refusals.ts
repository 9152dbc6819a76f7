import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type Settings } from './settings.js';

export interface Refusal {
  /** One sentence: what happened and what to do. */
  readonly text: string;
  /** Whether there was no answer: trying again may help. */
  readonly isAway: boolean;
}

/** Why a message was not taken. */
export function refusalOf(error: unknown, { endpoint, headers }: Settings): Refusal {
  if (error instanceof StreamableHTTPError) {
    return { text: answered(error, endpoint, 'authorization' in headers), isAway: false };
  }
  const text = `Loci at ${endpoint.origin} did not answer: ${reasonOf(error)}. Start it, or correct LOCI_URL.`;
  return { text, isAway: true };
}

function answered({ code, message }: StreamableHTTPError, endpoint: URL, hasKey: boolean): string {
  if (code === 401) {
    return hasKey
      ? `Loci at ${endpoint.origin} does not know the key in LOCI_API_KEY (401). Check it, or ask for a new one.`
      : `Loci at ${endpoint.origin} asks for a key (401). Set LOCI_API_KEY.`;
  }
  if (code === 403)
    return `The key in LOCI_API_KEY may not read at ${endpoint.origin} (403). Use one that may.`;
  if (code === 404 || code === 405 || code === -1 || (code !== undefined && code >= 300 && code < 400)) {
    return `There is no Loci at ${endpoint.href} (${code}). Correct LOCI_URL: it is where Loci is, without /mcp.`;
  }
  return `Loci at ${endpoint.origin} answered ${code}: ${message}`;
}

/** What fetch hides behind "fetch failed". */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const reason = cause instanceof Error && cause.message !== '' ? cause.message : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  return reason ?? code ?? error.message;
}
