import { type Address, encodeFunctionData } from 'viem';
import { type LocalAccount, privateKeyToAccount } from 'viem/accounts';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { devTokenAbi } from '../../server/dev/devnet/contracts.generated.ts';
import { deriveDevKey } from '../../server/dev/devnet/dev-keys.ts';
import { type Devnet, type DevnetToken, devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import { sendInOrder } from '../../server/dev/devnet/devnet-client.ts';
import { signUserOperation } from '../../server/dev/user-operation/build-user-operation.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { handleUserOperation } from '../../server/dev/user-operation/entry-point.ts';
import {
  approveCall,
  newSmartAccount,
  nextOperation,
  plainLimits,
  type SmartAccount,
  targetCall,
  tokenWith,
} from '../support/chain/chain-lab.ts';
import { signedAnswer } from '../support/service/chain-rpc.ts';
import { askSponsorship, type Wish, withAnswer } from '../support/service/chain-sponsorship.ts';

/** Operations that one account sends, one after the other. */
const perAccount = 5;

/** What becomes of an operation: it runs, its call reverts on chain, or no one sends it. */
type Fate = 'runs' | 'reverts' | 'unsent';

/** All operations of one EntryPoint, sent by one bundler of its own. */
export type Lane = {
  readonly version: EntryPointVersion;
  readonly contract: Address;
  readonly bundler: LocalAccount;
  /** Those on chain, in order, as they were sent. */
  readonly sent: { operation: DevUserOperation; blockNumber: bigint }[];
  /** The latest second at which something signed could still land. */
  validUntil: number;
  /** How many were signed. */
  signed: number;
};

export function openLane(devnet: Devnet, version: EntryPointVersion, bundlerNumber: number): Lane {
  return {
    version,
    contract: devnet.paymasterContracts[devnetFamilies[version]],
    bundler: privateKeyToAccount(deriveDevKey(bundlerNumber)),
    sent: [],
    validUntil: 0,
    signed: 0,
  };
}

/** Has so many operations signed and landed: modes in turn by account, one in five reverts, one in five is not sent. */
export async function runLane(devnet: Devnet, lane: Lane, rpcUrl: string, accounts: number): Promise<void> {
  for (let number = 0; number < accounts; number += 1) {
    const account = newSmartAccount(lane.version);
    const token = number % 2 === 0 ? undefined : tokenWith(devnet, number % 4 === 1 ? 6 : 18);
    if (token !== undefined) {
      const { sender } = await nextOperation(devnet, account, []);
      await mint(devnet, lane, token, sender);
    }
    for (let turn = 0; turn < perAccount; turn += 1) {
      const fate: Fate = turn === 2 ? 'reverts' : turn === 3 ? 'unsent' : 'runs';
      const operation = await build(devnet, lane, account, { fate, token, isFirst: turn === 0 });
      const signed = await sign(lane, rpcUrl, operation, wishOf(token));
      if (fate !== 'unsent') await send(devnet, lane, await signUserOperation(devnet, signed, account.owner));
    }
  }
}

/** A sponsored operation of a new account, ready to be asked for and then to be signed by its account. */
export type Prepared = {
  readonly lane: Lane;
  /** Undefined when the service dies over it. */
  ask(rpcUrl: string): Promise<DevUserOperation | undefined>;
  complete(answered: DevUserOperation): Promise<DevUserOperation>;
};

export async function prepare(devnet: Devnet, lane: Lane): Promise<Prepared> {
  const account = newSmartAccount(lane.version);
  const operation = await build(devnet, lane, account, { fate: 'runs', token: undefined, isFirst: true });
  return {
    lane,
    ask: (rpcUrl) => sign(lane, rpcUrl, operation, wishOf(undefined)).catch(() => undefined),
    complete: (answered) => signUserOperation(devnet, answered, account.owner),
  };
}

/** Puts an operation with all its signatures on the chain. */
export async function send(devnet: Devnet, lane: Lane, operation: DevUserOperation): Promise<void> {
  const { receipt } = await handleUserOperation(devnet, operation, lane.bundler);
  lane.sent.push({ operation, blockNumber: receipt.blockNumber });
}

/** Gives an account plenty of a token, with a transaction of the lane's own. */
async function mint(devnet: Devnet, { bundler }: Lane, token: DevnetToken, to: Address): Promise<void> {
  const args = [to, 10_000n * 10n ** BigInt(token.decimals)] as const;
  const data = encodeFunctionData({ abi: devTokenAbi, functionName: 'mint', args });
  await sendInOrder(devnet.client, bundler, [{ description: 'minting', to: token.address, data, gas: 200_000n }]);
}

function wishOf(token: DevnetToken | undefined): Wish {
  return { calculateGasLimits: false, ...(token === undefined ? {} : { token: token.address }) };
}

async function build(
  devnet: Devnet,
  lane: Lane,
  account: SmartAccount,
  { fate, token, isFirst }: { fate: Fate; token: DevnetToken | undefined; isFirst: boolean },
): Promise<DevUserOperation> {
  const increment = targetCall(devnet, 'increment');
  // The account has no coin to pay with.
  const call = fate === 'reverts' ? { ...targetCall(devnet, 'pay'), value: 1n } : increment;
  const allow = token === undefined || !isFirst ? [] : [approveCall(token, lane.contract, 2n ** 128n)];
  // What is not sent must not be in the way of the account's next operation.
  const nonceKey = fate === 'unsent' ? 7n : 0n;
  const built = await nextOperation(devnet, account, [...allow, call], nonceKey);
  return { ...built, ...plainLimits(built.initCode === '0x' ? 'deployed' : 'undeployed') };
}

async function sign(lane: Lane, rpcUrl: string, operation: DevUserOperation, wish: Wish): Promise<DevUserOperation> {
  const answer = signedAnswer(await askSponsorship(rpcUrl, operation, wish));
  lane.validUntil = Math.max(lane.validUntil, answer.validUntil);
  lane.signed += 1;
  return withAnswer(operation, answer);
}
