/** What the journal of a paymaster contract comes to, in wei. */
export type MovementSums = {
  readonly deposits: bigint;
  readonly withdrawals: bigint;
  readonly costs: bigint;
  /** Of the costs those that no tank paid for. */
  readonly unexplainedCosts: bigint;
};

export const noMovements: MovementSums = { deposits: 0n, withdrawals: 0n, costs: 0n, unexplainedCosts: 0n };

/** Movements of one kind, those that take others back below zero. */
type AddedMovements = {
  readonly kind: 'deposit' | 'withdrawal' | 'cost';
  readonly isOfNoTank: boolean;
  readonly wei: bigint;
};

/** The sums with these movements too. */
export function addMovements(sums: MovementSums, { kind, isOfNoTank, wei }: AddedMovements): MovementSums {
  switch (kind) {
    case 'deposit':
      return { ...sums, deposits: sums.deposits + wei };
    case 'withdrawal':
      return { ...sums, withdrawals: sums.withdrawals + wei };
    case 'cost':
      return {
        ...sums,
        costs: sums.costs + wei,
        unexplainedCosts: sums.unexplainedCosts + (isOfNoTank ? wei : 0n),
      };
  }
}
