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

export type ProbeCall<T> = {
  /** The address at which the probe is called and put. */
  readonly to: Address;
  /** `tx.origin`; the zero address when absent. */
  readonly origin?: Address | undefined;
  readonly data: Hex;
  readonly overrides: StateOverrides;
  decode(answer: Hex): T;
};

/**
 * Calls a function of `CallGasProbe`. The probe catches every revert, so an error here is the node's. Refuses with
 * `CHAIN_UNAVAILABLE`, or with `ESTIMATION_FAILED` when the gas of one call does not suffice.
 */
export async function callProbe<T>(client: ChainClient, call: ProbeCall<T>): Promise<Result<T>> {
  const { to, data, overrides, origin } = call;
  let answer: Hex;
  try {
    answer = await client.request({
      method: 'eth_call',
      params: [
        { ...omitAbsent({ from: origin }), to, data, gas: numberToHex(estimationCallGas) },
        'latest',
        { ...overrides, [to]: { ...overrides[to], code: callGasProbeCode } },
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
