import { type OnApplicationShutdown } from '@nestjs/common';
import { switchSpans } from './span.js';

/** Spans that were not exported by then are lost: a collector that is down must not hold up a shutdown. */
const FLUSH_TIMEOUT_MS = 2_000;

/**
 * Sends the spans of this process to an OTLP/HTTP collector. Everything is set by the standard variables:
 * `OTEL_EXPORTER_OTLP_ENDPOINT` (or `..._TRACES_ENDPOINT`) says where and switches it on, `OTEL_SDK_DISABLED` off;
 * `OTEL_TRACES_SAMPLER`, `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_BSP_*` are obeyed by the SDK.
 */
export class Tracing implements OnApplicationShutdown {
  private constructor(private readonly exporting: { shutdown(): Promise<void> } | undefined) {}

  /**
   * The SDK is loaded only where spans go somewhere: it makes up a good part of the start of a process.
   * @param service the name of the process in every span
   */
  static async start(service: string, env: NodeJS.ProcessEnv = process.env): Promise<Tracing> {
    const endpoint = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_ENDPOINT'];
    if (!endpoint || env['OTEL_SDK_DISABLED'] === 'true') return new Tracing(undefined);
    const { exportSpans } = await import('./span-exporter.js');
    const exporting = exportSpans(service);
    switchSpans('on');
    return new Tracing(exporting);
  }

  async onApplicationShutdown(): Promise<void> {
    if (!this.exporting) return;
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<void>((resolve) => (timer = setTimeout(resolve, FLUSH_TIMEOUT_MS)));
    await Promise.race([this.exporting.shutdown().catch(() => undefined), tooLong]);
    clearTimeout(timer);
  }
}
