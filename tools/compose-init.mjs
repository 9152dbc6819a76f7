// Makes the secrets of docker-compose.yml: writes those that are missing into .env, which Docker Compose reads and git does
// not. What is there stays. Usage: npm run compose:init
import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { argv, exit, stderr, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';

/** Letters and digits, a letter first: it needs no quoting in a URL, a shell, or a variable of a NATS configuration. */
const password = () => `k${randomBytes(24).toString('hex')}`;

/** Of each variable, how its value is made. */
export const SECRETS = {
  NATS_GATEWAY_PASSWORD: password,
  NATS_CONFIG_PASSWORD: password,
  NATS_EPISODIC_PASSWORD: password,
  NATS_SEMANTIC_PASSWORD: password,
  NATS_STREAMS_PASSWORD: password,
  NATS_OPERATOR_PASSWORD: password,
  POSTGRES_SUPERUSER_PASSWORD: password,
  POSTGRES_MIGRATE_PASSWORD: password,
  POSTGRES_CONFIG_PASSWORD: password,
  POSTGRES_EPISODIC_PASSWORD: password,
  POSTGRES_SEMANTIC_PASSWORD: password,
  QDRANT_API_KEY: password,
  GRAFANA_PASSWORD: password,
  LOCI_ADMIN_KEY: () => `loci_admin_${randomBytes(32).toString('base64url')}`,
  LOCI_SECRET_KEYS: () => `k1:${randomBytes(32).toString('base64')}`,
};

/** What NATS reads as a word: `12e5` is a number to it, `$2a$…` a hash, `"…"` a text without its quotes. */
const READ_AS_WRITTEN = /^[a-z]\w*$/i;

/** The values that are there are those of a person, who may have chosen them. @throws Error with a sentence */
function refuseMisread(text) {
  const misread = Object.keys(SECRETS).filter((name) => {
    const [, value = ''] = new RegExp(`^\\s*(?:export\\s+)?${name}=(.*)$`, 'm').exec(text) ?? [];
    return name.startsWith('NATS_') && value !== '' && !READ_AS_WRITTEN.test(value);
  });
  if (misread.length > 0)
    throw new Error(
      `${misread.join(', ')} in .env would be read as something else by NATS: use letters and digits, a letter first, or remove the line to have one made.`,
    );
}

/** @returns the names that were missing, after writing them with new values into `.env` of a folder, for its owner alone */
export async function writeSecrets(folder) {
  const found = await readEnvFile(folder);
  refuseMisread(found);
  const missing = Object.keys(SECRETS).filter((name) => !lineOf(name).test(found));
  await writeVariables(folder, Object.fromEntries(missing.map((name) => [name, SECRETS[name]()])));
  return missing;
}

/** Sets variables in `.env` of a folder, and leaves the others as they are. */
async function writeVariables(folder, variables) {
  let text = await readEnvFile(folder);
  for (const [name, value] of Object.entries(variables)) {
    const line = `${name}=${value}\n`;
    if (lineOf(name).test(text)) text = text.replace(lineOf(name), () => line);
    else text = `${text === '' || text.endsWith('\n') ? text : `${text}\n`}${line}`;
  }
  const path = join(folder, '.env');
  await writeFile(`${path}.unfinished`, text, { mode: 0o600, flush: true });
  await rename(`${path}.unfinished`, path);
}

const lineOf = (name) => new RegExp(`^\\s*(?:export\\s+)?${name}=.*(?:\\n|$)`, 'm');

const readEnvFile = (folder) =>
  readFile(join(folder, '.env'), 'utf8').catch((error) => {
    if (error.code !== 'ENOENT') throw error;
    return '';
  });

if (argv[1] === fileURLToPath(import.meta.url)) {
  const made = await writeSecrets(process.cwd()).catch((error) => {
    stderr.write(`${error.message}\n`);
    exit(1);
  });
  stdout.write(
    made.length > 0
      ? `Made ${made.join(', ')} in .env.\nThe key that may do everything: grep LOCI_ADMIN_KEY .env\n`
      : 'Everything is in .env already.\n',
  );
}
