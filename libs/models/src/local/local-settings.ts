import { oneOf } from '@loci/platform/schema';
import { Type } from 'typebox';
import { withDefault } from '../settings/settings-schema.js';
import { DEFAULT_LOCAL_MODEL } from './local-model.js';

export const localEmbedderSchema = Type.Object({
  model: withDefault(oneOf(['all-minilm-l6-v2', 'gte-small']), DEFAULT_LOCAL_MODEL),
});
