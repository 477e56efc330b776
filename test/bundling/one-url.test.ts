import { PaymasterMode } from '@biconomy/account';
import { getUserOperationGasPrice as zerodevGasPrice } from '@zerodev/sdk';
import { Bundler, CandidePaymaster, Simple7702Account } from 'abstractionkit';
import { toSafeSmartAccount } from 'permissionless/accounts';
import { createPimlicoClient } from 'permissionless/clients/pimlico';
import { type Address, createClient, type Hex, http } from 'viem';
import { createBundlerClient, createPaymasterClient } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createPaymaster } from '../../clients/sdk/create-paymaster.ts';
import { createSponsorClient } from '../../clients/sdk/create-sponsor-client.ts';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { delegationCode } from '../../core/evm/entry-point/eip7702.ts';
import { signUserOperation } from '../../server/dev/user-operation/build-user-operation.ts';
import { safe141Contracts } from '../support/accounts/matrix-accounts.ts';
import { mint, newSmartAccount, nextOperation, targetCall, tokenWith } from '../support/chain/chain-lab.ts';
import { delegatingAccount, signDelegation } from '../support/chain/eip7702-lab.ts';
import { landingClients } from '../support/chain/landings-table.ts';
import { aaSdkClient } from '../support/published-clients/aa-sdk-client.ts';
import { fromKit, toKit } from '../support/published-clients/abstractionkit-operation.ts';
import { newBiconomyAccount } from '../support/published-clients/biconomy-account-client.ts';
import { type BiconomyBundler, readLanded } from '../support/published-clients/biconomy-bundler.ts';
import { landAndCheck, quotedMaximum } from '../support/published-clients/client-lab.ts';
import { deployBiconomyAccount } from '../support/published-clients/deploy-biconomy-account.ts';
import { metamaskClient } from '../support/published-clients/metamask-client.ts';
import {
  abstractjsClient,
  permissionlessClient,
  type SendingAccount,
  type Surroundings,
  sdkPaymasterClient,
  viemClient,
} from '../support/published-clients/sending-clients.ts';
import { deployModularFactory } from '../support/published-clients/to-modular-account.ts';
import { useropClient } from '../support/published-clients/userop-client.ts';
import { zerodevClient, zerodevErc7677Client } from '../support/published-clients/zerodev-client.ts';
import { oneOfEach, rowsOfRun } from '../support/run/rows-of-run.ts';
import { chainClient, simpleAccount } from '../support/service/client-lab.ts';
import { freshKey } from '../support/service/running-service.ts';
import { type OneUrlLab, openOneUrlLab } from './one-url-lab.ts';

let lab: OneUrlLab;
let contracts: ReturnType<typeof deployBiconomyAccount>;
beforeAll(async () => {
  lab = await openOneUrlLab('OWN');
  contracts = deployBiconomyAccount(lab.devnet);
});
afterAll(() => lab.close());

type Version = (typeof entryPointVersions)[number];

let keys = 0;
/** An apiKey of the paymaster in letters that every client takes in an address. */
async function plainUrl(version: Version): Promise<string> {
  const { apiKey, paymasterId, rpcUrl } = lab.paymaster(version);
  const management = lab.service.managementOf(lab.authToken);
  for (;;) {
    keys += 1;
    const made = await management.createApiKey({ paymasterId, name: `plain ${keys}` });
    if (/^[a-zA-Z0-9.-]+$/.test(made.apiKey)) return rpcUrl.replace(apiKey, made.apiKey);
  }
}

async function landTwice(
  version: Version,
  url: string,
  account: Pick<SendingAccount, 'sender' | 'sponsored'>,
): Promise<void> {
  for (let nth = 0; nth < 2; nth += 1) {
    const attempt = { client: 'viem', version, sender: account.sender, payment: 'SPONSORED' } as const;
    await landAndCheck(lab, attempt, async () => {
      const hash = await account.sponsored();
      return vi.waitFor(() => readLanded(url, hash), { timeout: 10_000 });
    });
  }
}

const clients = [
  viemClient,
  permissionlessClient,
  zerodevClient,
  zerodevErc7677Client,
  aaSdkClient,
  useropClient,
  metamaskClient,
];
const newestFirst = entryPointVersions.toReversed();
const cells = clients.flatMap((client) =>
  landingClients[client.name].map((version) => ({ client, name: client.name, version })),
);

describe('with one URL for paymaster and bundler, sponsored operations land', () => {
  test.each(oneOfEach(cells, ({ name }) => name))(
    'of $name, EntryPoint $version, the first one deploys',
    async ({ client, version }) => {
      const { rpcUrl: url, address } = lab.paymaster(version);
      const account = await client.open({ devnet: lab.devnet, bundler: { url } }, { version, url, address });
      await landTwice(version, url, account);
    },
  );

  test.each(rowsOfRun(newestFirst, 1))('of the SDK of this repository, EntryPoint %s', async (version) => {
    const { rpcUrl: url, address } = lab.paymaster(version);
    const surroundings = { devnet: lab.devnet, bundler: { url } } as Surroundings;
    await landTwice(version, url, await sdkPaymasterClient.open(surroundings, { version, url, address }));
  });

  test('of @biconomy/account', async () => {
    const url = await plainUrl('0.6');
    const bundler = { url } as BiconomyBundler;
    const { client, address: sender } = await newBiconomyAccount({ devnet: lab.devnet, bundler }, await contracts, url);
    const sponsored = async () => {
      const paymasterServiceData = { mode: PaymasterMode.SPONSORED };
      const response = await client.sendTransaction([targetCall(lab.devnet, 'increment')], { paymasterServiceData });
      const { transactionHash } = await response.waitForTxHash();
      expect((await readLanded(url, response.userOpHash)).transactionHash).toBe(transactionHash);
      return response.userOpHash as Hex;
    };
    await landTwice('0.6', url, { sender, sponsored });
  });

  test('of @biconomy/account in a token, whose client estimates before it has a paymaster', async () => {
    const { devnet } = lab;
    const url = await plainUrl('0.6');
    const bundler = { url } as BiconomyBundler;
    const { client, address: sender } = await newBiconomyAccount({ devnet, bundler }, await contracts, url);
    const token = tokenWith(devnet, 6);
    await mint(devnet, token, sender, 1_000n * 10n ** BigInt(token.decimals));
    const call = targetCall(devnet, 'increment');
    const mode = PaymasterMode.ERC20;
    for (let nth = 0; nth < 2; nth += 1) {
      const fees = await client.getTokenFees(call, { paymasterServiceData: { mode } });
      const feeQuote = fees.feeQuotes?.find(({ tokenAddress }) => tokenAddress === token.address) ?? expect.fail();
      const spender = fees.tokenPaymasterAddress ?? expect.fail();
      const payment = { token, quoted: () => quotedMaximum(feeQuote) };
      await landAndCheck(lab, { client: 'viem', version: '0.6', sender, payment }, async () => {
        const paymasterServiceData = { mode, feeQuote, spender };
        const response = await client.sendTransaction([call], { paymasterServiceData });
        await response.waitForTxHash();
        return readLanded(url, response.userOpHash);
      });
    }
  });

  test.each(
    rowsOfRun(
      [
        [
          'calculateGasLimits false',
          { paymasterServiceData: { mode: PaymasterMode.SPONSORED, calculateGasLimits: false } },
        ],
        [
          'gasOffset',
          { paymasterServiceData: { mode: PaymasterMode.SPONSORED }, gasOffset: { callGasLimitOffsetPct: 25 } },
        ],
      ],
      1,
    ),
  )('of @biconomy/account with %s, whose client takes the fees of the estimate', async (_, options) => {
    const url = await plainUrl('0.6');
    const surroundings = { devnet: lab.devnet, bundler: { url } as BiconomyBundler };
    const { client, address: sender } = await newBiconomyAccount(surroundings, await contracts, url);
    const sponsored = async () => {
      const response = await client.sendTransaction([targetCall(lab.devnet, 'increment')], options);
      await response.waitForTxHash();
      return response.userOpHash as Hex;
    };
    await landTwice('0.6', url, { sender, sponsored });
  });

  test('of @biconomy/abstractjs', async () => {
    const url = await plainUrl('0.7');
    const modularFactory = await deployModularFactory(lab.devnet);
    const biconomyBundler = { url } as BiconomyBundler;
    const surroundings = { devnet: lab.devnet, biconomyBundler, modularFactory } as Surroundings;
    const paymaster = { version: '0.7', url, address: lab.paymaster('0.7').address } as const;
    await landTwice('0.7', url, await abstractjsClient.open(surroundings, paymaster));
  });

  test.each(rowsOfRun(newestFirst, 1))('of abstractionkit, EntryPoint %s', async (version) => {
    const { devnet } = lab;
    const { rpcUrl: url } = lab.paymaster(version);
    const account = newSmartAccount(version);
    const entryPoint = devnet.entryPoints[version];
    const { sender } = await nextOperation(devnet, account, []);
    const sponsored = async () => {
      const drafted = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
      const paymaster = new CandidePaymaster(url);
      const smartAccount = { entrypointAddress: entryPoint };
      const [filled] = await paymaster.createSponsorPaymasterUserOperation(smartAccount, toKit(drafted), url);
      const { signature } = await signUserOperation(devnet, fromKit(drafted, filled), account.owner);
      const sent = await new Bundler(url).sendUserOperation({ ...filled, signature }, entryPoint);
      return sent as Hex;
    };
    await landTwice(version, url, { sender, sponsored });
  });

  test('of abstractionkit’s own account, which estimates before it has a paymaster', async () => {
    const { devnet } = lab;
    const { rpcUrl: url } = lab.paymaster('0.8');
    const key = freshKey();
    const { address: sender } = privateKeyToAccount(key);
    const delegateeAddress = devnet.simple7702Account as Address;
    await devnet.client.setCode({ address: sender, bytecode: delegationCode(delegateeAddress) });
    const account = new Simple7702Account(sender, { entrypointAddress: devnet.entryPoints['0.8'], delegateeAddress });
    const sponsored = async () => {
      const call = { ...targetCall(devnet, 'increment'), value: 0n };
      const drafted = await account.createUserOperation([call], devnet.rpcUrl, url);
      const [filled] = await new CandidePaymaster(url).createSponsorPaymasterUserOperation(account, drafted, url);
      const signature = account.signUserOperation(filled, key, BigInt(devnet.chainId));
      return (await new Bundler(url).sendUserOperation({ ...filled, signature }, account.entrypointAddress)) as Hex;
    };
    await landTwice('0.8', url, { sender, sponsored });
  });

  test.each(rowsOfRun(newestFirst, 1))('for an operation that pays in a token, EntryPoint %s', async (version) => {
    const { rpcUrl: url, address } = lab.paymaster(version);
    const token = tokenWith(lab.devnet, 6);
    const account = await viemClient.open({ devnet: lab.devnet, bundler: { url } }, { version, url, address });
    await mint(lab.devnet, token, account.sender, 1_000n * 10n ** BigInt(token.decimals));
    let quoted = 0n;
    const payment = { token, quoted: () => quoted };
    await landAndCheck(lab, { client: 'viem', version, sender: account.sender, payment }, async () => {
      const sent = await account.paid(token);
      quoted = sent.quoted;
      return readLanded(url, sent.hash);
    });
  });

  test('of an owner’s own address, which delegates in its first operation (EIP-7702)', async () => {
    const { devnet } = lab;
    const { rpcUrl: url } = lab.paymaster('0.8');
    const owner = privateKeyToAccount(freshKey());
    const delegate = devnet.simple7702Account as Address;
    const account = await delegatingAccount(devnet, delegate, owner);
    const transport = http(url, { retryCount: 0 });
    const client = createBundlerClient({
      account,
      client: chainClient(devnet),
      transport,
      paymaster: createPaymasterClient({ transport }),
      pollingInterval: 20,
    });
    for (const delegation of [{ authorization: await signDelegation(devnet, owner, delegate) }, {}]) {
      const hash = await client.sendUserOperation({ calls: [targetCall(devnet, 'increment')], ...delegation });
      expect(await client.waitForUserOperationReceipt({ hash })).toMatchObject({ success: true });
    }
  });

  test.each(rowsOfRun([12, 3], 1))('of a Safe that %i owners sign for, of which a bundler sees one', async (count) => {
    const { devnet } = lab;
    await safe141Contracts(devnet);
    const owners = Array.from({ length: count }, () => privateKeyToAccount(freshKey()));
    const account = await toSafeSmartAccount({ client: chainClient(devnet), owners, version: '1.4.1' });
    const transport = http(lab.paymaster('0.7').rpcUrl, { retryCount: 0 });
    const paymaster = createPaymasterClient({ transport });
    const client = createBundlerClient({
      account,
      client: chainClient(devnet),
      transport,
      paymaster,
      pollingInterval: 20,
    });
    for (let nth = 0; nth < 2; nth += 1) {
      const hash = await client.sendUserOperation({ calls: [targetCall(devnet, 'increment')] });
      expect(await client.waitForUserOperationReceipt({ hash })).toMatchObject({ success: true });
    }
  });

  test('whose paymaster signs at the same time as the account (EntryPoint 0.9)', async () => {
    const { devnet } = lab;
    const { rpcUrl } = lab.paymaster('0.9');
    const client = createBundlerClient({
      account: await simpleAccount(devnet, '0.9'),
      client: chainClient(devnet),
      transport: http(rpcUrl, { retryCount: 0 }),
      // viem's own paymaster client leaves `paymasterSignature` out.
      paymaster: createPaymaster(createSponsorClient({ url: rpcUrl })),
      paymasterContext: { parallelSigning: true },
      pollingInterval: 20,
    });
    const hash = await client.sendUserOperation({ calls: [targetCall(devnet, 'increment')] });
    expect(await client.waitForUserOperationReceipt({ hash })).toMatchObject({ success: true });
  });
});

describe('clients read from the one URL', () => {
  test('the same prices in each maker’s form', async () => {
    const { rpcUrl: url } = lab.paymaster('0.8');
    const transport = http(url, { retryCount: 0 });
    const entryPoint = { address: lab.devnet.entryPoints['0.8'], version: '0.8' } as const;
    const pimlico = await createPimlicoClient({ transport, entryPoint }).getUserOperationGasPrice();
    const zerodev = await zerodevGasPrice(createClient({ transport }) as never);
    expect(zerodev).toEqual(pimlico.standard);
    for (const { maxFeePerGas, maxPriorityFeePerGas } of Object.values(pimlico)) {
      expect(maxFeePerGas >= maxPriorityFeePerGas && maxPriorityFeePerGas > 0n).toBe(true);
    }
  });

  test('chain and EntryPoints with abstractionkit’s bundler', async () => {
    const { rpcUrl } = lab.paymaster('0.7');
    const bundler = new Bundler(rpcUrl);
    expect(await bundler.chainId()).toBe('0x7a69');
    expect(await bundler.supportedEntryPoints()).toEqual([lab.devnet.entryPoints['0.7']]);
  });
});

test('no line of the log and no answer names the bundler’s address, and no line an apiKey', () => {
  const text = JSON.stringify(lab.log);
  expect(text.length).toBeGreaterThan(1_000);
  expect(text.includes(lab.bundler.url)).toBe(false);
  for (const version of entryPointVersions) expect(text.includes(lab.paymaster(version).apiKey)).toBe(false);
});
