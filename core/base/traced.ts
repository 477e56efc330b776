import { type Attributes, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

/** The tracer of spans. A no-op until the process starts tracing. */
const tracer = trace.getTracer('tollfree');

/** Whether the current work is part of a traced request. */
export function isTraced(): boolean {
  return trace.getActiveSpan() !== undefined;
}

/**
 * Runs a piece of work as a span of a traced request, or without a span outside of one; background work is not traced. No
 * attribute contains a key, a token or a URL, and an error is recorded only by its name.
 *
 * @param describe attributes from the result.
 */
export function traced<T>(
  { name, kind = SpanKind.INTERNAL, attributes }: SpanForm,
  work: () => Promise<T>,
  describe?: (result: T) => Attributes,
): Promise<T> {
  if (!isTraced()) return work();
  return tracer.startActiveSpan(name, { kind, ...(attributes && { attributes }) }, (span) =>
    inSpan(span, work, describe),
  );
}

type SpanForm = { readonly name: string; readonly kind?: SpanKind; readonly attributes?: Attributes };

/** Runs the work of a span, and ends it. */
export async function inSpan<T>(span: Span, work: () => Promise<T>, describe?: (result: T) => Attributes): Promise<T> {
  try {
    const result = await work();
    if (describe !== undefined) span.setAttributes(describe(result));
    return result;
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
    throw error;
  } finally {
    span.end();
  }
}
