import { IsBoolean, IsString } from 'class-validator';
import { operation, type Operation, type ServiceName } from '../operation.js';
import { Done } from '../projects/project.contract.js';

export class ServiceHealth {
  @IsBoolean()
  readonly ready!: boolean;

  /** The dependencies that do not answer; empty when ready. */
  @IsString({ each: true })
  readonly failing!: readonly string[];
}

/** Whether a service can do its work: asked by the gateway's own health answer. */
export const checkHealth = (service: ServiceName): Operation<Done, ServiceHealth> =>
  operation(service, 'health.check', { request: Done, response: ServiceHealth }, 2_000);
