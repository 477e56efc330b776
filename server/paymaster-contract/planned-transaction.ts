import {
  type Address,
  BaseError,
  decodeErrorResult,
  formatEther,
  formatGwei,
  type Hex,
  isHex,
  parseAbi,
  type RawContractError,
} from 'viem';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { isLayer2 } from '../../core/domain/chain-config.ts';
import { findFeeModel } from '../../core/gas/fees/find-fee-model.ts';
import type { ChainSection } from '../config/chain-schema.ts';
import { askChain, type ChainAccess } from './configured-contract.ts';

/** A transaction before it is sent, with what the user should know about it. */
export type PlannedTransaction = {
  /** Its purpose, like `deploy pimlico-singleton-0.7`. */
  readonly action: string;
  readonly from: Address;
  /** Absent if it creates a contract. */
  readonly to?: Address;
  readonly data: Hex;
  readonly value: bigint;
  /** Addresses and arguments, by their names. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** What changes. */
  readonly changes: string;
};

/** A transaction that the nodes have simulated. Gas as it will be sent; wei per gas and maximum wei. */
export type PricedTransaction = PlannedTransaction & {
  readonly gas: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas?: bigint;
  readonly worstCost: bigint;
  /** The payer's balance. */
  readonly balance: bigint;
  /** The chain also takes a fee for data, which `worstCost` does not include. */
  readonly paysForData: boolean;
};

/** Errors of the called contracts, including inherited ones. */
const errorsAbi = parseAbi([
  'error Error(string)',
  'error AccessControlUnauthorizedAccount(address account, bytes32 neededRole)',
  'error OwnableUnauthorizedAccount(address account)',
]);

/** A fifth more gas than estimated: the state may differ when it lands. */
const gasMargin = { numerator: 12n, denominator: 10n };

/** Simulates a transaction and prices it. A revert of the contract is reported as a mistake, with its reason. */
export async function priceTransaction(
  { chain, client }: ChainAccess,
  planned: PlannedTransaction,
): Promise<PricedTransaction> {
  const { from: account, to, data, value } = planned;
  const balance = await askChain(chain.chainId, client.getBalance({ address: account }));
  if (balance < value) {
    throw mistake(`${account} has ${formatEther(balance)} ether but sends ${formatEther(value)} ether.`);
  }
  const call = { account, data, value, ...(to === undefined ? {} : { to }) };
  const tried = async () => {
    await client.call(call);
    return client.estimateGas(call);
  };
  const estimate = await askChain(chain.chainId, tried().catch(refuseRevert));
  const gas = (estimate * gasMargin.numerator) / gasMargin.denominator;
  const fees = await askChain(chain.chainId, readFees(client));
  const paysForData = isLayer2(await askChain(chain.chainId, findFeeModel(client, chain)));
  return { ...planned, ...fees, gas, worstCost: gas * fees.maxFeePerGas + value, balance, paysForData };
}

/** Chains without a base fee have one gas price. */
async function readFees(client: ChainAccess['client']) {
  const { baseFeePerGas } = await client.getBlock();
  if (baseFeePerGas === null) return { maxFeePerGas: await client.getGasPrice() };
  const { maxFeePerGas, maxPriorityFeePerGas } = await client.estimateFeesPerGas({ type: 'eip1559', chain: null });
  return { maxFeePerGas, maxPriorityFeePerGas };
}

function refuseRevert(error: unknown): never {
  if (!(error instanceof BaseError)) throw error;
  const raw = error.walk((cause) => typeof cause === 'object' && cause !== null && 'data' in cause);
  const data = (raw as RawContractError | null)?.data;
  const isRevert = /revert/i.test(`${error.shortMessage} ${error.details}`);
  if (!isRevert) throw error;
  throw mistake(`The contract refuses it: ${revertReason(typeof data === 'object' ? data.data : data)}.`);
}

function revertReason(data: Hex | undefined): string {
  if (!isHex(data) || data === '0x') return 'it reverts without a reason';
  try {
    const { errorName, args } = decodeErrorResult({ abi: errorsAbi, data });
    const [first] = args;
    return errorName === 'Error'
      ? first.replace(/[\p{Cc}\p{Cf}]/gu, '')
      : `${first} lacks the permission (${errorName})`;
  } catch {
    return `it reverts with ${data.slice(0, 10)}`;
  }
}

/** The lines of a dry run. */
export function describeTransaction(
  { chainId, name }: ChainSection,
  priced: PricedTransaction,
): readonly (readonly [string, string])[] {
  const { action, from, to, value, gas, maxFeePerGas, worstCost, facts, changes, paysForData } = priced;
  return [
    ['action', action],
    ['chain', `${chainId} (${name})`],
    ['from', from],
    ['to', to ?? 'none: it creates the contract'],
    ...facts,
    ['value', `${formatEther(value)} ether`],
    ['gas', `${gas}, at ${formatGwei(maxFeePerGas)} gwei at most`],
    ['worst cost', `${formatEther(worstCost)} ether (${worstCost} wei)${paysForData ? ', and the fee for data' : ''}`],
    ['changes', changes],
  ];
}
