import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RpcRefusal, rpcRefusals } from '../../contract/rpc/refusals.ts';
import { scopes } from '../../core/domain/access/actor.ts';
import type { Core } from '../../core/domain/core.ts';
import type { Decision } from '../../core/domain/decision.ts';
import { accept } from '../../core/domain/result/result.ts';
import { runInPlace } from '../support/command-line/run-in-place.ts';
import {
  apiKey,
  apiKeyRecord,
  authToken,
  contract,
  decision,
  explanation,
  operationLife,
  paymaster,
  refusal,
  usageRow,
} from '../support/gateway/fake-core.ts';
import { startTestGateway } from '../support/gateway/start-test-gateway.ts';

const { decisionId, sender } = decision;
const { reason: _, message: __, ...asked } = explanation;
const signed: Decision = {
  ...asked,
  method: 'getFeeQuoteOrData',
  outcome: 'signed',
  trace: explanation.trace.slice(0, 1),
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-sponsorships-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs commands on a gateway whose core answers so. */
async function commandsOn(core: Partial<Core>) {
  const { url } = await startTestGateway({ core });
  const env = { TOLLFREE_URL: url, TOLLFREE_AUTH_TOKEN: authToken, TOLLFREE_API_KEY: apiKey };
  return (...args: string[]) => runInPlace(args, { cwd: folder, env });
}

describe('why', () => {
  const why = async (answer: Decision) => {
    const run = await commandsOn({ getDecision: async () => accept(answer) });
    return run('why', decisionId);
  };

  test('prints what was asked, every rule in order, and what would change a refusal', async () => {
    const token = '0x000000000000000000000000000000000000dEaD';
    const { code, stdout } = await why({ ...explanation, token });
    expect(code).toBe(0);
    const lines = stdout.split('\n');
    expect(lines.slice(0, 2)).toEqual(['SPONSORED refused: LIMIT_EXCEEDED', 'The limit of the sender is used up']);
    expect(lines).toContain(`sender       ${sender}, nonce ${2n ** 255n}`);
    expect(lines).toContain(`call         ${sender} 0xa9059cbb`);
    expect(lines).toContain(`fee token    ${token}`);
    expect(lines).toContain('worst case   100 ether');
    expect(lines.slice(lines.indexOf('✓ whitelist: 1 call'))).toEqual([
      '✓ whitelist: 1 call',
      '✗ limit: wei a day',
      '    limit  5',
      '    used   7',
      '    → Wait until tomorrow.',
      '    → tollfree tank show',
      '',
    ]);
  });

  test.each<[string, Decision['settlement'], string]>([
    ['open', { state: 'live', held: 10n ** 18n }, 'Not landed yet: 1 ether are held for it.'],
    ['released', { state: 'released', held: 1n }, 'Never landed: its hold was released.'],
    [
      'landed with success',
      { state: 'settled', held: 10n ** 18n, charge: 5n * 10n ** 17n, success: true, txHash: '0xab' },
      'Landed with success: the tank paid 0.5 ether of the 1 ether held.\ntransaction  0xab',
    ],
    [
      'landed in vain',
      { state: 'settled', held: 10n ** 18n, charge: 5n * 10n ** 17n, success: false },
      'Landed, and its own calls failed: the tank paid 0.5 ether of the 1 ether held.',
    ],
  ])('says of a signature what became of it: %s', async (_name, settlement, text) => {
    const { stdout } = await why({ ...signed, ...(settlement === undefined ? {} : { settlement }) });
    expect(stdout).toContain(`\n\n${text}\n`);
    expect(stdout).not.toContain('✗');
  });

  test('says of a signature that another one replaced that it did not land, although its hold was settled', async () => {
    const settlement = { state: 'settled', held: 10n ** 18n, charge: 1n, success: true } as const;
    const { stdout } = await why({ ...signed, status: 'replaced', settlement });
    expect(stdout).toContain('Replaced: Another operation of the same account used its nonce. It can never land.\n→ ');
    expect(stdout).not.toContain('Landed');
  });

  test('keeps the control characters of a revert from the terminal', async () => {
    const { stdout } = await why({ ...explanation, message: 'reverted with \u001b[2Jdone\u202e' });
    expect(stdout).toContain('reverted with \ufffd[2Jdone\ufffd\n');
  });

  test('ends with the sentence of the service when there is none', async () => {
    const run = await commandsOn({ getDecision: async () => refusal('DECISION_NOT_FOUND') });
    const sentence = `tollfree: No paymaster of this account has the decision ${decisionId}.\n`;
    expect(await run('why', decisionId)).toEqual({ code: 1, stdout: '', stderr: sentence });
  });

  test('finds it in whichever paymaster of the account it is of', async () => {
    const names = ['first', 'second', 'third'];
    const { url } = await startTestGateway({
      core: {
        listPaymasters: async () => accept(names.map((name) => ({ ...paymaster, paymasterId: name, apiKey: name }))),
        authenticate: async (input) => accept({ accountId: 'account', paymasterId: input.apiKey ?? '', scopes }),
        getDecision: async (input) =>
          input.paymasterId === 'third' ? accept(explanation) : refusal('DECISION_NOT_FOUND'),
      },
    });
    const env = { TOLLFREE_URL: url, TOLLFREE_AUTH_TOKEN: authToken };
    for (const key of [{}, { TOLLFREE_API_KEY: 'second' }]) {
      const { code, stdout } = await runInPlace(['why', decisionId], { cwd: folder, env: { ...env, ...key } });
      expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('LIMIT_EXCEEDED') });
    }
  });
});

describe('why, with a hash,', () => {
  const { userOperationHash } = operationLife;
  const txHash = operationLife.txHash ?? '0x';

  test('says in plain English what happened to the operation, when, at what cost, and what to do', async () => {
    const run = await commandsOn({ getOperation: async () => accept(operationLife) });
    const { code, stdout } = await run('why', userOperationHash);
    expect(code).toBe(0);
    const lines = stdout.split('\n');
    expect(lines[0]).toBe('Failed: It landed, but its own calls reverted. The gas was paid nevertheless.');
    expect(lines[1]).toMatch(/^→ /);
    expect(lines).toContain('reverted     NotEnough(5)');
    expect(lines).toContain('cost         10 ether of the 100 ether held');
    expect(lines).toContain(`transaction  ${txHash} in block 77`);
    expect(lines.filter((line) => /^\d{4}-.* (Signed|Sent|Failed)$/.test(line))).toHaveLength(3);
    expect(lines).toContain(`decision     ${decisionId}`);
  });

  test('finds the operations of a transaction', async () => {
    const inputs: unknown[] = [];
    const run = await commandsOn({
      getOperation: async (input) =>
        input.userOperationHash === userOperationHash ? accept(operationLife) : refusal('OPERATION_NOT_FOUND'),
      listDecisions: async (input) => {
        inputs.push(input.filter);
        return accept({ decisions: [{ ...decision, userOperationHash }, decision] });
      },
    });
    const { code, stdout } = await run('why', txHash);
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`operation    ${userOperationHash}`),
    });
    expect(inputs).toEqual([{ txHash }]);
    const asJson = await run('why', txHash, '--json');
    expect(JSON.parse(asJson.stdout)).toMatchObject([{ userOperationHash, status: 'failed' }]);
  });

  test('ends with what to do when no paymaster of the account knows it', async () => {
    const run = await commandsOn({
      getOperation: async () => refusal('OPERATION_NOT_FOUND'),
      listDecisions: async () => accept({ decisions: [] }),
    });
    const { code, stderr } = await run('why', userOperationHash);
    expect(code).toBe(1);
    expect(stderr).toContain(`No paymaster of this account signed an operation with the hash ${userOperationHash}`);
  });
});

test('sponsorships prints a row for each, and how to go on; times may be days', async () => {
  const inputs: unknown[] = [];
  const run = await commandsOn({
    listDecisions: async (input) => {
      inputs.push(input);
      return accept({ decisions: [decision], nextCursor: '41' });
    },
  });
  const filters = ['--outcome', 'refused', '--refusal', 'LIMIT_EXCEEDED', '--mode', 'SPONSORED', '--limit', '7'];
  const listed = await run('decisions', ...filters, '--from', '2027-01-15', '--until', '2027-01-15T10:00:00+01:00');
  expect(listed.code).toBe(0);
  expect(listed.stdout).toMatch(/time +outcome +mode +sender +status +cost +decision\n/);
  expect(listed.stdout).toContain(`settled  10 ether  ${decisionId}\n`);
  expect(listed.stderr).toBe('There are older ones: --cursor 41\n');
  expect(inputs).toMatchObject([
    {
      limit: 7,
      filter: {
        outcome: 'refused',
        reason: 'LIMIT_EXCEEDED',
        mode: 'SPONSORED',
        from: Date.UTC(2027, 0, 15) / 1_000,
        until: Date.UTC(2027, 0, 15, 9) / 1_000,
      },
    },
  ]);
  for (const wrong of [
    ['--from', 'soon'],
    ['--outcome', 'maybe'],
    ['--limit', '201'],
  ] as const) {
    expect(await run('decisions', ...wrong)).toMatchObject({ code: 1, stdout: '' });
  }
  expect(inputs).toHaveLength(1);
});

describe('refusals in groups', () => {
  const address = '0x00000000000000000000000000000000000000aa' as const;
  const selector = '0x590e1ae3' as const;
  const abi = JSON.stringify([
    { type: 'function', name: 'refund', inputs: [], outputs: [], stateMutability: 'nonpayable' },
  ]);
  const refusedBy = (
    id: string,
    reason: NonNullable<Decision['reason']>,
    fix: NonNullable<Decision['trace'][number]['fix']>,
  ) => ({
    ...explanation,
    decisionId: id,
    outcome: 'refused' as const,
    reason,
    message: `The sentence of ${id}.`,
    trace: [{ rule: 'policy-calls', verdict: 'refused' as const, checked: '1 call', fix }],
  });
  const method = { action: 'whitelist-method', target: address, selector } as const;
  const limit = { action: 'change-policy', policyField: 'limits' } as const;

  test('each cause is shown once, with its method by name and the command that fixes it', async () => {
    const pages = [
      [refusedBy('a', 'LIMIT_EXCEEDED', limit), refusedBy('b', 'METHOD_NOT_WHITELISTED', method)],
      [refusedBy('c', 'METHOD_NOT_WHITELISTED', method)],
    ];
    const run = await commandsOn({
      listDecisions: async ({ cursor }) => {
        const page = Number(cursor ?? 0);
        const next = page + 1 < pages.length ? { nextCursor: String(page + 1) } : {};
        return accept({ decisions: pages[page] ?? [], ...next });
      },
      listSmartContracts: async () =>
        accept({ contracts: [{ ...contract, name: 'shop', address, abi, whitelistedMethods: ['buy(uint256)'] }] }),
    });
    const { code, stdout } = await run('decisions', '--outcome', 'refused', '--group');
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      '2 × METHOD_NOT_WHITELISTED: The sentence of b.',
      `    contract  shop ${address}`,
      '    method    refund()',
      '    newest    tollfree why b',
      `    → tollfree contract update ${address} --whitelist 'buy(uint256)' 'refund()'`,
      '1 × LIMIT_EXCEEDED: The sentence of a.',
      '    newest    tollfree why a',
      '    → tollfree policy show > policy.json',
      '    → Change limits in policy.json.',
      '    → tollfree policy set policy.json',
      '',
    ]);
    expect(await run('decisions', '--group')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--group needs --outcome refused'),
    });
  });
});

describe('why, of a refusal,', () => {
  const address = '0x00000000000000000000000000000000000000aa' as const;
  const abi = JSON.stringify([
    { type: 'function', name: 'refund', inputs: [], outputs: [], stateMutability: 'nonpayable' },
  ]);
  type Step = Decision['trace'][number];
  const adviceOf = async (reason: NonNullable<Decision['reason']>, step: Pick<Step, 'rule' | 'remedy' | 'fix'>) => {
    const run = await commandsOn({
      getDecision: async () =>
        accept({ ...explanation, reason, trace: [{ verdict: 'refused' as const, checked: 'it', ...step }] }),
      listSmartContracts: async () =>
        accept({ contracts: [{ ...contract, name: 'shop', address, abi, whitelistedMethods: ['buy(uint256)'] }] }),
    });
    const { stdout } = await run('why', decisionId);
    return stdout.split('\n').filter((line) => line.startsWith('    → '));
  };

  test('names the command that sponsors the method, with the methods that are sponsored already', async () => {
    const fix = { action: 'whitelist-method', target: address, selector: '0x590e1ae3' } as const;
    expect(await adviceOf('METHOD_NOT_WHITELISTED', { rule: 'policy-calls', remedy: 'Do it.', fix })).toEqual([
      '    → Do it.',
      `    → tollfree contract update ${address} --whitelist 'buy(uint256)' 'refund()'`,
    ]);
  });

  test.each([
    ['change-key-limits', ['tollfree key list', 'tollfree key update <apiKeyId> --limits <limits>']],
    ['change-budget', ['tollfree budget set 40000000-0000-4000-8000-000000000001 --max <usd>']],
    ['look-at-ticket-keys', ['tollfree ticket-key list']],
    ['look-at-status', ['The operator runs: tollfree status']],
  ] as const)('says which commands do %s', async (action, commands) => {
    expect(await adviceOf('INTERNAL', { rule: 'rule', remedy: 'Do it.', fix: { action } })).toEqual([
      '    → Do it.',
      ...commands.map((command) => `    → ${command}`),
    ]);
  });

  test('names the only key that can be the refused one, and the paymaster where another one is meant without it', async () => {
    const other = { ...paymaster, paymasterId: 'p2', name: 'my shop', apiKey: 'prefix.other' };
    const fix = { action: 'enable-key' } as const;
    const run = await commandsOn({
      listPaymasters: async () => accept([{ ...paymaster, apiKey }, other]),
      authenticate: async (input) => accept({ accountId: 'account', paymasterId: input.apiKey ?? '', scopes }),
      getDecision: async ({ paymasterId }) =>
        paymasterId === other.apiKey
          ? accept({ ...explanation, trace: [{ rule: 'api-key', verdict: 'refused', checked: 'it', fix }] })
          : refusal('DECISION_NOT_FOUND'),
      listApiKeys: async () =>
        accept([
          { ...apiKeyRecord, apiKeyId: 'k1', disabled: true },
          { ...apiKeyRecord, apiKeyId: 'k2', disabled: false },
        ]),
    });
    const { stdout } = await run('why', decisionId);
    expect(stdout).toContain("    → tollfree key update k1 --active yes --paymaster 'my shop'\n");
  });

  test.each(Object.keys(rpcRefusals) as readonly (keyof typeof rpcRefusals)[])(
    'names no path and no answer of the API in what to do about %s',
    (reason) => {
      const { remedy, remedyFor }: RpcRefusal = rpcRefusals[reason];
      const details = { target: address, selector: '0x590e1ae3', setting: 'factories', codeHash: '0x12' };
      expect(`${remedy} ${remedyFor?.(details)}`).not.toMatch(/error\.data|readyz|whitelistedMethods|`field`/);
    },
  );
});

test('usage prints what each row has cost, and says when rows do not add up to the total', async () => {
  const run = await commandsOn({ getUsage: async () => accept([usageRow]) });
  const byDay = await run('usage', '--by', 'day');
  expect(byDay).toMatchObject({ code: 0, stderr: expect.stringContaining('without a known price') });
  expect(byDay.stdout).toMatch(
    /day +cost +usd +held +landed +signed +quoted +stub +refused\n2027-01-15 {2}100 ether +at least 1234\.50 /,
  );
  expect((await run('usage', '--by', 'method')).stderr).toContain('do not add up to the total');
  const asJson = JSON.parse((await run('usage', '--by', 'sender', '--json')).stdout);
  const { chargeUsdMicros: _, ...inWei } = usageRow;
  expect(asJson).toEqual([
    { ...inWei, charge: String(usageRow.charge), usersPaid: '5', chargeUsd: '1234.50', held: '7' },
  ]);
});

test('usage in total prints what 95 of 100 operations cost at most, and by cost each cost apart from what it came to', async () => {
  const total = { ...usageRow, key: 'total', users: 2, costOf95PercentUsdMicros: 310_000n };
  const inAll = await (await commandsOn({ getUsage: async () => accept([total]) }))('usage', '--by', 'total');
  expect(inAll.stdout).toMatch(/ users +usd of 95%, at most\n.* 2 +0\.31\n$/);
  const row = { ...usageRow, key: '0.31' };
  const byCost = await (await commandsOn({ getUsage: async () => accept([row]) }))('usage', '--by', 'cost');
  expect(byCost.stdout).toMatch(/^usd each, at most +cost +usd .*\n0\.31 +100 ether +at least 1234\.50 /);
});

test('explain takes a JSON-RPC request or its params from a file', async () => {
  const inputs: unknown[] = [];
  const run = await commandsOn({
    explainSponsorship: async (input) => {
      inputs.push(input);
      return accept(explanation);
    },
  });
  const params = [{ sender }, { mode: 'SPONSORED' }];
  const request = { jsonrpc: '2.0', id: 1, method: 'pm_sponsorUserOperation', params };
  writeFileSync(join(folder, 'request.json'), JSON.stringify(request));
  writeFileSync(join(folder, 'params.json'), JSON.stringify(params));
  const explained = await run('explain', 'request.json', '--ask-webhooks');
  expect(explained).toMatchObject({ code: 0, stderr: '' });
  expect(explained.stdout).toContain('✗ limit: wei a day');
  await run('explain', 'params.json');
  expect(inputs).toMatchObject([
    { method: 'sponsorUserOperation', askWebhooks: true, userOperation: { sender } },
    { method: 'getFeeQuoteOrData', askWebhooks: false, userOperation: { sender } },
  ]);

  writeFileSync(join(folder, 'empty.json'), '{}');
  writeFileSync(join(folder, 'text.json'), 'params');
  writeFileSync(join(folder, 'wrong.json'), '[{"sender":1},{}]');
  expect((await run('explain', 'empty.json')).stderr).toContain('params must be an array');
  expect((await run('explain', 'text.json')).stderr).toContain('is not JSON');
  expect((await run('explain', 'wrong.json')).stderr).toBe('tollfree: params[0].sender must be a hex string\n');
});
