import { type Attributes, SpanKind } from '@opentelemetry/api';
import type { Clock } from '../../base/time/clock.ts';
import { traced } from '../../base/traced.ts';
import type { Endpoint } from './create-endpoint.ts';
import { isFailure } from './rpc-answer.ts';

/** The outcome of a question: an answer, including an error about the question; no answer; or no longer awaited. */
export type QuestionOutcome = 'answered' | 'failed' | 'dropped';

/** Called after every question, with its outcome and duration. */
export type QuestionNote = (outcome: QuestionOutcome, seconds: number) => void;

/** The same endpoint, reporting the duration of its questions. */
export function timedEndpoint(endpoint: Endpoint, clock: Clock, note: QuestionNote): Endpoint {
  return {
    async ask(question, signal) {
      const begunAt = clock.now();
      const done = (outcome: QuestionOutcome) => note(outcome, Math.max(clock.now() - begunAt, 0) / 1_000);
      try {
        const answer = await endpoint.ask(question, signal);
        done('answered');
        return answer;
      } catch (error) {
        done(signal?.aborted ? 'dropped' : isFailure(error) ? 'failed' : 'answered');
        throw error;
      }
    },
  };
}

/** The same endpoint, with a span per question. The trace context is not sent: the node is a third party. */
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
