import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createSmartAccountClient as createAlchemyClient,
  erc7677Middleware,
  LocalAccountSigner,
  split,
} from '@aa-sdk/core';
import {
  createLightAccount,
  createMultiOwnerModularAccount,
  getDefaultLightAccountFactoryAddress,
  getDefaultMultiOwnerModularAccountFactoryAddress,
} from '@alchemy/aa-accounts';
import * as biconomy from '@biconomy/account';
import { PaymasterMode } from '@biconomy/account';
import { signerToEcdsaValidator } from '@zerodev/ecdsa-validator';
import { createKernelAccount, createKernelAccountClient, createZeroDevPaymasterClient } from '@zerodev/sdk';
import { getEntryPoint, KERNEL_V2_4, KERNEL_V3_1 } from '@zerodev/sdk/constants';
import { createSmartAccountClient } from 'permissionless';
import { toKernelSmartAccount, toNexusSmartAccount, toSafeSmartAccount } from 'permissionless/accounts';
import { createPimlicoClient } from 'permissionless/clients/pimlico';
import { type Address, createPublicClient, createWalletClient, encodeFunctionData, type Hex, http } from 'viem';
import { entryPoint06Address, entryPoint07Address, type SmartAccount } from 'viem/account-abstraction';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { foundry, sepolia } from 'viem/chains';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createManagementClient } from '../../clients/sdk/create-management-client.ts';
import type { DevFile, DevPaymaster } from '../../server/dev/dev-file.ts';
import { devTargetAbi } from '../../server/dev/devnet/contracts.generated.ts';
import { type RunningTollfree, startTollfree } from '../support/command-line/running-tollfree.ts';

const anyPorts = ['--port', '0', '--grpc-port', '0', '--chain-port', '0', '--admin-port', '0', '--bundler-port', '0'];
/** A node of a public chain, as for `npm run test:accounts`: some accounts are copied from it. */
const codeNode = process.env.CODE_NODE;
const copied = codeNode === undefined ? [] : ['--accounts-from', codeNode];
const entryPoints = { '0.6': entryPoint06Address, '0.7': entryPoint07Address } as const;

let folder: string;
let running: RunningTollfree;
let dev: DevFile;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-migrations-'));
  running = startTollfree(['dev', ...anyPorts, ...copied, '--data', folder, '--json']);
  dev = JSON.parse(await running.line('stdout', /^\{"gatewayUrl"/));
});
afterAll(async () => {
  if (running?.child.exitCode === null) await running.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const chainClient = () =>
  createPublicClient({ chain: chain(), transport: http(dev.chain.rpcUrl), pollingInterval: 20 });
/** Some clients read the chain from its own addresses. */
const chain = () => ({ ...foundry, rpcUrls: { default: { http: [dev.chain.rpcUrl] } } });
const newKey = () => generatePrivateKey();
const newOwner = () => privateKeyToAccount(newKey());
function paymasterOf(version: keyof typeof entryPoints): DevPaymaster {
  const found = dev.paymasters.find(({ entryPointVersion }) => entryPointVersion === version);
  if (found === undefined) throw new Error(`No paymaster of ${version}.`);
  return found;
}
/** The one URL of a migration, for paymaster and bundler. */
const urlOf = (version: keyof typeof entryPoints) => paymasterOf(version).rpcUrl;

/** With an apiKey in letters that `@biconomy/account` takes in an address. */
async function plainUrlOf(version: keyof typeof entryPoints): Promise<string> {
  const { paymasterId, apiKey, rpcUrl } = paymasterOf(version);
  const management = createManagementClient({ baseUrl: dev.gatewayUrl, authToken: dev.authToken });
  for (let count = 1; ; count += 1) {
    const made = await management.createApiKey({ paymasterId, name: `plain ${count}` });
    if (/^[a-zA-Z0-9.-]+$/.test(made.apiKey)) return rpcUrl.replace(apiKey, made.apiKey);
  }
}

const increment = (): { to: Address; data: Hex } => ({
  to: dev.chain.target,
  data: encodeFunctionData({ abi: devTargetAbi, functionName: 'increment' }),
});

/** The call ran as the sender, and the sender, which has no coin, did not pay. */
async function expectLanded(sender: Address): Promise<void> {
  const read = { address: dev.chain.target, abi: devTargetAbi, functionName: 'count', args: [sender] } as const;
  expect(await chainClient().readContract(read)).toBe(1n);
  expect(await chainClient().getBalance({ address: sender })).toBe(0n);
}

type OpenAccount = () => Promise<SmartAccount>;

/** An operation through Pimlico's client, with permissionless' account. */
async function sendAsPimlico(version: keyof typeof entryPoints, open: OpenAccount): Promise<void> {
  const transport = http(urlOf(version), { retryCount: 0 });
  const pimlico = createPimlicoClient({ transport, entryPoint: { address: entryPoints[version], version } });
  const account = await open();
  const client = createSmartAccountClient({
    account,
    chain: chain(),
    client: chainClient(),
    bundlerTransport: transport,
    paymaster: pimlico,
    userOperation: { estimateFeesPerGas: async () => (await pimlico.getUserOperationGasPrice()).fast },
    pollingInterval: 20,
  });
  await client.sendTransaction({ calls: [increment()] });
  await expectLanded(account.address);
}

describe('with one URL changed, on tollfree dev, an operation of a new account lands:', () => {
  const permissionlessAccounts: readonly (readonly [
    name: string,
    version: keyof typeof entryPoints,
    open: OpenAccount,
  ])[] = [
    ...(['0.6', '0.7'] as const).map(
      (version) =>
        [
          'Kernel',
          version,
          () =>
            toKernelSmartAccount({
              client: chainClient(),
              owners: [newOwner()],
              entryPoint: { address: entryPoints[version], version },
            }) as Promise<SmartAccount>,
        ] as const,
    ),
    [
      'Nexus',
      '0.7',
      () =>
        toNexusSmartAccount({
          client: chainClient(),
          owners: [newOwner()],
          version: '1.0.0',
          attesters: [],
          threshold: 0,
        }),
    ],
  ];
  test.each(permissionlessAccounts)(
    'from Pimlico, with permissionless and its %s (EntryPoint %s)',
    (_, version, open) => sendAsPimlico(version, open),
  );

  test.each([
    ['2.4', '0.6', KERNEL_V2_4],
    ['3.1', '0.7', KERNEL_V3_1],
  ] as const)('from ZeroDev, with @zerodev/sdk and its Kernel %s', async (_, version, kernelVersion) => {
    const transport = http(urlOf(version), { retryCount: 0 });
    const entryPoint = getEntryPoint(version);
    const publicClient = chainClient();
    const sudo = await signerToEcdsaValidator(publicClient, { signer: newOwner(), entryPoint, kernelVersion } as never);
    const account = await createKernelAccount(publicClient, { plugins: { sudo }, entryPoint, kernelVersion } as never);
    const paymaster = createZeroDevPaymasterClient({ chain: chain(), transport });
    const client = createKernelAccountClient({
      account,
      chain: chain(),
      client: publicClient,
      bundlerTransport: transport,
      paymaster: { getPaymasterData: (userOperation: never) => paymaster.sponsorUserOperation({ userOperation }) },
      pollingInterval: 20,
    } as never);
    const hash = await client.sendUserOperation({ calls: [increment()] } as never);
    await client.waitForUserOperationReceipt({ hash });
    await expectLanded(account.address);
  });
});

describe.skipIf(codeNode === undefined)('the same, with accounts copied from the node that CODE_NODE names:', () => {
  test('from Biconomy, with @biconomy/account and its SmartAccount 2', async () => {
    const url = await plainUrlOf('0.6');
    const signer = createWalletClient({ account: newOwner(), chain: chain(), transport: http(dev.chain.rpcUrl) });
    const client = await biconomy.createSmartAccountClient({
      signer,
      bundlerUrl: url,
      paymasterUrl: url,
      customChain: chain(),
      rpcUrl: dev.chain.rpcUrl,
    } as never);
    const { waitForTxHash } = await client.sendTransaction(increment(), {
      paymasterServiceData: { mode: PaymasterMode.SPONSORED },
    });
    await waitForTxHash();
    await expectLanded(await (client as never as { getAccountAddress(): Promise<Address> }).getAccountAddress());
  });

  test('from Pimlico, with permissionless and its Safe7579', async () => {
    const open = () =>
      toSafeSmartAccount({
        client: chainClient(),
        owners: [newOwner()],
        version: '1.4.1',
        safe4337ModuleAddress: '0x7579EE8307284F293B1927136486880611F20002',
        erc7579LaunchpadAddress: '0x7579011aB74c46090561ea277Ba79D510c6C00ff',
        // Rhinestone's, as Pimlico documents it.
        attesters: ['0x000000333034E9f539ce08819E12c1b8Cb29084d'],
        attestersThreshold: 1,
      });
    await sendAsPimlico('0.7', open);
  });

  test.each([
    [
      'LightAccount',
      (given: object) =>
        createLightAccount({ ...given, factoryAddress: getDefaultLightAccountFactoryAddress(sepolia) } as never),
    ],
    [
      'Modular Account',
      (given: object) =>
        createMultiOwnerModularAccount({
          ...given,
          factoryAddress: getDefaultMultiOwnerModularAccountFactoryAddress(sepolia),
        } as never),
    ],
  ])('from Alchemy, with @aa-sdk/core and its %s', async (_, create) => {
    const url = urlOf('0.6');
    const node = http(dev.chain.rpcUrl, { retryCount: 0 });
    const methods = ['pm_getPaymasterStubData', 'pm_getPaymasterData', 'eth_sendUserOperation'];
    const others = ['eth_estimateUserOperationGas', 'eth_getUserOperationReceipt', 'eth_getUserOperationByHash'];
    const transport = split({
      overrides: [{ methods: [...methods, ...others], transport: http(url, { retryCount: 0 }) }],
      fallback: node,
    });
    const signer = LocalAccountSigner.privateKeyToAccountSigner(newKey());
    const account = await create({ transport: node, chain: chain(), signer });
    // The accounts' package is older than the client's, and names this otherwise.
    const withNonce = { ...account, getAccountNonce: (key?: bigint) => account.getNonce(key) };
    const client = createAlchemyClient({
      transport,
      chain: chain(),
      account: withNonce,
      ...erc7677Middleware(),
    } as never);
    const { to: target, data } = increment();
    const { hash } = await client.sendUserOperation({ uo: { target, data } } as never);
    await client.waitForUserOperationTransaction({ hash });
    await expectLanded(account.address);
  });
});
