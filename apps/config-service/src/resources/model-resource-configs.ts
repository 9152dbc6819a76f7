import { invalid, type Problem } from '@loci/contracts';
import {
  forbiddenReference,
  isReference,
  isSealed,
  mapSecrets,
  parseResourceConfig,
  resealConfig,
  SecretBox,
  withDialledAddresses,
} from '@loci/models';
import { Inject, Injectable } from '@nestjs/common';
import { ConfigServiceEnv } from '../env.js';
import { type ResourceDefinition } from './resource.js';
import { ResourceConfigs } from './resource-configs.js';

const MASK = '********';

@Injectable()
export class ModelResourceConfigs extends ResourceConfigs {
  constructor(
    private readonly box: SecretBox,
    @Inject(ConfigServiceEnv) private readonly env: Pick<ConfigServiceEnv, 'MODEL_SECRET_PREFIX'>,
  ) {
    super();
  }

  override accept({ kind, name, provider: given, config }: ResourceDefinition): ResourceDefinition {
    const { provider } = parseResourceConfig(kind, given, config);
    // defaults are filled in where it is used: what is stored, and written to the file, is what was given, but for addresses
    const definition = { kind, name, provider, config: withDialledAddresses(kind, provider, config) };
    const [first, ...others] = this.forbiddenReferences(definition);
    if (first) throw invalid('invalid_request', [first, ...others]);
    return {
      ...definition,
      config: mapSecrets(definition, (value, context) =>
        isReference(value) || this.isOurs(value, context) ? value : this.box.seal(value, context),
      ),
    };
  }

  override forbiddenReferences(definition: ResourceDefinition): Problem[] {
    const problems: Problem[] = [];
    mapSecrets(definition, (value, { field }) => {
      const msg = isSealed(value) ? undefined : forbiddenReference(value, this.env.MODEL_SECRET_PREFIX);
      if (msg !== undefined)
        problems.push({ loc: ['body', 'config', field], msg, type: 'forbidden_reference' });
      return value;
    });
    return problems;
  }

  override shown({ kind, name, provider, config }: ResourceDefinition): Readonly<Record<string, unknown>> {
    // addresses that were stored as they were written
    const definition = { kind, name, provider, config: withDialledAddresses(kind, provider, config) };
    return mapSecrets(definition, (value) => (isReference(value) && !isSealed(value) ? value : MASK));
  }

  override underCurrentKey(definition: ResourceDefinition): ResourceDefinition | undefined {
    const config = resealConfig(definition, this.box);
    const isChanged = Object.keys(config).some((key) => config[key] !== definition.config[key]);
    return isChanged ? { ...definition, config } : undefined;
  }

  /** What we encrypted ourselves for this very field, and wrote into the file; anything that only looks so is in clear. */
  private isOurs(value: string, context: Parameters<SecretBox['open']>[1]): boolean {
    if (!isSealed(value)) return false;
    try {
      this.box.open(value, context);
      return true;
    } catch {
      return false;
    }
  }
}
