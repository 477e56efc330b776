import { createSmartAccountClient } from 'permissionless';
import { createPimlicoClient } from 'permissionless/clients/pimlico';
import { prepareUserOperationForErc20Paymaster } from 'permissionless/experimental/pimlico';
import { type Address, http, parseUnits } from 'viem';
import { createPaymasterClient, type SmartAccount } from 'viem/account-abstraction';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { devTokenAbi } from '../../server/dev/devnet/contracts.generated.ts';
import { devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import { openSafe7579, safe150Contracts, safe7579Contracts } from '../support/accounts/matrix-accounts.ts';
import { depositOf, incrementsOf, mint, targetCall, tokenBalance, tokenWith } from '../support/chain/chain-lab.ts';
import { recordLanding } from '../support/chain/landings.ts';
import { tabledEntryPoints } from '../support/chain/tabled-entry-points.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { type ClientLab, expectSponsored, openClientLab, simpleAccount } from '../support/service/client-lab.ts';

let lab: ClientLab;

beforeAll(async () => {
  lab = await openClientLab();
}, 60_000);

afterAll(() => lab.close());

function pimlicoClient(version: EntryPointVersion) {
  return createPimlicoClient({
    chain: lab.devnet.client.chain,
    transport: http(lab.paymaster(version).rpcUrl, { retryCount: 0 }),
    entryPoint: { address: lab.devnet.entryPoints[version], version },
  });
}

/** Fees come from the bundler, as applications on Pimlico's services get them. */
function bundlerFees() {
  return createPimlicoClient({
    chain: lab.devnet.client.chain,
    transport: http(lab.bundler.url, { retryCount: 0 }),
    entryPoint: { address: lab.devnet.entryPoints['0.7'], version: '0.7' },
  }).getUserOperationGasPrice();
}

function allowanceOf(owner: Address, spender: Address, address: Address): Promise<bigint> {
  return lab.devnet.client.readContract({
    address,
    abi: devTokenAbi,
    functionName: 'allowance',
    args: [owner, spender],
  });
}

async function openClient(version: EntryPointVersion, paymaster: 'pimlico' | 'viem', paymasterContext?: unknown) {
  return clientOf(await simpleAccount(lab.devnet, version), version, paymaster, paymasterContext);
}

function clientOf<Account extends SmartAccount>(
  account: Account,
  version: EntryPointVersion,
  paymaster: 'pimlico' | 'viem',
  paymasterContext?: unknown,
) {
  const transport = http(lab.paymaster(version).rpcUrl, { retryCount: 0 });
  const pimlico = pimlicoClient(version);
  const client = createSmartAccountClient({
    account,
    chain: lab.devnet.client.chain,
    bundlerTransport: http(lab.bundler.url, { retryCount: 0 }),
    paymaster: paymaster === 'pimlico' ? pimlico : createPaymasterClient({ transport }),
    paymasterContext,
    userOperation: {
      estimateFeesPerGas: async () => (await bundlerFees()).fast,
      prepareUserOperation: prepareUserOperationForErc20Paymaster(pimlico),
    },
    pollingInterval: 20,
  });
  const send = async (functionName: 'increment' | 'fail' = 'increment') => {
    const hash = await client.sendUserOperation({ calls: [targetCall(lab.devnet, functionName)] });
    return client.waitForUserOperationReceipt({ hash });
  };
  return { account, client, send };
}

describe.each(tabledEntryPoints)('permissionless with EntryPoint %s', (version) => {
  test.each(['pimlico', 'viem'] as const)(
    'lands sponsored operations with the paymaster client of %s',
    async (kind) => {
      const { account, send } = await openClient(version, kind, { sponsorshipPolicyId: lab.policyId(version) });
      await expectSponsored(lab, version, account.address, 'permissionless', () => send());
      await expectSponsored(lab, version, account.address, 'permissionless', () => send());
    },
  );

  test('lands an operation sponsored with pm_sponsorUserOperation, whose limits are estimated', async () => {
    const { account, client } = await openClient(version, 'pimlico');
    const { fast } = await bundlerFees();
    await expectSponsored(lab, version, account.address, 'permissionless', async () => {
      const bare = await client.prepareUserOperation({
        calls: [targetCall(lab.devnet, 'increment')],
        parameters: ['factory', 'nonce', 'signature'],
        ...fast,
      });
      const sponsored = await pimlicoClient(version).sponsorUserOperation({
        // biome-ignore lint/suspicious/noExplicitAny: the client's types know one EntryPoint version at a time
        userOperation: { ...bare, ...fast } as any,
      });
      // biome-ignore lint/suspicious/noExplicitAny: as above
      const unsigned: any = { ...bare, ...fast, ...sponsored };
      const signature = await account.signUserOperation(unsigned);
      const hash = await client.sendUserOperation({ ...unsigned, signature });
      return client.waitForUserOperationReceipt({ hash });
    });
  });

  test.each(rowsOfRun([6, 18], 1))(
    'pays in a token with %s decimals, with the approval its own quote led to',
    async (decimals) => {
      const token = lab.devnet.tokens.find((candidate) => candidate.decimals === decimals);
      if (token === undefined) throw new Error('The chain has no such token.');
      const { account, send } = await openClient(version, 'pimlico', { token: token.address });
      await mint(lab.devnet, token, account.address, parseUnits('1000', decimals));
      const { address } = lab.paymaster(version);
      const read = async () => ({
        deposit: await depositOf(lab.devnet, version, address),
        tokens: await tokenBalance(lab.devnet, token, account.address),
        tokenRecipient: await tokenBalance(lab.devnet, token, lab.devnet.tokenRecipient),
        increments: await incrementsOf(lab.devnet, account.address),
      });
      const before = await read();
      const receipt = await send();
      const after = await read();
      const paid = before.tokens - after.tokens;
      // The client approved what it took from its quote and nothing more.
      const quoted = paid + (await allowanceOf(account.address, address, token.address));
      expect(receipt.success).toBe(true);
      expect(before.deposit - after.deposit).toBe(receipt.actualGasCost);
      expect(after.increments - before.increments).toBe(1n);
      expect(after.tokenRecipient - before.tokenRecipient).toBe(paid);
      const [quote] = await pimlicoClient(version).getTokenQuotes({
        tokens: [token.address],
        chain: lab.devnet.client.chain,
      });
      // The user pays for the gas at the quoted rate, and not less than it cost the sponsor.
      const rate = quote?.exchangeRate ?? 0n;
      expect(paid).toBeGreaterThanOrEqual((receipt.actualGasCost * rate) / 10n ** 18n);
      await recordLanding(lab.devnet, {
        client: 'permissionless',
        family: devnetFamilies[version],
        entryPoint: version,
        mode: 'ERC20',
        outcome: { ...receipt, transactionHash: receipt.receipt.transactionHash },
        calls: { made: 1n, arrived: after.increments - before.increments },
        depositFell: before.deposit - after.deposit,
        tokens: { paid, quoted },
      });
    },
  );

  test('gets code and message of a refusal', async () => {
    const { send } = await openClient(version, 'pimlico');
    const refused = await send('fail').catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: -32013, message: expect.stringContaining('is not whitelisted') });
  });

  test('says which token is not taken', async () => {
    const { send } = await openClient(version, 'viem', { token: lab.devnet.target.address });
    const refused = await send().catch((error: unknown) => error);
    expect(String(refused)).toContain("client didn't return token quotes");
  });
});

describe('permissionless with a Safe 1.5.0 that runs Safe7579', () => {
  const openSafe = async () => {
    await safe150Contracts(lab.devnet);
    await safe7579Contracts(lab.devnet);
    return openSafe7579(lab.devnet, { version: '1.5.0' });
  };

  test('lands the sponsored operation that sets it up, and the next one', async () => {
    const account = await openSafe();
    const { send } = clientOf(account, '0.7', 'pimlico');
    for (let nth = 0; nth < 2; nth += 1)
      await expectSponsored(lab, '0.7', account.address, 'permissionless', () => send());
  });

  test('pays for both in a token, whose slots the quote names for the estimate', async () => {
    const account = await openSafe();
    const token = tokenWith(lab.devnet, 6);
    const { send } = clientOf(account, '0.7', 'pimlico', { token: token.address });
    await mint(lab.devnet, token, account.address, parseUnits('1000', 6));
    for (let nth = 0; nth < 2; nth += 1) {
      const before = await tokenBalance(lab.devnet, token, account.address);
      const { success } = await send();
      expect(success).toBe(true);
      expect(await tokenBalance(lab.devnet, token, account.address)).toBeLessThan(before);
      expect(await incrementsOf(lab.devnet, account.address)).toBe(BigInt(nth + 1));
    }
  });
});
