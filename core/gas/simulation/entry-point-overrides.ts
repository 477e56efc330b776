import { type Address, domainSeparator, type Hex, numberToHex, pad, slice } from 'viem';
import { delegationCode } from '../../evm/entry-point/eip7702-delegation.ts';
import { addressWord, keccakDigits, uintDigits } from '../../evm/entry-point/hex-digits.ts';
import { senderCreatorOf } from '../../evm/entry-point/sender-creator.ts';
import type { SimulatedOperation } from './estimation-context.ts';
import type { StateOverrides } from './override-call.ts';

/** More than any prefund, and still room in the 112 bits that 0.6 has for a deposit. Wei. */
const ampleDeposit = 1n << 110n;
const ampleDepositWord = numberToHex(ampleDeposit, { size: 32 });
/** Slot of `StakeManager.deposits` in every version. */
const depositsSlot = 0n;
/** Slot of `EntryPointSimulations._senderCreator` of 0.8 and 0.9; that of the domain separator is the next one. */
const senderCreatorSlot08 = 4n;

/** Where code of the EntryPoint sits while the probe stands in its place (`CallGasProbe.ENTRY_POINT_CODE`). */
export const entryPointCodeAddress: Address = '0x7011F7Ee00000000000000000000000000000001';

/**
 * The state to simulate in, for the probe instead of the EntryPoint: next to it the code that simulates; an ample
 * deposit of the payer, because what the sponsor can afford is decided elsewhere and must not fail an estimate; the
 * sender as it has authorized itself to be.
 */
export function measurementOverrides(simulated: SimulatedOperation, code: Hex, chainId: number): StateOverrides {
  const { entryPoint, operation } = simulated;
  const version = operation.entryPointVersion;
  const funded = fundedEntryPoint(simulated);
  const stateDiff =
    version === '0.8' || version === '0.9'
      ? { ...funded.stateDiff, ...immutables08(entryPoint, chainId) }
      : funded.stateDiff;
  return {
    ...delegatedSender(simulated),
    [entryPoint]: { stateDiff },
    [entryPointCodeAddress]: { code },
  };
}

/**
 * What `EntryPointSimulations` of 0.8 and 0.9 keeps in its storage and sets when it simulates, and what the
 * EntryPoint has in its code: the SenderCreator and the domain of its signatures. Accounts and factories may ask for
 * them.
 */
function immutables08(entryPoint: Address, chainId: number): Record<Hex, Hex> {
  const domain = { name: 'ERC4337', version: '1', chainId, verifyingContract: entryPoint };
  return {
    [numberToHex(senderCreatorSlot08, { size: 32 })]: pad(senderCreatorOf(entryPoint)),
    [numberToHex(senderCreatorSlot08 + 1n, { size: 32 })]: domainSeparator({ domain }),
  };
}

/**
 * The sender with the code that its EIP-7702 authorization gives it in the bundler's transaction, before the operation.
 */
function delegatedSender({ operation: { sender, eip7702Auth } }: SimulatedOperation): StateOverrides {
  return eip7702Auth === undefined ? {} : { [sender]: { code: delegationCode(eip7702Auth.address) } };
}

/** The EntryPoint's storage with the ample deposit. */
function fundedEntryPoint(simulated: SimulatedOperation): { stateDiff: Record<Hex, Hex> } {
  const payer = paymasterOf(simulated) ?? simulated.operation.sender;
  const slot = keccakDigits(addressWord(payer) + uintDigits(depositsSlot, 32));
  return { stateDiff: { [`0x${slot}`]: ampleDepositWord } };
}

/** The paymaster that stands in front of its data; none when the account pays itself. */
export function paymasterOf({ paymasterAndData }: SimulatedOperation): Address | undefined {
  return paymasterAndData === '0x' ? undefined : slice(paymasterAndData, 0, 20);
}
