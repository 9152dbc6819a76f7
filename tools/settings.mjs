// Every setting of every process, from the environment classes as they are built and their comments.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getMetadataStorage } from 'class-validator';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Where the settings are that several apps share. */
const SHARED = [
  'libs/platform/src/process/process-env.ts',
  'libs/models/src/model-caller-env.ts',
  'libs/indexing/src/service-start/vector-service-env.ts',
];

/** @returns by app, in the sequence of their names: its settings, each with `name`, default `value`, `isRequired` and `comment` */
export async function settingsOfApps() {
  const shared = (await Promise.all(SHARED.map(commentsOf))).flatMap((comments) => [...comments]);
  const entries = (await appsWithSettings()).map(async (app) => {
    const comments = new Map([...shared, ...(await commentsOf(`apps/${app}/src/env.ts`))]);
    const settings = settingsOf(await shapeOf(app));
    return [app, settings.map((setting) => ({ ...setting, comment: comments.get(setting.name) ?? '' }))];
  });
  return new Map(await Promise.all(entries));
}

async function appsWithSettings() {
  const apps = await readdir(join(root, 'apps'));
  const own = await Promise.all(
    apps.map(async (app) => {
      const text = await readFile(join(root, 'apps', app, 'src/env.ts'), 'utf8').catch(() => '');
      return text.includes('class-validator') ? [app] : [];
    }),
  );
  return own.flat().sort();
}

/** The settings of the processes of an app; what only its migration needs is among them. */
async function shapeOf(app) {
  const exported = Object.values(await import(join(root, 'apps', app, 'dist/env.js')));
  return exported.find((value) => typeof value === 'function' && /^(?!Migration).*Env$/.test(value.name));
}

/** Comments of all properties of the classes of a file, by their names. */
async function commentsOf(path) {
  const text = await readFile(join(root, path), 'utf8');
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const properties = file.statements
    .filter(ts.isClassDeclaration)
    .flatMap(({ members }) => members.filter(ts.isPropertyDeclaration));
  return new Map(properties.map((property) => [property.name.getText(file), commentOf(property)]));
}

function commentOf(property) {
  const [doc] = ts.getJSDocCommentsAndTags(property);
  const text = doc && 'comment' in doc ? (ts.getTextOfJSDocComment(doc.comment) ?? '') : '';
  return text.replaceAll(/\s+/g, ' ').trim();
}

function settingsOf(shape) {
  const defaults = new shape();
  const rules = getMetadataStorage().getTargetValidationMetadatas(shape, '', true, false);
  const names = [...new Set(rules.map(({ propertyName }) => propertyName))];
  return names.map((name) => ({
    name,
    value: defaults[name],
    isRequired:
      defaults[name] === undefined &&
      !rules.some((rule) => rule.propertyName === name && rule.type === 'conditionalValidation'),
  }));
}
