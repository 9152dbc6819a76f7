import { type Static, Type } from 'typebox';
import { episodicAnswer, semanticAnswer } from './memory-answers.wire.js';
import { resourcesAnswer } from './resource.wire.js';

/** Everything that administrators set, in one answer. */
export const configAnswer = Type.Object(
  { resources: resourcesAnswer, episodic_memory: episodicAnswer, semantic_memory: semanticAnswer },
  { title: 'Configuration' },
);
export type ConfigAnswer = Static<typeof configAnswer>;
