import { generateKeyPairSync } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { toSimpleSmartAccount } from 'permissionless/accounts';
import { type Address, createPublicClient, createWalletClient, type Hex, http, parseEther, publicActions } from 'viem';
import { createBundlerClient, entryPoint08Address } from 'viem/account-abstraction';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { foundry as chain } from 'viem/chains';
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { createManagementClient } from '../../clients/sdk/create-management-client.ts';
import { createPaymaster } from '../../clients/sdk/create-paymaster.ts';
import { createSponsorClient } from '../../clients/sdk/create-sponsor-client.ts';
import type { DevFile } from '../../server/dev/dev-file.ts';
import { devTargetAbi } from '../../server/dev/devnet/contracts.generated.ts';
import { isLongRun } from '../support/run/rows-of-run.ts';

type Called = { readonly isError?: boolean; readonly content: readonly { readonly text: string }[] };

/** `tollfree mcp`, used by a scripted client in the folder of a running service. */
export function mcpSuite(running: () => { readonly dev: DevFile; readonly folder: string }) {
  async function connect(...flags: readonly string[]) {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [inject('program'), 'mcp', ...flags],
      cwd: running().folder,
      env: { PATH: process.env.PATH ?? '' },
      stderr: 'ignore',
    });
    const client = new Client({ name: 'scripted', version: '1' });
    await client.connect(transport);
    onTestFinished(() => client.close());
    const call = async (name: string, given: Record<string, unknown> = {}) =>
      (await client.callTool({ name, arguments: given })) as Called;
    const use = async (name: string, given: Record<string, unknown> = {}) => {
      const { isError, content } = await call(name, given);
      if (isError === true) throw new Error(content[0]?.text);
      return JSON.parse(content[0]?.text ?? '');
    };
    return { client, call, use };
  }

  /** Makes a wallet the funding wallet and fills the tank: coin is moved by people, not by an assistant. */
  async function fillTank(apiKey: string, paymasterId: string) {
    const { dev } = running();
    const management = createManagementClient({ baseUrl: dev.gatewayUrl, authToken: dev.authToken, apiKey });
    const account = privateKeyToAccount(dev.chain.fundedKeys[5] ?? '0x');
    const wallet = createWalletClient({ account, chain, transport: http(dev.chain.rpcUrl) }).extend(publicActions);
    const { fundingMessage } = await management.createFundingMessage({ paymasterId });
    const signature = await wallet.signMessage({ message: fundingMessage });
    await management.setFundingWallet({ paymasterId, signature, address: account.address });
    const { filling } = await management.readGasTank();
    const call = { to: filling?.to as Address, data: filling?.data as Hex };
    await wallet.sendTransaction({ ...call, value: parseEther('1') });
    await vi.waitFor(async () => expect((await management.readGasTank()).available).not.toBe('0'), { timeout: 20_000 });
  }

  async function sendOperation(rpcUrl: string) {
    const { dev } = running();
    const client = createPublicClient({ chain, transport: http(dev.chain.rpcUrl), pollingInterval: 20 });
    const account = await toSimpleSmartAccount({
      client,
      owner: privateKeyToAccount(generatePrivateKey()),
      entryPoint: { address: entryPoint08Address, version: '0.8' },
    });
    const bundlerClient = createBundlerClient({
      account,
      client,
      transport: http(dev.bundlerUrl, { retryCount: 0 }),
      paymaster: createPaymaster(createSponsorClient({ url: rpcUrl })),
    });
    const call = { to: dev.chain.target, abi: devTargetAbi, functionName: 'increment' } as const;
    const hash = await bundlerClient.sendUserOperation({ calls: [call] });
    return bundlerClient.waitForUserOperationReceipt({ hash, pollingInterval: 20 });
  }

  describe('tollfree mcp', () => {
    test('lets an assistant set up a paymaster, a contract, a policy and a key, and an operation is sponsored', async () => {
      const { dev } = running();
      const { use } = await connect('--allow-writes');
      const [{ chainId }] = await use('list_chains');
      const made = await use('create_paymaster', { name: 'by assistant', chainId, entryPoint: '0.8' });
      expect(made.contract.entryPointVersion).toBe('0.8');
      const of = { paymaster: 'by assistant' };
      const contract = { name: 'target', address: dev.chain.target, abi: JSON.stringify(dev.chain.targetAbi) };
      await use('register_contract', { ...of, ...contract, whitelistedMethods: ['increment'] });
      await use('set_policy', { ...of, policy: { maxGasPerOperation: 3_000_000 } });
      expect(made.next).toContain('register_contract');
      const key = await use('create_api_key', { ...of, name: 'page' });
      await fillTank(made.apiKey, made.paymasterId);

      const receipt = await sendOperation(`${dev.gatewayUrl}/api/v2/${chainId}/${key.apiKey}`);
      expect(receipt.success).toBe(true);
      const { decisions } = await use('list_decisions', { ...of, outcome: 'signed' });
      expect(decisions[0]).toMatchObject({ outcome: 'signed', sender: receipt.sender });
      expect(await use('read_decision', { ...of, decisionId: decisions[0].decisionId })).toMatchObject({
        outcome: 'signed',
      });
      expect(await use('read_policy', of)).toMatchObject({ maxGasPerOperation: 3_000_000 });
      expect(await use('list_contracts', of)).toMatchObject([{ name: 'target' }]);
    });

    test('reads without the flag, and offers nothing that writes', async () => {
      const { client, call, use } = await connect();
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain('explain_sponsorship');
      expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
      const paymasters = await use('list_paymasters');
      expect(paymasters[0].rpcUrl).toBe(running().dev.paymasters[0]?.rpcUrl);
      // Without a name, it is the first paymaster of the service that runs here.
      expect(BigInt((await use('read_gas_tank')).available)).toBeGreaterThan(0n);
      const refused = await call('create_paymaster', { name: 'x', chainId: 31_337, version: '3.0.0' });
      expect(refused.isError).toBe(true);
      expect((await use('list_paymasters')).length).toBe(paymasters.length);
    });

    test('knows the fields of a policy, previews one, and bounds the account', async () => {
      const { call, use } = await connect('--allow-writes');
      expect(JSON.stringify(await use('read_policy_schema'))).toContain('maxCostPerOperation');
      expect(await use('preview_policy', { policy: { maxGasPerOperation: 1 } })).toMatchObject({
        replayed: expect.any(Number),
      });
      const set = await use('create_named_policy', { name: 'A', policy: { sponsorAllCalls: true } });
      const changed = await use('set_named_policy', { policyId: set.policyId, enabled: false });
      expect(changed).toMatchObject({ name: 'A', enabled: false, policy: { sponsorAllCalls: true } });
      expect(await use('list_named_policies')).toMatchObject([{ policyId: set.policyId }]);
      const wrong = await call('set_policy', { policy: { maxGasPerOperatio: 1 } });
      expect(wrong.content[0]?.text).toContain('maxGasPerOperation');
      const budget = await use('create_budget', { name: 'all', maxUsd: '25000.00', window: 'MONTH' });
      expect(await use('list_budgets')).toMatchObject([{ budgetId: budget.budgetId }]);
      await use('delete_budget', { budgetId: budget.budgetId });
    });

    test.runIf(isLongRun)('registers what decides and who signs in, without showing a secret', async () => {
      const { use } = await connect('--allow-writes');
      const { x, y } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
      const key = await use('create_ticket_key', { name: 'login', publicKey: { kty: 'EC', crv: 'P-256', x, y } });
      expect(key.secret).toBeUndefined();
      expect(await use('list_ticket_keys')).toMatchObject([{ ticketKeyId: key.ticketKeyId }]);
      await use('delete_ticket_key', { ticketKeyId: key.ticketKeyId });
    });

    test('has the documentation of the service as resources', async () => {
      const { client } = await connect();
      const { resources } = await client.listResources();
      const limits = resources.find(({ uri }) => uri.endsWith('/docs/limits.md'));
      const { contents } = await client.readResource({ uri: limits?.uri ?? '' });
      expect(contents).toMatchObject([{ text: expect.stringMatching(/^# Limits/m) }]);
      await expect(client.readResource({ uri: 'https://example.com/docs/limits.md' })).rejects.toThrow();
    });

    test.runIf(isLongRun)('says what a refusal means, and what is wrong with a call, in sentences', async () => {
      const { call, use } = await connect();
      const { found } = await use('look_up_refusal', { words: 'LIMIT_EXCEEDED' });
      expect(found).toMatchObject([{ reason: 'LIMIT_EXCEEDED', code: -32_013, remedy: expect.stringMatching(/\.$/) }]);
      const { isError, content } = await call('read_policy', { paymaster: 'unknown' });
      expect([isError, content[0]?.text]).toEqual([
        true,
        expect.stringContaining('Name the paymaster by its paymasterId'),
      ]);
    });
  });
}
