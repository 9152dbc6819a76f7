import { checkHealth, type ServiceHealth } from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { HealthChecks } from '@loci/platform';
import { Controller } from '@nestjs/common';

@Controller()
export class HealthController {
  constructor(private readonly health: HealthChecks) {}

  @Handle(checkHealth('semantic'))
  async check(): Promise<ServiceHealth> {
    const failing = await this.health.failing();
    return { ready: failing.length === 0, failing };
  }
}
