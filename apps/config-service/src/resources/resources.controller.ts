import {
  addResource,
  type AddResourceRequest,
  type Done,
  getResource,
  listResources,
  removeResource,
  type RemoveResourceRequest,
  reportResource,
  type ResourceDetails,
  type ResourceList,
  type ResourceOutcome,
  type ResourceReference,
  type ResourceReport,
  retryResource,
} from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { Controller } from '@nestjs/common';
import { ResourcesService } from './resources.service.js';

@Controller()
export class ResourcesController {
  constructor(private readonly resources: ResourcesService) {}

  @Handle(addResource)
  add(request: AddResourceRequest): Promise<ResourceOutcome> {
    return this.resources.add(request);
  }

  @Handle(removeResource)
  async remove(request: RemoveResourceRequest): Promise<Done> {
    await this.resources.remove(request);
    return {};
  }

  @Handle(retryResource)
  retry({ kind, name }: ResourceReference): Promise<ResourceOutcome> {
    return this.resources.retry({ kind, name });
  }

  @Handle(reportResource)
  async report(request: ResourceReport): Promise<Done> {
    await this.resources.report(request);
    return {};
  }

  @Handle(listResources)
  async list(): Promise<ResourceList> {
    const resources = await this.resources.list();
    return {
      resources: resources.map(({ kind, name, provider, status, error }) => ({
        kind,
        name,
        provider,
        status,
        error,
      })),
    };
  }

  @Handle(getResource)
  get({ kind, name }: ResourceReference): Promise<ResourceDetails> {
    return this.resources.get({ kind, name });
  }
}
