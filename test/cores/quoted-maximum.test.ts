import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Address, parseEther, slice } from 'viem';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { actAs } from '../../core/domain/access/actor.ts';
import type { CoreConfig } from '../../core/domain/core-config.ts';
import { type LocalCore, startLocalCore } from '../../core/local.ts';
import { type Gateway, startGateway } from '../../gateway/gateway.ts';
import { defaultGatewayLimits } from '../../gateway/gateway-limits.ts';
import { devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { systemClock } from '../../server/system-clock.ts';
import {
  fillTank,
  fundWithTokens,
  newSmartAccount,
  nextOperation,
  targetCall,
  tokenWith,
  walletWith,
} from '../support/chain/chain-lab.ts';
import { landAndCompare } from '../support/chain/chain-landing.ts';
import { silentLogger } from '../support/logging/recording-logger.ts';
import { chooseWallet, openPaymaster } from '../support/service/chain-paymaster.ts';
import { signedAnswer } from '../support/service/chain-rpc.ts';
import { askSponsorship, maximumOf, quoteFor, type Wish, withAnswer } from '../support/service/chain-sponsorship.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';
import { isOnPostgres } from '../support/store/test-database.ts';

/** Of a machine that is busy. */
const patience = { timeout: 60_000, interval: 50 };
const version = '0.7';
const ownLimits = { callGasLimit: 60_000n, verificationGasLimit: 380_000n, preVerificationGas: 60_000n };
const anywhere = { host: '127.0.0.1', port: 0 };

/** Each sees the coin at a price of its own: 2,000 USD where the quote is given, 4,000 where the payment is asked for. */
describe.skipIf(!isOnPostgres)('of two cores at one database, what one has quoted', () => {
  let prices: Server;
  let service: RunningService;
  let other: LocalCore;
  let otherGateway: Gateway;
  let urls: { readonly quoting: string; readonly signing: string };
  let wish: Wish & { readonly token: Address };

  beforeAll(async () => {
    prices = createServer(({ url }, response) => response.end(`{"usd":${url?.slice(1)}}`)).listen(0, '127.0.0.1');
    await once(prices, 'listening');
    service = await startService({ configure: (config) => pricedAt('2000', config) });
    other = await startLocalCore(pricedAt('4000', service.config), {
      logger: silentLogger,
      clock: systemClock,
      name: 'the other',
    });
    otherGateway = await startGateway({
      core: other.core,
      listen: anywhere,
      admin: anywhere,
      limits: defaultGatewayLimits,
      logger: silentLogger,
      clock: systemClock,
      actAs,
    });
    const { devnet } = service;
    const paymaster = await openPaymaster(service, version);
    const wallet = await walletWith(devnet, 0n);
    await chooseWallet(paymaster, wallet);
    await fillTank(devnet, version, wallet, parseEther('20'));
    urls = { quoting: paymaster.rpcUrl, signing: paymaster.rpcUrl.replace(service.url, otherGateway.url) };
    wish = { token: tokenWith(devnet, 6).address, calculateGasLimits: false };
    await vi.waitFor(async () => expect((await askAt(await operation())).httpStatus).toBe(200), patience);
  });
  afterAll(async () => {
    await otherGateway?.close();
    await other?.close();
    await service?.close();
    prices?.close();
  });

  function pricedAt(usd: string, config: CoreConfig): CoreConfig {
    const url = `http://127.0.0.1:${(prices.address() as AddressInfo).port}/${usd}`;
    const source = { kind: 'http' as const, url, path: 'usd', maxAgeSeconds: 60, allowHttp: true };
    const nativePrice = { sources: [source], minimumSources: 1, maximumDeviationBasisPoints: 200 };
    return { ...config, chains: config.chains.map((chain) => ({ ...chain, nativePrice })) };
  }

  /** Of an account that can pay in the token. */
  async function operation(account = newSmartAccount(version)): Promise<DevUserOperation> {
    const { devnet } = service;
    const built = await nextOperation(devnet, account, [targetCall(devnet, 'increment')]);
    const spender = devnet.paymasterContracts[devnetFamilies[version]];
    await fundWithTokens(devnet, tokenWith(devnet, 6), { owner: built.sender, spender });
    return { ...built, ...ownLimits };
  }

  const askAt = (asked: DevUserOperation) => askSponsorship(urls.signing, asked, wish);

  /** Base units for 10^18 wei; they stand behind address, gas, mode, flags, window, token and postOp gas. */
  const rateOf = ({ paymasterAndData }: Pick<DevUserOperation, 'paymasterAndData'>) =>
    BigInt(slice(paymasterAndData, 52 + 1 + 1 + 6 + 6 + 20 + 16, 52 + 1 + 1 + 6 + 6 + 20 + 16 + 32));

  test('binds the other when it signs, and what is paid on chain', async () => {
    const account = newSmartAccount(version);
    const quoted = await operation(account);
    const unquoted = rateOf(signedAnswer(await askAt(await operation())));
    const quote = await quoteFor(urls.quoting, quoted, wish);
    const answer = signedAnswer(await askAt(quoted));
    expect(rateOf(answer) * 2n).toBe(unquoted);
    const landing = await landAndCompare(
      service.devnet,
      account,
      withAnswer(quoted, answer),
      tokenWith(service.devnet, 6),
    );
    expect(landing.outcome.success).toBe(true);
    expect(landing.tokensPaid).toBeLessThanOrEqual(maximumOf(quote));
  });

  test('refuses there what it would not pay for, until the other has quoted it', async () => {
    const quoted = await operation();
    await quoteFor(urls.quoting, quoted, wish);
    const costlier = { ...quoted, callGasLimit: quoted.callGasLimit + 1n };
    expect(await askAt(costlier)).toMatchObject({ httpStatus: 422, reason: 'LIMIT_EXCEEDED' });
    await quoteFor(urls.signing, costlier, wish);
    expect((await askAt(costlier)).httpStatus).toBe(200);
  });
});
