import type { Address } from 'viem';
import { type Behind, type BehindByContract, type Following, ledgerRefuses, stillReading } from './following.ts';
import { takeFromNodes } from './take-from-nodes.ts';
import { findPositions, type WatchPosition } from './watch-position.ts';

/** Stretches that contracts behind the others get per pass, so that the others do not have to wait for them. */
const stretchesAtOnce = 20;

/** How often the ledger is rolled back per pass: with nodes that contradict each other it would never end. */
const maxWaysBack = 3;

/**
 * Posts everything up to the confirmed block to the ledger of each contract of an EntryPoint, stretch by stretch, from where
 * each had stopped. Contracts at the same block are read together. Returns which are behind in the end, and why; a problem
 * with the ledger of one does not delay the others.
 */
export async function followContracts(options: Following): Promise<BehindByContract> {
  const behind = new Map<Address, Behind>();
  try {
    const [leading = [], ...others] = groupByPlace(await findPositions(options));
    await followGroup(options, { group: leading, stretches: Number.POSITIVE_INFINITY }, behind);
    for (const group of others) await followGroup(options, { group, stretches: stretchesAtOnce }, behind);
  } catch (cause) {
    for (const { address } of options.watched.contracts) behind.set(address, { ...ledgerRefuses, cause });
  }
  return behind;
}

/** Contracts at the same block together, the most advanced first. */
function groupByPlace(positions: readonly WatchPosition[]): readonly (readonly WatchPosition[])[] {
  const groups = new Map<string, [WatchPosition, ...WatchPosition[]]>();
  for (const position of positions) {
    const key = `${position.next}:${position.lastHash}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [position]);
    else group.push(position);
  }
  return [...groups.values()].sort(([one], [other]) => (one.next < other.next ? 1 : -1));
}

async function followGroup(
  options: Following,
  { group: first, stretches }: { readonly group: readonly WatchPosition[]; readonly stretches: number },
  behind: Map<Address, Behind>,
): Promise<void> {
  // Another process that moves a watch splits a group.
  let groups: readonly (readonly WatchPosition[])[] = [first];
  let wentBack = 0;
  for (let taken = 0; taken < stretches && wentBack < maxWaysBack && !options.isClosed(); taken += 1) {
    const [group = [], ...others] = groups;
    if (group.length === 0) return;
    const next = await takeFromNodes(options, group);
    for (const [contract, why] of next.behind) behind.set(contract, why);
    if (next.wentBack) wentBack += 1;
    const waiting = next.positions.filter((position) => position.next <= options.confirmed);
    groups = [...groupByPlace(waiting), ...others];
  }
  for (const { contract } of groups.flat()) behind.set(contract.address, stillReading);
}
