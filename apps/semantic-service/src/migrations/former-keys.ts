import { replaceIndex } from '@loci/persistence';
import { type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const FORMER_KEYS = [
  { table: 'features', name: 'features_by_uid', definition: '(uid)', isUnique: true },
  { table: 'deleted_episodes', name: 'deleted_episodes_by_uid', definition: '(uid)', isUnique: true },
] as const;

/** The set of what a feature cites, when the statement does not know that a citation has one. */
const NAME_SET = `
  CREATE OR REPLACE FUNCTION ${SCHEMA}.name_set_of_citation() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.set_uid := (SELECT set_uid FROM ${SCHEMA}.features WHERE uid = NEW.feature_uid);
    RETURN NEW;
  END $$`;

const TRIGGER = `
  CREATE OR REPLACE TRIGGER name_set BEFORE INSERT ON ${SCHEMA}.citations
    FOR EACH ROW WHEN (NEW.set_uid IS NULL) EXECUTE FUNCTION ${SCHEMA}.name_set_of_citation()`;

/**
 * What statements of the version before need: keys that they name in `ON CONFLICT`, and a set for their citations. Goes one
 * release later.
 */
export async function keepFormerKeys(runner: QueryRunner): Promise<void> {
  for (const key of FORMER_KEYS) await replaceIndex(runner, { schema: SCHEMA, ...key });
  await runner.query(NAME_SET);
  await runner.query(TRIGGER);
}

export async function dropFormerKeys(runner: QueryRunner): Promise<void> {
  for (const { name } of FORMER_KEYS) await runner.query(`DROP INDEX ${SCHEMA}.${name}`);
  await runner.query(`DROP TRIGGER name_set ON ${SCHEMA}.citations`);
  await runner.query(`DROP FUNCTION ${SCHEMA}.name_set_of_citation`);
}
