/** The sums of a paymaster contract's journal, in wei. */
export type MovementSums = {
  readonly deposits: bigint;
  readonly withdrawals: bigint;
  readonly costs: bigint;
  /** The part of the costs that no tank paid. */
  readonly unexplainedCosts: bigint;
};

export const noMovements: MovementSums = { deposits: 0n, withdrawals: 0n, costs: 0n, unexplainedCosts: 0n };

/** Movements of one kind; those that reverse others are below zero. */
type AddedMovements = {
  readonly kind: 'deposit' | 'withdrawal' | 'cost';
  readonly isOfNoTank: boolean;
  readonly wei: bigint;
};

/** The sums including these movements. */
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
