import { type Address, getAddress, type Hex, hexToBigInt, keccak256, numberToHex, slice, stringToHex } from 'viem';
import { maxBigint, minBigint } from '../../base/values/integers.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { explainNodeError, overridesUnsupported, senselessAnswer } from '../../node/node-error.ts';
import { gasScheduleOf } from '../gas-schedule.ts';
import { estimationCallGas } from './estimation-context.ts';

/**
 * `tx.origin` if the operator names no bundlers. Nodes use the zero address when none is given, by which contracts could
 * distinguish a simulation from a real bundle. This address has no code and no known key.
 */
const unnamedBundler: Address = getAddress(slice(keccak256(stringToHex('tollfree: an unnamed bundler')), 12));

/**
 * Highest base fee of a simulated transaction, in wei per gas. It pays the block's base fee and its tip, but nodes refuse
 * one that offers less than the base fee. Without a price `tx.gasprice` is 0, and geth also sets the block's base fee to 0.
 */
const ampleBaseFee = 10n ** 18n;

/** State that accounts have only during one `eth_call`. */
export type StateOverrides = Record<Address, { code?: Hex; stateDiff?: Record<Hex, Hex>; balance?: Hex }>;

type SimulatedCall<T> = {
  /** The address that gets the code and is called. */
  readonly to: Address;
  readonly code: Hex;
  /** `tx.origin`; the unnamed bundler when absent. */
  readonly origin?: Address | undefined;
  /** The transaction's tip in wei per gas: that of its operation, and never 0. */
  readonly tip?: bigint;
  readonly data: Hex;
  /** Gas of the call, `estimationCallGas` when absent. The chain's `simulationCap` lowers it. */
  readonly gas?: bigint;
  readonly overrides: StateOverrides;
  decode(answer: Hex): T;
};

/**
 * Calls our own code, which exists only during the call. The code catches every revert, so an error here is the node's.
 * Refuses with `CHAIN_UNAVAILABLE`, or with `ESTIMATION_FAILED` when one call has too little gas.
 */
export async function callSimulated<T>(client: ChainClient, call: SimulatedCall<T>): Promise<Result<T>> {
  const { to, code, data, overrides } = call;
  const wanted = call.gas ?? estimationCallGas;
  const gas = minBigint(wanted, gasScheduleOf(client).simulationCap ?? wanted);
  const from = getAddress(call.origin ?? unnamedBundler);
  const maxPriorityFeePerGas = maxBigint(call.tip ?? 1n, 1n);
  const maxFeePerGas = ampleBaseFee + maxPriorityFeePerGas;
  // With a gas price, nodes check that the sender can pay for all of the gas.
  const balance = numberToHex(gas * maxFeePerGas);
  const withCode: StateOverrides = { ...overrides, [to]: { ...overrides[to], code } };
  let answer: Hex;
  try {
    answer = await client.request({
      method: 'eth_call',
      params: [
        {
          from,
          to,
          data,
          gas: numberToHex(gas),
          maxFeePerGas: numberToHex(maxFeePerGas),
          maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas),
        },
        'latest',
        { ...withCode, [from]: { ...withCode[from], balance } },
      ],
    });
  } catch (error) {
    return refuse(explainNodeError(error));
  }
  if (answer === '0x') return refuse(overridesUnsupported);
  try {
    return accept(call.decode(answer));
  } catch {
    return refuse(senselessAnswer);
  }
}

/** Code that returns 1: PUSH1 1 PUSH1 0 MSTORE PUSH1 32 PUSH1 0 RETURN. */
const returnsOne: Hex = '0x600160005260206000f3';
const anyAddress: Address = '0x7011F7ee00000000000000000000000000000003';

/** Calls code that exists only during the call. Refuses with the reason if the node cannot simulate. */
export function tryOverrides(client: ChainClient): Promise<Result<true>> {
  return callSimulated(client, {
    to: anyAddress,
    code: returnsOne,
    data: '0x',
    overrides: {},
    decode: (answer) => {
      if (hexToBigInt(answer) !== 1n) throw new Error('The code did not run.');
      return true;
    },
  });
}
