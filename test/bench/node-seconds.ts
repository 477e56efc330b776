import type { BenchTarget } from './bench-target.ts';

/** What a service asked of its node so far: questions that were answered, and how long those took together, in seconds. */
export type NodeSeconds = { readonly questions: number; readonly seconds: number };

/** By the service's own metrics; undefined of one that says not where they are, and of several cores. */
export async function readNodeSeconds({ adminUrl, others = [] }: BenchTarget): Promise<NodeSeconds | undefined> {
  if (adminUrl === undefined || others.length > 0) return undefined;
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  const read = (suffix: string) =>
    [...text.matchAll(/^tollfree_node_question_seconds_(\w+)\{(.*)\} (\S+)$/gm)]
      .filter(([, name, labels]) => name === suffix && labels?.includes('outcome="answered"'))
      .reduce((sum, [, , , value]) => sum + Number(value), 0);
  return { questions: read('count'), seconds: read('sum') };
}

/** What was asked between two readings that are so many seconds apart, without what the watcher asks in that time. */
export function nodeSecondsBetween(
  [before, after]: readonly [NodeSeconds | undefined, NodeSeconds | undefined],
  background: NodeSeconds | undefined,
  elapsedSeconds: number,
): NodeSeconds | undefined {
  if (before === undefined || after === undefined || background === undefined) return undefined;
  const without = (name: keyof NodeSeconds) =>
    Math.max(after[name] - before[name] - background[name] * elapsedSeconds, 0);
  return { questions: without('questions'), seconds: without('seconds') };
}

const idleMs = 3_000;

/** What the watcher asks in a second while no one else does. */
export async function readBackground(target: BenchTarget): Promise<NodeSeconds | undefined> {
  const before = await readNodeSeconds(target);
  const start = performance.now();
  await new Promise((resolve) => setTimeout(resolve, idleMs));
  const after = await readNodeSeconds(target);
  if (before === undefined || after === undefined) return undefined;
  const elapsed = (performance.now() - start) / 1_000;
  return {
    questions: (after.questions - before.questions) / elapsed,
    seconds: (after.seconds - before.seconds) / elapsed,
  };
}
