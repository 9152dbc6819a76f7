import {
  addSetType,
  type AddSetTypeRequest,
  configureSet,
  type ConfigureSetRequest,
  type Done,
  identifySet,
  type IdentifySetRequest,
  listSets,
  type ListSetsRequest,
  listSetTypes,
  type ProjectRequest,
  type SetIdentity,
  type SetList,
  type SetTypeIdentity,
  type SetTypeList,
} from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { Controller } from '@nestjs/common';
import { SetTypesService } from './set-types.service.js';
import { SetsService } from './sets.service.js';

@Controller()
export class SetsController {
  constructor(
    private readonly sets: SetsService,
    private readonly types: SetTypesService,
  ) {}

  @Handle(addSetType)
  async addType(request: AddSetTypeRequest): Promise<SetTypeIdentity> {
    return { setTypeId: await this.types.add(request) };
  }

  @Handle(listSetTypes)
  async listTypes({ tenant }: ProjectRequest): Promise<SetTypeList> {
    const types = await this.types.list(tenant);
    return {
      setTypes: types.map(({ uid, projectUid, tags, name, description }) => ({
        setTypeId: uid,
        isOrgLevel: projectUid === undefined,
        ...{ tags, name, description },
      })),
    };
  }

  @Handle(identifySet)
  async identify(request: IdentifySetRequest): Promise<SetIdentity> {
    return { setId: await this.sets.identify(request) };
  }

  @Handle(listSets)
  async list({ tenant, metadata }: ListSetsRequest): Promise<SetList> {
    return { sets: await this.sets.list(tenant, metadata) };
  }

  @Handle(configureSet)
  async configure(request: ConfigureSetRequest): Promise<Done> {
    await this.sets.configure(request);
    return {};
  }
}
