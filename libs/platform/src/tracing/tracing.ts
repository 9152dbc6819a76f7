import { type Attributes } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { type OnApplicationShutdown } from '@nestjs/common';
import { VERSION } from '../process/version.js';
import { switchSpans } from './span.js';

/** Spans that were not exported by then are lost: a collector that is down must not hold up a shutdown. */
const FLUSH_TIMEOUT_MS = 2_000;

/**
 * Sends the spans of this process to an OTLP/HTTP collector. Everything is set by the standard variables:
 * `OTEL_EXPORTER_OTLP_ENDPOINT` (or `..._TRACES_ENDPOINT`) says where and switches it on, `OTEL_SDK_DISABLED` off;
 * `OTEL_TRACES_SAMPLER`, `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_BSP_*` are obeyed by the SDK.
 */
export class Tracing implements OnApplicationShutdown {
  private constructor(private readonly provider: NodeTracerProvider | undefined) {}

  /** @param service the name of the process in every span */
  static start(service: string, env: NodeJS.ProcessEnv = process.env): Tracing {
    const endpoint = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_ENDPOINT'];
    if (!endpoint || env['OTEL_SDK_DISABLED'] === 'true') return new Tracing(undefined);
    const provider = new NodeTracerProvider({
      resource: resourceOf({
        'service.name': service,
        'service.namespace': 'loci',
        'service.version': VERSION,
      }),
      spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
    });
    provider.register();
    switchSpans('on');
    return new Tracing(provider);
  }

  async onApplicationShutdown(): Promise<void> {
    if (!this.provider) return;
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<void>((resolve) => (timer = setTimeout(resolve, FLUSH_TIMEOUT_MS)));
    await Promise.race([this.provider.shutdown().catch(() => undefined), tooLong]);
    clearTimeout(timer);
  }
}

const resourceOf = (attributes: Attributes) =>
  defaultResource()
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(resourceFromAttributes(attributes));
