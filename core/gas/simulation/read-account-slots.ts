import { type Address, getAbiItem, type Hex, toFunctionSelector } from 'viem';
import { accept, type Result } from '../../domain/result/result.ts';
import { createAbiDecoder } from '../../evm/abi/abi-decoder.ts';
import { createAbiEncoder } from '../../evm/abi/abi-encoder.ts';
import type { AccountSlots, SeenAccount } from '../../node/account-codes/seen-account.ts';
import { repeatInQuestions } from '../../node/rpc/question-body.ts';
import { accountSlotsAbi, accountSlotsCode } from './account-slots.generated.ts';
import type { EstimationContext } from './estimation-context.ts';
import { callSimulated } from './override-call.ts';

const read = getAbiItem({ abi: accountSlotsAbi, name: 'read' });
const readSelector = toFunctionSelector(read);
const encodeSlots = createAbiEncoder(read.inputs);
const decodeWords = createAbiDecoder(read.outputs);
repeatInQuestions(accountSlotsCode);

/** What an account keeps, and in which state of the chain (`Moment.current`). */
export type ReadSlots = Omit<SeenAccount, 'code'> & { readonly moment: Hex };

/** Reads slots of an account in one `eth_call`, in whose state it is put in the account's place to read them. */
export async function readAccountSlots(
  { client }: Pick<EstimationContext, 'client'>,
  account: Address,
  { slots, beaconSlot }: AccountSlots,
): Promise<Result<ReadSlots>> {
  const answer = await callSimulated(client, {
    to: account,
    code: accountSlotsCode,
    data: `${readSelector}${encodeSlots([slots, beaconSlot])}`,
    overrides: {},
    decode: decodeWords,
  });
  if (!answer.ok) return answer;
  const [values, beaconImplementation, moment] = answer.value;
  const words = Object.fromEntries(slots.map((slot, index) => [slot, values[index] ?? '0x']));
  return accept({ words, beaconImplementation, moment });
}
