import { parseUnits } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import type { DevPaymaster } from '../../server/dev/dev-file.ts';
import { devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import {
  approveCall,
  mint,
  newSmartAccount,
  nextOperation,
  targetCall,
  tokenWith,
} from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { tabledEntryPoints } from '../support/chain/tabled-entry-points.ts';
import { maximumOf, quoteFor, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

let service: RunningService;
const paymasters = new Map<EntryPointVersion, DevPaymaster>();
beforeAll(async () => {
  service = await startService();
  const { authToken } = await service.issueAccount();
  for (const version of tabledEntryPoints) {
    paymasters.set(version, await service.fundedPaymaster(authToken, version));
  }
});
afterAll(() => service.close());

describe.each(tabledEntryPoints)('an operation of EntryPoint %s that was quoted without its approve', (version) => {
  test('is estimated again with the approve in front of it, costs no more than was quoted, and lands', async () => {
    const { devnet } = service;
    const rpcUrl = paymasters.get(version)?.rpcUrl;
    if (rpcUrl === undefined) throw new Error('There is no paymaster.');
    const account = newSmartAccount(version);
    const token = tokenWith(devnet, 6);
    const increment = targetCall(devnet, 'increment');
    const plain = await nextOperation(devnet, account, [increment]);
    await mint(devnet, token, plain.sender, parseUnits('1000', 6));
    const wish = { token: token.address };
    const max = maximumOf(await quoteFor(rpcUrl, plain, wish));
    const withoutApprove = await sponsor(rpcUrl, plain);

    const spender = devnet.paymasterContracts[devnetFamilies[version]];
    const complete = await nextOperation(devnet, account, [approveCall(token, spender, max), increment]);
    const answer = await sponsor(rpcUrl, complete, wish);
    expect(answer.callGasLimit).toBeGreaterThan(withoutApprove.callGasLimit + 20_000n);
    // The allowance is all that was quoted: the operation could not pay more.
    expect((await land(devnet, account, withAnswer(complete, answer))).success).toBe(true);
  });
});
