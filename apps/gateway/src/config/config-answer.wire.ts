import { described } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { episodicAnswer, semanticAnswer } from './memory-answers.wire.js';
import { resourcesAnswer } from './resource.wire.js';

/** Everything that administrators set, in one answer. */
export const configAnswer = Type.Object(
  {
    resources: described(resourcesAnswer, 'The models and databases, by kind.'),
    episodic_memory: described(episodicAnswer, 'How episodic memory works where no project says otherwise.'),
    semantic_memory: described(semanticAnswer, 'How semantic memory works where no set says otherwise.'),
  },
  { title: 'Configuration' },
);
export type ConfigAnswer = Static<typeof configAnswer>;
