// The generated layer of the Python client: types and operations of openapi.json. What people call stands above it, by hand.
import { readFile } from 'node:fs/promises';
import { operationsModule } from './python/operations.mjs';
import { typesModule } from './python/types.mjs';

const document = JSON.parse(await readFile(new URL('../openapi.json', import.meta.url), 'utf8'));

const FOLDER = 'clients/python/src/loci';

export const files = {
  [`${FOLDER}/types.py`]: typesModule(document.components.schemas),
  [`${FOLDER}/_operations.py`]: operationsModule(document),
};
