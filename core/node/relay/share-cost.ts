/**
 * Splits a cost in proportion to weights, in wei. The shares add up to the cost exactly: each is the share of the running
 * sum of weights, less what was given before. If all weights are 0, the first bears the cost.
 */
export function shareCost(cost: bigint, weights: readonly bigint[]): readonly bigint[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  if (total === 0n) return weights.map((_, index) => (index === 0 ? cost : 0n));
  let [reached, given] = [0n, 0n];
  return weights.map((weight) => {
    reached += weight;
    const share = (cost * reached) / total - given;
    given += share;
    return share;
  });
}
