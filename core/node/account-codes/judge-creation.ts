import {
  type Address,
  decodeErrorResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  isHex,
  parseAbi,
  size,
  slice,
} from 'viem';
import type { UserOperation } from '../../domain/user-operation.ts';
import { beaconSlot, implementationSlot } from '../../evm/account-codes/find-in-catalogue.ts';
import type { AccountCodeKind, Creation } from '../../evm/account-codes/known-code.ts';
import type { ChainClient } from '../chain-client.ts';
import { readRpcAnswer } from '../rpc/rpc-answer.ts';
import { createdStorage, readCreatedAccount } from './account-storage.ts';
import {
  type CodeParts,
  codeLifetimeMs,
  findKinds,
  follow,
  readCode,
  readUnknown,
  recall,
  unknownCode,
  withMore,
} from './follow-code.ts';
import type { AccountReading, UnknownCode } from './seen-account.ts';

/** Bytes of an `initCode` that hold the factory's address. */
export const factoryBytes = 20;

/** The code that the operation's factory deploys at the sender, as far as it is known without a simulation. */
export async function readCreation(
  parts: CodeParts,
  operation: UserOperation,
  entryPoint: Address,
): Promise<AccountReading> {
  const { sender, initCode } = operation;
  const [found, created] = await Promise.all([
    findCreation(parts, initCode),
    readCreatedSender(parts.client, entryPoint, initCode),
  ]);
  if ('state' in found) return judgeCreation(parts, { operation, entryPoint, found });
  if (created !== sender) {
    const address = getAddress(slice(initCode, 0, factoryBytes));
    const why = `The factory ${address} does not deploy the sender ${sender} in the current state.`;
    return { state: 'unknown', why, address };
  }
  return judgeCreation(parts, { operation, entryPoint, found });
}

type FoundCreation = { readonly kind: AccountCodeKind; readonly creation: Creation };

/** The account that a known factory creates for an `initCode`. */
export async function findCreation(parts: CodeParts, initCode: Hex): Promise<FoundCreation | UnknownCode> {
  const { factories, clock, table } = parts;
  const address = getAddress(slice(initCode, 0, factoryBytes));
  const callData = size(initCode) === factoryBytes ? '0x' : slice(initCode, factoryBytes);
  const remembered = factories.get(address);
  const isFresh = remembered !== undefined && clock.now() < remembered.until;
  const code = isFresh ? remembered.code : await readCode(parts, address);
  const found = table.findCreation({ address, code, callData });
  if (found === 'unknown') return unknownCode(address, code, 'factories');
  if (!isFresh) factories.set(address, { code, until: clock.now() + codeLifetimeMs });
  if (found !== 'other') return found;
  const why = `The factory ${address} is known, but its call data does more than deploy the account.`;
  return { state: 'unknown', why, address };
}

/** Code that a known factory uses from other contracts and that does not belong to the factory's kind. */
async function findOtherCode(
  parts: CodeParts,
  { kind, creation: { implementation, runs = [] } }: FoundCreation,
): Promise<UnknownCode | undefined> {
  const behind = implementation === undefined || recall(parts, implementation)?.includes(kind) ? [] : [implementation];
  const [calledCodes, [implementationCode]] = await Promise.all([
    Promise.all(runs.map(({ address }) => readCode(parts, address))),
    Promise.all(behind.map((address) => readCode(parts, address))),
  ]);
  for (const [index, { address, marks }] of runs.entries()) {
    const code = calledCodes[index] ?? '0x';
    if (!parts.table.mayRun({ address, code }, marks)) return unknownCode(address, code, 'helpers');
  }
  if (implementation === undefined || implementationCode === undefined) return undefined;
  return findKinds(parts, implementation, implementationCode)?.includes(kind) === true
    ? undefined
    : unknownCode(implementation, implementationCode, 'implementations');
}

/**
 * The account that a factory creates: of the kind that its call data names, or else read from the account after creation.
 */
export async function judgeCreation(
  parts: CodeParts,
  created: {
    readonly operation: UserOperation;
    readonly entryPoint: Address;
    readonly found: FoundCreation | UnknownCode;
    readonly left?: UnknownCode | undefined;
  },
): Promise<AccountReading> {
  const { operation, entryPoint, found, left } = created;
  if ('state' in found) {
    if (found.missing === undefined) return found;
    // The remaining unknown code is only needed to complete the refusal.
    const made = await readMade(parts, operation, entryPoint).catch(() => undefined);
    if (made?.state === 'deployed') return { ...found, kindBehind: made.kind };
    return withMore(found, left ?? (made?.state === 'unknown' ? made : undefined));
  }
  if (found.creation.implementation === undefined) {
    const made = await readMade(parts, operation, entryPoint);
    if (made?.state === 'unknown') return made;
    if (made?.state === 'deployed') return { state: 'created', kind: made.kind };
  }
  return (await findOtherCode(parts, found)) ?? { state: 'created', kind: found.kind };
}

/** The account after creation, followed to the code that runs; undefined if the node cannot simulate it. */
async function readMade(
  parts: CodeParts,
  { sender, initCode }: UserOperation,
  entryPoint: Address,
): Promise<AccountReading | undefined> {
  const { client, table } = parts;
  const slots = [...new Set([...table.slotsOf(sender), implementationSlot, beaconSlot])];
  const made = await readCreatedAccount(client, { entryPoint, initCode, sender, slots });
  if (made === undefined || made.code === '0x') return undefined;
  return follow(parts, { sender, storage: createdStorage(client, made) }, { to: sender }, made.code);
}

/** Reads code that a factory deployed at the sender: unknown code, or code that itself names its target. */
export async function readLeft(parts: CodeParts, sender: Address, code: Hex): Promise<UnknownCode | undefined> {
  if (findKinds(parts, sender, code) !== undefined) return undefined;
  const delegation = parts.table.findDelegation(code);
  if (delegation === undefined) return unknownCode(sender, code, 'proxies');
  return 'to' in delegation ? readUnknown(parts, delegation.to) : undefined;
}

const entryPointAbi = parseAbi([
  'function getSenderAddress(bytes initCode)',
  'error SenderAddressResult(address sender)',
]);

/**
 * The account that the EntryPoint would create for `initCode` now: `getSenderAddress` creates it and returns it in a revert.
 * Undefined when none is created. Throws the client's error when the node does not answer.
 */
export async function readCreatedSender(
  client: ChainClient,
  entryPoint: Address,
  initCode: Hex,
): Promise<Address | undefined> {
  const data = encodeFunctionData({ abi: entryPointAbi, functionName: 'getSenderAddress', args: [initCode] });
  try {
    await client.request({ method: 'eth_call', params: [{ to: entryPoint, data }, 'latest'] });
    return undefined;
  } catch (error) {
    const answer = readRpcAnswer(error);
    const reverted = revertIn(answer?.data);
    if (reverted !== undefined) return senderIn(reverted);
    // The node's message for a revert without data says nothing about gas.
    throw answer === undefined ? error : new Error('The node does not report the revert data of getSenderAddress.');
  }
}

/** Revert data in the forms that nodes use: plain, after a word, or in an object. */
function revertIn(data: unknown): Hex | undefined {
  if (typeof data === 'object' && data !== null && 'data' in data) return revertIn(data.data);
  const [found] = typeof data === 'string' ? (/0x[0-9a-f]*$/i.exec(data) ?? []) : [];
  return isHex(found) ? found : undefined;
}

function senderIn(reverted: Hex): Address | undefined {
  try {
    const { errorName, args } = decodeErrorResult({ abi: entryPointAbi, data: reverted });
    return errorName === 'SenderAddressResult' ? args[0] : undefined;
  } catch {
    return undefined;
  }
}
