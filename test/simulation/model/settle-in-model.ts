import { type Address, type Hex, zeroAddress } from 'viem';
import type { SimulatedOperation } from '../chain/simulated-transaction.ts';
import type { ObservedLedger } from '../service/observed-ledger.ts';
import { tankName } from '../world/world.ts';
import { endInModel, type LedgerModel, type ModelHold, openModelTank } from './ledger-model.ts';

/** One text for an event of a contract. */
export function eventName(contract: Address, txHash: Hex, logIndex: number): string {
  return `${contract} ${txHash} ${logIndex}`;
}

/** Settles an operation in the model. False when no tank pays for it. */
export function settleInModel(
  model: LedgerModel,
  observed: ObservedLedger,
  operation: SimulatedOperation,
  { txHash, logIndex, timestamp }: { readonly txHash: Hex; readonly logIndex: number; readonly timestamp: number },
): boolean {
  const { contract, sender, nonce, charge } = operation;
  const atSlot = model.holds.filter(
    (hold) => hold.state === 'live' && hold.contract === contract && hold.sender === sender && hold.nonce === nonce,
  );
  const possible =
    charge === undefined ? atSlot : atSlot.filter(({ tank }) => tank === tankName(contract, charge.wallet));
  const paid = charge?.amount ?? operation.cost;
  const chosen = observed
    .landedHolds(txHash)
    .map(({ hold_id }) => atSlot.find(({ number }) => number === hold_id))
    .find((hold) => hold !== undefined);
  checkChoice(chosen, possible, { paid, timestamp, signed: observed.signedHold(operation.hash) });
  for (const hold of atSlot) {
    const landed = hold === chosen ? { charge: paid, success: operation.success, txHash } : undefined;
    endInModel(model, hold, landed, eventName(contract, txHash, logIndex));
  }
  const { tokens } = operation;
  if (tokens !== undefined && tokens.token !== zeroAddress) {
    model.payments.push({ txHash, logIndex: logIndex - 1, ...tokens, hold: chosen?.number ?? null });
  }
  const payer = chosen?.tank ?? (charge === undefined ? undefined : tankName(contract, charge.wallet));
  if (payer === undefined) return false;
  openModelTank(model, payer).settled += paid;
  return true;
}

/**
 * Which of several holds of a nonce an operation belongs to is only known when its signature was recorded. Else the ledger
 * may choose among those of one tank, but none that is set aside for less than was paid as long as there is another. Of two
 * tanks it charges neither: no tank pays for what it did not sign.
 */
function checkChoice(
  chosen: ModelHold | undefined,
  possible: readonly ModelHold[],
  {
    paid,
    timestamp,
    signed,
  }: { readonly paid: bigint; readonly timestamp: number; readonly signed: number | undefined },
): void {
  if (chosen === undefined) {
    const inTime = possible.filter(({ validUntil }) => validUntil >= timestamp);
    const isKnown = inTime.some(({ number }) => number === signed);
    const oneTank = new Set(possible.map(({ tank }) => tank)).size === 1;
    if (isKnown || (oneTank && inTime.length > 0)) {
      throw new Error('An operation landed within the time of a live hold, and the ledger did not settle it.');
    }
    return;
  }
  if (!possible.includes(chosen)) throw new Error(`Hold ${chosen.number} was settled with an operation not its own.`);
  const own = possible.find(({ number }) => number === signed);
  if (own !== undefined && own.amount < paid)
    throw new Error(`Hold ${own.number} of ${own.amount} wei was charged ${paid}.`);
  if (own !== undefined && own !== chosen) {
    throw new Error(`Hold ${chosen.number} was settled, and ${own.number} was on record for the operation.`);
  }
  if (own === undefined && chosen.amount < paid && possible.some(({ amount }) => amount >= paid)) {
    throw new Error(`Hold ${chosen.number} was charged more than it had, though another covers it.`);
  }
}
