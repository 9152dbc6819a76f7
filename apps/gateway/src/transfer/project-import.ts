import {
  AppError,
  importEpisodes,
  importSemantic,
  type OrganizationAccess,
  type SemanticPart,
  type Tenant,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { type JsonObject } from '@loci/platform/schema';
import { Injectable } from '@nestjs/common';
import { type Caller } from '../access/caller.js';
import { type Lease } from '../capacity/lease.js';
import { GatewayEnv } from '../env.js';
import { BodyTurns } from '../http/body-turns.js';
import { readRequest, type RequestClass } from '../wire/schema/request.js';
import { type BodyLine, bodyLines } from './body-lines.js';
import { ImportBatch } from './import-batch.js';
import { ImportedProjects } from './imported-projects.js';
import { atLine, readLine } from './import-line.js';
import { inStep, type StepOptions } from '../capacity/in-step.js';
import { type ReadLine } from './part-lines.js';
import { SEMANTIC_LINES } from './semantic-lines.wire.js';
import { EpisodeLine, ProjectLine, toImported } from './transfer-lines.wire.js';

/** What an import did so far. */
export interface ImportProgress {
  /** Lines from the beginning of the body whose content is stored for good. */
  lines: number;
  /** Lines whose content was not there yet. */
  added: number;
  /** Lines whose content was there already. */
  existing: number;
  /** Lines of a kind that this version does not know, facts whose messages are not there, and sets without a model that is not there. */
  skipped: number;
  /** Features that were added without their beginning; absent where there are none. */
  dates_left_out?: number;
}

/** The project that lines go into, and what the request for it may take. */
export interface ImportTarget {
  readonly tenant: Tenant;
  /** Who waits for a turn behind the own lines only. */
  readonly owner: string;
  /** On whose behalf. */
  readonly caller: Caller;
  /** What its caller may do with what belongs to the organization as a whole. */
  readonly organization: OrganizationAccess;
  readonly lease: Lease | undefined;
}

/** Something that a line says, on its way into a batch. */
interface Put {
  /** The line. */
  readonly number: number;
  readonly kind: SemanticPart | 'episodes';
  into(batch: ImportBatch): void;
}

/** What became of a batch; what is in neither count was there already. */
interface Stored {
  readonly added: number;
  readonly leftOut?: number | undefined;
  readonly datesLeftOut?: number | undefined;
}

/** An import that is under way. */
interface Run extends ImportTarget {
  readonly progress: ImportProgress;
  /** Makes the project as its line says; later lines of this kind find it there. */
  readonly prepare: (line: ProjectLine) => Promise<void>;
}

/** Reads a project in, line by line, one batch at a time. What is there already is left as it is. */
@Injectable()
export class ProjectImport {
  constructor(
    private readonly rpc: RpcClient,
    private readonly env: GatewayEnv,
    private readonly turns: BodyTurns,
    private readonly projects: ImportedProjects,
  ) {}

  /**
   * @param progress is kept up to date, so that it is known how far an import came that breaks off
   * @throws AppError `invalid_request` that names the line, or what the service refuses of it; all lines before it are stored
   *   then
   */
  async run(target: ImportTarget, body: AsyncIterable<Uint8Array>, progress: ImportProgress): Promise<void> {
    // its turns come when lines have been received
    target.lease?.pause();
    let batch = new ImportBatch();
    let puts: Put[] = [];
    let refused: unknown;
    let seen = 0;
    let preparing: Promise<void> | undefined;
    const run: Run = {
      ...target,
      progress,
      prepare: (line) => (preparing ??= this.prepare(target, line)),
    };
    const store = async (): Promise<void> => {
      try {
        await this.store(target, batch, progress).catch((error: unknown) => {
          if (isRefusal(error) && puts.length > 0) return this.storeOneByOne(target, puts, progress);
          throw error;
        });
      } catch (error) {
        refused = error;
        throw error;
      }
      [batch, puts] = [new ImportBatch(), []];
      progress.lines = seen;
    };
    try {
      for await (const line of bodyLines(body, this.env.MAX_BODY_BYTES)) {
        const bytes = line.bytes.length;
        const put = await this.turns.readLine(target.owner, bytes, () => this.take(run, line));
        if (put && batch.excludes(put.kind)) await store();
        if (put) {
          put.into(batch);
          puts.push(put);
        } else batch.pass(bytes);
        seen = line.number;
        if (batch.isFull) await store();
      }
    } catch (error) {
      if (isOfClient(error) && error !== refused) await store();
      throw error;
    }
    await store();
  }

  /** Reads a line at once. @returns what is to be stored, unless the line has done what it does */
  private async take({ caller, progress, prepare }: Run, line: BodyLine): Promise<Put | undefined> {
    const record = readLine(line);
    const bytes = line.bytes.length;
    const as: ReadLine = (shape) => this.read(shape, record, line);
    switch (record['kind']) {
      case 'project':
        await prepare(as(ProjectLine));
        return undefined;
      case 'episode': {
        const episode = toImported(as(EpisodeLine), caller);
        return { kind: 'episodes', number: line.number, into: (batch) => batch.addEpisode(episode, bytes) };
      }
      case 'end':
        return undefined;
    }
    const lines = SEMANTIC_LINES.find(({ kind }) => kind === record['kind']);
    if (!lines) {
      progress.skipped += 1;
      return undefined;
    }
    const part = lines.read(as);
    return { kind: lines.part, number: line.number, into: (batch) => batch.addPart(lines.part, part, bytes) };
  }

  /** For a batch that the service refuses as a whole. @throws AppError of the first line that it refuses */
  private async storeOneByOne(
    target: ImportTarget,
    puts: readonly Put[],
    progress: ImportProgress,
  ): Promise<void> {
    for (const put of puts) {
      const batch = new ImportBatch();
      put.into(batch);
      progress.lines = put.number - 1;
      await this.store(target, batch, progress).catch((error: unknown) => {
        throw atLine(error, put.number);
      });
    }
  }

  private async store(target: ImportTarget, batch: ImportBatch, progress: ImportProgress): Promise<void> {
    if (batch.size === 0) {
      // a key that was revoked is found out by the next step
      if (batch.isFull) await inStep(this.stepOf(target), () => Promise.resolve());
      return;
    }
    const { episodes, semantic: parts } = batch;
    const { tenant, organization } = target;
    const {
      added,
      leftOut = 0,
      datesLeftOut = 0,
    } = await inStep(this.stepOf(target), async (): Promise<Stored> =>
      parts
        ? this.rpc.call(importSemantic, { tenant, organization, parts })
        : this.rpc.call(importEpisodes, { tenant, episodes }),
    );
    progress.added += added;
    progress.skipped += leftOut;
    if (datesLeftOut > 0) progress.dates_left_out = (progress.dates_left_out ?? 0) + datesLeftOut;
    progress.existing += batch.size - added - leftOut;
  }

  private prepare(target: ImportTarget, line: ProjectLine): Promise<void> {
    return inStep(this.stepOf(target), () => this.projects.make(target, line));
  }

  private stepOf({ lease }: ImportTarget): StepOptions {
    return { timeoutMs: this.env.REQUEST_TIMEOUT_MS, lease };
  }

  private read<Shape extends object>(
    shape: RequestClass<Shape>,
    record: JsonObject,
    { number }: BodyLine,
  ): Shape {
    return readRequest(shape, record, { from: 'body', limits: this.env, line: number });
  }
}

/** Whether the client sent something wrong, or not its to say, so that what came before it can still be stored. */
const isOfClient = (error: unknown): boolean =>
  error instanceof AppError && ['invalid', 'too_large', 'forbidden'].includes(error.kind);

/** Whether a service takes none of a batch, because of one of its lines. */
const isRefusal = (error: unknown): boolean =>
  error instanceof AppError && ['invalid', 'forbidden', 'not_found'].includes(error.kind);
