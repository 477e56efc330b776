import type { DecisionItem } from '@tollfree/contract/decision-fields';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { calledBy, type FixStep, fixSteps, type KnownForFix, refusingStep } from './fix-commands.ts';

/** Refusals with the same cause: the sentence of the newest one, what was called, and what fixes it. */
export type RefusalGroup = {
  readonly count: number;
  readonly reason: string;
  readonly message: string;
  readonly contract?: string;
  readonly method?: string;
  /** What to run, in order. Absent if only the application can fix it. */
  readonly steps?: readonly FixStep[];
  /** The newest one, for `tollfree why`. */
  readonly decisionId: string;
};

/** Groups refused decisions, newest first, by reason, called method and the rule that refused; the largest group first. */
export function groupRefusals(decisions: readonly DecisionItem[], known: KnownForFix): readonly RefusalGroup[] {
  const groups = new Map<string, DecisionItem[]>();
  for (const decision of decisions) {
    if (decision.outcome !== 'refused') continue;
    const { rule, fix } = refusingStep(decision) ?? {};
    const key = JSON.stringify([decision.reason, rule, fix]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [decision]);
    else group.push(decision);
  }
  return [...groups.values()]
    .map((group) => describeGroup(group, known))
    .toSorted((one, other) => other.count - one.count);
}

function describeGroup(group: readonly DecisionItem[], known: KnownForFix): RefusalGroup {
  const [newest] = group;
  if (newest === undefined) throw new Error('A group has at least one decision.');
  const { reason = 'unknown', message = '', decisionId } = newest;
  const fix = refusingStep(newest)?.fix;
  const { target, selector } = fix ?? {};
  const { contract, method = selector } = calledBy(fix ?? {}, known.contracts);
  return {
    count: group.length,
    reason,
    message,
    ...omitAbsent({
      contract: contract === undefined ? target : `${contract.name} ${contract.address}`,
      method,
      steps: fix && fixSteps(fix, newest, known),
    }),
    decisionId,
  };
}
