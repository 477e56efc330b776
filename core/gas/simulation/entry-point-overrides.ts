import { type Address, type Hex, numberToHex, slice } from 'viem';
import { addressWord, keccakDigits, uintDigits } from '../../evm/abi/hex-digits.ts';
import { delegationCode } from '../../evm/entry-point/eip7702.ts';
import { entryPointOf } from '../../evm/entry-point/entry-points.ts';
import type { SimulatedOperation } from './estimation-context.ts';
import type { StateOverrides } from './override-call.ts';

/** More than any prefund, and within the 112 bits of a deposit in 0.6. Wei. */
const ampleDeposit = 1n << 110n;
const ampleDepositWord = numberToHex(ampleDeposit, { size: 32 });
/** Slot of `StakeManager.deposits` in every version. */
const depositsSlot = 0n;

/** Address of the EntryPoint's code while the probe replaces it (`CallGasProbe.ENTRY_POINT_CODE`). */
export const entryPointCodeAddress: Address = '0x7011F7Ee00000000000000000000000000000001';

/**
 * The state overrides of a simulation. The probe replaces the EntryPoint, with the simulation code at another address. The
 * payer gets an ample deposit, because an estimate must not fail over what the sponsor can afford. The sender gets the code
 * that it authorized.
 */
export function measurementOverrides(simulated: SimulatedOperation, code: Hex, chainId: number): StateOverrides {
  const { entryPoint, operation } = simulated;
  const { storage } = entryPointOf(operation.entryPointVersion).simulation;
  const stateDiff = { ...fundedEntryPoint(simulated).stateDiff, ...storage?.(entryPoint, chainId) };
  return {
    ...delegatedSender(simulated),
    [entryPoint]: { stateDiff },
    [entryPointCodeAddress]: { code },
  };
}

/** The sender with the code that its EIP-7702 authorization sets in the bundler's transaction, before the operation. */
function delegatedSender({ operation: { sender, eip7702Auth } }: SimulatedOperation): StateOverrides {
  return eip7702Auth === undefined ? {} : { [sender]: { code: delegationCode(eip7702Auth.address) } };
}

/** The EntryPoint's storage with the ample deposit. */
function fundedEntryPoint(simulated: SimulatedOperation): { stateDiff: Record<Hex, Hex> } {
  const payer = paymasterOf(simulated) ?? simulated.operation.sender;
  const slot = keccakDigits(addressWord(payer) + uintDigits(depositsSlot, 32));
  return { stateDiff: { [`0x${slot}`]: ampleDepositWord } };
}

/** The paymaster at the start of `paymasterAndData`; undefined when the account pays itself. */
export function paymasterOf({ paymasterAndData }: SimulatedOperation): Address | undefined {
  return paymasterAndData === '0x' ? undefined : slice(paymasterAndData, 0, 20);
}
