import { getMetadataStorage } from 'class-validator';
import { PROCESS_TABLE } from '../../apps/standalone/src/process-table.js';

/** A process as a deployment has to know it. */
export interface DeployedProcess {
  readonly name: string;
  /** The app, which is the image. */
  readonly app: string;
  /** Path of its main module in the image. */
  readonly main: string;
  /** The service that it belongs to, as its credentials are called. */
  readonly user: string;
  /** Whose connections it opens. */
  readonly servers: readonly string[];
  /** Whether it asks providers of models, which may be anywhere. */
  readonly asksModels: boolean;
  readonly kind: 'migration' | 'clients' | 'operator';
}

interface Row {
  readonly name: string;
  readonly main: string;
  readonly needs: readonly string[];
}

const appOf = (main: string): string => main.split('/')[0] ?? '';

const deployed = ({ name, main, needs }: Row, kind: DeployedProcess['kind']): DeployedProcess => ({
  name,
  app: appOf(main),
  user: appOf(main).replace(/-service$/, ''),
  main: `apps/${main}`,
  servers: [...(kind === 'migration' ? [] : ['nats']), ...needs.filter((need) => need !== 'models')],
  asksModels: needs.includes('models'),
  kind,
});

/** Every process of a full deployment. */
export const DEPLOYED: readonly DeployedProcess[] = [
  ...PROCESS_TABLE.migrations.map((row) => deployed(row, 'migration')),
  ...PROCESS_TABLE.services.map((row) => deployed(row, row.serves)),
];

const services = new Set(DEPLOYED.filter(({ kind }) => kind !== 'migration').map(({ name }) => name));

/** Whether a process of that name runs until it is stopped. */
export const isService = (name: string): boolean => services.has(name);

export interface Settings {
  readonly known: ReadonlySet<string>;
  readonly required: readonly string[];
}

/** What every process reads from its environment, by its name. */
export async function allSettings(): Promise<ReadonlyMap<string, Settings>> {
  const all = new Map<string, Settings>();
  // one after the other: under Jest, modules that are imported side by side miss each other
  for (const process of DEPLOYED) all.set(process.name, await settingsOf(process));
  return all;
}

async function settingsOf({ app, kind }: DeployedProcess): Promise<Settings> {
  const exported = (await import(`../../apps/${app}/src/env.js`)) as Record<string, unknown>;
  const shape = Object.values(exported).find((value) => isEnv(value, kind === 'migration'));
  if (!isConstructor(shape)) throw new Error(`apps/${app}/src/env.ts exports no environment of a ${kind}.`);
  const rules = getMetadataStorage().getTargetValidationMetadatas(shape, '', true, false);
  const known = new Set(rules.map(({ propertyName }) => propertyName));
  const optional = new Set(
    rules.filter(({ type }) => type === 'conditionalValidation').map(({ propertyName }) => propertyName),
  );
  const defaults = new Map<string, unknown>(Object.entries(new shape()));
  const required = [...known].filter((name) => defaults.get(name) === undefined && !optional.has(name));
  return { known, required };
}

const isConstructor = (value: unknown): value is new () => object => typeof value === 'function';

const isEnv = (value: unknown, ofMigration: boolean): boolean =>
  isConstructor(value) && value.name.endsWith('Env') && value.name.startsWith('Migration') === ofMigration;
