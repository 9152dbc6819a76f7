import { type Manifest } from './manifests.js';

interface Model {
  readonly prototype: { validate(this: object): void };
}

/** The packages that carry the schemas of an API group; the others are Kubernetes' own. */
const PACKAGES: Readonly<Record<string, string>> = {
  'keda.sh': '@kubernetes-models/keda/',
  'external-secrets.io': '@kubernetes-models/external-secrets/',
  'postgresql.cnpg.io': '@kubernetes-models/cloudnative-pg/',
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api/',
  'cert-manager.io': '@kubernetes-models/cert-manager/',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator/',
};

/** No package carries their schemas; `BACKUP_RULES` read them. */
const WITHOUT_SCHEMA = new Set(['barmancloud.cnpg.io']);

/**
 * What the JSON schema of its API version says against an object: fields of the wrong type, missing ones, and fields
 * that the schema does not know, which the API server would refuse or drop.
 */
export async function problemsOf(manifest: Manifest): Promise<string[]> {
  const { apiVersion, kind, metadata } = manifest;
  const group = apiVersion.split('/')[0] ?? '';
  if (WITHOUT_SCHEMA.has(group)) return [];
  const models = (await import(`${PACKAGES[group] ?? 'kubernetes-models/'}${apiVersion}`)) as object;
  const model: unknown = Reflect.get(models, kind);
  if (!isModel(model)) return [`${apiVersion} has no ${kind}`];
  const unread = new Set<string>();
  try {
    // constructing one would read everything, to copy it
    model.prototype.validate.call(tracked(manifest, kind, unread));
  } catch (error) {
    return [`${kind} ${metadata.name}: ${error instanceof Error ? error.message : String(error)}`];
  }
  return [...unread].map((path) => `${metadata.name}: ${path} is not known`);
}

const isModel = (value: unknown): value is Model => typeof value === 'function';

/** The schemas let unknown fields pass without a look at them, which is how they are found. */
function tracked<T extends object>(value: T, path: string, unread: Set<string>): T {
  if (!Array.isArray(value)) for (const key of Object.keys(value)) unread.add(`${path}.${key}`);
  return new Proxy(value, {
    get(target, key) {
      const found: unknown = Reflect.get(target, key);
      if (typeof key === 'symbol' || !Object.hasOwn(target, key)) return found;
      unread.delete(`${path}.${key}`);
      const isNew = typeof found === 'object' && found !== null;
      return isNew ? tracked(found, `${path}.${key}`, unread) : found;
    },
  });
}
