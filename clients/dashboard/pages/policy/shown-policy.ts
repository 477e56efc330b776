import type { PolicyItem } from '@tollfree/contract/policy';
import { PolicyRequestSchema } from '@tollfree/contract/policy-fields';
import { useEffect } from 'react';
import { keepRows, readKeptRows } from '../../api/kept-drafts.ts';

/** A policy before anyone has changed it. */
export const untouched = PolicyRequestSchema.parse({}) as PolicyItem;

const ofAll = { per: 'TOTAL', window: 'DAY', unit: 'USD', max: '20.00' } as const;
const ofSender = { per: 'SENDER', window: 'DAY', unit: 'OPERATIONS', max: '10' } as const;

/** Remembers in this tab how many limits a policy had when it was shown, for the room that they take when it is loaded again. */
export function useShownPolicy(name: string, policy: PolicyItem | undefined): void {
  useEffect(() => {
    if (policy === undefined) return;
    const together = policy.limits.filter(({ per }) => per === 'TOTAL').length;
    keepRows(name, [together, policy.limits.length - together]);
  }, [name, policy]);
}

/** A policy with as many limits as this tab has shown of it last. */
export function lastShownPolicy(name: string): PolicyItem {
  const [together = 0, others = 0] = readKeptRows(name);
  return { ...untouched, limits: [...Array(together).fill(ofAll), ...Array(others).fill(ofSender)] };
}
