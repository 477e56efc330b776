import { type Address, getAddress, type Hex, isAddressEqual, keccak256, pad, zeroAddress } from 'viem';
import { z } from 'zod';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';

/** Who runs code while an EntryPoint validates an operation. */
export type Entity = 'factory' | 'account' | 'paymaster';

/** One instruction of an entity's validation, as far as ERC-7562 has a rule for it. */
export type Step = {
  readonly entity: Entity;
  readonly opcode: string;
  /** The instruction behind it in the same frame. */
  readonly next: string;
  /** Whose storage and name the code has. */
  readonly self: Address;
  /** The contract that is called or asked for. */
  readonly target?: Address;
  readonly value?: bigint;
  readonly selector?: Hex;
  /** A slot, and the address that it belongs to by `keccak256(address . x) + n`, where there is one. */
  readonly slot?: Hex;
  readonly owner?: Address;
};

/** What an EntryPoint's `handleOps` of one operation does before it executes anything. */
export type Validation = {
  readonly entryPoint: Address;
  readonly sender: Address;
  readonly paymaster: Address;
  readonly steps: readonly Step[];
};

const logSchema = z.object({
  op: z.string(),
  depth: z.number(),
  stack: z
    .array(z.string())
    .nullish()
    .transform((stack) => (stack ?? []).map((word) => BigInt(word))),
});
type Log = z.output<typeof logSchema>;
const traceSchema = z.object({ structLogs: z.array(logSchema) });

/** `BeforeExecution()`, which every version emits between validation and execution. */
const beforeExecution = BigInt('0xbb47ee3e183a558b1a2ff0874b079f3fc5478b7454eacf2bfc5af2ff5878f972');
/** An offset in a structure behind the hash of a mapping's key, in slots. */
const maxOffset = 128n;
const calls = new Set(['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL']);
const storage = new Set(['SLOAD', 'SSTORE', 'TLOAD', 'TSTORE']);
const asking = new Set(['BALANCE', 'EXTCODESIZE', 'EXTCODEHASH', 'EXTCODECOPY']);

type Frame = { readonly self: Address; readonly entity: Entity | undefined; readonly memory: Map<bigint, bigint> };

/** Traces a bundle of one operation on the development chain, up to where it would be executed. */
export async function readValidation(
  { client, entryPoints }: Pick<Devnet, 'client' | 'entryPoints'>,
  bundle: {
    readonly version: keyof Devnet['entryPoints'];
    readonly from: Address;
    readonly data: Hex;
    readonly sender: Address;
    readonly paymaster: Address;
  },
): Promise<Validation> {
  const entryPoint = entryPoints[bundle.version];
  const { from, data, sender, paymaster } = bundle;
  // Throws the EntryPoint's reason where it refuses the operation.
  await client.call({ account: from, to: entryPoint, data, gas: 15_000_000n });
  const answer = await client.request<{ Method: string; Parameters: unknown[]; ReturnType: unknown }>({
    method: 'debug_traceCall',
    params: [
      { from, to: entryPoint, data, gas: '0xe4e1c0' },
      'latest',
      { enableMemory: false, disableStorage: true, enableReturnData: false },
    ],
  });
  const logs = traceSchema.parse(answer).structLogs;
  const end = logs.findIndex(
    ({ op, depth, stack }) => op === 'LOG1' && depth === 1 && stack.at(-3) === beforeExecution,
  );
  if (end < 0) throw new Error('The EntryPoint does not come to an execution.');
  return { entryPoint, sender, paymaster, steps: stepsOf(logs.slice(0, end), { entryPoint, sender, paymaster }) };
}

function stepsOf(logs: readonly Log[], { entryPoint, sender, paymaster }: Omit<Validation, 'steps'>): readonly Step[] {
  const steps: Step[] = [];
  const frames: Frame[] = [{ self: entryPoint, entity: undefined, memory: new Map() }];
  /** Keys of mappings that were hashed: where their hashes are, whose they are. */
  const owners = new Map<bigint, Address>();
  let begins: Frame | undefined;
  for (const [index, log] of logs.entries()) {
    const { op, depth, stack } = log;
    if (depth > frames.length && begins !== undefined) frames.push(begins);
    frames.length = Math.min(frames.length, depth);
    const frame = frames.at(-1);
    if (frame === undefined || frames.length !== depth) throw new Error(`The trace loses its frames at ${index}.`);
    noteMemory(frame, op, stack);
    noteHash(frame, op, stack, owners);
    begins = frameOf(frame, op, stack, { sender, paymaster, depth });
    const { entity, self } = frame;
    // What the EntryPoint itself does is no one's validation.
    if (entity === undefined || isAddressEqual(self, entryPoint)) continue;
    let behind = index + 1;
    while ((logs[behind]?.depth ?? 0) > depth) behind += 1;
    const next = logs[behind]?.op ?? 'STOP';
    steps.push({ entity, opcode: op, next, self, ...facts(frame, op, stack, owners) });
  }
  return steps;
}

/** The frame that a call begins. At the top, the EntryPoint's callee says whose validation it is. */
function frameOf(
  frame: Frame,
  op: string,
  stack: readonly bigint[],
  { sender, paymaster, depth }: { readonly sender: Address; readonly paymaster: Address; readonly depth: number },
): Frame | undefined {
  const memory = new Map<bigint, bigint>();
  // Its address is not known before it is made; nothing of its own is judged then.
  if (op === 'CREATE' || op === 'CREATE2') return { ...frame, self: sender, memory };
  if (!calls.has(op)) return undefined;
  const target = toAddress(stack.at(-2) ?? 0n);
  const self = op === 'DELEGATECALL' || op === 'CALLCODE' ? frame.self : target;
  if (depth > 1) return { self, entity: frame.entity, memory };
  if (op === 'DELEGATECALL') return { self, entity: undefined, memory };
  if (isAddressEqual(target, paymaster)) return { self, entity: 'paymaster', memory };
  return { self, entity: isAddressEqual(target, sender) ? 'account' : 'factory', memory };
}

function noteMemory({ memory }: Frame, op: string, stack: readonly bigint[]): void {
  const [offset, value] = [stack.at(-1), stack.at(-2)];
  if (op === 'MSTORE' && offset !== undefined && value !== undefined) memory.set(offset, value);
}

/** Remembers which address a mapping's slot was made of: Solidity writes the key and the mapping's slot, and hashes both. */
function noteHash({ memory }: Frame, op: string, stack: readonly bigint[], owners: Map<bigint, Address>): void {
  const [offset, size] = [stack.at(-1), stack.at(-2)];
  if ((op !== 'KECCAK256' && op !== 'SHA3') || offset === undefined || size !== 64n) return;
  const [key, slot] = [memory.get(offset), memory.get(offset + 32n)];
  if (key === undefined || slot === undefined || key >> 160n !== 0n) return;
  owners.set(BigInt(keccak256(`${word(key)}${word(slot).slice(2)}`)), toAddress(key));
}

function facts(
  frame: Frame,
  op: string,
  stack: readonly bigint[],
  owners: ReadonlyMap<bigint, Address>,
): Partial<Step> {
  if (storage.has(op)) {
    const slot = stack.at(-1) ?? 0n;
    const owner = ownerOf(slot, owners);
    return { slot: word(slot), ...(owner === undefined ? {} : { owner }) };
  }
  if (asking.has(op)) return { target: toAddress(stack.at(-1) ?? 0n) };
  if (!calls.has(op)) return {};
  const withValue = op === 'CALL' || op === 'CALLCODE';
  const [at, size] = withValue ? [stack.at(-4), stack.at(-5)] : [stack.at(-3), stack.at(-4)];
  const first = at === undefined ? undefined : frame.memory.get(at);
  return {
    target: toAddress(stack.at(-2) ?? 0n),
    value: withValue ? (stack.at(-3) ?? 0n) : 0n,
    selector: size === 0n || first === undefined ? '0x' : (word(first).slice(0, 10) as Hex),
  };
}

function ownerOf(slot: bigint, owners: ReadonlyMap<bigint, Address>): Address | undefined {
  for (const [hash, owner] of owners) if (slot >= hash && slot - hash <= maxOffset) return owner;
  return undefined;
}

function word(value: bigint): Hex {
  return pad(`0x${value.toString(16)}`, { size: 32 });
}

function toAddress(value: bigint): Address {
  return value === 0n ? zeroAddress : getAddress(`0x${(value & ((1n << 160n) - 1n)).toString(16).padStart(40, '0')}`);
}
