import { fromWeiText } from '../../../core/store/wei.ts';
import type { SimulatedChain } from '../chain/simulated-chain.ts';
import type { HoldRow, ObservedLedger, UsageRow } from '../service/observed-ledger.ts';
import { tankName } from '../world/world.ts';
import { compareUsageSums } from './compare-usage-sums.ts';
import { compareWorths } from './compare-worths.ts';
import { depositsInLedger, type ExpectedMovement } from './follow-in-model.ts';
import { heldIn, type LedgerModel, type ModelHold, modelTotals, worthOf } from './ledger-model.ts';
import { modelWindow } from './model-window.ts';

/** What was answered to a client as signed: until it lands or expires there must be a hold for it. */
export type IssuedSignature = {
  readonly hold: ModelHold;
  readonly amount: bigint;
  readonly validUntil: number;
};

export type Compared = {
  readonly model: LedgerModel;
  readonly chain: SimulatedChain;
  readonly observed: ObservedLedger;
  readonly usdMicrosPerCoin: bigint;
  /** Those that may still land. */
  readonly signatures: Set<IssuedSignature>;
};

/** What was read of the append-only tables so far. */
export type ReadSoFar = {
  entries: number;
  movements: number;
  readonly sums: Map<string, bigint>;
};

/** The rules that hold after each step. Throws with a sentence about the first that does not. */
export function compareLedger(compared: Compared, readSoFar: ReadSoFar, expected: readonly ExpectedMovement[]): void {
  compareEntries(compared, readSoFar);
  compareTanks(compared, readSoFar);
  compareTotals(compared);
  compareMovements(compared.observed, readSoFar, expected);
  const live = compared.observed.liveHolds();
  compareHolds(live, compared.model.holds.filter(isLive));
  compareUsage(compared);
  compareHours(compared);
  compareWorths(compared);
  compareSignatures(compared, new Map(live.map((row) => [row.hold_id, row])));
}

/** All that was ever held and paid in tokens, and what is granted now, compared with the model from the first on. */
export function compareWholeLedger({ model, observed }: Compared): void {
  compareHolds(observed.holds(), model.holds);
  const grants = observed.grants();
  for (const [key, { hold }] of model.grants) mustEqual(`the hold granted for ${key}`, grants.get(key), hold.number);
  mustEqual('the number of grants', grants.size, model.grants.size);
  const paid = observed.payments().map((row) => [row.tx_hash, row.log_index, row.token, row.amount, row.hold_id]);
  const expected = model.payments.map((one) => [one.txHash, one.logIndex, one.token, one.amount, one.hold]);
  mustEqual('what users paid in tokens', paid.join('\n'), expected.join('\n'));
  compareUsageSums(observed);
}

/** Entries are only ever added, and all that is new goes to its tank's sums. */
function compareEntries({ observed }: Compared, readSoFar: ReadSoFar): void {
  const fresh = observed.entriesAfter(readSoFar.entries);
  for (const { entry_id, tank_id, kind, amount, reverses } of fresh) {
    addTo(readSoFar.sums, `${tank_id}/${kind}`, reverses === null ? fromWeiText(amount) : -fromWeiText(amount));
    mustEqual('the number of the next entry', entry_id, readSoFar.entries + 1);
    readSoFar.entries = entry_id;
  }
  mustEqual('the number of the last entry', observed.lastEntry(), readSoFar.entries);
}

function compareTanks({ model, observed }: Compared, { sums }: ReadSoFar): void {
  const rows = observed.tanks();
  mustEqual('the number of tanks', rows.length, model.tanks.size);
  for (const row of rows) {
    const name = tankName(row.contract, row.wallet);
    const tank = model.tanks.get(name);
    if (tank === undefined) throw new Error(`No one opened the tank ${name}.`);
    const [funded, settled] = [fromWeiText(row.funded), fromWeiText(row.settled)];
    const [held, shortfall] = [fromWeiText(row.held), fromWeiText(row.shortfall)];
    mustEqual(`settled of ${name}`, settled, tank.settled);
    mustEqual(`held of ${name}`, held, heldIn(model, { tank: name }));
    mustEqual(`shortfall of ${name}`, shortfall, tank.shortfall);
    mustEqual(`funded of ${name}`, funded, tank.real + tank.shortfall);
    if (held + settled > funded) throw new Error(`The tank ${name} has promised more than it has.`);
    const of = (kind: string): bigint => sums.get(`${row.tank_id}/${kind}`) ?? 0n;
    const missing = of('shortfall') - of('recovery');
    mustEqual(`the entries of ${name} on holds`, of('hold') - of('release'), held);
    mustEqual(`the entries of ${name} on settlements`, of('settle'), settled);
    mustEqual(`the entries of ${name} on shortfalls`, missing, shortfall);
    const moved = of('deposit') - of('withdrawal') + of('credit') - of('debit');
    mustEqual(`the entries of ${name} on funds`, moved + missing, funded);
  }
}

function compareTotals({ model, observed }: Compared): void {
  const deposits = depositsInLedger(model);
  const held = modelTotals(model);
  for (const { contract, deposit, held: kept } of observed.totals()) {
    mustEqual(`deposit of ${contract} on chain`, fromWeiText(deposit), deposits.get(contract));
    mustEqual(`held on ${contract}`, fromWeiText(kept), held.get(contract));
  }
}

/** Each event is in the journal once, and nothing else. Indirect deposits of one block are told apart by no one. */
function compareMovements(observed: ObservedLedger, readSoFar: ReadSoFar, expected: readonly ExpectedMovement[]): void {
  const rows = observed.movementsAfter(readSoFar.movements);
  readSoFar.movements = rows.at(-1)?.movement_id ?? readSoFar.movements;
  const found = rows.map((row) => ({
    ...row,
    amount: fromWeiText(row.amount),
    booked: row.tank_id !== null,
    times: row.reverses === null ? 1n : -1n,
  }));
  // What was rolled back and booked again in one step is as if nothing had happened.
  const counts = new Map<string, bigint>();
  const sums = new Map<string, bigint>();
  for (const row of found) {
    addTo(counts, `${row.block_number} ${row.tx_hash} ${row.log_index} ${row.kind} ${row.booked}`, row.times);
    addTo(sums, `${row.contract} ${row.block_number} ${row.kind} ${row.booked}`, row.times * row.amount);
  }
  for (const one of expected) {
    const times = one.takenBack === true ? -1n : 1n;
    addTo(counts, `${one.blockNumber} ${one.txHash} ${one.logIndex} ${one.kind} ${one.booked}`, -times);
    addTo(sums, `${one.contract} ${one.blockNumber} ${one.kind} ${one.booked}`, -times * one.amount);
  }
  for (const [name, difference] of counts) mustEqual(`how often the journal has ${name} too often`, difference, 0n);
  for (const [name, difference] of sums) mustEqual(`the journal's difference to the chain (${name})`, difference, 0n);
}

function compareHolds(rows: readonly HoldRow[], holds: readonly ModelHold[]): void {
  mustEqual('the number of holds', rows.length, holds.length);
  for (const [index, row] of rows.entries()) {
    const hold = holds[index];
    if (hold === undefined) continue;
    const what = `hold ${row.hold_id}`;
    mustEqual(`the number of ${what}`, row.hold_id, hold.number);
    mustEqual(`state of ${what}`, row.state, hold.state);
    mustEqual(`tenant and nonce of ${what}`, `${row.paymaster_id} ${row.slot}`, nameOf(hold));
    mustEqual(`amount of ${what}`, fromWeiText(row.amount), hold.amount);
    mustEqual(`end of ${what}`, row.valid_until, hold.validUntil);
    mustEqual(`begin of ${what}`, row.created_at, hold.createdAt);
    mustEqual(`counted of ${what}`, row.counted === null ? undefined : fromWeiText(row.counted), hold.counted);
    mustEqual(`charge of ${what}`, row.charge === null ? undefined : fromWeiText(row.charge), hold.charge);
    mustEqual(`success of ${what}`, row.success === null ? undefined : row.success === 1, hold.success);
    mustEqual(`transaction of ${what}`, row.landed_tx ?? undefined, hold.landedTx);
  }
}

type CountedUpTo = Pick<UsageRow, 'counted_until' | 'counted_hold'>;

function nameOf({ paymasterId, sender, nonce }: ModelHold): string {
  return `${paymasterId} ${sender}:${nonce}`;
}

/** What the limits have counted is what the holds of their windows come to. */
function compareUsage({ model, observed, usdMicrosPerCoin }: Compared): void {
  for (const row of observed.usage()) {
    const per = row.subject === '' ? 'total' : 'sender';
    const counted = model.holds.filter((hold) => isCounted(hold, row));
    const what = `usage of ${row.policy_key} ${per} ${row.span} ${row.span_start}`;
    mustEqual(`operations in ${what}`, row.operations, counted.length);
    mustEqual(`wei in ${what}`, fromWeiText(row.wei), sumCounted(counted));
    const inUsd = (model.limits.get(row.policy_key) ?? []).some(
      (limit) => limit.unit === 'usdMicros' && limit.per === per && limit.window === row.span,
    );
    // Below a policy that is not in force yet.
    if (row.counted_until !== null) continue;
    if (inUsd) mustEqual(`USD in ${what}`, BigInt(row.usd_micros), worthOf(sumCounted(counted), usdMicrosPerCoin));
  }
}

/** The sums by the hour are what the holds of the hour come to, and no hour is missing. */
function compareHours({ model, observed }: Compared): void {
  const counted = model.holds.filter(({ counted, state }) => counted !== undefined && state !== 'released');
  const nameOfHour = (paymasterId: string, moment: number) => `${paymasterId} ${modelWindow('hour', moment)}`;
  const left = new Set(counted.map(({ paymasterId, createdAt }) => nameOfHour(paymasterId, createdAt)));
  for (const row of observed.hours()) {
    const name = nameOfHour(row.policy_key, row.hour);
    const holds = counted.filter(({ paymasterId, createdAt }) => nameOfHour(paymasterId, createdAt) === name);
    mustEqual(`operations in hour ${name}`, row.operations, holds.length);
    mustEqual(`wei in hour ${name}`, fromWeiText(row.wei), sumCounted(holds));
    left.delete(name);
  }
  mustEqual('hours without a sum', [...left].join(), '');
}

/** Whether a count that is made in steps has come to a hold. */
function isUpTo({ createdAt, number }: ModelHold, { counted_until, counted_hold }: CountedUpTo): boolean {
  if (counted_until === null || createdAt !== counted_until) return createdAt < (counted_until ?? Infinity);
  return number <= (counted_hold ?? Infinity);
}

function isCounted(hold: ModelHold, row: UsageRow): boolean {
  const { policy_key, subject, span, span_start, counted_until, counted_hold } = row;

  if (hold.paymasterId !== policy_key || hold.counted === undefined || hold.state === 'released') return false;
  if (subject !== '' && hold.sender !== subject) return false;
  if (counted_until !== null && !isUpTo(hold, { counted_until, counted_hold })) return false;
  return modelWindow(span, hold.createdAt) === modelWindow(span, span_start);
}

function sumCounted(holds: readonly ModelHold[]): bigint {
  return holds.reduce((sum, { counted }) => sum + (counted ?? 0n), 0n);
}

/** No signature without its hold: it ends only with an operation of its nonce, or once its time has passed on chain. */
function compareSignatures({ model, signatures }: Compared, live: ReadonlyMap<number, HoldRow>): void {
  for (const signature of signatures) {
    const { hold, amount, validUntil } = signature;
    const posted = model.posted.get(hold.contract) ?? [];
    const time = posted.at(-1)?.timestamp ?? 0;
    const row = live.get(hold.number);
    if (row === undefined) {
      const landed = posted.some(({ effects }) =>
        effects.some(({ action }) => action.do === 'operation' && isAt(action, hold)),
      );
      if (!landed && validUntil >= time) throw new Error(`A signature is without its hold ${hold.number}.`);
      signatures.delete(signature);
    } else if (fromWeiText(row.amount) < amount || row.valid_until < validUntil) {
      throw new Error(`Hold ${hold.number} is less than what was signed for it.`);
    }
  }
}

function isAt(
  operation: { readonly contract: string; readonly sender: string; readonly nonce: bigint },
  { contract, sender, nonce }: ModelHold,
): boolean {
  return operation.contract === contract && operation.sender === sender && operation.nonce === nonce;
}

function isLive({ state }: ModelHold): boolean {
  return state === 'live';
}

function addTo(sums: Map<string, bigint>, name: string, amount: bigint): void {
  sums.set(name, (sums.get(name) ?? 0n) + amount);
}

function mustEqual<T>(what: string, inLedger: T, inModel: T): void {
  if (inLedger !== inModel) throw new Error(`${what}: ledger ${inLedger}, model ${inModel}`);
}
