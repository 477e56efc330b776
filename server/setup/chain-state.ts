import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { textFlag } from '../../clients/cli/terminal/text-flag.ts';
import { weiAmountSchema } from '../config/wei-amount.ts';
import { askChain, type ChainAccess } from '../paymaster-contract/chain-access.ts';
import { readAmount } from '../paymaster-contract/change-contract.ts';
import { type ConfiguredContract, contractAbi, findFamily } from '../paymaster-contract/configured-contract.ts';
import { leastStake, needsStake } from '../paymaster-contract/least-stake.ts';

const defaultDeposit = '0.01 ether';

/** The amounts that the flags request on the chain, in wei. 0 for none. */
export type Wanted = { readonly stake: bigint; readonly deposit: bigint };

export function readWanted(flags: Flags, chainId: number, familyName: string): Wanted {
  const stake = textFlag(flags, 'stake');
  const usual = needsStake(findFamily(familyName)) ? leastStake(chainId).wei : 0n;
  return {
    stake: stake === undefined ? usual : amountOrNone(stake),
    deposit: amountOrNone(textFlag(flags, 'deposit') ?? defaultDeposit),
  };
}

function amountOrNone(text: string): bigint {
  return text === 'none' ? 0n : readAmount(text);
}

/** A contract's money at the EntryPoint, in wei; an unlocked stake counts as 0. */
type Money = { readonly deposit: bigint; readonly stake: bigint };

export async function readMoney(
  { chain, client }: ChainAccess,
  contract: ConfiguredContract | undefined,
): Promise<Money> {
  if (contract === undefined) return { deposit: 0n, stake: 0n };
  const { entryPoint, address } = contract;
  const asked = { address: entryPoint, abi: contractAbi, functionName: 'getDepositInfo', args: [address] } as const;
  const [deposit, staked, stake] = await askChain(chain.chainId, client.readContract(asked));
  return { deposit, stake: staked ? stake : 0n };
}

/** What still must be sent: whether the contract, and how much stake and deposit, in wei. */
export type Missing = { readonly contract: boolean; readonly stake: bigint; readonly deposit: bigint };

export function findMissing(isThere: boolean, wanted: Wanted, has: Money): Missing {
  return {
    contract: !isThere,
    stake: wanted.stake > has.stake ? wanted.stake - has.stake : 0n,
    // A used tank is filled by its operator, not by repeating the setup.
    deposit: has.deposit === 0n ? wanted.deposit : 0n,
  };
}

/** More gas than any family has needed for each. */
const gasOf = { contract: 3_500_000n, stake: 150_000n, deposit: 150_000n };
/** Minimum gas price, as a reserve for rising prices. */
const leastPrice = weiAmountSchema.parse('0.1 gwei');

/** Wei that the payer needs for what is missing, including gas at twice the current price; 0 if nothing is. */
export async function priceMissing({ chain, client }: ChainAccess, missing: Missing): Promise<bigint> {
  const gas =
    (missing.contract ? gasOf.contract : 0n) +
    (missing.stake > 0n ? gasOf.stake : 0n) +
    (missing.deposit > 0n ? gasOf.deposit : 0n);
  if (gas === 0n) return 0n;
  const price = 2n * (await askChain(chain.chainId, client.getGasPrice()));
  return missing.stake + missing.deposit + gas * (price > leastPrice ? price : leastPrice);
}
