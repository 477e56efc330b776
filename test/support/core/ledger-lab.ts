import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, getAddress, numberToHex, pad } from 'viem';
import type { DatabaseAddress } from '../../../core/base/values/database-address.ts';
import type { HoldCaps } from '../../../core/domain/chain-config.ts';
import type { SponsorshipMode } from '../../../core/domain/sponsorship.ts';
import type {
  CoinPrices,
  HoldRequest,
  Landing,
  OpenCaps,
  RequestTicket,
  TankKey,
  TokenPayment,
} from '../../../core/ledger/holds/hold-request.ts';
import type { PostedAt } from '../../../core/ledger/journal.ts';
import { ensureContractTotals } from '../../../core/ledger/posting/pass-block.ts';
import { postEvents } from '../../../core/ledger/posting/post-events.ts';
import type { ChainEvent, EventPosition, UserOperationLanded } from '../../../core/node/chain-event.ts';
import type { PolicyKey } from '../../../core/policies/policy-key.ts';
import { openStore } from '../../../core/store/open-store.ts';
import type { Store } from '../../../core/store/store.ts';
import { fromWeiText } from '../../../core/store/wei.ts';
import { testDatabase } from '../store/test-database.ts';

export const chainId = 31_337;
export const entryPoint = numberedAddress(0xe1);
export const contract = numberedAddress(0xc1);
export const plenty = 10n ** 24n;

export function numberedAddress(number: number): Address {
  return getAddress(pad(numberToHex(number), { size: 20 }));
}

export function tankOf(wallet: number): TankKey {
  return { chainId, contract, wallet: numberedAddress(wallet) };
}

/** A real store of its own, with one paymaster contract in the ledger; a copy of one that is closed, if given. */
export async function openLedger(
  copied?: DatabaseAddress,
): Promise<{ store: Store; database: DatabaseAddress; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-ledger-'));
  const database = await testDatabase(folder, copied);
  const store = await openStore(database);
  await ensureContractTotals(store, [{ chainId, address: contract }]);
  return {
    store,
    database,
    close: async () => {
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A paymaster of an account in the store, with nothing but what the ledger needs of it. */
export async function insertPaymaster(
  store: Store,
  owned: { readonly paymasterId: string; readonly accountId: string },
): Promise<void> {
  await store.db
    .insertInto('accounts')
    .values({ account_id: owned.accountId, name: 'account', created_at: 1 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await store.db
    .insertInto('paymasters')
    .values({
      paymaster_id: owned.paymasterId,
      account_id: owned.accountId,
      name: `paymaster ${owned.paymasterId}`,
      chain_id: chainId,
      version: '1',
      created_at: 1,
    })
    .execute();
}

let logs = 0;

export function depositEvent(wallet: number, amount: bigint): ChainEvent {
  return {
    kind: 'deposit',
    contract,
    totalDeposit: amount,
    direct: { wallet: numberedAddress(wallet), amount },
    ...nextPlace(),
  };
}

export function landedEvent(sender: number, nonce: bigint, actualGasCost: bigint): UserOperationLanded {
  const userOperationHash = pad(numberToHex(BigInt(sender) * 1_000_000n + nonce), { size: 32 });
  return {
    kind: 'user-operation',
    contract,
    userOperationHash,
    sender: numberedAddress(sender),
    nonce,
    success: true,
    actualGasCost,
    ...nextPlace(),
  };
}

/** A customer puts into its balance at the contract, which deposits it. */
export function customerDeposit(wallet: number, amount: bigint): readonly ChainEvent[] {
  const customers = { kind: 'customer-deposit', contract, wallet: numberedAddress(wallet), amount } as const;
  return [
    { kind: 'deposit', contract, totalDeposit: 0n, rise: amount, ...nextPlace() },
    { ...customers, ...nextPlace() },
  ];
}

/** A customer takes from its balance at the contract: the customer's part first. */
export function customerWithdrawal(wallet: number, amount: bigint): readonly ChainEvent[] {
  const customers = { kind: 'customer-withdrawal', contract, wallet: numberedAddress(wallet), amount } as const;
  return [
    { ...customers, ...nextPlace() },
    { kind: 'withdrawal', contract, amount, ...nextPlace() },
  ];
}

/** The landed operation, for which the contract charged a customer. */
export function chargedEvent(landed: UserOperationLanded, wallet: number, amount: bigint): UserOperationLanded {
  return { ...landed, charge: { wallet: numberedAddress(wallet), amount } };
}

/** The landed operation, for which the user paid in a token. */
export function paidInTokens(landed: UserOperationLanded, amount: bigint): UserOperationLanded {
  return { ...landed, tokenPayment: { token: numberedAddress(0x70), amount, logIndex: landed.logIndex - 1 } };
}

function nextPlace(): EventPosition {
  logs += 1;
  return { blockNumber: BigInt(logs), txHash: pad(numberToHex(logs), { size: 32 }), logIndex: logs };
}

/** Takes events into the ledger, at 1 (Unix seconds) and without a price of the coin unless told otherwise. */
export async function post(
  store: Store,
  events: readonly ChainEvent[],
  { now = 1, coinPrice }: Partial<PostedAt> = {},
): Promise<readonly ChainEvent[]> {
  return store.transaction(async (transaction) => {
    const watch = await transaction
      .selectFrom('contract_watches')
      .select('next_block')
      .where('chain_id', '=', chainId)
      .where('contract', '=', contract)
      .executeTakeFirst();
    const watchBefore = watch === undefined ? undefined : BigInt(watch.next_block);
    const stretch = { chainId, contract, events, watchBefore, nextBlock: BigInt(logs + 1), lastHash: '0x' } as const;
    return postEvents(transaction, { ...stretch, ...(coinPrice && { coinPrice }) }, now);
  });
}

let requests = 0;

/** What a test says of a request: the values of a {@link HoldRequest}, without its groups. */
export type HoldAsked = Partial<
  Omit<HoldRequest, 'policy' | 'decidedOn' | 'payment' | 'prices' | 'ticket' | 'caps' | 'landing'> &
    PolicyKey &
    HoldRequest['decidedOn'] &
    CoinPrices &
    Landing & {
      /** By it the user pays nothing or everything, unless {@link userPercent} says how much. */
      readonly mode: SponsorshipMode;
      readonly userPercent: number;
      readonly tokenPayment: TokenPayment;
      /** A ticket's user, as a digest. */
      readonly ticketUser: string;
      readonly ticket: RequestTicket['bounded'];
      readonly client: OpenCaps['client'];
      readonly caps: HoldCaps;
    }
>;

/** A request like no other before it. */
export function holdRequest(asked: HoldAsked & Pick<HoldRequest, 'tank' | 'amount'>): HoldRequest {
  requests += 1;
  const { paymasterId = 'paymaster', policyId = '', paymasterChanges, isCurrent = () => true, ...ofPayment } = asked;
  const { mode, userPercent = mode === 'ERC20' ? 100 : 0, tokenPayment: tokens, ...ofPrices } = ofPayment;
  const { usdMicrosPerCoin, seenUsdMicrosPerCoin, ...ofTicket } = ofPrices;
  const { ticketUser, ticket: bounded, ...ofCaps } = ofTicket;
  const { client, caps = client === undefined ? undefined : uncapped, ...ofLanding } = ofCaps;
  const { contentId, relayed, otherPayers = [], ...rest } = ofLanding;
  return {
    accountId: 'account',
    policy: { paymasterId, policyId },
    decidedOn: { paymasterChanges, isCurrent },
    key: { keyNumber: 0, limits: new Map() },
    payment: { userPercent, tokens },
    prices: { usdMicrosPerCoin, seenUsdMicrosPerCoin },
    deploys: false,
    paysAuthorization: false,
    simulated: false,
    lastsLong: false,
    decisionRow: () => undefined,
    requestKey: `request ${requests}`,
    terms: `terms ${requests}`,
    signer: numberedAddress(0x51),
    sender: numberedAddress(0xa1),
    nonce: 0n,
    validUntil: 1_000,
    chainDeposit: plenty,
    walletBalance: undefined,
    landing: { contentId, relayed, otherPayers },
    ...(ticketUser === undefined && bounded === undefined ? {} : { ticket: { user: ticketUser ?? 'user', bounded } }),
    ...(caps === undefined ? {} : { caps: { client, most: caps } }),
    ...rest,
  };
}

/** Caps that no request of a test reaches. */
const uncapped: HoldCaps = {
  maxOpenHoldsPerSender: Infinity,
  maxShareOfTankPerSender: 1,
  maxOpenHoldsPerClient: Infinity,
  maxShareOfTankPerClient: 1,
  maxShareOfTankWithoutExpiry: 1,
  maxShareOfTankLastingLong: 1,
};

export async function readTank(
  store: Store,
  tank: TankKey,
): Promise<{ funded: bigint; settled: bigint; held: bigint } | undefined> {
  const row = await store.db
    .selectFrom('tanks_with_held')
    .selectAll()
    .where('chain_id', '=', tank.chainId)
    .where('contract', '=', tank.contract)
    .where('wallet', '=', tank.wallet)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { funded: fromWeiText(row.funded), settled: fromWeiText(row.settled), held: fromWeiText(row.held) };
}
