import { tankName } from '../world/world.ts';
import { type BlockPrices, priceOperation } from './price-operation.ts';
import type {
  ChainFundsState,
  SimulatedAction,
  SimulatedEffect,
  SimulatedOperation,
  SimulatedTransaction,
} from './simulated-transaction.ts';

/** A transaction that reverts, or that no block takes. */
const refused = undefined;

/**
 * Runs a transaction on a copy of the state as the EntryPoint does: all prefunds first, then one action after the other,
 * with what was not used given back after its operation. Undefined when the transaction cannot be taken.
 */
export function applyTransaction(
  before: ChainFundsState,
  transaction: SimulatedTransaction,
  location: {
    readonly firstLog: number;
    readonly timestamp: number;
    readonly prices: BlockPrices;
    isUsed(operation: SimulatedOperation): boolean;
  },
): { readonly state: ChainFundsState; readonly effects: readonly SimulatedEffect[] } | undefined {
  const state = { deposits: new Map(before.deposits), balances: new Map(before.balances) };
  const actions: SimulatedAction[] = [];
  for (const action of transaction.actions) {
    const priced = action.do === 'operation' ? priceOperation(action, location.prices) : action;
    if (priced === undefined) return refused;
    actions.push(priced);
  }
  if (!takePrefunds(state, actions, location)) return refused;
  const effects: SimulatedEffect[] = [];
  let logIndex = location.firstLog;
  for (const action of actions) {
    if (!act(state, action)) return refused;
    // What its contract tells of an operation stands before the operation's own event.
    if (action.do === 'operation' && (action.charge ?? action.tokens) !== undefined) logIndex += 1;
    effects.push({ logIndex, transaction, action, totalDeposit: state.deposits.get(action.contract) ?? 0n });
    logIndex += 1;
  }
  return { state, effects };
}

function takePrefunds(
  state: ChainFundsState,
  actions: readonly SimulatedAction[],
  location: { readonly timestamp: number; isUsed(operation: SimulatedOperation): boolean },
): boolean {
  const nonces = new Set<string>();
  for (const action of actions) {
    if (action.do !== 'operation') continue;
    const nonce = `${action.sender}:${action.nonce}`;
    if (location.isUsed(action) || nonces.has(nonce) || action.validUntil < location.timestamp) return false;
    nonces.add(nonce);
    if (!move(state.deposits, action.contract, -action.prefund)) return false;
    const { charge } = action;
    if (charge !== undefined && !move(state.balances, tankName(action.contract, charge.wallet), -charge.amount)) {
      return false;
    }
  }
  return true;
}

function act(state: ChainFundsState, action: SimulatedAction): boolean {
  const { contract } = action;
  switch (action.do) {
    case 'deposit':
      return move(state.deposits, contract, action.amount);
    case 'withdrawal':
      return move(state.deposits, contract, -action.amount);
    case 'customer-deposit':
      return move(state.balances, tankName(contract, action.wallet), action.amount);
    case 'customer-withdrawal':
      return move(state.balances, tankName(contract, action.wallet), -action.amount);
    case 'operation':
      return move(state.deposits, contract, action.prefund - action.cost);
  }
}

function move<K>(amounts: Map<K, bigint>, key: K, change: bigint): boolean {
  const after = (amounts.get(key) ?? 0n) + change;
  if (after < 0n) return false;
  amounts.set(key, after);
  return true;
}
