import { Logger, PeriodicTask } from '@loci/platform';
import {
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { type Transaction, UnitOfWork } from '@loci/persistence';
import { ConfigServiceEnv } from '../env.js';
import { MemoryConfigurationService } from '../memory-configuration/memory-configuration.service.js';
import { RegistryRevisions } from '../revisions/registry-revisions.js';
import { ResourcesService } from '../resources/resources.service.js';
import { ConfigurationDocument } from './configuration-document.js';
import { ConfigurationFile } from './configuration-file.js';
import { ConfigurationFileError } from './configuration-file.error.js';
import { digestOf, entriesFor, entriesIn } from './file-entries.js';
import { FileImport } from './file-import.js';
import { reconcile } from './reconcile.js';
import { type SeenEntries, SeenEntriesRepository } from './seen-entries.repository.js';

/**
 * Takes over at the start what was changed in the configuration file, and writes back what is changed afterwards. The
 * database is the truth: an unchanged file says nothing new, however old it is.
 */
@Injectable()
export class ConfigurationFileService implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  private readonly file: ConfigurationFile | undefined;
  private readonly task: PeriodicTask;
  private writtenRevision = 0;
  private isReadOnly = false;

  constructor(
    env: ConfigServiceEnv,
    private readonly fileImport: FileImport,
    private readonly resources: ResourcesService,
    private readonly memory: MemoryConfigurationService,
    private readonly revisions: RegistryRevisions,
    private readonly seen: SeenEntriesRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly logger: Logger,
  ) {
    this.file = env.MEMORY_CONFIG === undefined ? undefined : new ConfigurationFile(env.MEMORY_CONFIG);
    this.task = new PeriodicTask({
      name: 'write to the configuration file',
      intervalMs: env.CONFIG_FILE_SYNC_INTERVAL_MS,
      work: () => this.writeBack(),
      logger,
    });
  }

  /** @throws ConfigurationFileError and the process does not start */
  async onModuleInit(): Promise<void> {
    const { file } = this;
    if (!file) return;
    const text = await file.read();
    if (text === undefined) {
      this.logger.warn('there is no configuration file yet; the first change creates it', {
        path: file.path,
      });
      return;
    }
    const document = ConfigurationDocument.parse(text, file.path);
    await this.revisions.change((tx) => this.takeOver(document, tx));
  }

  onApplicationBootstrap(): void {
    if (this.file) this.task.start();
  }

  async onModuleDestroy(): Promise<void> {
    if (this.file) await this.task.stop();
  }

  private async takeOver(document: ConfigurationDocument, tx: Transaction): Promise<void> {
    await this.seen.lock(tx);
    const seen = await this.seen.list(tx);
    const entries = entriesIn(document);
    const changed = entries.filter(({ id, value }) => seen.get(id) !== digestOf(value));
    if (changed.length === 0) return;
    await this.fileImport.take(changed, document, tx);
    const now = new Map(seen);
    for (const { id, value } of changed) now.set(id, digestOf(value));
    await this.seen.replace(now, tx);
    this.logger.info('took over changes of the configuration file', { entries: changed.length });
  }

  private async writeBack(): Promise<void> {
    const revision = await this.revisions.current();
    if (revision === this.writtenRevision || !this.file) return;
    const { file } = this;
    await this.unitOfWork
      .run(async (tx) => {
        await this.seen.lock(tx);
        const document = ConfigurationDocument.parse((await file.read()) ?? '', file.path);
        const wanted = entriesFor(await this.resources.list(tx), await this.memory.get(tx), document);
        const { seen, edited } = reconcile(document, wanted, await this.seen.list(tx));
        for (const id of edited) {
          this.logger.warn('the configuration file was edited; the edit counts from the next start', {
            entry: id,
          });
        }
        await this.write(file, document, seen, tx);
      })
      .catch((error: unknown) => this.explain(error));
    this.writtenRevision = revision;
  }

  private async write(
    file: ConfigurationFile,
    document: ConfigurationDocument,
    seen: SeenEntries,
    tx: Transaction,
  ): Promise<void> {
    const text = document.changedText();
    if (text !== undefined && !(await file.write(text))) {
      if (!this.isReadOnly) {
        this.logger.warn('the configuration file is read-only; changes are kept in the database alone', {
          path: file.path,
        });
      }
      this.isReadOnly = true;
      return;
    }
    await this.seen.replace(seen, tx);
  }

  /** An edit may be under way: the next change tries again. */
  private explain(error: unknown): void {
    if (!(error instanceof ConfigurationFileError)) throw error;
    this.logger.warn('the configuration file was not written to', { reason: error.message });
  }
}
