import { fromWeiText } from '../../../core/store/wei.ts';
import type { SimulatedChain } from '../chain/simulated-chain.ts';
import type { EntryRow, HoldRow, ObservedLedger } from '../service/observed-ledger.ts';
import { tankName } from '../world/world.ts';
import { compareAccounts } from './compare-accounts.ts';
import { compareUsageSums } from './compare-usage-sums.ts';
import { depositsInLedger, type ExpectedMovement } from './follow-in-model.ts';
import { heldIn, type LedgerModel, type ModelHold, modelTotals } from './ledger-model.ts';

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
  readonly sums: Map<string, bigint>;
};

/** The rules that hold after each step. Throws with a sentence about the first that does not. */
export function compareLedger(compared: Compared, readSoFar: ReadSoFar, expected: readonly ExpectedMovement[]): void {
  const fresh = compareEntries(compared, readSoFar);
  compareTanks(compared, readSoFar);
  compareTotals(compared);
  compareMovements(fresh, expected);
  const live = compared.observed.liveHolds();
  compareHolds(live, compared.model.holds.filter(isLive));
  compareAccounts(compared);
  compareSignatures(compared, new Map(live.map((row) => [row.hold_id, row])));
}

/** All that was ever held and paid in tokens, and what is granted now, compared with the model from the first on. */
export function compareWholeLedger({ model, observed }: Compared): void {
  compareHolds(observed.holds(), model.holds);
  const knownTerms = observed.knownTerms();
  for (const [key, { hold }] of model.knownTerms)
    mustEqual(`the hold granted for ${key}`, knownTerms.get(key), hold.number);
  mustEqual('the number of signed terms', knownTerms.size, model.knownTerms.size);
  const paid = observed.payments().map((row) => [row.tx_hash, row.log_index, row.token, row.amount, row.hold_id]);
  const expected = model.payments.map((one) => [one.txHash, one.logIndex, one.token, one.amount, one.hold]);
  mustEqual('what users paid in tokens', paid.join('\n'), expected.join('\n'));
  compareUsageSums(observed);
}

/** Entries are only ever added, and all that is new goes to its tank's sums. */
function compareEntries({ observed }: Compared, readSoFar: ReadSoFar): readonly EntryRow[] {
  const fresh = observed.entriesAfter(readSoFar.entries);
  for (const { entry_id, tank_id, kind, amount, reverses } of fresh) {
    addTo(readSoFar.sums, `${tank_id}/${kind}`, reverses === null ? fromWeiText(amount) : -fromWeiText(amount));
    mustEqual('the number of the next entry', entry_id, readSoFar.entries + 1);
    readSoFar.entries = entry_id;
  }
  mustEqual('the number of the last entry', observed.lastEntry(), readSoFar.entries);
  return fresh;
}

function compareTanks({ model, observed }: Compared, { sums }: ReadSoFar): void {
  const rows = observed.tanks();
  mustEqual('the number of tanks', rows.length, model.tanks.size);
  for (const row of rows) {
    const name = tankName(row.contract, row.wallet);
    const tank = model.tanks.get(name);
    if (tank === undefined) throw new Error(`No one opened the tank ${name}.`);
    const [funded, settled] = [fromWeiText(row.funded), fromWeiText(row.settled)];
    mustEqual(`settled of ${name}`, settled, tank.settled);
    mustEqual(`held of ${name}`, fromWeiText(row.held), heldIn(model, { tank: name }));
    mustEqual(`funded of ${name}`, funded, tank.funded);
    const of = (kind: string): bigint => sums.get(`${row.tank_id}/${kind}`) ?? 0n;
    mustEqual(`the entries of ${name} on settlements`, of('settle'), settled);
    mustEqual(`the entries of ${name} on funds`, of('deposit') - of('withdrawal') + of('credit') - of('debit'), funded);
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
function compareMovements(fresh: readonly EntryRow[], expected: readonly ExpectedMovement[]): void {
  const found = fresh.flatMap((row) => {
    const amount = fromWeiText(row.moved);
    const ofTank = row.tank_id !== null;
    const isCost = row.kind === 'settle' || row.kind === 'cost';
    // What a customer has in a contract, what the operator wrote, and holds move nothing.
    if (!isCost && ofTank && amount === 0n) return [];
    return [{ ...row, kind: isCost ? 'cost' : row.kind, amount, ofTank, times: row.reverses === null ? 1n : -1n }];
  });
  // What was rolled back and posted again in one step is as if nothing had happened.
  const counts = new Map<string, bigint>();
  const sums = new Map<string, bigint>();
  for (const row of found) {
    addTo(counts, `${row.block_number} ${row.tx_hash} ${row.log_index} ${row.kind} ${row.ofTank}`, row.times);
    addTo(sums, `${row.contract} ${row.block_number} ${row.kind} ${row.ofTank}`, row.times * row.amount);
  }
  for (const one of expected) {
    const times = one.takenBack === true ? -1n : 1n;
    addTo(counts, `${one.blockNumber} ${one.txHash} ${one.logIndex} ${one.kind} ${one.ofTank}`, -times);
    addTo(sums, `${one.contract} ${one.blockNumber} ${one.kind} ${one.ofTank}`, -times * one.amount);
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
    mustEqual(`tenant and nonce of ${what}`, `${row.paymaster_id} ${row.operation_key}`, nameOf(hold));
    mustEqual(`amount of ${what}`, fromWeiText(row.amount), hold.amount);
    mustEqual(`end of ${what}`, row.valid_until, hold.validUntil);
    mustEqual(`begin of ${what}`, row.created_at, hold.createdAt);
    mustEqual(`what limits count of ${what}`, toLimitWei(row), hold.limitWei);
    mustEqual(`charge of ${what}`, row.charge === null ? undefined : fromWeiText(row.charge), hold.charge);
    mustEqual(`success of ${what}`, row.success === null ? undefined : row.success === 1, hold.success);
    mustEqual(`transaction of ${what}`, row.landed_tx ?? undefined, hold.landedTx);
  }
}

/** What is held of it for limits, and what is kept of that once it has ended. */
function toLimitWei({ state, limit_wei: held, kept_wei: kept }: HoldRow): bigint | undefined {
  const counted = state === 'live' ? held : kept;
  return counted === null ? undefined : fromWeiText(counted);
}

function nameOf({ paymasterId, sender, nonce }: ModelHold): string {
  return `${paymasterId} ${sender}:${nonce}`;
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
