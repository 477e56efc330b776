import type { Metric } from '../base/metrics/metric.ts';
import { accept, type Result } from '../domain/result/result.ts';
import type { CoreMember } from './core-member.ts';
import { operations } from './operations.ts';

/** How long the metrics of one core are waited for, in milliseconds: those of the others are wanted soon. */
const maxWait = 2_000;

/**
 * The metrics of all cores that answer, each told apart by the label `core`, its address: a core counts for itself, and a
 * count that came from one core now and from another one then would go up and down. Rejects where none answers.
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
