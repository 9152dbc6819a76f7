import { imageOf, probePortOf } from './dockerfile.js';
import { byName, type Container, type Manifest, ofKind, workloadsOf } from './manifests.js';
import { DEPLOYED, type DeployedProcess, isService, type Settings } from './processes.js';
import { ofWorkloads, type Rule } from './rule.js';
import { withoutHash } from './secrets.js';
import { settingsIn } from './servers.js';

const processOf = (name: string): DeployedProcess | undefined =>
  DEPLOYED.find((process) => process.name === name);

const complete: Rule = (manifests) => {
  const workloads = workloadsOf(manifests);
  return DEPLOYED.filter(
    ({ name, kind }) =>
      !workloads.some(
        (workload) => workload.metadata.name === name && (workload.kind === 'Job') === (kind === 'migration'),
      ),
  ).map(({ name }) => `${name}: is not deployed`);
};

/** It has an image of ours, and is no process of the product. */
const BACKUP = 'backup';

const ofOurImages = ofWorkloads(({ metadata, spec }) => {
  const [container] = spec.template.spec.containers;
  const process = processOf(metadata.name);
  const { image = '', args = [] } = container ?? {};
  if (!process)
    return image.startsWith('loci/') && metadata.name !== BACKUP ? 'is no process of the product' : undefined;
  if (!image.startsWith(`loci/${process.app}:`)) return `runs the image ${image}`;
  return args.join() === process.main ? undefined : `starts ${args.join(' ')}`;
});

const reachable = ofWorkloads(({ metadata, spec }) => {
  const process = processOf(metadata.name);
  if (!process || !isService(process.name)) return undefined;
  const port = spec.template.spec.containers[0]?.ports?.find(({ name }) => name === 'http')?.containerPort;
  return port === probePortOf(imageOf(process.app))
    ? undefined
    : `is asked at port ${String(port)}, where its image does not listen`;
});

/** @param settings of each process by name; those of an app without code are not there */
const configured =
  (settings: ReadonlyMap<string, Settings>): Rule =>
  (manifests) =>
    workloadsOf(manifests).flatMap(({ metadata: { name }, spec }) => {
      const known = settings.get(name);
      const [container] = spec.template.spec.containers;
      if (!known || !container) return [];
      const own = (container.env ?? []).map((variable) => variable.name);
      const given = [...own, ...shared(container, manifests)];
      return [
        ...known.required
          .filter((variable) => !given.includes(variable))
          .map((variable) => `${name}: lacks ${variable}`),
        ...own
          .filter((variable) => !known.known.has(variable))
          .map((variable) => `${name}: is given ${variable}, which it does not know`),
      ];
    });

const shared = ({ envFrom = [] }: Container, manifests: readonly Manifest[]): string[] =>
  envFrom.flatMap(({ configMapRef }) =>
    configMapRef && withoutHash(configMapRef.name) === 'loci-settings'
      ? Object.keys(settingsIn(manifests))
      : [],
  );

/** What configurations of models name instead of credentials is given to who asks models, and to no other process. */
const modelSecrets: Rule = (manifests) =>
  workloadsOf(manifests).flatMap(({ metadata: { name }, spec }) => {
    const process = DEPLOYED.find((one) => one.name === name);
    if (!process) return [];
    const { envFrom = [] } = spec.template.spec.containers[0] ?? {};
    const isGiven = envFrom.some(
      ({ secretRef }) => secretRef?.name === 'loci-model-secrets' && secretRef.optional === true,
    );
    if (isGiven === process.asksModels) return [];
    return [`${name}: ${isGiven ? 'is given the secrets of models' : 'does not get the secrets of models'}`];
  });

/** Read by the library for traces, and by Node. */
const OF_LIBRARIES = /^(OTEL|NODE)_/;

const understood =
  (settings: ReadonlyMap<string, Settings>): Rule =>
  (manifests) =>
    Object.keys(settingsIn(manifests))
      .filter((variable) => !OF_LIBRARIES.test(variable))
      .filter((variable) => ![...settings.values()].some(({ known }) => known.has(variable)))
      .map((variable) => `loci-settings: no process knows ${variable}`);

/** Kinds that belong to no namespace. */
const OF_THE_CLUSTER = new Set(['Namespace', 'PriorityClass']);

const together: Rule = (manifests) =>
  manifests
    .filter(({ kind, metadata }) => !OF_THE_CLUSTER.has(kind) && metadata.namespace !== 'loci')
    .map(({ metadata }) => `${metadata.name}: is not in the namespace loci`);

const restrictedNamespace: Rule = (manifests) => {
  const labels = byName(ofKind(manifests, 'Namespace'), 'loci')?.metadata.labels ?? {};
  return labels['pod-security.kubernetes.io/enforce'] === 'restricted'
    ? []
    : ['loci: the namespace takes pods that are not restricted'];
};

/** Exactly the processes of the product, each as its code wants it. */
export const compositionRules = (settings: ReadonlyMap<string, Settings>): readonly Rule[] => [
  complete,
  ofOurImages,
  reachable,
  configured(settings),
  modelSecrets,
  understood(settings),
  together,
  restrictedNamespace,
];
