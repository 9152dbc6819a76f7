import { type ErrorCode } from '@loci/contracts';
import { SetMetadata } from '@nestjs/common';
import { type TSchema } from 'typebox';

/** What the API document says of a route that cannot be read off its handler. */
export interface RouteDocumentation {
  /** Its operationId: what client libraries call it. Unique. */
  readonly name: string;
  /** One sentence: what it does. */
  readonly summary: string;
  /** What else a client has to know, in Markdown. */
  readonly description?: string;
  /** The schema of the answer; absent = an empty body. */
  readonly answer?: TSchema;
  /** The media type of the answer, if that is not JSON. */
  readonly media?: string;
  /** The media type of a body that no class of the handler describes. */
  readonly takes?: string;
  /** The schema of such a body. */
  readonly body?: TSchema;
  /** Bodies that it takes, by what each shows; absent: one is made of the examples of its fields. */
  readonly examples?: Readonly<Record<string, object>>;
  /** Headers that the answer always has: what each means. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers that the answer may have. */
  readonly optionalHeaders?: Readonly<Record<string, string>>;
  /** What it also answers, by status, with none of our codes. */
  readonly furtherAnswers?: Readonly<Record<number, FurtherAnswer>>;
  /** Schemas of the variable segments of its path; absent = any text. */
  readonly path?: Readonly<Record<string, TSchema>>;
  /** Codes that it refuses with 400, and what each says. */
  readonly badRequests?: Readonly<Record<string, string>>;
  /** What it can be refused with, beyond what every route of its kind can. */
  readonly errors?: readonly ErrorCode[];
}

/** An answer that is neither what was asked for nor a refusal of ours. */
export interface FurtherAnswer {
  /** One sentence: what it means. */
  readonly description: string;
  /** The schema of its JSON; absent = an empty body. */
  readonly answer?: TSchema;
}

const ROUTE = 'loci:documented';
const TAG = 'loci:tagged';
const HIDDEN = 'loci:hidden';

/** Documents a route. Its path, method, status, body, query and idempotency key are read off the handler. */
export const Documented = (documentation: RouteDocumentation): MethodDecorator =>
  SetMetadata(ROUTE, documentation);

/** The section of the document that the routes of a controller belong to. */
export const Tagged = (tag: string): ClassDecorator => SetMetadata(TAG, tag);

/** Keeps a route out of the document: it is a page, not part of the API. */
export const Hidden = (): MethodDecorator => SetMetadata(HIDDEN, true);

export const documentationOf = (handler: object): RouteDocumentation | undefined =>
  Reflect.getMetadata(ROUTE, handler) as RouteDocumentation | undefined;

export const tagOf = (controller: object): string | undefined =>
  Reflect.getMetadata(TAG, controller) as string | undefined;

export const isHidden = (handler: object): boolean => Reflect.getMetadata(HIDDEN, handler) === true;
