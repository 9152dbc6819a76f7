import { type ResourceDefinition } from '../src/resource-definition.js';
import { isReference } from '../src/secrets/references.js';
import { mapSecrets } from '../src/secrets/seal-config.js';
import { type SecretBox } from '../src/secrets/secret-box.js';

/** The configuration as it is stored: every literal secret is sealed, references stay references. */
export const sealConfig = (definition: ResourceDefinition, box: SecretBox): ResourceDefinition['config'] =>
  mapSecrets(definition, (value, context) => (isReference(value) ? value : box.seal(value, context)));
