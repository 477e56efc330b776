import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  numberToHex,
  parseAbi,
  zeroAddress,
} from 'viem';
import { mainnetPrices } from '../../../core/domain/unit-prices.ts';
import { executeUserOpSelector } from '../../../core/evm/account-decoders/create-form-decoder.ts';
import type { DevCall } from '../../../server/dev/user-operation/build-user-operation.ts';
import { compiledContract } from '../compiled-contract.ts';
import type { Work } from '../plan/plan.ts';
import type { World } from '../world.ts';

/**
 * Whose code runs for an account next to its own: the published validator alone, or the attacker's as validator or hook. A `hidden hook`
 * shows itself in the attacker's bundles only, and comes with a validator of the attacker's.
 */
export type Modules = 'published' | 'own validator' | 'own hook' | 'hidden hook';

const executeAbi = parseAbi(['function execute(bytes32 mode, bytes executionCalldata)']);
const single: Hex = `0x${'00'.repeat(32)}`;
const batch: Hex = `0x01${'00'.repeat(31)}`;
const executions = [
  {
    type: 'tuple[]',
    components: [
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'data', type: 'bytes' },
    ],
  },
] as const;

/** The call data of an ERC-7579 account. */
export function encodeExecute(calls: readonly DevCall[]): Hex {
  const [first] = calls;
  if (first === undefined) throw new Error('There is no call.');
  const { to, value = 0n, data } = first;
  const args =
    calls.length === 1
      ? ([single, concat([to, numberToHex(value, { size: 32 }), data])] as const)
      : ([batch, encodeAbiParameters(executions, [calls.map((call) => ({ value: 0n, ...call }))])] as const);
  return encodeFunctionData({ abi: executeAbi, args });
}

/** The call data of an ERC-7579 account behind `executeUserOp`, without which some run no hooks. */
export function encodeExecuteUserOp(calls: readonly DevCall[]): Hex {
  return concat([executeUserOpSelector, encodeExecute(calls)]);
}

const isOfAttacker: readonly Modules[] = ['own validator', 'hidden hook'];

/** Whether the account is validated by the attacker's module. */
export function hasGreedyValidator(modules: Modules): boolean {
  return isOfAttacker.includes(modules);
}

/** Gas of the slots that a hook of the attacker's sets: 40 at mainnet's prices. */
const gasOfHook = 40n * mainnetPrices.newSlot;
/** Gas with which a hook that has set a slot clears it and returns. */
const gasAfterSlot = 3_400n;

/** The attacker's validator and hook. */
export function deployModule(world: World, modules: Modules): Promise<Address> {
  const bundler = modules === 'hidden hook' ? world.attacker.address : zeroAddress;
  const { newSlot } = world.prices;
  // A hook that uses more than an operation may use is never signed for.
  const slots = gasOfHook / newSlot;
  const settings = encodeAbiParameters(
    [{ type: 'address' }, { type: 'uint256' }, { type: 'uint256' }],
    [bundler, slots, newSlot + gasAfterSlot],
  );
  return world.deploy(concat([compiledContract('GreedyModule'), settings]));
}

/** The word that `GreedyModule` reads. */
export function encodeWork({ slots, kilogas }: Work): Hex {
  return numberToHex((kilogas << 16) | slots, { size: 32 });
}
