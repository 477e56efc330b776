import type { TankStatementItem } from '@tollfree/contract/gas-tank-statement';

type Head = keyof Pick<TankStatementItem, 'deposited' | 'withdrawn' | 'credited' | 'debited' | 'spent' | 'premium'>;

/** The lines of a statement, in order. */
export const statementHeads: readonly { readonly head: Head; readonly title: string; readonly takes: boolean }[] = [
  { head: 'deposited', title: 'Deposited', takes: false },
  { head: 'withdrawn', title: 'Withdrawn', takes: true },
  { head: 'credited', title: 'Credited by the operator', takes: false },
  { head: 'debited', title: 'Debited by the operator', takes: true },
  { head: 'spent', title: 'Spent on operations', takes: true },
  { head: 'premium', title: 'Contract’s premium (part of spent)', takes: true },
];
