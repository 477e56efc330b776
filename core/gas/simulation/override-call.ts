import { type Address, type Hex, numberToHex } from 'viem';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import { omitAbsent } from '../../domain/values/omit-absent.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { explainNodeError, overridesUnsupported, senselessAnswer } from '../../node/node-error.ts';
import { callGasProbeCode } from './call-gas-probe.generated.ts';
import { estimationCallGas } from './estimation-limits.ts';

/**
 * Where `CallGasProbe` sits when it stands beside the EntryPoint. Checksummed as senders are, so that the override of an
 * EIP-7702 sender of this address is this one and not another one beside it.
 */
export const probeAddress: Address = '0x7011F7eE00000000000000000000000000000002';

/** State that accounts have during one `eth_call` only. */
export type StateOverrides = Record<Address, { code?: Hex; stateDiff?: Record<Hex, Hex> }>;

export type SimulatedCall<T> = {
  /** The address at which the code is called and put. */
  readonly to: Address;
  readonly code: Hex;
  /** `tx.origin`; the zero address when absent. */
  readonly origin?: Address | undefined;
  readonly data: Hex;
  readonly overrides: StateOverrides;
  decode(answer: Hex): T;
};

/** A call of `CallGasProbe`. */
export type ProbeCall<T> = Omit<SimulatedCall<T>, 'code'>;

/** Calls a function of `CallGasProbe`: see {@link callSimulated}. */
export function callProbe<T>(client: ChainClient, call: ProbeCall<T>): Promise<Result<T>> {
  return callSimulated(client, { ...call, code: callGasProbeCode });
}

/**
 * Calls code of ours that only this call puts on chain. It catches every revert, so an error here is the node's. Refuses
 * with `CHAIN_UNAVAILABLE`, or with `ESTIMATION_FAILED` when the gas of one call does not suffice.
 */
export async function callSimulated<T>(client: ChainClient, call: SimulatedCall<T>): Promise<Result<T>> {
  const { to, code, data, overrides, origin } = call;
  let answer: Hex;
  try {
    answer = await client.request({
      method: 'eth_call',
      params: [
        { ...omitAbsent({ from: origin }), to, data, gas: numberToHex(estimationCallGas) },
        'latest',
        { ...overrides, [to]: { ...overrides[to], code } },
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
