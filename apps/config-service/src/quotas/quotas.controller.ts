import {
  getConfigQuotas,
  type GetQuotasRequest,
  type OrganizationQuotas,
  setConfigQuotas,
  type SetQuotasRequest,
} from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { Controller } from '@nestjs/common';
import { QuotasService } from './quotas.service.js';

@Controller()
export class QuotasController {
  constructor(private readonly quotas: QuotasService) {}

  @Handle(getConfigQuotas)
  get({ orgId }: GetQuotasRequest): Promise<OrganizationQuotas> {
    return this.quotas.of(orgId);
  }

  @Handle(setConfigQuotas)
  set(request: SetQuotasRequest): Promise<OrganizationQuotas> {
    return this.quotas.replace(request);
  }
}
