import { slice } from 'viem';
import type { Devnet, DevnetToken } from '../../../server/dev/devnet/devnet.ts';
import { signUserOperation } from '../../../server/dev/user-operation/build-user-operation.ts';
import type { DevUserOperation } from '../../../server/dev/user-operation/dev-user-operation.ts';
import { handleUserOperation, type OperationOutcome } from '../../../server/dev/user-operation/entry-point.ts';
import { bundler, depositOf, incrementsOf, type SmartAccount, tokenBalance } from './chain-lab.ts';

/** Signs with the account's key and sends through `handleOps`. Throws `OperationRefused`. */
export async function land(
  devnet: Devnet,
  account: SmartAccount,
  operation: DevUserOperation,
): Promise<OperationOutcome> {
  return handleUserOperation(devnet, await signUserOperation(devnet, operation, account.owner), bundler);
}

/** What the chain says an operation changed. Wei, and base units of the token. */
export type Landing = {
  readonly outcome: OperationOutcome;
  /** By how much the paymaster's deposit at the EntryPoint fell. */
  readonly paymasterPaid: bigint;
  /** By how much the account's coin fell, its own deposit at the EntryPoint included. */
  readonly accountPaid: bigint;
  readonly tokensPaid: bigint;
  readonly tokenRecipientReceived: bigint;
  /** Calls that reached the target. */
  readonly increments: bigint;
};

/** Lands an operation and compares the chain before and after. */
export async function landAndCompare(
  devnet: Devnet,
  account: SmartAccount,
  operation: DevUserOperation,
  token: DevnetToken,
): Promise<Landing> {
  const before = await readState(devnet, operation, token);
  const outcome = await land(devnet, account, operation);
  const after = await readState(devnet, operation, token);
  return {
    outcome,
    paymasterPaid: before.paymaster - after.paymaster,
    accountPaid: before.account - after.account,
    tokensPaid: before.tokens - after.tokens,
    tokenRecipientReceived: after.tokenRecipient - before.tokenRecipient,
    increments: after.increments - before.increments,
  };
}

async function readState(devnet: Devnet, operation: DevUserOperation, token: DevnetToken) {
  const { sender, entryPointVersion: version } = operation;
  const [paymaster, coin, deposit, tokens, tokenRecipient, increments] = await Promise.all([
    depositOf(devnet, version, slice(operation.paymasterAndData, 0, 20)),
    devnet.client.getBalance({ address: sender }),
    depositOf(devnet, version, sender),
    tokenBalance(devnet, token, sender),
    tokenBalance(devnet, token, devnet.tokenRecipient),
    incrementsOf(devnet, sender),
  ]);
  return { paymaster, account: coin + deposit, tokens, tokenRecipient, increments };
}
