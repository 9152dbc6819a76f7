import { createHash } from 'node:crypto';
import { stringify } from 'yaml';

/** What a template of the chart is rendered with. */
export interface ChartContext {
  readonly values: unknown;
  readonly appVersion: string;
  /** That of the release. */
  readonly namespace: string;
}

const GUARD = /\{\{- if \.Values\.([\w.]+) \}\}\n([\s\S]*?)\{\{- end \}\}\n/g;

/**
 * Renders a template of the chart by the few expressions that its generator writes, with what Helm says of them.
 * @throws Error for any other expression
 */
export function renderTemplate(template: string, context: ChartContext): string {
  const guarded = template.replace(GUARD, (_, path: string, body: string) =>
    valueAt(context, path) ? body : '',
  );
  return guarded.replace(/\{\{-? (.*?) \}\}/g, (_, expression: string) => evaluated(expression, context));
}

function evaluated(expression: string, context: ChartContext): string {
  const [, path] = /^\.Values\.([\w.]+)(?: \| int64)?$/.exec(expression) ?? [];
  if (path !== undefined) return String(valueAt(context, path));
  const [, block, indent] = /^toYaml \.Values\.([\w.]+) \| nindent (\d+)$/.exec(expression) ?? [];
  if (block !== undefined) return nindent(toYaml(valueAt(context, block)), Number(indent));
  const [, hashed] = /^toYaml \.Values\.([\w.]+) \| sha256sum$/.exec(expression) ?? [];
  if (hashed !== undefined)
    return createHash('sha256')
      .update(toYaml(valueAt(context, hashed)))
      .digest('hex');
  const [, app] =
    /^printf "%s\/%s:%s" \.Values\.image\.registry "([\w-]+)" \(\.Values\.image\.tag \| default \.Chart\.AppVersion\)$/.exec(
      expression,
    ) ?? [];
  if (app !== undefined) {
    const tag = String(valueAt(context, 'image.tag'));
    return `${String(valueAt(context, 'image.registry'))}/${app}:${tag === '' ? context.appVersion : tag}`;
  }
  const [, either, ...switches] =
    /^ternary \.Values\.([\w.]+) "" \(or \.Values\.([\w.]+) \.Values\.([\w.]+)\)$/.exec(expression) ?? [];
  if (either !== undefined)
    return switches.some((one) => valueAt(context, one)) ? String(valueAt(context, either)) : '';
  if (expression === '.Release.Namespace') return context.namespace;
  if (expression === '"{{"') return '{{';
  throw new Error(`No expression of the chart: ${expression}`);
}

/** @throws Error when there is no such value */
function valueAt({ values }: ChartContext, path: string): unknown {
  return path.split('.').reduce<unknown>((found, key) => {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) {
      throw new Error(`There is no value ${path}.`);
    }
    return Reflect.get(found, key);
  }, values);
}

const toYaml = (value: unknown): string => stringify(value, { lineWidth: 0, version: '1.1' }).trimEnd();

const nindent = (text: string, spaces: number): string => `\n${text.replace(/^(?=.)/gm, ' '.repeat(spaces))}`;
