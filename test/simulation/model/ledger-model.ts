import type { Address, Hex } from 'viem';
import type { PolicyLimit } from '../../../core/domain/policy.ts';
import type { HoldRequest } from '../../../core/ledger/holds/hold-request.ts';
import type { SimulatedBlock } from '../chain/simulated-chain.ts';
import type { BudgetRow } from '../service/observed-ledger.ts';
import { contracts, tankName } from '../world/world.ts';
import { modelWindow } from './model-window.ts';

/** A hold as the model has it; its place in the list is its number less one. */
export type ModelHold = {
  readonly number: number;
  readonly paymasterId: string;
  readonly contract: Address;
  readonly tank: string;
  readonly sender: Address;
  readonly nonce: bigint;
  readonly createdAt: number;
  amount: bigint;
  validUntil: number;
  /** What limits count, in wei; undefined in token mode. */
  limitWei: bigint | undefined;
  /** When it was last sponsored, in seconds, and the limits and budgets that were in force then: these count it. */
  countedAt: number;
  countedBy: ReadonlySet<ModelLimit | number>;
  /** Whether a price was known for what budgets count of it. */
  isPriced: boolean;
  state: 'live' | 'settled' | 'released';
  charge?: bigint;
  success?: boolean;
  landedTx?: Hex;
  /** The event that ended it, where one did: {@link eventName}. */
  endedBy?: string;
  /** What limits had counted of it before it ended. */
  limitWeiHeld?: bigint;
};

/** A tank as the model has it, in wei. `real` is what came in less what went out, but for what operations cost. */
export type ModelTank = { funded: bigint; settled: bigint };

/** What a user paid in a token, and the hold that the operation had. */
export type ModelPayment = {
  readonly txHash: Hex;
  readonly logIndex: number;
  readonly token: Address;
  readonly amount: bigint;
  readonly hold: number | null;
};

/** A limit in force: another one, once it is set again after it was removed. */
export type ModelLimit = Pick<PolicyLimit, 'per' | 'window' | 'unit'> & { max: bigint };

type ModelTerms = { readonly hold: ModelHold; readonly validUntil: number; readonly terms: string };

/** What the ledger should say. Nothing is kept that can be added up from the holds. */
export type LedgerModel = {
  /** The first block that is read; what was deposited before it is in the ledger as one deposit of no one. */
  readonly startBlock: number;
  readonly holds: ModelHold[];
  readonly tanks: Map<string, ModelTank>;
  readonly knownTerms: Map<string, ModelTerms>;
  readonly limits: Map<string, readonly ModelLimit[]>;
  readonly payments: ModelPayment[];
  /** The blocks that are in the ledger, by contract: some may be off the chain by now. */
  readonly posted: Map<Address, SimulatedBlock[]>;
};

export type ModelOutcome =
  | { readonly kind: 'held'; readonly hold: ModelHold; readonly terms?: string }
  | { readonly kind: 'limited' }
  | { readonly kind: 'unfunded'; readonly available: bigint };

export function createLedgerModel(startBlock: number): LedgerModel {
  return {
    startBlock,
    holds: [],
    tanks: new Map(),
    knownTerms: new Map(),
    limits: new Map(),
    payments: [],
    posted: new Map(),
  };
}

export function openModelTank(model: LedgerModel, name: string): ModelTank {
  const known = model.tanks.get(name);
  if (known !== undefined) return known;
  const tank = { funded: 0n, settled: 0n };
  model.tanks.set(name, tank);
  return tank;
}

/** What is held, in wei: of a tank or of a whole contract. */
export function heldIn(model: LedgerModel, of: { readonly tank: string } | { readonly contract: Address }): bigint {
  const live = model.holds.filter((hold) => hold.state === 'live');
  const own = live.filter((hold) => ('tank' in of ? hold.tank === of.tank : hold.contract === of.contract));
  return own.reduce((sum, hold) => sum + hold.amount, 0n);
}

/** Decides a request by the rules that operators are told, and holds what it asks for. */
export function holdInModel(
  model: LedgerModel,
  request: HoldRequest,
  now: number,
  { usdMicrosPerCoin, budgets }: { readonly usdMicrosPerCoin: bigint; readonly budgets: readonly BudgetRow[] },
): ModelOutcome {
  const { contract, wallet } = request.tank;
  const name = tankName(contract, wallet);
  const tank = model.tanks.get(name);
  if (tank === undefined) return { kind: 'unfunded', available: 0n };
  const live = model.holds.find((hold) => hold.state === 'live' && isOf(hold, request, name));
  const available = availableIn(model, request, { name, tank });
  const signedTerms = model.knownTerms.get(request.requestKey);
  if (signedTerms !== undefined && signedTerms.hold === live && available >= 0n && signedTerms.validUntil > now + 10) {
    return { kind: 'held', hold: signedTerms.hold, terms: signedTerms.terms };
  }

  const added = larger(0n, request.amount - (live?.amount ?? 0n));
  const joined: ModelHold = {
    ...(live ?? freshHold(model, request, { name, now })),
    amount: (live?.amount ?? 0n) + added,
    validUntil: Math.max(live?.validUntil ?? 0, request.validUntil),
  };
  if (request.payment.userPercent === 0) {
    joined.limitWei = larger(request.amount, live?.limitWei ?? 0n);
    const limits = model.limits.get(request.policy.paymasterId) ?? [];
    const shared = budgets.filter((budget) => isShared(budget, joined));
    joined.countedAt = now;
    joined.countedBy = new Set([...limits, ...shared.map(({ limit_id }) => limit_id)]);
    const unpriced = limits.some(({ unit }) => unit === 'usdMicros') && request.prices.usdMicrosPerCoin === undefined;
    const others = model.holds.filter((hold) => hold !== live);
    const passed = limits.some((limit) => countIn([...others, joined], limit, joined, usdMicrosPerCoin) > limit.max);
    if (passed || unpriced) return { kind: 'limited' };
    const isPriced = request.prices.seenUsdMicrosPerCoin !== undefined;
    const isCounted = isPriced || (live?.isPriced === true && live.limitWei === joined.limitWei);
    joined.isPriced ||= isPriced;
    const over = shared.some(
      (budget) => worthIn([...others, joined], budget, now, usdMicrosPerCoin) > budget.max_usd_micros,
    );
    if (shared.length > 0 && (over || !isCounted)) return { kind: 'limited' };
  }
  if (added > available) return { kind: 'unfunded', available: larger(0n, available) };
  const hold = live ?? joined;
  if (live === undefined) model.holds.push(joined);
  else Object.assign(live, joined);
  model.knownTerms.set(request.requestKey, { hold, validUntil: request.validUntil, terms: request.terms });
  return { kind: 'held', hold };
}

function isShared({ paymaster_ids }: BudgetRow, { paymasterId }: ModelHold): boolean {
  return paymaster_ids === null || paymaster_ids.split(' ').includes(paymasterId);
}

/** What a budget has counted in the window of a moment. */
export function worthIn(
  holds: readonly ModelHold[],
  budget: Pick<BudgetRow, 'limit_id' | 'span'>,
  moment: number,
  usdMicrosPerCoin: bigint,
): bigint {
  const start = modelWindow(budget.span, moment);
  return holds
    .filter(
      ({ countedBy, countedAt }) => countedBy.has(budget.limit_id) && modelWindow(budget.span, countedAt) === start,
    )
    .reduce((sum, hold) => sum + worthInBudgets(hold, usdMicrosPerCoin), 0n);
}

/** What budgets count of a hold: nothing of one that ended without its operation, or whose price no one knew. */
function worthInBudgets({ limitWei, state, isPriced }: ModelHold, usdMicrosPerCoin: bigint): bigint {
  return limitWei === undefined || state === 'released' || !isPriced ? 0n : worthOf(limitWei, usdMicrosPerCoin);
}

/** What a limit has counted for a sender in the window of a moment, in its unit. */
export function countIn(
  holds: readonly ModelHold[],
  limit: ModelLimit,
  { sender, countedAt }: Pick<ModelHold, 'sender' | 'countedAt'>,
  usdMicrosPerCoin: bigint,
): bigint {
  const { per, window, unit } = limit;
  const start = modelWindow(window, countedAt);
  let sum = 0n;
  for (const hold of holds) {
    if (!hold.countedBy.has(limit) || hold.limitWei === undefined || hold.state === 'released') continue;
    if (per === 'sender' && hold.sender !== sender) continue;
    if (modelWindow(window, hold.countedAt) !== start) continue;
    if (unit === 'operations') sum += 1n;
    else sum += unit === 'wei' ? hold.limitWei : worthOf(hold.limitWei, usdMicrosPerCoin);
  }
  return sum;
}

/** Sets the limits of a paymaster: one that counts the same as before goes on, whatever its maximum. */
export function limitInModel(model: LedgerModel, paymasterId: string, limits: readonly PolicyLimit[]): void {
  const before = model.limits.get(paymasterId) ?? [];
  const after = limits.map(({ per, window, unit, max }) => {
    const same = before.find((one) => one.per === per && one.window === window && one.unit === unit);
    if (same === undefined) return { per, window, unit, max };
    same.max = max;
    return same;
  });
  model.limits.set(paymasterId, after);
}

/** Worth in millionths of a USD; the amounts of a simulation never need rounding. */
export function worthOf(wei: bigint, usdMicrosPerCoin: bigint): bigint {
  return (wei * usdMicrosPerCoin) / 10n ** 18n;
}

/** Ends a hold: nothing is granted for it any more. */
export function endInModel(
  model: LedgerModel,
  hold: ModelHold,
  landed?: { readonly charge: bigint; readonly success: boolean; readonly txHash: Hex },
  endedBy?: string,
): void {
  if (endedBy !== undefined) hold.endedBy = endedBy;
  if (hold.limitWei !== undefined) hold.limitWeiHeld = hold.limitWei;
  for (const [key, signedTerms] of model.knownTerms) if (signedTerms.hold === hold) model.knownTerms.delete(key);
  if (landed === undefined) {
    hold.state = 'released';
    if (hold.limitWei !== undefined) hold.limitWei = 0n;
    return;
  }
  hold.state = 'settled';
  hold.charge = landed.charge;
  hold.success = landed.success;
  hold.landedTx = landed.txHash;
  if (hold.limitWei !== undefined && hold.limitWei > landed.charge) hold.limitWei = landed.charge;
}

/** Has a hold stand again that an event had ended, unless another one of its nonce stands. Answers whether it does. */
export function revertInModel(model: LedgerModel, hold: ModelHold): boolean {
  const isTaken = model.holds.some(
    (other) =>
      other.state === 'live' &&
      other.tank === hold.tank &&
      other.paymasterId === hold.paymasterId &&
      other.sender === hold.sender &&
      other.nonce === hold.nonce,
  );
  delete hold.endedBy;
  delete hold.charge;
  delete hold.success;
  delete hold.landedTx;
  hold.state = isTaken ? 'released' : 'live';
  if (hold.limitWei !== undefined) hold.limitWei = isTaken ? 0n : (hold.limitWeiHeld ?? hold.amount);
  return !isTaken;
}

/** Credits or debits a tank as the operator may. */
export function adjustInModel(model: LedgerModel, name: string, change: bigint): boolean {
  const tank = openModelTank(model, name);
  if (change < 0n && tank.funded + change < tank.settled + heldIn(model, { tank: name })) return false;
  tank.funded += change;
  return true;
}

function availableIn(model: LedgerModel, request: HoldRequest, of: { name: string; tank: ModelTank }): bigint {
  const held = heldIn(model, { tank: of.name });
  const rest = of.tank.funded - of.tank.settled - held;
  const bounds = [
    rest > 0n ? rest : 0n,
    request.chainDeposit - heldIn(model, { contract: request.tank.contract }),
    ...(request.walletBalance === undefined ? [] : [request.walletBalance - held]),
  ];
  return bounds.reduce((min, bound) => (bound < min ? bound : min));
}

function isOf(hold: ModelHold, request: HoldRequest, tank: string): boolean {
  const { policy, sender, nonce } = request;
  return (
    hold.tank === tank && hold.paymasterId === policy.paymasterId && hold.sender === sender && hold.nonce === nonce
  );
}

function freshHold(model: LedgerModel, request: HoldRequest, { name, now }: { name: string; now: number }): ModelHold {
  return {
    number: model.holds.length + 1,
    paymasterId: request.policy.paymasterId,
    contract: request.tank.contract,
    tank: name,
    sender: request.sender,
    nonce: request.nonce,
    createdAt: now,
    amount: 0n,
    validUntil: 0,
    limitWei: undefined,
    countedAt: now,
    countedBy: new Set(),
    isPriced: false,
    state: 'live',
  };
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

/** Every contract of the world, as the model adds it up. */
export function modelTotals(model: LedgerModel): ReadonlyMap<Address, bigint> {
  return new Map(contracts.map(({ address }) => [address, heldIn(model, { contract: address })]));
}
