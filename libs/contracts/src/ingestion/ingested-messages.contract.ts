import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsUUID, ValidateNested } from 'class-validator';
import { MAX_EPISODES_PER_IMPORT } from '../episodes/episode-transfer.contract.js';
import { operation } from '../operation.js';
import { ProjectRequest } from '../projects/project.contract.js';
import { IngestedSet } from '../set-name.contract.js';

export class IngestedMessagesRequest extends ProjectRequest {
  @IsArray()
  @ArrayMaxSize(MAX_EPISODES_PER_IMPORT)
  @IsUUID(undefined, { each: true })
  readonly uids!: readonly string[];
}

export class IngestedMessage {
  @IsUUID()
  readonly uid!: string;

  @ValidateNested({ each: true })
  @Type(() => IngestedSet)
  readonly ingested!: readonly IngestedSet[];
}

export class IngestedMessages {
  /** Those that this service knows, in no particular order. */
  @ValidateNested({ each: true })
  @Type(() => IngestedMessage)
  readonly messages!: readonly IngestedMessage[];
}

/** What messages were ingested for; a dead letter counts as not ingested. A missing project has none. */
export const getIngestedMessages = operation('semantic', 'messages.ingested', {
  request: IngestedMessagesRequest,
  response: IngestedMessages,
});
