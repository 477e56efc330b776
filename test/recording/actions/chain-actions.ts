import {
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  maxUint256,
  numberToHex,
  parseAbi,
  parseEventLogs,
  slice,
} from 'viem';
import { entryPoint06Abi, entryPoint07Abi, entryPoint08Abi } from 'viem/account-abstraction';
import type { LocalAccount } from 'viem/accounts';
import { devnetFamilies } from '../../../server/dev/devnet/devnet.ts';
import { signUserOperation } from '../../../server/dev/user-operation/build-user-operation.ts';
import { type DevUserOperation, packUserOperation } from '../../../server/dev/user-operation/dev-user-operation.ts';
import { accountOf } from '../world/keys.ts';
import type { World } from '../world/open-world.ts';
import type { Action } from './action.ts';
import type { RunState, Sent } from './run-state.ts';

type Of<Kind extends Action['do']> = Extract<Action, { readonly do: Kind }>;

const depositAbi = parseAbi(['function depositTo(address account) payable']);

/** Sends a transaction in a block of its own, at the time of the recording's clock. */
async function transact(
  { devnet, time }: World,
  from: LocalAccount,
  transaction: { readonly to: Hex; readonly data?: Hex; readonly value?: bigint },
) {
  await time.settleNext();
  const { client } = devnet;
  const hash = await client.sendTransaction({ account: from, chain: client.chain, gas: 15_000_000n, ...transaction });
  return client.waitForTransactionReceipt({ hash });
}

export async function deposit({ world }: RunState, { wallet, version, wei }: Of<'deposit'>): Promise<object> {
  const { devnet } = world;
  const args = [devnet.paymasterContracts[devnetFamilies[version]]] as const;
  const data = encodeFunctionData({ abi: depositAbi, args });
  const { status } = await transact(world, accountOf(wallet), {
    to: devnet.entryPoints[version],
    data,
    value: BigInt(wei),
  });
  await world.follow();
  return { status };
}

export async function sendCoin({ world }: RunState, { wallet, to, wei }: Of<'send-coin'>): Promise<object> {
  const { status } = await transact(world, accountOf(wallet), { to: accountOf(to).address, value: BigInt(wei) });
  await world.follow();
  return { status };
}

/** What of earlier lines can land lands, in one bundle per EntryPoint. Those that the EntryPoint refuses are named. */
export async function land(state: RunState, { lines, by = 'bundler' }: Of<'land'>): Promise<object> {
  const { world } = state;
  const ready: DevUserOperation[] = [];
  const refused: string[] = [];
  for (const line of lines) {
    const operation = await toLand(state, line);
    if (operation === undefined) refused.push(`${line}: nothing to land`);
    else if (ready.some((other) => excludes(other, operation))) refused.push(`${line}: another of its sender lands`);
    else if (await passes(world, [operation], by)) ready.push(operation);
    else refused.push(`${line}: refused by the EntryPoint`);
  }
  const events: object[] = [];
  for (const version of new Set(ready.map(({ entryPointVersion }) => entryPointVersion))) {
    const bundle = ready.filter(({ entryPointVersion }) => entryPointVersion === version);
    const to = world.devnet.entryPoints[version];
    const { logs } = await transact(world, accountOf(by), { to, data: bundleData(bundle, accountOf(by).address) });
    const landed = parseEventLogs({ abi: entryPoint07Abi, logs, eventName: 'UserOperationEvent' });
    events.push(...landed.map(({ args: { nonce, success, actualGasCost } }) => ({ nonce, success, actualGasCost })));
  }
  await world.follow();
  return { events, refused };
}

/** Whether an operation cannot be in a bundle with another: it has the same nonce, or creates the same account. */
function excludes(other: DevUserOperation, { sender, nonce, initCode, entryPointVersion }: DevUserOperation): boolean {
  if (sender !== other.sender || entryPointVersion !== other.entryPointVersion) return false;
  return nonce === other.nonce || initCode !== '0x';
}

/** The signed operation of an earlier line with what the service answered, or as the bundler has it. */
async function toLand({ world, sent }: RunState, line: number): Promise<DevUserOperation | undefined> {
  const asked = sent.get(line);
  const answer = asked?.answer;
  if (asked === undefined || answer === undefined) return undefined;
  if (answer.userOperationHash !== undefined) return asked.operation;
  const signed = (answer.signed ?? answer) as Readonly<Record<string, unknown>>;
  if (signed.kind !== 'signed') return undefined;
  return signUserOperation(world.devnet, withAnswer(asked, signed), asked.owner);
}

function withAnswer({ operation }: Sent, signed: Readonly<Record<string, unknown>>): DevUserOperation {
  const gas = signed.gas as Pick<DevUserOperation, 'callGasLimit' | 'verificationGasLimit' | 'preVerificationGas'>;
  const { callGasLimit, verificationGasLimit, preVerificationGas } = gas;
  return {
    ...operation,
    callGasLimit,
    verificationGasLimit,
    preVerificationGas,
    paymasterAndData: signed.paymasterAndData as Hex,
  };
}

async function passes({ devnet }: World, bundle: readonly DevUserOperation[], by: string): Promise<boolean> {
  const [first] = bundle;
  if (first === undefined) return false;
  const { address } = accountOf(by);
  const call = { to: devnet.entryPoints[first.entryPointVersion], data: bundleData(bundle, address) };
  return devnet.client.call({ account: address, gas: 15_000_000n, ...call }).then(
    () => true,
    () => false,
  );
}

function bundleData(operations: readonly DevUserOperation[], beneficiary: Hex): Hex {
  const [first] = operations;
  if (first?.entryPointVersion === '0.6') {
    const args = [[...operations], beneficiary] as const;
    return encodeFunctionData({ abi: entryPoint06Abi, functionName: 'handleOps', args });
  }
  const args = [operations.map(packUserOperation), beneficiary] as const;
  return encodeFunctionData({ abi: entryPoint08Abi, functionName: 'handleOps', args });
}

/** Slots of `DevToken`. */
const balanceSlot = 3n;
const allowanceSlot = 4n;
const words = [{ type: 'address' }, { type: 'uint256' }] as const;

/** Gives an account this much of a token, and lets the paymaster contract take it or not. */
export async function giveTokens({ world }: RunState, action: Of<'tokens'>): Promise<object> {
  const { client, tokens, accountFactories, paymasterContracts } = world.devnet;
  const { owner, version, decimals, amount, allowed } = action;
  const token = tokens.find((each) => each.decimals === decimals);
  if (token === undefined) throw new Error(`The chain has no token with ${decimals} decimals.`);
  const account = await client.readContract({
    address: accountFactories[version],
    abi: parseAbi(['function getAddress(address owner, uint256 salt) view returns (address)']),
    functionName: 'getAddress',
    args: [accountOf(owner).address, 0n],
  });
  const inBalances = keccak256(encodeAbiParameters(words, [account, balanceSlot]));
  const ofOwner = BigInt(keccak256(encodeAbiParameters(words, [account, allowanceSlot])));
  const spender = paymasterContracts[devnetFamilies[version]];
  const inAllowances = keccak256(encodeAbiParameters(words, [spender, ofOwner]));
  const set = (index: Hex, value: bigint) =>
    client.setStorageAt({ address: token.address, index, value: numberToHex(value, { size: 32 }) });
  await set(inBalances, BigInt(amount));
  await set(inAllowances, allowed ? maxUint256 : 0n);
  return { account: slice(account, 0, 20) };
}

export async function revert({ world }: RunState, { blocks }: Of<'revert'>): Promise<object> {
  const { client, chainId } = world.devnet;
  const block = (await client.getBlockNumber({ cacheTime: 0 })) - BigInt(blocks);
  const rewound = await world.core().revertLedger({ chainId, block });
  await world.follow();
  return rewound;
}

export async function mark(state: RunState): Promise<object> {
  state.mark = await state.world.devnet.client.snapshot();
  return {};
}

/** The chain becomes another one from the mark on. */
export async function reorg(state: RunState, { blocks }: Of<'reorg'>): Promise<object> {
  const { world, mark: id } = state;
  if (id === undefined) throw new Error('Nothing was marked.');
  const { client } = world.devnet;
  const before = await client.getBlockNumber();
  await client.revert({ id });
  state.mark = undefined;
  world.time.forgetNewest();
  const after = await client.getBlockNumber();
  // The other chain is at least as long: a ledger that is ahead of its node waits.
  await world.time.mine(Math.max(blocks, Number(before - after) + 1));
  await world.follow();
  return { blocks: Number(before - after) };
}
