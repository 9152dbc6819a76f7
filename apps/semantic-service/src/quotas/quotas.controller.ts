import {
  getSemanticQuotas,
  type GetQuotasRequest,
  type OrganizationQuotas,
  setSemanticQuotas,
  type SetQuotasRequest,
} from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { Controller } from '@nestjs/common';
import { QuotasService } from './quotas.service.js';

@Controller()
export class QuotasController {
  constructor(private readonly quotas: QuotasService) {}

  @Handle(getSemanticQuotas)
  get({ orgId }: GetQuotasRequest): Promise<OrganizationQuotas> {
    return this.quotas.of(orgId);
  }

  @Handle(setSemanticQuotas)
  set(request: SetQuotasRequest): Promise<OrganizationQuotas> {
    return this.quotas.replace(request);
  }
}
