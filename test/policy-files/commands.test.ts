import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findPolicyChanges, type Made, makePolicyChanges } from '../../clients/cli/policy-file/policy-changes.ts';
import { parsePolicyDocument, readPoliciesInForce } from '../../clients/cli/policy-file/policy-document.ts';
import { describeHalf } from '../../clients/cli/policy-file/policy-file-commands.ts';
import { createManagementClient } from '../../clients/sdk/create-management-client.ts';
import { runInPlace } from '../support/command-line/run-in-place.ts';
import { sampleAddress, sampleContract } from '../support/interface/sample-contract.ts';
import { sendHttp } from '../support/interface/send-http.ts';
import { newPaymaster, newTenant } from '../support/interface/tenant.ts';
import { useService } from '../support/interface/use-service.ts';

const service = useService();
const limit = { per: 'SENDER', window: 'DAY', unit: 'OPERATIONS', max: '5' } as const;
const ofContract = { ...limit, contract: sampleAddress, method: 'buy' } as const;

async function start() {
  const { authToken, apiKey, paymasterId } = await newTenant(service());
  const cwd = mkdtempSync(join(tmpdir(), 'tollfree-policy-file-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const target = { TOLLFREE_URL: service().url, TOLLFREE_AUTH_TOKEN: authToken };
  const env = { ...target, TOLLFREE_API_KEY: apiKey };
  const write = (file: unknown) => {
    writeFileSync(join(cwd, 'policy.json'), typeof file === 'string' ? file : JSON.stringify(file));
  };
  const run = (command: string, ...args: string[]) =>
    runInPlace(['policy', ...command.split(' '), ...args], { cwd, env });
  return {
    authToken,
    apiKey,
    paymasterId,
    write,
    run,
    runIn: (other: Record<string, string>, command: string) =>
      runInPlace(['policy', ...command.split(' ')], { cwd, env: { ...target, ...other } }),
    client: createManagementClient({ baseUrl: service().url, authToken, apiKey }),
  };
}

test('a file is compared, applied once, and exported as it is', async () => {
  const { run, write, client, paymasterId } = await start();
  await client.registerSmartContract(sampleContract);
  await client.createPolicy({ name: 'Old', policy: {} });
  write(`{
    // The whole of it.
    "policy": { "limits": [${JSON.stringify(ofContract)}], "maxFeePerGas": "100" },
    "policies": [{ "name": "Players", "author": "Example", "enabled": false, "policy": { "sponsorAllCalls": true } }],
  }`);
  const before = await readPoliciesInForce(client);
  const diff = await run('diff policy.json');
  expect(diff).toMatchObject({ code: 2, stderr: 'tollfree: 2 policies would change\n' });
  expect(diff.stdout).toContain('maxFeePerGas: not set → "100"');
  expect(diff.stdout).toContain('The policy "Players" is new:');
  expect(diff.stdout).toMatch(/The policy "Old" \(tfp_\w+\) is not in the file and stays/);
  const said = await run('diff policy.json --json');
  expect(JSON.parse(said.stdout)).toMatchObject({
    paymasterId,
    changes: [
      {
        action: 'change',
        fields: [
          { field: 'limits', from: [], to: [ofContract] },
          // The cap that a new paymaster has is not in the file.
          { field: 'maxCostPerOperation.wei', from: expect.any(String) },
          { field: 'maxFeePerGas', to: '100' },
        ],
      },
      { action: 'create', name: 'Players' },
    ],
    kept: [{ name: 'Old' }],
  });
  const unasked = await run('apply policy.json');
  expect(unasked).toMatchObject({ code: 2, stdout: diff.stdout, stderr: expect.stringContaining('--yes') });
  expect(await readPoliciesInForce(client)).toEqual(before);

  const applied = await run('apply policy.json --yes');
  const [, players] = await client.listPolicies();
  expect(applied).toMatchObject({ code: 0, stderr: '' });
  expect(applied.stdout).toContain(`The policy "Players" is ${players?.policyId}.`);
  expect(await client.readPolicy()).toMatchObject({ limits: [ofContract], maxFeePerGas: '100' });
  expect(players).toMatchObject({ name: 'Players', author: 'Example', enabled: false });
  expect(players?.policy).toMatchObject({ sponsorAllCalls: true });

  expect(await run('diff policy.json')).toMatchObject({ code: 0, stderr: '' });
  const pruning = await run('diff policy.json --prune');
  expect(pruning.stdout).toMatch(/^The policy "Old" \(tfp_\w+\) is deleted: requests that name it are refused\.\n$/);
  const pruned = await run('apply policy.json --prune --yes --json');
  expect(JSON.parse(pruned.stdout)).toMatchObject({ changes: [{ action: 'delete', name: 'Old' }], kept: [] });
  expect(await client.listPolicies()).toEqual([players]);

  const exported = await run('export');
  write(exported.stdout);
  expect(await run('diff policy.json --prune')).toMatchObject({ code: 0, stderr: '' });
  expect(await run('apply policy.json --prune')).toMatchObject({ code: 0, stderr: '' });
  const { $schema } = JSON.parse(exported.stdout);
  const schema = await sendHttp($schema, { method: 'GET' });
  expect(schema.json).toMatchObject({ title: 'Tollfree policy file', additionalProperties: false });
});

test.each([
  ['an unknown field', { policy: { maxGas: 1 } }, 'policy.maxGas is not known'],
  ['a contract that is not registered', { policy: { limits: [ofContract] } }, 'policy.limits[0]'],
  [
    'one mistake in the last of its policies',
    {
      policy: { sponsorAllCalls: true },
      policies: [
        { name: 'Fine', policy: {} },
        { name: 'Wrong', policy: { limits: [ofContract] } },
      ],
    },
    'policies[1].policy.limits[0]',
  ],
])('a file with %s changes nothing', async (_, file, sentence) => {
  const { run, write, client } = await start();
  const before = await readPoliciesInForce(client);
  write(file);
  for (const command of ['diff policy.json', 'apply policy.json --yes']) {
    const { code, stdout, stderr } = await run(command);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(sentence);
  }
  expect(await readPoliciesInForce(client)).toEqual(before);
});

test('named policies are left alone by a file that says nothing of them, and cannot be pruned by it', async () => {
  const { run, write, client } = await start();
  const named = await client.createPolicy({ name: 'Players', policy: {} });
  write({ policy: { sponsorAllCalls: true } });
  expect(await run('apply policy.json --yes --prune')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--prune needs policies in the file'),
  });
  expect(await run('apply policy.json --yes')).toMatchObject({ code: 0 });
  expect(await client.listPolicies()).toEqual([named]);
});

test('what may only read compares, and changes nothing', async () => {
  const { runIn, write, client, apiKey } = await start();
  const { authToken } = await client.createAuthToken({ name: 'ci', scopes: ['read'] });
  const env = { TOLLFREE_AUTH_TOKEN: authToken, TOLLFREE_API_KEY: apiKey };
  const before = await readPoliciesInForce(client);
  write({ policy: { sponsorAllCalls: true }, policies: [{ name: 'New', policy: {} }] });
  expect(await runIn(env, 'diff policy.json')).toMatchObject({ code: 2 });
  const refused = await runIn(env, 'apply policy.json --yes');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/manage/) });
  expect(refused.stderr).not.toContain('Done:');
  expect(await readPoliciesInForce(client)).toEqual(before);
});

test('the paymaster is the one that the file names, and never another one', async () => {
  const { runIn, write, client, authToken, apiKey, paymasterId } = await start();
  const other = await newPaymaster(service(), authToken);
  const stranger = await newTenant(service());
  const policy = { sponsorAllCalls: true };
  write({ paymasterId: other.paymasterId, policy });
  expect(await runIn({ TOLLFREE_API_KEY: apiKey }, 'apply policy.json --yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`is for the paymaster ${other.paymasterId}`),
  });
  expect(await runIn({}, 'apply policy.json --yes')).toMatchObject({ code: 0 });
  expect(await client.readPolicy({ apiKey: other.apiKey })).toMatchObject(policy);
  expect(await client.readPolicy()).toMatchObject({ sponsorAllCalls: false });
  write({ paymasterId: stranger.paymasterId, policy });
  expect(await runIn({}, 'diff policy.json')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('does not have'),
  });
  write({ policy });
  expect(await runIn({}, 'diff policy.json')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--paymaster'),
  });
  const { apiKey: second } = await client.createApiKey({ paymasterId, name: 'second' });
  const exported = await runIn({ TOLLFREE_API_KEY: second }, 'export --json');
  expect(JSON.parse(exported.stdout)).not.toHaveProperty('paymasterId');
});

/** A file that changes the default policy and two named ones, and what was in force when it was compared. */
async function compared() {
  const { client, ...rest } = await start();
  for (const name of ['First', 'Second']) await client.createPolicy({ name, policy: {} });
  const policy = { sponsorAllCalls: true };
  const policies = ['First', 'Second'].map((name) => ({ name, policy }));
  const document = parsePolicyDocument(JSON.stringify({ policy, policies }), 'policy.json');
  const inForce = await readPoliciesInForce(client);
  const { changes } = findPolicyChanges(document, inForce, { prune: false });
  return { ...rest, client, document, inForce, changes };
}

test.each(['the default policy', 'a named one', 'a new one'])(
  'does not overwrite what another user changed of %s',
  async (which) => {
    const { client, document, inForce, changes } = await compared();
    const [first] = inForce.policies;
    if (which === 'the default policy') await client.setPolicy({ policy: { maxFeePerGas: '1' } });
    else if (which === 'a new one') await client.createPolicy({ name: 'Third', policy: {} });
    else await client.replacePolicy({ policyId: first?.policyId ?? '', name: 'First', policy: { maxFeePerGas: '1' } });
    const now = await readPoliciesInForce(client);
    const made: unknown[] = [];
    const attempt = makePolicyChanges(client, { document, inForce }, changes, (one) => made.push(one));
    await expect(attempt).rejects.toMatchObject({
      exitCode: 75,
      message: expect.stringContaining('The policies were changed'),
    });
    expect(made).toEqual([]);
    expect(await readPoliciesInForce(client)).toEqual(now);
  },
);

test('what someone else changes while a file is applied stays, and what was made before is known', async () => {
  const { client, document, inForce, changes } = await compared();
  const second = inForce.policies[1]?.policyId ?? '';
  const made: Made[] = [];
  // The default policy is set; before the second named one is, someone closes it.
  const meanwhile = {
    ...client,
    replacePolicy: async (one: Parameters<typeof client.replacePolicy>[0]) => {
      if (one.policyId === second)
        await client.replacePolicy({ policyId: second, name: 'Second', enabled: false, policy: {} });
      return client.replacePolicy(one);
    },
  };
  const attempt = makePolicyChanges(meanwhile, { document, inForce }, changes, (one) => made.push(one));
  await expect(attempt).rejects.toMatchObject({ exitCode: 75 });
  expect(describeHalf(made, changes)).toEqual([
    'Done: change the default policy, change the policy "First".',
    'Failed: change the policy "Second".',
  ]);
  expect(await client.readPolicy()).toMatchObject({ sponsorAllCalls: true });
  expect(await client.readNamedPolicy({ policyId: second })).toMatchObject({
    enabled: false,
    policy: { sponsorAllCalls: false },
  });
});
