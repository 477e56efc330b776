import { type Attributes, SpanKind } from '@opentelemetry/api';
import type { Clock } from '../../base/time/clock.ts';
import { traced } from '../../base/traced.ts';
import type { Endpoint } from './create-endpoint.ts';
import { isFailure } from './rpc-answer.ts';

/**
 * What became of a question: an answer, an error about the question included; none; or no one waited for it any more.
 */
export type QuestionOutcome = 'answered' | 'failed' | 'dropped';

/** Told of every question when it is over, and how long that took. */
export type QuestionNote = (outcome: QuestionOutcome, seconds: number) => void;

/** The same endpoint, which tells how long its questions take. */
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
