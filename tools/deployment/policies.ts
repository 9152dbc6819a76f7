import { type Manifest } from './kubernetes-schemas.js';
import { DEPLOYED } from './processes.js';
import { type Container, type Workload, workloadsOf } from './render.js';

/** A drain ends within 25 s, and 5 s pass before it begins. */
const DRAIN_SECONDS = 30;

/** What scales on requests; workers scale on their backlog, and there is little to do for config-service. */
const ON_REQUESTS = ['gateway', 'episodic-api', 'semantic-api'];

const SPREAD_OVER = ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'];

/** Volumes that the restricted Pod Security standard admits. */
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

type Policy = (manifests: readonly Manifest[]) => string[];

/** What every overlay has to keep. @returns sentences that name the object; none when all is kept */
export const brokenPolicies: Policy = (manifests) => POLICIES.flatMap((policy) => policy(manifests));

const ofContainers =
  (problem: (container: Container, workload: Workload) => string | undefined): Policy =>
  (manifests) =>
    workloadsOf(manifests).flatMap((workload) =>
      workload.spec.template.spec.containers.flatMap((container) => {
        const found = problem(container, workload);
        return found === undefined ? [] : [`${workload.metadata.name}: ${found}`];
      }),
    );

const ofWorkloads =
  (problem: (workload: Workload, manifests: readonly Manifest[]) => string | undefined): Policy =>
  (manifests) =>
    workloadsOf(manifests).flatMap((workload) => {
      const found = problem(workload, manifests);
      return found === undefined ? [] : [`${workload.metadata.name}: ${found}`];
    });

const named = (manifests: readonly Manifest[], kind: string, name: string): Manifest | undefined =>
  manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);

const services = new Set(DEPLOYED.filter(({ kind }) => kind !== 'migration').map(({ name }) => name));

const isService = ({ metadata }: Workload): boolean => services.has(metadata.name);

const pinned = ofContainers(({ image }) =>
  /:v?\d+\.\d+/.test(image) ? undefined : `${image} is not pinned to a version`,
);

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

const probed = ofContainers(({ startupProbe, livenessProbe, readinessProbe }, { kind }) =>
  kind === 'Job' || (startupProbe && livenessProbe && readinessProbe) ? undefined : 'lacks a probe',
);

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
  const { serviceAccountName, automountServiceAccountToken } = spec.template.spec;
  if (automountServiceAccountToken !== false) return 'is given a token of the Kubernetes API';
  if (!DEPLOYED.some(({ name }) => name === metadata.name)) return undefined;
  const account = named(manifests, 'ServiceAccount', serviceAccountName ?? '') as
    (Manifest & { readonly automountServiceAccountToken?: boolean }) | undefined;
  return account?.automountServiceAccountToken === false ? undefined : 'has no account without a token';
});

const spread = ofWorkloads((workload) => {
  if (!isService(workload)) return undefined;
  const { metadata, spec } = workload;
  const over = (spec.template.spec.topologySpreadConstraints ?? [])
    .filter(({ labelSelector }) => labelSelector.matchLabels['app.kubernetes.io/name'] === metadata.name)
    .map(({ topologyKey }) => topologyKey);
  return SPREAD_OVER.every((key) => over.includes(key)) ? undefined : 'is not spread over zones and nodes';
});

const disruptable = ofWorkloads((workload, manifests) => {
  if (!isService(workload)) return undefined;
  const { name } = workload.metadata;
  const budget = named(manifests, 'PodDisruptionBudget', name) as
    | (Manifest & { readonly spec: { readonly maxUnavailable?: number; readonly selector: Selector } })
    | undefined;
  const isOurs = budget?.spec.selector.matchLabels['app.kubernetes.io/name'] === name;
  return isOurs && budget.spec.maxUnavailable === 1 ? undefined : 'may lose more than one replica at a time';
});

const draining = ofWorkloads((workload) => {
  const { terminationGracePeriodSeconds = 0 } = workload.spec.template.spec;
  const hasTime = !isService(workload) || terminationGracePeriodSeconds > DRAIN_SECONDS;
  return hasTime ? undefined : 'is killed before it has drained';
});

const scaling: Policy = (manifests) =>
  ON_REQUESTS.filter((name) => {
    const scaler = named(manifests, 'HorizontalPodAutoscaler', name) as
      (Manifest & { readonly spec: { readonly scaleTargetRef: { readonly name: string } } }) | undefined;
    return scaler?.spec.scaleTargetRef.name !== name;
  }).map((name) => `${name}: does not scale on requests`);

/** A Job that failed for good must be seen, and one that is done must be gone before the next upgrade. */
const migrating = ofWorkloads(({ kind, spec }) => {
  if (kind !== 'Job') return undefined;
  const isBounded = (spec.backoffLimit ?? 0) > 0 && (spec.activeDeadlineSeconds ?? 0) > 0;
  if (!isBounded || !spec.ttlSecondsAfterFinished) return 'is tried for ever, or stays';
  return spec.template.spec.restartPolicy === 'Never' ? undefined : 'hides the logs of its failures';
});

interface Selector {
  readonly matchLabels: Readonly<Record<string, string>>;
}

const POLICIES: readonly Policy[] = [
  pinned,
  bounded,
  unprivileged,
  probed,
  restricted,
  tokenless,
  spread,
  disruptable,
  draining,
  scaling,
  migrating,
];
