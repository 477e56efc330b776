import { type Address, getAbiItem, type Hex, toFunctionSelector } from 'viem';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { UserOperation } from '../../domain/user-operation.ts';
import { createAbiDecoder } from '../../evm/abi/abi-decoder.ts';
import { createAbiEncoder } from '../../evm/abi/abi-encoder.ts';
import type { InnerCall } from '../../evm/account-decoders/decoder.ts';
import { delegationCode } from '../../evm/entry-point/eip7702.ts';
import type { AccountSlots, CallsAlone, SeenAccount } from '../../node/account-codes/seen-account.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { explainNodeError } from '../../node/node-error.ts';
import { repeatInQuestions } from '../../node/rpc/rpc-answer.ts';
import { accountProbeAbi, accountProbeCode } from './account-probe.generated.ts';
import { type EstimationContext, executionCeiling } from './estimation-context.ts';
import { callSimulated } from './override-call.ts';

const probe = getAbiItem({ abi: accountProbeAbi, name: 'probe' });
const probeSelector = toFunctionSelector(probe);
const encodeQuestion = createAbiEncoder(probe.inputs);
const decodeAnswer = createAbiDecoder(probe.outputs);
repeatInQuestions(accountProbeCode);

/** The account's storage, the gas of its calls without its own code, and the state of the chain (`Moment.current`). */
export type ProbedAccount = Omit<SeenAccount, 'code'> & { readonly moment: Hex };

/** Reads the slots and measures the calls in one `eth_call`; the probe replaces the account's code. */
export async function probeAccount(
  { client }: Pick<EstimationContext, 'client'>,
  account: Address,
  { slots, beaconSlot }: Pick<AccountSlots, 'slots' | 'beaconSlot'>,
  calls: readonly InnerCall[] = [],
): Promise<Result<ProbedAccount>> {
  const asked = calls.map(({ target, value, data }) => ({ target, value, data }));
  const answer = await callSimulated(client, {
    to: account,
    code: accountProbeCode,
    data: `${probeSelector}${encodeQuestion([slots, beaconSlot, asked, executionCeiling])}`,
    overrides: {},
    decode: decodeAnswer,
  });
  if (!answer.ok) return answer;
  const [values, beaconImplementation, moment, made, gas] = answer.value;
  const words = Object.fromEntries(slots.map((slot, index) => [slot, values[index] ?? '0x']));
  const seen = { words, beaconImplementation, moment };
  return accept(calls.length === 0 ? seen : { ...seen, callsAlone: { made, gas } });
}

const noSlot: Hex = `0x${'00'.repeat(32)}`;

/** Measures the calls, where nothing else is read from the account. */
export async function measureCallsAlone(
  context: Pick<EstimationContext, 'client'>,
  account: Address,
  calls: readonly InnerCall[],
): Promise<Result<CallsAlone>> {
  const probed = await probeAccount(context, account, { slots: [], beaconSlot: noSlot }, calls);
  if (!probed.ok) return probed;
  return accept(probed.value.callsAlone ?? { made: true, gas: 0n });
}

/**
 * The sender of an operation in the current state, before the operation. `CHAIN_UNAVAILABLE` when the node does not answer.
 */
export async function seeAccount(
  client: ChainClient,
  operation: UserOperation,
  { slots, beaconSlot }: AccountSlots,
): Promise<Result<SeenAccount>> {
  const { sender, initCode, eip7702Auth } = operation;
  try {
    const [kept, code = '0x'] = await Promise.all([
      probeAccount({ client }, sender, { slots, beaconSlot }),
      eip7702Auth === undefined ? client.getCode({ address: sender }) : delegationCode(eip7702Auth.address),
    ]);
    if (!kept.ok) return kept;
    const { words, beaconImplementation } = kept.value;
    const wasThere = initCode !== '0x' && code !== '0x';
    return accept({ code, words, beaconImplementation, ...(wasThere ? { wasThere } : {}) });
  } catch (error) {
    return refuse(explainNodeError(error));
  }
}
