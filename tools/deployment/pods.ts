import { STOP_TIMEOUT_MS } from '@loci/platform';
import { looseness } from './images.js';
import { byName, isTask, type LabelSelector, type Manifest, ofKind, type Workload } from './manifests.js';
import { DEPLOYED, isService } from './processes.js';
import { withoutHash } from './secrets.js';
import { ofContainers, ofWorkloads, type Rule } from './rule.js';

const SPREAD_OVER = ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'];

/** Volumes that the restricted Pod Security standard allows. */
const VOLUMES = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
]);

const pinned = ofContainers(({ image }) => looseness(image));

const bounded = ofContainers(({ resources }) => {
  const { requests, limits } = resources ?? {};
  const isBounded = requests?.['cpu'] && requests['memory'] && limits?.['cpu'] && limits['memory'];
  return isBounded ? undefined : 'does not say what it needs at least and may use at most';
});

const unprivileged = ofContainers(({ securityContext = {} }) => {
  const { allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities } = securityContext;
  if (allowPrivilegeEscalation !== false) return 'may gain privileges';
  if (!capabilities?.drop?.includes('ALL') || (capabilities.add ?? []).length > 0) return 'has capabilities';
  return readOnlyRootFilesystem === true ? undefined : 'may write to its root file system';
});

const probed = ofContainers(({ restartPolicy, startupProbe, livenessProbe, readinessProbe }, workload) => {
  const isSidecar = restartPolicy === 'Always';
  if (isTask(workload) || isSidecar) return undefined;
  if (!startupProbe || !livenessProbe || !readinessProbe) return 'lacks a probe';
  if (!isService(workload.metadata.name)) return undefined;
  const asked = [startupProbe, livenessProbe, readinessProbe].map(
    ({ httpGet }) => `${httpGet?.port}${httpGet?.path}`,
  );
  const answered = ['http/health/live', 'http/health/live', 'http/health/ready'];
  return asked.join() === answered.join() ? undefined : `is probed at ${asked.join(' ')}`;
});

/** With `unprivileged`, the restricted Pod Security standard. */
const restricted = ofWorkloads(({ spec }) => {
  const { securityContext = {}, hostNetwork, hostPID, hostIPC, volumes = [] } = spec.template.spec;
  if (securityContext.runAsNonRoot !== true || securityContext.runAsUser === 0) return 'may run as root';
  if (securityContext.seccompProfile?.type !== 'RuntimeDefault') return 'may make any system call';
  if (hostNetwork || hostPID || hostIPC) return 'shares a namespace with its node';
  const foreign = volumes.flatMap((volume) =>
    Object.keys(volume).filter((key) => key !== 'name' && !VOLUMES.has(key)),
  );
  return foreign.length > 0 ? `mounts ${foreign.join()}` : undefined;
});

const tokenless = ofWorkloads(({ metadata, spec }, manifests) => {
  const { serviceAccountName = '', automountServiceAccountToken } = spec.template.spec;
  if (automountServiceAccountToken !== false) return 'is given a token of the Kubernetes API';
  if (!DEPLOYED.some(({ name }) => name === metadata.name)) return undefined;
  const account = byName(
    ofKind<Manifest & { readonly automountServiceAccountToken?: boolean }>(manifests, 'ServiceAccount'),
    serviceAccountName,
  );
  return account?.automountServiceAccountToken === false ? undefined : 'has no account without a token';
});

const spread = ofServices(({ metadata, spec }) => {
  const over = (spec.template.spec.topologySpreadConstraints ?? [])
    .filter(({ labelSelector }) => labelSelector.matchLabels['app.kubernetes.io/name'] === metadata.name)
    .map(({ topologyKey }) => topologyKey);
  return SPREAD_OVER.every((key) => over.includes(key)) ? undefined : 'is not spread over zones and nodes';
});

interface Budget extends Manifest {
  readonly spec: {
    readonly maxUnavailable?: number;
    readonly selector: LabelSelector;
    readonly unhealthyPodEvictionPolicy?: string;
  };
}

/** Of servers, too: a cluster that loses two of three at once stands still. */
const disruptable = ofWorkloads((workload, manifests) => {
  const { kind, metadata, spec } = workload;
  const isSingle = kind === 'StatefulSet' && spec.replicas === 1;
  if (isTask(workload) || isSingle) return undefined;
  const budget = byName(ofKind<Budget>(manifests, 'PodDisruptionBudget'), metadata.name);
  const chosen = Object.entries(budget?.spec.selector.matchLabels ?? {});
  const { labels } = spec.template.metadata;
  const isIts = chosen.length > 0 && chosen.every(([key, value]) => labels[key] === value);
  const isKept = isIts && budget?.spec.maxUnavailable === 1;
  if (!isKept) return 'may lose more than one replica at a time';
  return budget.spec.unhealthyPodEvictionPolicy
    ? undefined
    : 'keeps its node from being drained while it is broken';
});

/** Background work gives way to requests, and both to what keeps the data. */
const ranked = ofWorkloads(({ kind, metadata, spec }, manifests) => {
  const { priorityClassName = '' } = spec.template.spec;
  const priority = byName(ofKind(manifests, 'PriorityClass'), priorityClassName);
  if (!priority) return 'has no priority';
  if (kind === 'Job') {
    const isApplied = priority.metadata.labels?.['app.kubernetes.io/component'] === 'migration';
    return isApplied ? undefined : 'has a priority that an upgrade applies after it';
  }
  const process = DEPLOYED.find(({ name }) => name === metadata.name);
  const others = kind === 'CronJob' ? 'loci-background' : 'loci-servers';
  const wanted = process ? rankOf(metadata.name) : others;
  return priorityClassName === wanted ? undefined : `has the priority ${priorityClassName}`;
});

const rankOf = (name: string): string => (name.endsWith('-worker') ? 'loci-background' : 'loci-requests');

/** The hash of what a ConfigMap says is in its name, so that pods are replaced when it changes. */
const hashed = ofContainers(({ envFrom = [] }, { spec }) => {
  const mounted = (spec.template.spec.volumes ?? []).flatMap(({ projected }) =>
    (projected?.sources ?? []).flatMap(({ configMap }) => configMap?.name ?? []),
  );
  const unhashed = [...envFrom.flatMap(({ configMapRef }) => configMapRef?.name ?? []), ...mounted].filter(
    (name) => withoutHash(name) === name,
  );
  return unhashed.length > 0 ? `does not notice a change of ${unhashed.join()}` : undefined;
});

const draining = ofServices(({ spec }) => {
  const { containers, terminationGracePeriodSeconds = 30 } = spec.template.spec;
  const pauses = containers.map(({ lifecycle }) => lifecycle?.preStop?.exec?.command ?? []);
  const [pause = 0] = pauses.map(([program, seconds]) => (program === 'sleep' ? Number(seconds) : 0));
  if (pause === 0) return 'is stopped while the endpoints still name it';
  const isLongEnough = terminationGracePeriodSeconds > pause + STOP_TIMEOUT_MS / 1000;
  return isLongEnough ? undefined : 'is killed before it has drained';
});

const replacedOneByOne = ofServices(({ spec }) =>
  spec.strategy?.rollingUpdate?.maxUnavailable === 0 ? undefined : 'is fewer while it is replaced',
);

const ARGO_CD = 'argocd.argoproj.io';

const waveOf = ({ metadata }: Manifest): number =>
  Number(metadata.annotations?.[`${ARGO_CD}/sync-wave`] ?? 0);

/** Argo CD ends a sync at a migration that failed, before it touches a process, and makes the Job again at each sync. */
const upgradedInSequence: Rule = (manifests) => {
  const migrations = ofKind(manifests, 'Job');
  const later = ['Deployment', 'HorizontalPodAutoscaler', 'ScaledObject'].flatMap((kind) =>
    ofKind(manifests, kind),
  );
  const lastMigration = Math.max(...migrations.map(waveOf));
  return [
    ...migrations
      .filter(
        ({ metadata: { annotations } }) =>
          annotations?.[`${ARGO_CD}/hook`] !== 'Sync' ||
          annotations[`${ARGO_CD}/hook-delete-policy`] !== 'BeforeHookCreation',
      )
      .map(({ metadata }) => `${metadata.name}: is no hook that Argo CD makes anew`),
    ...later
      .filter((one) => waveOf(one) <= lastMigration)
      .map(({ kind, metadata }) => `${kind} ${metadata.name}: does not wait for the migrations in Argo CD`),
  ];
};

/** A Job that failed for good must be seen, and one that is done must be gone before the next upgrade. */
const ending = ofWorkloads((workload) => {
  const { kind, metadata, spec } = workload;
  if (!isTask(workload)) return undefined;
  if (kind === 'Job' && metadata.labels?.['app.kubernetes.io/component'] !== 'migration')
    return 'is missed by an upgrade';
  const isBounded = (spec.backoffLimit ?? 0) > 0 && (spec.activeDeadlineSeconds ?? 0) > 0;
  if (!isBounded || !spec.ttlSecondsAfterFinished) return 'is tried for ever, or stays';
  return spec.template.spec.restartPolicy === 'Never' ? undefined : 'hides the logs of its failures';
});

function ofServices(problem: (workload: Workload) => string | undefined): Rule {
  return ofWorkloads((workload) => (isService(workload.metadata.name) ? problem(workload) : undefined));
}

/** What every pod has to keep, whatever is in it. */
export const POD_RULES: readonly Rule[] = [
  pinned,
  bounded,
  unprivileged,
  probed,
  restricted,
  tokenless,
  spread,
  disruptable,
  ranked,
  hashed,
  draining,
  replacedOneByOne,
  ending,
  upgradedInSequence,
];
