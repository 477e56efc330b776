import type { DecisionItem } from '@tollfree/contract/decision-fields';
import type { SmartContractItem } from '@tollfree/contract/smart-contract';
import { calledBy, refusalFix, refusingStep } from './refusal-fix.ts';

/** Refusals with the same cause: the sentence of the newest one, what was called, and the command that fixes it. */
export type RefusalGroup = {
  readonly count: number;
  readonly reason: string;
  readonly message: string;
  readonly contract?: string;
  readonly method?: string;
  /** The commands that fix it. Absent if only the application can. */
  readonly fix?: string;
  /** The newest one, for `tollfree why`. */
  readonly decisionId: string;
};

/** Groups refused decisions, newest first, by reason, called method and the rule that refused; the largest group first. */
export function groupRefusals(
  decisions: readonly DecisionItem[],
  contracts: readonly SmartContractItem[],
): readonly RefusalGroup[] {
  const groups = new Map<string, DecisionItem[]>();
  for (const decision of decisions) {
    if (decision.outcome !== 'refused') continue;
    const { rule, fix } = refusingStep(decision) ?? {};
    const key = JSON.stringify([decision.reason, rule, fix?.target, fix?.selector, fix?.policyField]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [decision]);
    else group.push(decision);
  }
  return [...groups.values()]
    .map((group) => describeGroup(group, contracts))
    .toSorted((one, other) => other.count - one.count);
}

function describeGroup(group: readonly DecisionItem[], contracts: readonly SmartContractItem[]): RefusalGroup {
  const [newest] = group;
  if (newest === undefined) throw new Error('A group has at least one decision.');
  const fix = refusingStep(newest)?.fix;
  const { contract, method } = calledBy(fix, contracts);
  const { command } = refusalFix(newest, contracts);
  return {
    count: group.length,
    reason: newest.reason ?? 'unknown',
    message: newest.message ?? '',
    ...(fix?.target === undefined
      ? {}
      : { contract: contract === undefined ? fix.target : `${contract.name} ${fix.target}` }),
    ...(method === undefined ? {} : { method }),
    ...(command === undefined ? {} : { fix: command }),
    decisionId: newest.decisionId,
  };
}
