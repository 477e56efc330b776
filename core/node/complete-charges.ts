import { type AbiEvent, type Address, getAddress, type Hex, isAddress, isHex } from 'viem';
import type { CustomerFunding } from '../evm/paymaster-contracts/family/family.ts';
import type { ChainClient } from './chain-client.ts';
import type {
  CustomerDepositEvent,
  CustomerWithdrawalEvent,
  EventPosition,
  UserOperationLanded,
} from './chain-event.ts';
import { readCustomerBalance } from './customer-balances.ts';
import { type EventRange, inChainOrder, onChain, placeOf, within } from './event-range.ts';
import { ifStateIsThere } from './node-error.ts';

/**
 * Adds to each operation what its contract's events report: the charge to a customer's balance, and the user's token
 * payment.
 *
 * postOp emits a charge, and the EntryPoint handles operations one by one: execution, postOp, `UserOperationEvent`. So a
 * charge belongs to the contract's next operation in the transaction. Payments name their operation.
 */
export function attachToOperations(
  operations: readonly UserOperationLanded[],
  reported: { readonly charges: readonly CustomerCharge[]; readonly payments: readonly ReportedTokenPayment[] },
): readonly UserOperationLanded[] {
  const bundles = new Map<string, UserOperationLanded[]>();
  for (const operation of [...operations].sort(inChainOrder)) {
    const bundle = bundles.get(bundleOf(operation));
    if (bundle === undefined) bundles.set(bundleOf(operation), [operation]);
    else bundle.push(operation);
  }
  const chargeOf = new Map<UserOperationLanded, CustomerCharge>();
  for (const charge of reported.charges) {
    const next = bundles.get(bundleOf(charge))?.find(({ logIndex }) => logIndex > charge.logIndex);
    if (next !== undefined) chargeOf.set(next, charge);
  }
  const payments = new Map(reported.payments.map((payment) => [keyOf(payment), payment]));
  return operations.map((operation) => {
    const charge = chargeOf.get(operation);
    const payment = payments.get(keyOf(operation));
    return {
      ...operation,
      ...(charge === undefined ? {} : { charge: { wallet: charge.wallet, amount: charge.amount } }),
      ...(payment === undefined
        ? {}
        : { tokenPayment: { token: payment.token, amount: payment.amount, logIndex: payment.logIndex } }),
    };
  });
}

type Reported = EventPosition & Pick<UserOperationLanded, 'contract'>;

/** A key for the operations of a contract in one transaction. */
function bundleOf({ contract, txHash }: Reported): string {
  return `${contract}:${txHash}`;
}

function keyOf(reported: Reported & Pick<UserOperationLanded, 'userOperationHash'>): string {
  return `${bundleOf(reported)}:${reported.userOperationHash}`;
}

/** A user's token payment for an operation, in base units, from the contract's event. */
export type ReportedTokenPayment = EventPosition & {
  readonly contract: Address;
  readonly userOperationHash: Hex;
  readonly token: Address;
  readonly amount: bigint;
};

/** Reads users' token payments. For a sponsored operation, some contracts report the zero address as token. */
export async function readTokenPayments(
  client: ChainClient,
  range: EventRange,
): Promise<readonly ReportedTokenPayment[]> {
  const reported = await Promise.all(
    range.contracts.map(async ({ address: contract, tokenPaymentEvents }) => {
      if (tokenPaymentEvents === undefined) return [];
      const logs = await client.getLogs({ ...within(range), address: contract, events: tokenPaymentEvents });
      return onChain(logs, range, contract).map((log) => ({
        contract,
        ...readPayment(log.eventName, log.args),
        ...placeOf(log),
      }));
    }),
  );
  return reported.flat();
}

function readPayment(
  name: string,
  args: unknown,
): Pick<ReportedTokenPayment, 'userOperationHash' | 'token' | 'amount'> {
  const named: Readonly<Record<string, unknown>> = typeof args === 'object' && args !== null ? { ...args } : {};
  const { userOperationHash, token, amount } = named;
  if (!isHex(userOperationHash) || typeof token !== 'string' || !isAddress(token) || typeof amount !== 'bigint') {
    throw new TypeError(`The event ${name} has no operation, token or amount.`);
  }
  return { userOperationHash, token: getAddress(token), amount };
}

/** A charged operation of a contract whose charge events report too little. */
type Charged = UserOperationLanded & Required<Pick<UserOperationLanded, 'charge'>>;

/**
 * Corrects charges of contracts that take more from a customer's balance than their event reports. A wallet's charge in a
 * block is the difference of its balances before and after, except for deposits and withdrawals. If a block has several
 * operations, each bears an equal part of the unreported amount. If the node no longer has the state of the block, the
 * reported charges are used.
 */
export async function completeCharges(
  client: ChainClient,
  range: EventRange,
  reported: { readonly operations: readonly UserOperationLanded[]; readonly movements: readonly CustomerMovement[] },
): Promise<readonly UserOperationLanded[]> {
  const whole = new Map<UserOperationLanded, bigint>();
  for (const { address, customers } of range.contracts) {
    if (customers?.chargesMoreThanReported !== true) continue;
    for (const group of groupByBalance(reported.operations, address)) {
      const deducted = await ifStateIsThere(readDeducted(client, customers, group, reported.movements));
      if (deducted !== undefined) share(deducted, group, whole);
    }
  }
  return reported.operations.map((operation) => {
    const amount = whole.get(operation);
    if (amount === undefined || operation.charge === undefined) return operation;
    return { ...operation, charge: { ...operation.charge, amount } };
  });
}

/** The contract's charged operations, grouped by wallet and block. */
function groupByBalance(operations: readonly UserOperationLanded[], contract: Address): readonly Group[] {
  const groups = new Map<string, [Charged, ...Charged[]]>();
  for (const operation of operations) {
    if (operation.contract !== contract || !isCharged(operation)) continue;
    const key = `${operation.charge.wallet}:${operation.blockNumber}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [operation]);
    else group.push(operation);
  }
  return [...groups.values()];
}

type Group = readonly [Charged, ...Charged[]];

function isCharged(operation: UserOperationLanded): operation is Charged {
  return operation.charge !== undefined;
}

/** What a block deducted from the balance for operations, in wei. */
async function readDeducted(
  client: ChainClient,
  customers: CustomerFunding,
  [{ contract, blockNumber, charge }]: Group,
  movements: readonly CustomerMovement[],
): Promise<bigint> {
  const balanceAt = (block: bigint) =>
    readCustomerBalance(client, contract, customers.balanceData(charge.wallet), block);
  const [before, after] = await Promise.all([balanceAt(blockNumber - 1n), balanceAt(blockNumber)]);
  const moved = movements
    .filter((movement) => movement.contract === contract && movement.blockNumber === blockNumber)
    .filter(({ wallet }) => wallet === charge.wallet)
    .reduce((sum, { kind, amount }) => sum + (kind === 'customer-deposit' ? amount : -amount), 0n);
  return before + moved - after;
}

/** Adds the unreported amount to the operations in equal parts; the last one also bears the remainder. */
function share(deducted: bigint, group: Group, whole: Map<UserOperationLanded, bigint>): void {
  const reported = group.reduce((sum, { charge }) => sum + charge.amount, 0n);
  if (deducted <= reported) return;
  const part = (deducted - reported) / BigInt(group.length);
  let left = deducted - reported;
  for (const [index, operation] of group.entries()) {
    const own = index === group.length - 1 ? left : part;
    whole.set(operation, operation.charge.amount + own);
    left -= own;
  }
}

/** A contract's charge to a customer's balance for an operation, in wei, from its event. */
type CustomerCharge = EventPosition & {
  readonly contract: Address;
  readonly wallet: Address;
  readonly amount: bigint;
};

export type CustomerMovement = CustomerDepositEvent | CustomerWithdrawalEvent;

/** Changes of the balances that contracts keep for their customers. */
export type CustomerEvents = {
  readonly movements: readonly CustomerMovement[];
  readonly charges: readonly CustomerCharge[];
};

/** Reads the events of all contracts in the range that keep balances. */
export async function readCustomerEvents(client: ChainClient, range: EventRange): Promise<CustomerEvents> {
  const found = await Promise.all(
    range.contracts.map(({ address, customers }) =>
      customers === undefined ? [] : readEvents(client, range, address, customers),
    ),
  );
  const events = found.flat();
  return {
    movements: events.filter((event) => event.kind !== 'charge'),
    charges: events.filter((event) => event.kind === 'charge'),
  };
}

type CustomerEvent = CustomerMovement | (CustomerCharge & { readonly kind: 'charge' });

async function readEvents(
  client: ChainClient,
  range: EventRange,
  contract: Address,
  { depositEvent, withdrawalEvent, chargeEvents }: CustomerFunding,
): Promise<readonly CustomerEvent[]> {
  const events = [depositEvent, withdrawalEvent, ...chargeEvents];
  const logs = await client.getLogs({ ...within(range), address: contract, events });
  return onChain(logs, range, contract).map((log) => {
    const { wallet, amount } = readArguments(log.eventName, log.args);
    const kind = kindOf(log.eventName, { depositEvent, withdrawalEvent });
    return { kind, contract, wallet, amount, ...placeOf(log) };
  });
}

function kindOf(
  name: string,
  { depositEvent, withdrawalEvent }: { readonly depositEvent: AbiEvent; readonly withdrawalEvent: AbiEvent },
): CustomerEvent['kind'] {
  if (name === depositEvent.name) return 'customer-deposit';
  return name === withdrawalEvent.name ? 'customer-withdrawal' : 'charge';
}

/** The first argument is the wallet, the first number the wei. */
function readArguments(name: string, args: unknown): { wallet: Address; amount: bigint } {
  const [wallet, ...others] = typeof args === 'object' && args !== null ? Object.values(args) : [];
  const amount = others.find((value) => typeof value === 'bigint');
  if (typeof wallet !== 'string' || !isAddress(wallet) || amount === undefined) {
    throw new TypeError(`The event ${name} does not begin with an address, or has no amount.`);
  }
  return { wallet: getAddress(wallet), amount };
}
