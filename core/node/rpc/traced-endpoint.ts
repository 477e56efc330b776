import { type Attributes, SpanKind } from '@opentelemetry/api';
import { traced } from '../../base/traced.ts';
import type { Endpoint } from './create-endpoint.ts';

/** The same endpoint, whose questions are spans. They take no trace with them: a node is someone else's. */
export function tracedEndpoint(endpoint: Endpoint, who: 'node' | 'bundler', attributes: Attributes = {}): Endpoint {
  return {
    ask: (question, signal) =>
      traced(
        {
          name: `${who} ${question.method}`,
          kind: SpanKind.CLIENT,
          attributes: { 'rpc.system': 'jsonrpc', 'rpc.method': question.method, ...attributes },
        },
        () => endpoint.ask(question, signal),
      ),
  };
}
