import { type Address, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem';
import { accept, type Result } from '../../domain/result/result.ts';
import type { AccountSlots, SeenAccount } from '../../node/account-codes/seen-account.ts';
import { accountSlotsAbi, accountSlotsCode } from './account-slots.generated.ts';
import type { EstimationContext } from './estimation-context.ts';
import { callSimulated } from './override-call.ts';

/** What an account keeps, and in which state of the chain (`Moment.current`). */
export type ReadSlots = Omit<SeenAccount, 'code'> & { readonly moment: Hex };

/** Reads slots of an account in one `eth_call`, in whose state it is put in the account's place to read them. */
export async function readAccountSlots(
  { client }: Pick<EstimationContext, 'client'>,
  account: Address,
  { slots, beaconSlot }: AccountSlots,
): Promise<Result<ReadSlots>> {
  const read = await callSimulated(client, {
    to: account,
    code: accountSlotsCode,
    data: encodeFunctionData({ abi: accountSlotsAbi, args: [slots, beaconSlot] }),
    overrides: {},
    decode: (data) => decodeFunctionResult({ abi: accountSlotsAbi, data }),
  });
  if (!read.ok) return read;
  const [values, beaconImplementation, moment] = read.value;
  const words = Object.fromEntries(slots.map((slot, index) => [slot, values[index] ?? '0x']));
  return accept({ words, beaconImplementation, moment });
}
