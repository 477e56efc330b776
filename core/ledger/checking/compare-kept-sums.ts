import { BaseError } from 'viem';
import type { LedgerStanding } from '../../domain/ledger-report.ts';
import type { PaymasterContract } from '../../evm/paymaster-contracts/family/family.ts';
import type { FollowedChain } from '../../node/followed-chain.ts';
import { readDepositAt } from '../../node/read-deposits.ts';
import type { Store } from '../../store/store.ts';
import { fromSignedWeiText, fromWeiText } from '../../store/wei/wei-text.ts';
import { hasLedgerMoved, headOf, type LedgerHead } from './read-ledgers.ts';

/** How often a difference is compared again while the ledger is advancing. */
const maxAttempts = 3;

/**
 * Compares the stored sums of one contract with its deposit on chain, as of the ledger's last block. It adds nothing up:
 * whether the sums match the entries is part of the ledger check.
 *
 * A block can leave the chain between the two reads, so a difference counts only when the ledger did not change meanwhile.
 */
export async function compareKeptSums(
  store: Store,
  client: FollowedChain['client'],
  location: PaymasterContract,
): Promise<LedgerStanding> {
  for (let attempt = 1; ; attempt += 1) {
    const { moment, deposit: bookDeposit, held } = await readSums(store, location);
    const { chainId, address: contract, entryPoint } = location;
    const sums = { chainId, contract, entryPoint, atBlock: moment?.atBlock ?? 0n, bookDeposit, held };
    const chainDeposit = await readChainDeposit(client, location, moment);
    if (chainDeposit === undefined || moment === undefined) return { ...sums, state: 'unreachable' };
    const difference = chainDeposit - bookDeposit;
    if (difference === 0n || attempt === maxAttempts || !(await hasLedgerMoved(store, location, moment))) {
      return { ...sums, state: 'compared', chainDeposit, difference };
    }
  }
}

/** In one statement, so that all values are from the same moment. */
async function readSums({ db }: Store, { chainId, address }: PaymasterContract) {
  const row = await db
    .selectFrom('contract_totals as total')
    .leftJoin('contract_watches as watch', (join) =>
      join.onRef('watch.chain_id', '=', 'total.chain_id').onRef('watch.contract', '=', 'total.contract'),
    )
    .select(['total.deposit', 'total.held', 'watch.next_block', 'watch.last_hash'])
    .where('total.chain_id', '=', chainId)
    .where('total.contract', '=', address)
    .executeTakeFirstOrThrow();
  const { next_block, last_hash } = row;
  const moment = next_block === null || last_hash === null ? undefined : headOf({ next_block, last_hash });
  return { moment, deposit: fromSignedWeiText(row.deposit), held: fromWeiText(row.held) };
}

/** Undefined when the node does not answer, or no longer has the state of that block. */
async function readChainDeposit(
  client: FollowedChain['client'],
  { entryPoint, address: contract, executors }: PaymasterContract,
  moment: LedgerHead | undefined,
): Promise<bigint | undefined> {
  if (moment === undefined) return undefined;
  try {
    return await readDepositAt(client, { entryPoint, contract, executors }, moment.atBlock);
  } catch (cause) {
    // Any other error is a bug; what the chain's client throws means that the answer is missing.
    if (cause instanceof BaseError) return undefined;
    throw cause;
  }
}
