import {
  addSetType,
  type AddSetTypeRequest,
  configureSet,
  type ConfigureSetRequest,
  type Done,
  identifySet,
  type IdentifySetRequest,
  listSets,
  listSetsUsing,
  type ListSetsRequest,
  listSetTypes,
  type ListSetTypesRequest,
  type ResourceReference,
  type ResourceUserList,
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
  async listTypes(request: ListSetTypesRequest): Promise<SetTypeList> {
    const types = await this.types.list(request);
    return {
      setTypes: types.map(({ uid, projectUid, tags, name, description }) => ({
        setTypeId: uid,
        isOrgLevel: projectUid === undefined,
        tags,
        name,
        description,
      })),
    };
  }

  @Handle(identifySet)
  async identify(request: IdentifySetRequest): Promise<SetIdentity> {
    return { setId: await this.sets.identify(request) };
  }

  @Handle(listSets)
  async list(request: ListSetsRequest): Promise<SetList> {
    return { sets: await this.sets.list(request) };
  }

  @Handle(listSetsUsing)
  async using({ kind, name }: ResourceReference): Promise<ResourceUserList> {
    return { users: await this.sets.using(kind, name) };
  }

  @Handle(configureSet)
  async configure(request: ConfigureSetRequest): Promise<Done> {
    await this.sets.configure(request);
    return {};
  }
}
