import type { Metric } from '../base/metrics/metric.ts';
import { accept, type Result } from '../domain/result/result.ts';
import type { CoreMember } from './core-member.ts';
import { operations } from './operations.ts';

/** Time limit for one core's metrics, in milliseconds, so as not to delay the others. */
const maxWait = 2_000;

/**
 *
 *
 * The metrics of all answering cores, with the label `core` set to its address: each core counts separately, and mixing them
 * would make a counter go up and down. Rejects if none answers.
 */
export async function metricsOfCores(members: readonly CoreMember[]): Promise<Result<readonly Metric[]>> {
  const answers = await Promise.allSettled(
    members.map(async (member) => {
      const terms = { deadlineMs: maxWait, repeatable: true };
      const answer = await operations.readFigures.call((method, request) => member.send(method, request, terms))(
        undefined,
      );
      return answer.ok ? answer.value.map((metric) => labelled(metric, member.address)) : [];
    }),
  );
  const reported = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const [first] = answers;
  if (reported.length === 0 && first?.status === 'rejected') throw first.reason;
  return accept(reported.flat());
}

function labelled(metric: Metric, core: string): Metric {
  return { ...metric, samples: metric.samples.map((one) => ({ ...one, labels: { ...one.labels, core } })) };
}
