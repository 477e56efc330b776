import { type Attributes, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

/** Where spans come from. It is no one until the process starts tracing. */
const tracer = trace.getTracer('tollfree');

/** Whether what is being done is part of a request that is traced. */
export function isTraced(): boolean {
  return trace.getActiveSpan() !== undefined;
}

/**
 * Does a piece of work of a request that is traced as a span of it, and otherwise plainly: what runs by itself is not
 * traced. No attribute holds a key, a token or a URL, and of what is thrown the name alone is told.
 *
 * @param describe what is known of the result when it is there.
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

/** Does the work that a span is about, and ends it. */
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
