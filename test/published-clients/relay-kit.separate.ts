import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getAddress, type Hex, isHex, parseUnits } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { deploySafe, type SafeModules } from '../../server/dev/devnet/deploy-safe.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import { type Anvil, startAnvil } from '../../server/dev/devnet/start-anvil.ts';
import { startDevnet } from '../../server/dev/devnet/start-devnet.ts';
import { bundler as bundlerAccount, mint, targetCall, tokenWith } from '../support/chain/chain-lab.ts';
import { leasedSignerKey } from '../support/chain/lease-devnet.ts';
import { startTestBundler, type TestBundler } from '../support/chain/test-bundler.ts';
import { readLanded } from '../support/published-clients/biconomy-bundler.ts';
import { expectLanded } from '../support/published-clients/client-lab.ts';
import { readTokenRate, tokenBound } from '../support/published-clients/token-bound.ts';
import type {} from '../support/run/installed.ts';
import { type FundedService, startFundedService } from '../support/service/funded-service.ts';
import { freshKey } from '../support/service/running-service.ts';

/** 32 bytes at the end: their prefix, version 0, and hashes of project, platform, tool and its version. */
const onChainIdentifier = /5afe00[0-9a-f]{58}$/;

const name = '@safe-global/relay-kit 5.0.0';
const version = '0.7';

/** What is used of the package, which is not installed where types are checked. */
type Pack = {
  readonly protocolKit: { getAddress(): Promise<string> };
  createTransaction(request: { transactions: readonly { to: string; data: string; value: string }[] }): Promise<Made>;
  signSafeOperation(operation: Made): Promise<object>;
  executeTransaction(request: { executable: object }): Promise<string>;
};
/** An operation of the kit's. */
type Made = { getUserOperation(): { readonly callData: string } };
type RelayKit = { readonly Safe4337Pack: { init(options: object): Promise<Pack> } };

/** Sepolia's: the kit's lists of contracts do not have the development chain's. */
const chainId = 11_155_111;

let kit: RelayKit;
let anvil: Anvil;
let devnet: Devnet;
let service: FundedService;
let bundler: TestBundler;
let modules: SafeModules;
beforeAll(async () => {
  kit = await import(pathToFileURL(join(inject('installed'), 'dist/esm/src/index.mjs')).href);
  anvil = await startAnvil({ port: 0, chainId });
  devnet = await startDevnet({ port: 0, nodeUrl: anvil.rpcUrl, paymasterSigner: privateKeyToAddress(leasedSignerKey) });
  service = await startFundedService(devnet);
  bundler = await startTestBundler(devnet, service.chain);
  modules = await deploySafe(devnet.client, bundlerAccount);
});
afterAll(async () => {
  await bundler.close();
  await service.close();
  await anvil.close();
});

/** A new Safe of one owner in the kit's hands, and a call of it that lands. */
async function openSafe(payment: object) {
  const signer = freshKey();
  const open = (options: object) =>
    kit.Safe4337Pack.init({
      provider: devnet.rpcUrl,
      signer,
      bundlerUrl: bundler.url,
      safeModulesVersion: '0.3.0',
      customContracts: modules,
      // The kit appends its on-chain identifier to each operation's call data.
      onchainAnalytics: { project: 'Tollfree', platform: 'Web' },
      options,
      paymasterOptions: { paymasterUrl: service.paymaster(version).rpcUrl, ...payment },
    });
  const created = await open({ owners: [privateKeyToAddress(signer)], threshold: 1 });
  const safeAddress = getAddress(await created.protocolKit.getAddress());
  return {
    sender: safeAddress,
    async send(): Promise<Hex> {
      const isThere = (await devnet.client.getCode({ address: safeAddress })) !== undefined;
      const pack = isThere ? await open({ safeAddress }) : created;
      const { to, data } = targetCall(devnet, 'increment');
      const operation = await pack.createTransaction({ transactions: [{ to, data, value: '0' }] });
      expect(operation.getUserOperation().callData).toMatch(onChainIdentifier);
      const hash = await pack.executeTransaction({ executable: await pack.signSafeOperation(operation) });
      if (!isHex(hash)) throw new Error('The kit returned no hash.');
      return hash;
    },
  };
}

describe(name, () => {
  test('sponsored operations of a Safe land, also the one that deploys it', async () => {
    const { sender, send } = await openSafe({ isSponsored: true });
    for (let nth = 0; nth < 2; nth += 1) {
      const attempt = { client: name, version, sender, payment: 'SPONSORED' } as const;
      await expectLanded({ devnet, paymaster: service.paymaster }, attempt, async () =>
        readLanded(bundler.url, await send()),
      );
    }
  });

  test('operations paid in tokens land for no more than the rate says', async () => {
    const token = tokenWith(devnet, 6);
    const { rpcUrl: url, address: paymasterAddress } = service.paymaster(version);
    const { sender, send } = await openSafe({ paymasterAddress, paymasterTokenAddress: token.address });
    await mint(devnet, token, sender, parseUnits('1000', token.decimals));
    const rate = await readTokenRate(devnet, { url, version, token: token.address });
    for (let nth = 0; nth < 2; nth += 1) {
      let quoted = 0n;
      const attempt = { client: name, version, sender, payment: { token, quoted: () => quoted } } as const;
      await expectLanded({ devnet, paymaster: service.paymaster }, attempt, async () => {
        const hash = await send();
        quoted = await tokenBound(devnet, { bundlerUrl: bundler.url, hash }, rate);
        return readLanded(bundler.url, hash);
      });
    }
  });
});
