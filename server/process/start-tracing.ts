import { context, propagation, trace } from '@opentelemetry/api';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { type Environment, processEnvironment } from '../../clients/cli/terminal/environment.ts';

/** Tracing of a process, until closed; pending spans are sent then. */
export type Tracing = { close(): Promise<void> };

/** Time limit for sending the last spans, in milliseconds. */
const exportTimeoutMs = 5_000;

/**
 * Sends spans to an OpenTelemetry collector over OTLP/HTTP if `otlpUrl` or `OTEL_EXPORTER_OTLP_ENDPOINT` names one.
 * Otherwise nothing is loaded. Headers, such as a token, come from `OTEL_EXPORTER_OTLP_HEADERS`.
 */
export async function startTracing(
  { otlpUrl, sampleRatio }: { readonly otlpUrl?: string | undefined; readonly sampleRatio: number },
  serviceName: string,
  environment: Environment = processEnvironment(),
): Promise<Tracing> {
  const url = otlpUrl ?? urlFrom(environment);
  if (url === undefined) return { close: async () => undefined };
  const { sdk, exporter, resources } = await loadSdk();
  const { BatchSpanProcessor, NodeTracerProvider, ParentBasedSampler, TraceIdRatioBasedSampler } = sdk;
  const spans = new exporter.OTLPTraceExporter({ url, timeoutMillis: exportTimeoutMs });
  const provider = new NodeTracerProvider({
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: [new BatchSpanProcessor(spans, { exportTimeoutMillis: exportTimeoutMs })],
    resource: resources.resourceFromAttributes({ 'service.name': serviceName }),
  });
  provider.register();
  return {
    close: async () => {
      // An unreachable collector must not keep the process alive.
      await provider.shutdown().catch(() => undefined);
      trace.disable();
      context.disable();
      propagation.disable();
    },
  };
}

function urlFrom({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces, OTEL_EXPORTER_OTLP_ENDPOINT: base }: Environment) {
  if (traces !== undefined && traces !== '') return traces;
  return base === undefined || base === '' ? undefined : `${base.replace(/\/$/, '')}/v1/traces`;
}

async function loadSdk() {
  try {
    const [sdk, exporter, resources] = await Promise.all([
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
    return { sdk, exporter, resources };
  } catch (cause) {
    const packages = '@opentelemetry/sdk-trace-node @opentelemetry/exporter-trace-otlp-http @opentelemetry/resources';
    throw mistake(
      `Tracing needs packages that are not installed: npm install ${packages} in the folder of tollfree.`,
      cause,
    );
  }
}
