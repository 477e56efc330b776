import { setTimeout } from 'node:timers/promises';
import { ask } from '../asking/ask.ts';
import { draftOperation } from '../asking/draft-operation.ts';
import type { Cell } from '../cells.ts';
import { land } from '../landing/land.ts';
import { type OpenCell, openCell } from '../open-cell.ts';
import { honestPlan } from '../plan/plan.ts';
import { pollIntervalMs, type World } from '../world.ts';

/** Where the robber tries its plans, and where an honest user's are measured. */
export type Target = { readonly attacked: OpenCell; readonly honest: OpenCell };

export async function openTarget(world: World, cell: Cell): Promise<Target> {
  const attacked = await openStanding(world, cell);
  const isHonest = cell.honestAccount === cell.account;
  const honest = isHonest ? attacked : await openStanding(world, { ...cell, account: cell.honestAccount });
  return { attacked, honest: { ...honest, wallet: world.honest } };
}

/** How often a first operation is asked for again whose price the service does not know yet. */
const maxAsks = 20;

/**
 * Opens the cell, and lands the first operation of its account, which makes it where it does not delegate: it writes slots that all
 * others change. One that is never sponsored has none.
 */
async function openStanding(world: World, cell: Cell): Promise<OpenCell> {
  const open = await openCell(world, cell);
  const { standing } = open;
  if (!cell.account.isKnown) return open;
  const { asking, operation: fields, landing } = honestPlan;
  const fresh = standing.initCode !== '0x';
  const operation = await draftOperation(open, standing, fields, { nonceKey: 0n, makes: fresh });
  const question = { account: standing, operation, asking, fresh };
  const askOnce = async () => {
    await seePrices(world);
    if (!cell.isRelayed) return ask(open, question);
    const prepared = await ask(open, { ...question, asking: { ...asking, method: 'pm_getPaymasterStubData' } });
    return prepared.signed === undefined
      ? prepared
      : ask(open, { ...question, estimate: prepared.signed.operation.gas });
  };
  let { signed, refusal } = await askOnce();
  // On a busy machine the service may not have seen the latest blocks yet.
  for (let left = maxAsks; isOutdated(refusal) && left > 0; left -= 1) {
    ({ signed, refusal } = await askOnce());
  }
  // A hook of the attacker's can cost more than the cap, where state is expensive.
  if (signed === undefined && cell.honestAccount !== cell.account) return open;
  if (signed === undefined) throw new Error(`The first operation of ${cell.name} is refused: ${refusal}`);
  const { succeeded } = await land(
    { ...open, wallet: world.honest },
    [{ ...signed, account: standing, fresh }],
    landing,
  );
  if (succeeded !== 1) throw new Error(`The first operation of ${cell.name} has not landed.`);
  return open;
}

/** What the service knows of the chain may be too old. */
function isOutdated(refusal: string | undefined): boolean {
  return refusal === 'GAS_PRICE_TOO_HIGH' || refusal === 'CHAIN_UNAVAILABLE';
}

/** What the service was last told about the prices of the chain is older than two looks at it. */
export async function seePrices(world: World): Promise<void> {
  await world.honest.send({ to: world.honest.address, data: '0x' });
  await setTimeout(3 * pollIntervalMs);
}
