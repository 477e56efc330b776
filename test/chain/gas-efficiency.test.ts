import { type Address, type Hex, isAddressEqual, maxUint256, slice } from 'viem';
import { expect, test } from 'vitest';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import {
  approveCall,
  mint,
  newSmartAccount,
  nextOperation,
  setAllowance,
  targetCall,
  tokenWith,
} from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { useService } from '../support/interface/use-service.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';

const service = useService();

/** What rundler demands at Alchemy. */
const leastEfficiency = 0.4;
/** Unused gas of one limit from which EntryPoint 0.8 and up keep a tenth (`PENALTY_GAS_THRESHOLD`). */
const penaltyThreshold = 40_000n;

type Frame = {
  readonly to?: Address;
  readonly from: Address;
  readonly gasUsed: Hex;
  readonly calls?: readonly Frame[];
};

/** What the calls of the EntryPoint used in a bundle of one operation; its own work between them left out. */
async function readUsed(hash: Hex, entryPoint: Address, paymaster: Address) {
  const { client } = service().devnet;
  const top = await client.request<{ Method: string; Parameters: unknown[]; ReturnType: Frame }>({
    method: 'debug_traceTransaction',
    params: [hash, { tracer: 'callTracer' }],
  });
  const calls = top.calls ?? [];
  const inner = calls.findIndex(({ to }) => to !== undefined && isAddressEqual(to, entryPoint));
  const used = (frames: readonly Frame[]) => frames.reduce((sum, { gasUsed }) => sum + BigInt(gasUsed), 0n);
  const execution = calls[inner];
  if (execution === undefined) throw new Error('The bundle executed nothing.');
  const postOp = (execution.calls ?? []).filter(({ to }) => to !== undefined && isAddressEqual(to, paymaster));
  return { verification: used(calls.slice(0, inner)), execution: used([execution]), postOp: used(postOp) };
}

const cells = rowsOfRun(['0.9', '0.8', '0.7'] as const, 1).flatMap((version) =>
  (['sponsored', 'token, approval inside', 'token, approval standing'] as const).map((mode) => ({ version, mode })),
);

/** An operation of an account that is on chain, with what the service answers. */
async function landed(version: EntryPointVersion, mode: (typeof cells)[number]['mode']) {
  const { devnet } = service();
  const { authToken } = await service().issueAccount();
  const { rpcUrl, address } = await service().fundedPaymaster(authToken, version);
  const account = newSmartAccount(version);
  const first = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
  await land(devnet, account, withAnswer(first, await sponsor(rpcUrl, first)));
  const token = tokenWith(devnet, 6);
  await mint(devnet, token, first.sender, 10n ** 12n);
  const increment = targetCall(devnet, 'increment');
  const isInside = mode === 'token, approval inside';
  if (mode === 'token, approval standing') {
    await setAllowance(devnet, token, { owner: first.sender, spender: address, amount: maxUint256 });
  }
  const calls = isInside ? [approveCall(token, address, 10n ** 12n), increment] : [increment];
  const operation: DevUserOperation = await nextOperation(devnet, account, calls);
  const wish = mode === 'sponsored' ? {} : { token: token.address };
  const answer = await sponsor(rpcUrl, operation, wish);
  const outcome = await land(devnet, account, withAnswer(operation, answer));
  const paymaster = slice(answer.paymasterAndData, 0, 20);
  return { answer, used: await readUsed(outcome.transactionHash, devnet.entryPoints[version], paymaster) };
}

test.each(cells)('EntryPoint $version, $mode: bundlers find little of the limits unused', async ({ version, mode }) => {
  const { answer, used } = await landed(version, mode);
  const verificationLimit = answer.verificationGasLimit + answer.paymasterVerificationGasLimit;
  const executionLimit = answer.callGasLimit + answer.paymasterPostOpGasLimit;
  const part = (gas: bigint, limit: bigint) => Number(gas) / Number(limit);
  const seen = {
    verification: part(used.verification, verificationLimit),
    execution: part(used.execution, executionLimit),
  };
  expect(seen.verification).toBeGreaterThanOrEqual(leastEfficiency);
  expect(seen.execution).toBeGreaterThanOrEqual(leastEfficiency);
  expect(answer.paymasterPostOpGasLimit - used.postOp).toBeLessThan(penaltyThreshold);
});
