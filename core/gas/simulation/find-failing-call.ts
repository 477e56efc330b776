import { type Address, getAbiItem, toFunctionSelector } from 'viem';
import { createAbiDecoder } from '../../evm/abi/abi-decoder.ts';
import { createAbiEncoder } from '../../evm/abi/abi-encoder.ts';
import type { InnerCall } from '../../evm/account-decoders/decoder.ts';
import type { FailingCall } from '../failures/name-failing-call.ts';
import { type EstimationContext, executionCeiling } from './estimation-context.ts';
import { failingCallProbeAbi, failingCallProbeCode } from './failing-call-probe.generated.ts';
import { callSimulated } from './override-call.ts';

const find = getAbiItem({ abi: failingCallProbeAbi, name: 'find' });
const findSelector = toFunctionSelector(find);
const encodeQuestion = createAbiEncoder(find.inputs);
const decodeAnswer = createAbiDecoder(find.outputs);

/**
 * Makes an account's calls one after the other in one `eth_call`, without the account's code. Undefined if all of them succeed or
 * the node does not answer.
 */
export async function findFailingCall(
  { client }: Pick<EstimationContext, 'client'>,
  account: Address,
  calls: readonly InnerCall[],
): Promise<FailingCall | undefined> {
  const asked = calls.map(({ target, value, data }) => ({ target, value, data }));
  const answer = await callSimulated(client, {
    to: account,
    code: failingCallProbeCode,
    data: `${findSelector}${encodeQuestion([asked, executionCeiling])}`,
    overrides: {},
    decode: decodeAnswer,
  });
  if (!answer.ok) return undefined;
  const [{ found, index: place, revertData, balance, allowance: allowanceInTheWay }] = answer.value;
  const index = Number(place);
  const call = calls[index];
  return found && call !== undefined ? { index, call, revertData, balance, allowanceInTheWay } : undefined;
}
