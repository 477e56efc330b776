import { type Address, type Hex, isAddressEqual } from 'viem';
import type { Entity, Step, Validation } from './read-validation.ts';

/** What bundlers know of the entities of an operation, and of the chain. */
export type Circumstances = {
  /** Entities with a stake at the EntryPoint. */
  readonly staked: ReadonlySet<Entity>;
  /** Whether the operation makes its account. */
  readonly createsSender: boolean;
  /** Whether there is code at an address. */
  hasCode(address: Address): boolean;
};

/** A rule of ERC-7562 that a validation breaks. */
export type Violation = { readonly rule: string; readonly entity: Entity; readonly what: string };

/** [OP-011] What a block or a transaction says, and what ends code without an end. */
const blocked = new Set([
  ...['ORIGIN', 'GASPRICE', 'BLOCKHASH', 'COINBASE', 'TIMESTAMP', 'NUMBER', 'DIFFICULTY', 'PREVRANDAO', 'GASLIMIT'],
  ...['BASEFEE', 'BLOBHASH', 'BLOBBASEFEE', 'SELFDESTRUCT', 'INVALID', 'CREATE'],
]);
const calls = new Set(['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL']);
const reads = new Set(['SLOAD', 'TLOAD']);
const writes = new Set(['SSTORE', 'TSTORE']);
/** `depositTo(address)`, and a plain transfer: the two ways to pay in (OP-052, OP-053). */
const payingIn: readonly (Hex | undefined)[] = ['0xb760faf9', '0x'];
/** [OP-062] Precompiles of every chain, and that of RIP-7212. */
const maxPrecompile = 0x11n;
const p256 = 0x100n;

/** Every rule of ERC-7562 on opcodes and storage that a validation breaks, each once for what it is broken by. */
export function findViolations(validation: Validation, circumstances: Circumstances): readonly Violation[] {
  const found = new Map<string, Violation>();
  let created = 0;
  for (const step of validation.steps) {
    if (step.opcode === 'CREATE2') created += 1;
    for (const [rule, what] of [
      ...opcodeRules(step, circumstances, created),
      ...callRules(step, validation, circumstances),
      ...storageRules(step, validation, circumstances),
    ]) {
      const violation = { rule, entity: step.entity, what };
      found.set(Object.values(violation).join(' '), violation);
    }
  }
  return [...found.values()];
}

type Broken = readonly (readonly [rule: string, what: string])[];

function opcodeRules(
  { opcode, next, entity }: Step,
  { staked, createsSender }: Circumstances,
  created: number,
): Broken {
  if (blocked.has(opcode)) return [['OP-011', opcode]];
  if (opcode === 'GAS' && !calls.has(next)) return [['OP-012', `GAS before ${next}`]];
  if ((opcode === 'BALANCE' || opcode === 'SELFBALANCE') && !staked.has(entity)) return [['OP-080', opcode]];
  if (opcode === 'CREATE2' && !(createsSender && entity === 'factory' && created === 1)) return [['OP-031', 'CREATE2']];
  return [];
}

function callRules(step: Step, { entryPoint, sender }: Validation, { createsSender, hasCode }: Circumstances): Broken {
  const { opcode, target, value = 0n, selector, entity, next } = step;
  if (target === undefined) return [];
  const isSender = isAddressEqual(target, sender);
  const isPrecompile = BigInt(target) > 0n && (BigInt(target) <= maxPrecompile || BigInt(target) === p256);
  const broken: (readonly [string, string])[] = [];
  // [OP-042], [OP-051]: the account on its way, and the question whether there is code at all.
  const mayBeEmpty = (createsSender && isSender) || (opcode === 'EXTCODESIZE' && next === 'ISZERO');
  const asksCode = opcode !== 'BALANCE';
  if (asksCode && !mayBeEmpty && !isPrecompile && !hasCode(target)) broken.push(['OP-041', `${opcode} of ${target}`]);
  if (!calls.has(opcode)) return broken;
  if (isAddressEqual(target, entryPoint)) {
    const paysIn = payingIn.includes(selector) && entity !== 'paymaster';
    if (!paysIn && value === 0n && opcode === 'CALL' && selector === '0x') return broken;
    if (!paysIn) broken.push(['OP-054', `${opcode} ${selector} of the EntryPoint`]);
  } else if (value > 0n) broken.push(['OP-061', `${opcode} with value`]);
  return broken;
}

function storageRules(step: Step, { sender, paymaster }: Validation, { staked, createsSender }: Circumstances): Broken {
  const { opcode, self, owner, slot, entity } = step;
  if (!reads.has(opcode) && !writes.has(opcode)) return [];
  if (isAddressEqual(self, sender)) return [];
  const what = `${opcode} ${slot} of ${self}`;
  const ofSender = owner !== undefined && isAddressEqual(owner, sender);
  if (staked.has(entity)) {
    // [STO-031], [STO-032], [STO-033]: also what belongs to an account that is on its way.
    const isOwn = entity === 'paymaster' && isAddressEqual(self, paymaster);
    const isAssociated = owner !== undefined && entity === 'paymaster' && isAddressEqual(owner, paymaster);
    return isOwn || isAssociated || ofSender || entity === 'factory' || reads.has(opcode) ? [] : [['STO-033', what]];
  }
  if (!ofSender) return [['STO-021', what]];
  return !createsSender || staked.has('factory') ? [] : [['STO-022', what]];
}
