import { type Address, getAbiItem, type Hex, toFunctionSelector } from 'viem';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { UserOperation } from '../../domain/user-operation.ts';
import { createAbiDecoder } from '../../evm/abi/abi-decoder.ts';
import { createAbiEncoder } from '../../evm/abi/abi-encoder.ts';
import { delegationCode } from '../../evm/entry-point/eip7702.ts';
import type { AccountSlots, SeenAccount } from '../../node/account-codes/seen-account.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { explainNodeError } from '../../node/node-error.ts';
import { repeatInQuestions } from '../../node/rpc/rpc-answer.ts';
import { accountProbeAbi, accountProbeCode } from './account-probe.generated.ts';
import type { EstimationContext } from './estimation-context.ts';
import { callSimulated } from './override-call.ts';

const probe = getAbiItem({ abi: accountProbeAbi, name: 'probe' });
const probeSelector = toFunctionSelector(probe);
const encodeQuestion = createAbiEncoder(probe.inputs);
const decodeAnswer = createAbiDecoder(probe.outputs);
repeatInQuestions(accountProbeCode);

/** The account's storage, and the state of the chain (`Moment.current`). */
export type ProbedAccount = Omit<SeenAccount, 'code'> & { readonly moment: Hex };

/** Reads the slots in one `eth_call`; the probe replaces the account's code. */
export async function probeAccount(
  { client }: Pick<EstimationContext, 'client'>,
  account: Address,
  { slots, beaconSlot }: AccountSlots,
): Promise<Result<ProbedAccount>> {
  const answer = await callSimulated(client, {
    to: account,
    code: accountProbeCode,
    data: `${probeSelector}${encodeQuestion([slots, beaconSlot])}`,
    overrides: {},
    decode: decodeAnswer,
  });
  if (!answer.ok) return answer;
  const [values, beaconImplementation, moment] = answer.value;
  const words = Object.fromEntries(slots.map((slot, index) => [slot, values[index] ?? '0x']));
  return accept({ words, beaconImplementation, moment });
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
