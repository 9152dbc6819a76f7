import { invalid, type Problem } from '@loci/contracts';
import {
  forbiddenReference,
  isSealed,
  mapSecrets,
  maskConfig,
  parseResourceConfig,
  resealConfig,
  sealConfig,
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
    return { ...definition, config: sealConfig(definition, this.box) };
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
    return maskConfig(definition, MASK);
  }

  override underCurrentKey(definition: ResourceDefinition): ResourceDefinition | undefined {
    const config = resealConfig(definition, this.box);
    const isChanged = Object.keys(config).some((key) => config[key] !== definition.config[key]);
    return isChanged ? { ...definition, config } : undefined;
  }
}
