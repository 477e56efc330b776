import { type Address, encodeAbiParameters, type Hex, keccak256, numberToHex, slice } from 'viem';
import { omitAbsent } from '../../domain/values/omit-absent.ts';
import { delegationCode } from '../../evm/entry-point/eip7702-delegation.ts';
import { simulationCode } from './entry-point-code.ts';
import type { SimulatedOperation } from './estimation-context.ts';
import type { StateOverrides } from './override-call.ts';

/** More than any prefund, and still room in the 112 bits that 0.6 has for a deposit. Wei. */
const ampleDeposit = 1n << 110n;
/** Slot of `StakeManager.deposits` in every version. */
const depositsSlot = 0n;

/**
 * The state to simulate in: the EntryPoint with simulation code where it has none itself, and with an ample deposit of
 * whoever pays, because what the sponsor can afford is decided elsewhere and must not fail an estimate; the sender as it
 * has authorized itself to be.
 */
export function simulationOverrides(simulated: SimulatedOperation): StateOverrides {
  const code = simulationCode[simulated.operation.entryPointVersion];
  const funded = fundedEntryPoint(simulated);
  return {
    ...delegatedSender(simulated),
    [simulated.entryPoint]: { ...funded, ...omitAbsent({ code }) },
  };
}

/** The sender with the code that its EIP-7702 authorization gives it in the bundler's transaction, before the operation. */
export function delegatedSender({ operation: { sender, eip7702Auth } }: SimulatedOperation): StateOverrides {
  return eip7702Auth === undefined ? {} : { [sender]: { code: delegationCode(eip7702Auth.address) } };
}

/** The EntryPoint's storage with the ample deposit. */
export function fundedEntryPoint(simulated: SimulatedOperation): { stateDiff: Record<Hex, Hex> } {
  const payer = paymasterOf(simulated) ?? simulated.operation.sender;
  const slot = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [payer, depositsSlot]));
  return { stateDiff: { [slot]: numberToHex(ampleDeposit, { size: 32 }) } };
}

/** The paymaster that stands in front of its data; none when the account pays itself. */
export function paymasterOf({ paymasterAndData }: SimulatedOperation): Address | undefined {
  return paymasterAndData === '0x' ? undefined : slice(paymasterAndData, 0, 20);
}
