import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DevPaymaster } from '../../server/dev/dev-file.ts';
import { newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { runInPlace } from '../support/command-line/run-in-place.ts';
import { sponsor } from '../support/service/chain-sponsorship.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

let service: RunningService;
let authToken: string;
let paymaster: DevPaymaster;
let folder: string;
beforeAll(async () => {
  service = await startService();
  ({ authToken } = await service.issueAccount());
  paymaster = await service.fundedPaymaster(authToken, '0.7');
  folder = mkdtempSync(join(tmpdir(), 'tollfree-test-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.close();
});

/** Runs a `policy` command on the paymaster; an object is written to a file first, whose name goes last. */
function run(command: string, policy?: unknown, ...flags: string[]) {
  if (policy !== undefined) {
    writeFileSync(join(folder, 'policy.json'), typeof policy === 'string' ? policy : JSON.stringify(policy));
  }
  const env = { TOLLFREE_URL: service.url, TOLLFREE_AUTH_TOKEN: authToken, TOLLFREE_API_KEY: paymaster.apiKey };
  const args = ['policy', command, ...(policy === undefined ? [] : ['policy.json']), ...flags];
  return runInPlace(args, { cwd: folder, env });
}

describe('tollfree policy', () => {
  test('what show prints, set takes', async () => {
    const limits = [{ per: 'SENDER', window: 'DAY', unit: 'USD', max: '0.50' }];
    expect(await run('set', { limits })).toMatchObject({ code: 0, stderr: '' });
    const shown = await run('show');
    expect(JSON.parse(shown.stdout)).toMatchObject({ limits, sponsorAllCalls: false });
    expect(await run('set', {})).toMatchObject({ code: 0 });
    expect(await run('set', shown.stdout)).toMatchObject({ code: 0 });
    expect((await run('show')).stdout).toBe(shown.stdout);
  });

  test.each([
    ['{', 'The policy file policy.json is not JSON.'],
    ['[]', 'The policy file policy.json must hold a JSON object.'],
    [{ limts: [] }, 'The policy file policy.json is not valid: limts is not known. Did you mean limits?'],
    [{ notBefore: 2, notAfter: 1 }, 'notAfter must be later than notBefore'],
  ])('set refuses %j and says why', async (policy, message) => {
    const before = (await run('show')).stdout;
    expect(await run('set', policy)).toEqual({ code: 1, stdout: '', stderr: `tollfree: ${message}\n` });
    expect((await run('show')).stdout).toBe(before);
  });

  test('preview names the operations that a policy would cut off, for a person and as JSON', async () => {
    expect((await run('set', {})).code).toBe(0);
    expect((await run('preview', {})).stderr).toBe('There are no decisions yet that the policy could change.\n');
    const account = newSmartAccount('0.7');
    const operation = await nextOperation(service.devnet, account, [targetCall(service.devnet, 'increment')]);
    await sponsor(paymaster.rpcUrl, operation);

    const proposed = { blockedSenders: [operation.sender] };
    const { code, stdout } = await run('preview', proposed);
    expect(code).toBe(0);
    expect(stdout).toContain('1 would be refused');
    expect(stdout).toMatch(new RegExp(` increment\\(\\) of .+ policy-sender +${operation.sender}`));
    expect(stdout).toMatch(/^policy-sender +- +1 +- +-$/m);
    const capped = await run('preview', { maxGasPerOperation: 1 }, '--days', '7');
    expect(capped.stdout).toMatch(/^maxGasPerOperation +1 gas +1 +\d+ gas +none$/m);
    const json = await run('preview', proposed, '--last', '1', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ replayed: 1, cutOff: [{ sender: operation.sender }], letIn: [] });
    expect(await run('preview', proposed, '--last', 'x')).toMatchObject({
      code: 1,
      stderr: 'tollfree: --last must be a whole number from 1 to 1000.\n',
    });
  });
});
