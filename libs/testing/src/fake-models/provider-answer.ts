import { type IncomingHttpHeaders } from 'node:http';

export type Json = Readonly<Record<string, unknown>>;

/** What a provider answers. */
export interface ProviderAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request as a provider's routes see it. */
export interface ProviderRequest {
  readonly path: string;
  readonly body: Json;
  /** The API key or AWS access key id. */
  readonly key: string;
  readonly headers: IncomingHttpHeaders;
}

/** Keys and models that are refused, so that a person can see what then happens. */
export const WRONG_KEY = 'wrong-key';
export const UNKNOWN_MODEL = 'unknown-model';

export const ok = (body: unknown): ProviderAnswer => ({ status: 200, body });

/** An error in the form of FastAPI, which several providers have. */
export const detailError = (status: number, detail: string): ProviderAnswer => ({ status, body: { detail } });

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The object that a text is, or undefined. */
export function parsedObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Tokens, roughly. */
export const tokensOf = (text: string): number => Math.ceil(text.length / 4);
