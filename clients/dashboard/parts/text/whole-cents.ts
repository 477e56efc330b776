import type { SplitCost } from './split-cost.ts';

const cent = 10_000n;

/** Millionths of a USD in whole cents, with the sum of the amounts, rounded. Those below a cent are shown with their digits, and stay. */
export function roundParts(micros: readonly bigint[]): readonly bigint[] {
  const parts = micros.map((exact, index) => {
    const isTiny = exact > -cent && exact < cent;
    // Never negative, unlike that of a division.
    const rest = isTiny ? 0n : ((exact % cent) + cent) % cent;
    return { index, rest, shown: exact - rest };
  });
  const restOfAll = parts.reduce((sum, { rest }) => sum + rest, 0n);
  const most = parts.toSorted((one, other) => Number(other.rest - one.rest));
  const raised = new Set(most.slice(0, Number((restOfAll + cent / 2n) / cent)).map(({ index }) => index));
  return parts.map(({ index, shown }) => (raised.has(index) ? shown + cent : shown));
}

/** A cost with its parts as a page shows them. What is added up from it is the sum of what is shown. */
export function costInCents({ own, users }: SplitCost): SplitCost {
  return { own: roundUsd(own), users: roundUsd(users) };
}

function roundUsd(usd: number): number {
  const [micros = 0n] = roundParts([BigInt(usd.toFixed(6).replace('.', ''))]);
  return Number(micros) / 1_000_000;
}
