import {
  adoptProjectModels,
  adoptSemanticProjectModels,
  closeProject,
  closeSemanticProject,
  type ConfiguredProject,
  type ProjectReference,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Injectable } from '@nestjs/common';

/** The services that store data of projects, as the control plane talks to them. */
@Injectable()
export class ProjectHolders {
  constructor(private readonly rpc: RpcClient) {}

  /** Makes every holder refuse writes to the project and hide its data from now on. @throws AppError `service_unavailable` */
  async close(reference: ProjectReference): Promise<void> {
    await Promise.all([closeProject, closeSemanticProject].map((close) => this.rpc.call(close, reference)));
  }

  /** Makes every holder work with the models that the project chose. @throws AppError `service_unavailable` */
  async adoptModels(configured: ConfiguredProject): Promise<void> {
    const adoptions = [adoptProjectModels, adoptSemanticProjectModels];
    await Promise.all(adoptions.map((adopt) => this.rpc.call(adopt, configured)));
  }
}
