/** An object as it is written in a manifest. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

export interface KeyReference {
  readonly name: string;
  readonly key: string;
  readonly optional?: boolean;
}

export interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: number | string };
}

export interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef?: KeyReference };
}

export interface Container {
  readonly name: string;
  readonly image: string;
  /** `Always` of an init container: it runs beside the others. */
  readonly restartPolicy?: string;
  readonly args?: readonly string[];
  readonly env?: readonly Variable[];
  readonly envFrom?: readonly {
    readonly configMapRef?: { readonly name: string };
    readonly secretRef?: { readonly name: string; readonly optional?: boolean };
  }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly resources?: Readonly<Record<'requests' | 'limits', Readonly<Record<string, string>>>>;
  readonly securityContext?: {
    readonly allowPrivilegeEscalation?: boolean;
    readonly readOnlyRootFilesystem?: boolean;
    readonly capabilities?: { readonly drop?: readonly string[]; readonly add?: readonly string[] };
  };
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly lifecycle?: { readonly preStop?: { readonly exec?: { readonly command: readonly string[] } } };
}

export interface PodSpec {
  readonly serviceAccountName?: string;
  readonly priorityClassName?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext?: {
    readonly runAsNonRoot?: boolean;
    readonly runAsUser?: number;
    readonly seccompProfile?: { readonly type: string };
  };
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly restartPolicy?: string;
  readonly topologySpreadConstraints?: readonly {
    readonly topologyKey: string;
    readonly labelSelector: LabelSelector;
  }[];
  readonly volumes?: readonly {
    readonly name: string;
    readonly configMap?: { readonly name: string };
    readonly projected?: {
      readonly sources: readonly { readonly configMap?: { readonly name: string } }[];
    };
  }[];
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
}

export interface LabelSelector {
  readonly matchLabels: Readonly<Record<string, string>>;
}

export interface Workload extends Manifest {
  readonly spec: {
    readonly replicas?: number;
    readonly serviceName?: string;
    readonly strategy?: { readonly rollingUpdate?: { readonly maxUnavailable?: number | string } };
    readonly backoffLimit?: number;
    readonly activeDeadlineSeconds?: number;
    readonly ttlSecondsAfterFinished?: number;
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: PodSpec;
    };
  };
}

export interface ClusterPlugin {
  readonly name: string;
  readonly isWALArchiver?: boolean;
  readonly parameters: Readonly<Record<string, string>>;
}

/** CloudNativePG's PostgreSQL. */
export interface DatabaseCluster extends Manifest {
  readonly spec: {
    readonly instances: number;
    readonly imageName: string;
    readonly bootstrap: {
      readonly initdb: {
        readonly owner: string;
        readonly secret: { readonly name: string };
        readonly postInitApplicationSQLRefs?: { readonly configMapRefs?: readonly KeyReference[] };
      };
      /** Instead of the other, where it is made from a backup. */
      readonly recovery?: { readonly source: string; readonly database: string; readonly owner: string };
    };
    readonly externalClusters?: readonly { readonly name: string; readonly plugin: ClusterPlugin }[];
    readonly plugins?: readonly ClusterPlugin[];
    readonly managed: {
      readonly roles: readonly {
        readonly name: string;
        readonly passwordSecret: { readonly name: string };
      }[];
    };
    readonly certificates?: { readonly serverTLSSecret?: string };
    readonly postgresql: {
      readonly pg_hba?: readonly string[];
      readonly parameters?: Readonly<Record<string, string>>;
      readonly synchronous?: {
        readonly number: number;
        readonly dataDurability?: string;
        readonly failoverQuorum?: boolean;
      };
    };
  };
}

/** CloudNativePG's PgBouncer. */
export interface Pooler extends Manifest {
  readonly spec: {
    readonly cluster: { readonly name: string };
    readonly instances: number;
    readonly pgbouncer: {
      readonly poolMode: string;
      readonly parameters: Readonly<Record<string, string>>;
    };
  };
}

const WITH_PODS = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job'];

interface CronJob extends Manifest {
  readonly spec: { readonly jobTemplate: { readonly spec: Workload['spec'] } };
}

/** Everything that runs pods; what runs at times is as the Job that it makes. */
export const workloadsOf = (manifests: readonly Manifest[]): Workload[] => [
  ...WITH_PODS.flatMap((kind) => ofKind<Workload>(manifests, kind)),
  ...ofKind<CronJob>(manifests, 'CronJob').map(({ spec, ...cronJob }) => ({
    ...cronJob,
    spec: spec.jobTemplate.spec,
  })),
];

/** Whether it ends by itself. */
export const isTask = ({ kind }: Workload): boolean => kind === 'Job' || kind === 'CronJob';

/** @typeParam Kind the shape of that kind, which schemas check elsewhere */
export const ofKind = <Kind extends Manifest>(manifests: readonly Manifest[], kind: string): Kind[] =>
  manifests.filter((manifest): manifest is Kind => manifest.kind === kind);

export const byName = <Kind extends Manifest>(objects: readonly Kind[], name: string): Kind | undefined =>
  objects.find(({ metadata }) => metadata.name === name);

export const containersOf = ({ spec }: Workload): readonly Container[] => [
  ...(spec.template.spec.initContainers ?? []),
  ...spec.template.spec.containers,
];
