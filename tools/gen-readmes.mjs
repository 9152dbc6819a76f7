// The tables of processes and of settings in the READMEs of the apps, between the comments that name them.
import { readFile } from 'node:fs/promises';
import { PROCESS_TABLE } from '../apps/standalone/dist/process-table.js';
import { settingsOfApps } from './settings.mjs';

const root = new URL('..', import.meta.url);

/** @returns the text with the table between `<!-- name -->` and `<!-- end -->` */
function filled(path, text, name, table) {
  const [begin, end] = [`<!-- ${name}, by npm run gen -->`, '<!-- end -->'];
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`${path} has no "${begin}" with an "${end}" below.`);
  return `${text.slice(0, from + begin.length)}\n\n${table}\n\n${text.slice(to)}`;
}

const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const cell = (text) => String(text).replaceAll('|', '\\|');

const defaultOf = ({ isRequired, value }) =>
  isRequired ? 'required' : value === undefined || value === '' ? 'none' : `\`${cell(value)}\``;

const settingsTable = (settings) =>
  table(
    ['variable', 'default', 'meaning'],
    settings.map((setting) => [`\`${setting.name}\``, defaultOf(setting), cell(setting.comment)]),
  );

const processesOf = (app) =>
  [...PROCESS_TABLE.migrations, ...PROCESS_TABLE.services].filter(({ main }) => main.startsWith(`${app}/`));

const processTable = (processes) =>
  table(
    ['process', 'program', 'needs, beside NATS', 'does'],
    processes.map(({ name, main, needs, does }) => [
      `\`${name}\``,
      `\`${main.replace('dist/', 'src/').replace(/\.js$/, '.ts')}\``,
      needs.join(', ') || 'nothing',
      cell(does),
    ]),
  );

async function readmeOf(app, settings) {
  const path = `apps/${app}/README.md`;
  const text = await readFile(new URL(path, root), 'utf8');
  const withProcesses = filled(path, text, 'processes', processTable(processesOf(app)));
  return [path, filled(path, withProcesses, 'settings', settingsTable(settings))];
}

const readmes = [...(await settingsOfApps())].map(([app, settings]) => readmeOf(app, settings));

export const files = Object.fromEntries(await Promise.all(readmes));
