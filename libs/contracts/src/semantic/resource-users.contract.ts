import { IsString } from 'class-validator';
import { operation } from '../operation.js';
import { ResourceReference } from '../resources/resource-operations.contract.js';

export class ResourceUserList {
  /** Each as a person would name it. */
  @IsString({ each: true })
  readonly users!: readonly string[];
}

/** The sets that were configured to use a resource; some of them where they are many. */
export const listSetsUsing = operation('semantic', 'set.using', {
  request: ResourceReference,
  response: ResourceUserList,
});
