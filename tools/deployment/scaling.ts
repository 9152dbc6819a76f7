import * as messaging from '@loci/messaging';
import { byName, type LabelSelector, type Manifest, ofKind, type Workload } from './manifests.js';
import { documentedMetrics } from './metrics.js';
import { type Rule } from './rule.js';

/** What scales on requests; there is little to do for config-service. */
const ON_REQUESTS = ['gateway', 'episodic-api', 'semantic-api'];

/** What scales on the backlogs of its consumers. */
const ON_BACKLOG = ['episodic-worker', 'semantic-worker'];

interface Autoscaler extends Manifest {
  readonly spec: {
    readonly scaleTargetRef: { readonly name: string };
    readonly minReplicas?: number;
    readonly maxReplicas: number;
    readonly metrics: readonly {
      readonly resource?: { readonly name: string };
      readonly external?: { readonly metric: { readonly name: string; readonly selector: LabelSelector } };
    }[];
  };
}

interface ScaledObject extends Manifest {
  readonly spec: {
    readonly scaleTargetRef: { readonly name: string };
    readonly minReplicaCount?: number;
    readonly maxReplicaCount?: number;
    readonly fallback?: { readonly replicas: number; readonly behavior?: string };
    readonly triggers: readonly {
      readonly type: string;
      readonly metadata: Readonly<Record<string, string>>;
    }[];
  };
}

interface Service extends Manifest {
  readonly spec: { readonly ports: readonly { readonly port: number }[] };
}

/** Where a ScaledObject names none. */
const KEDA_MAX_REPLICAS = 100;

/** A scaler of either kind. */
interface Scaler {
  readonly target: string;
  readonly leastReplicas: number;
  readonly mostReplicas: number;
  readonly isOnCpu: boolean;
  /** Whose backlog it looks at. */
  readonly consumers: readonly string[];
  /** What is wrong with where it looks. */
  readonly problems: readonly string[];
}

export const scalersOf = (manifests: readonly Manifest[]): Scaler[] => [
  ...ofKind<Autoscaler>(manifests, 'HorizontalPodAutoscaler').map(readAutoscaler),
  ...ofKind<ScaledObject>(manifests, 'ScaledObject').map((object) => readScaledObject(object, manifests)),
];

function readAutoscaler({ spec }: Autoscaler): Scaler {
  const known = documentedMetrics();
  const external = spec.metrics.flatMap((metric) => metric.external?.metric ?? []);
  return {
    target: spec.scaleTargetRef.name,
    leastReplicas: spec.minReplicas ?? 1,
    mostReplicas: spec.maxReplicas,
    isOnCpu: spec.metrics.some(({ resource }) => resource?.name === 'cpu'),
    consumers: external.map(({ selector }) => selector.matchLabels['consumer'] ?? ''),
    problems: external.flatMap(({ name, selector }) => {
      const labels = known.get(name);
      if (!labels) return [`scales on ${name}, which no process serves`];
      return Object.keys(selector.matchLabels)
        .filter((label) => !labels.includes(label))
        .map((label) => `scales on ${name} by ${label}, a label that it does not have`);
    }),
  };
}

function readScaledObject({ spec }: ScaledObject, manifests: readonly Manifest[]): Scaler {
  return {
    target: spec.scaleTargetRef.name,
    leastReplicas: spec.minReplicaCount ?? 0,
    mostReplicas: spec.maxReplicaCount ?? KEDA_MAX_REPLICAS,
    isOnCpu: false,
    consumers: spec.triggers.map(({ metadata }) => metadata['consumer'] ?? ''),
    problems: spec.triggers.flatMap(({ metadata }) => [
      ...streamProblems(metadata),
      ...endpointProblems(metadata, manifests),
    ]),
  };
}

function streamProblems({ stream = '', consumer = '' }: Readonly<Record<string, string>>): string[] {
  const declared = consumers.get(consumer);
  if (!declared || declared.stream.name === stream) return [];
  return [`looks for ${consumer} in the stream ${stream}, which is not where it is`];
}

function endpointProblems(
  { natsServerMonitoringEndpoint: endpoint = '' }: Readonly<Record<string, string>>,
  manifests: readonly Manifest[],
): string[] {
  const [, name = '', port] = /^([\w-]+)\.loci\.svc\.cluster\.local:(\d+)$/.exec(endpoint) ?? [];
  const service = byName(ofKind<Service>(manifests, 'Service'), name);
  const isServed = service?.spec.ports.some((served) => served.port === Number(port));
  return isServed ? [] : [`asks ${endpoint}, which no service is`];
}

const consumers: ReadonlyMap<string, messaging.ConsumerDeclaration> = new Map(
  Object.values(messaging)
    .filter(
      (value): value is messaging.ConsumerDeclaration => typeof value === 'object' && 'ackWaitMs' in value,
    )
    .map((consumer) => [consumer.name, consumer]),
);

/** The name of a consumer begins with that of the process that runs it. */
const foreignConsumers = ({ target, consumers: watched }: Scaler): string[] =>
  watched.flatMap((name) => {
    if (!consumers.has(name)) return [`scales on the consumer ${name}, which no process declares`];
    return name.startsWith(`${target}-`) ? [] : [`scales on ${name}, which another process runs`];
  });

const rightly: Rule = (manifests) =>
  scalersOf(manifests).flatMap((scaler) =>
    [...scaler.problems, ...foreignConsumers(scaler)].map((problem) => `${scaler.target}: ${problem}`),
  );

const onRequests: Rule = (manifests) => {
  const scalers = scalersOf(manifests);
  return ON_REQUESTS.filter((name) => !scalers.some(({ target, isOnCpu }) => target === name && isOnCpu)).map(
    (name) => `${name}: does not scale on requests`,
  );
};

const onBacklog: Rule = (manifests) => {
  const scalers = scalersOf(manifests);
  return ON_BACKLOG.flatMap((name) => {
    const watched = scalers.filter(({ target }) => target === name).flatMap((scaler) => scaler.consumers);
    return [...consumers.keys()]
      .filter((consumer) => consumer.startsWith(`${name}-`) && !watched.includes(consumer))
      .map((consumer) => `${name}: does not scale on the backlog of ${consumer}`);
  });
};

/** Two scalers, or a number in the manifest, would set the replicas back and forth. */
const alone: Rule = (manifests) => {
  const targets = scalersOf(manifests).map(({ target }) => target);
  return [...new Set(targets)].flatMap((name) => {
    const workload = byName(ofKind<Workload>(manifests, 'Deployment'), name);
    if (!workload) return [`${name}: is scaled, and not there`];
    if (targets.filter((target) => target === name).length > 1) return [`${name}: has two scalers`];
    return workload.spec.replicas === undefined
      ? []
      : [`${name}: says how many replicas it has, and is scaled`];
  });
};

/** One replica that is lost must not be the last. */
const redundant: Rule = (manifests) =>
  scalersOf(manifests)
    .filter(({ leastReplicas }) => leastReplicas < 2)
    .map(({ target }) => `${target}: may be scaled to less than two replicas`);

/** A scaler that is blind keeps what there is: work may be piling up meanwhile. */
const keepsWhenBlind: Rule = (manifests) =>
  ofKind<ScaledObject>(manifests, 'ScaledObject')
    .filter(({ spec }) => spec.fallback?.behavior !== 'currentReplicasIfHigher')
    .map(({ metadata }) => `${metadata.name}: may be shrunk while its backlog cannot be read`);

/** What scales, on what. */
export const SCALING_RULES: readonly Rule[] = [rightly, onRequests, alone, keepsWhenBlind];

/** Of production beside these. */
export const PRODUCTION_SCALING_RULES: readonly Rule[] = [onBacklog, redundant];
