import type { ChainRuntime } from '../chain/chain-runtime.ts';
import { depositAbi } from '../chain/entry-point-events.ts';
import type { LedgerReport } from '../domain/ledger-report.ts';
import type { PaymasterContract } from '../paymaster-contracts/family.ts';
import type { Store } from '../store/store.ts';
import { type ContractBooks, checkContractBooks } from './check-ledger.ts';

/** How often a difference is looked at again while the books move on. */
const mostAttempts = 3;

type Moment = { readonly atBlock: bigint; readonly lastHash: string };

/**
 * One contract's books beside its deposit on chain, both as of the last block that the books have. Undefined before the
 * first one. Rejects when the node does not answer.
 *
 * A block can leave the chain between the two readings, so a difference counts only when the books stood still meanwhile.
 */
export async function checkBooksAndChain(
  store: Store,
  client: ChainRuntime['client'],
  place: PaymasterContract,
): Promise<LedgerReport | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const read = await readBooks(store, place);
    if (read === undefined) return undefined;
    const { moment, books } = read;
    const chainDeposit = await client.readContract({
      address: place.entryPoint,
      abi: depositAbi,
      functionName: 'balanceOf',
      args: [place.address],
      blockNumber: moment.atBlock,
    });
    const difference = chainDeposit - books.bookDeposit;
    if (difference === 0n || attempt === mostAttempts || !(await hasMoved(store, place, moment))) {
      const { chainId, address: contract, entryPoint } = place;
      return { chainId, contract, entryPoint, atBlock: moment.atBlock, chainDeposit, difference, ...books };
    }
  }
}

function readBooks(
  store: Store,
  place: PaymasterContract,
): Promise<{ readonly moment: Moment; readonly books: ContractBooks } | undefined> {
  return store.transaction(async (transaction) => {
    const moment = await readMoment(transaction, place);
    if (moment === undefined) return undefined;
    return { moment, books: await checkContractBooks(transaction, place.chainId, place.address) };
  });
}

async function hasMoved(store: Store, place: PaymasterContract, before: Moment): Promise<boolean> {
  return (await readMoment(store.db, place))?.lastHash !== before.lastHash;
}

async function readMoment(
  db: Pick<Store['db'], 'selectFrom'>,
  { chainId, entryPoint }: PaymasterContract,
): Promise<Moment | undefined> {
  const row = await db
    .selectFrom('watches')
    .select(['next_block', 'last_hash'])
    .where('chain_id', '=', chainId)
    .where('entry_point', '=', entryPoint)
    .executeTakeFirst();
  return row === undefined ? undefined : { atBlock: BigInt(row.next_block) - 1n, lastHash: row.last_hash };
}
