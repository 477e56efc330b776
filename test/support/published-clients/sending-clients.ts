import {
  createBicoBundlerClient,
  createBicoPaymasterClient,
  toBiconomyTokenPaymasterContext,
} from '@biconomy/abstractjs';
import { PaymasterMode } from '@biconomy/account';
import { createSmartAccountClient } from 'permissionless';
import { createPimlicoClient } from 'permissionless/clients/pimlico';
import { prepareUserOperationForErc20Paymaster } from 'permissionless/experimental/pimlico';
import {
  type Address,
  decodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  isAddressEqual,
  maxUint256,
  parseUnits,
} from 'viem';
import { createBundlerClient, createPaymasterClient } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import { createPaymaster } from '../../../clients/sdk/create-paymaster.ts';
import { createSponsorClient } from '../../../clients/sdk/create-sponsor-client.ts';
import { prepareTokenPayment } from '../../../clients/sdk/tokens/prepare-token-payment.ts';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import type { Devnet, DevnetToken } from '../../../server/dev/devnet/devnet.ts';
import { approveCall, nextOperation, targetCall } from '../chain/chain-lab.ts';
import type { LandingClient } from '../chain/landings-table.ts';
import type { TestBundler } from '../chain/test-bundler.ts';
import { maximumOf, quoteFor } from '../service/chain-sponsorship.ts';
import { chainClient, simpleAccount } from '../service/client-lab.ts';
import { freshKey } from '../service/running-service.ts';
import { newBiconomyAccount } from './biconomy-account-client.ts';
import type { BiconomyBundler } from './biconomy-bundler.ts';
import { quotedMaximum } from './client-lab.ts';
import type { BiconomyContracts } from './deploy-biconomy-account.ts';
import { initCodeOf } from './init-code-of.ts';
import { newModularAccount } from './to-modular-account.ts';
import { tokenBound } from './token-bound.ts';
import type { SeenQuote } from './watched-fetch.ts';

/** What the clients talk to, and where the accounts of the two that have some of their own come from. */
export type Surroundings = {
  readonly devnet: Devnet;
  readonly bundler: TestBundler;
  readonly biconomyBundler: BiconomyBundler;
  readonly biconomyContracts: BiconomyContracts;
  readonly modularFactory: Address;
  /** The first quotes of the answers that went over `fetch`, for a client that keeps them to itself. */
  readonly firstQuotes: readonly SeenQuote[];
};

/**
 * The paymaster that is asked: the address of its endpoint and of its contract, and whether the service raises the
 * verification limit that a client had estimated with its stub. `context` and `headers` are what an application has the client
 * send along.
 */
export type AskedPaymaster = {
  readonly version: EntryPointVersion;
  readonly url: string;
  readonly address: Address;
  readonly raisesLimit?: boolean;
  readonly context?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
};

/** An account in a client's hands, not on chain yet. */
export type SendingAccount = {
  readonly sender: Address;
  /** Creates the account, for a paymaster that wants its tokens before the operation's own calls. */
  readonly initCode: Hex;
  /** Sends one `increment`; returns its hash once it landed. */
  sponsored(): Promise<Hex>;
  /** Sends one `increment` paid in the token, which the account has. `quoted`: the client's maximum, in base units. */
  paid(token: DevnetToken): Promise<{ readonly hash: Hex; readonly quoted: bigint }>;
};

/** A client that prepares, signs and sends operations by itself, told nothing but addresses and who pays. */
export type SendingClient<Needed = Surroundings> = {
  readonly name: LandingClient;
  open(surroundings: Needed, paymaster: AskedPaymaster): Promise<SendingAccount>;
};

/** One that needs no contracts next to those of the development chain, and any bundler. */
export type AppClient = SendingClient<{ readonly devnet: Devnet; readonly bundler: Pick<TestBundler, 'url'> }>;

const pollingInterval = 20;

export const viemClient: AppClient = {
  name: 'viem',
  async open({ devnet, bundler }, { version, url, address, context, headers = {} }) {
    const owner = privateKeyToAccount(freshKey());
    const account = await simpleAccount(devnet, version, owner);
    const create = (paymasterContext: object | undefined = context) =>
      createBundlerClient({
        account,
        client: chainClient(devnet),
        transport: http(bundler.url, { retryCount: 0 }),
        paymaster: createPaymasterClient({ transport: http(url, { retryCount: 0, fetchOptions: { headers } }) }),
        ...(paymasterContext === undefined ? {} : { paymasterContext }),
        pollingInterval,
      });
    const increment = targetCall(devnet, 'increment');
    return {
      sender: account.address,
      initCode: await initCodeOf(account),
      sponsored: () => create().sendUserOperation({ calls: [increment] }),
      async paid(token) {
        const callsWith = (max: bigint) => [approveCall(token, address, max), increment];
        const drafted = await nextOperation(devnet, { version, owner }, callsWith(1n));
        const { maxFeePerGas, maxPriorityFeePerGas } = drafted;
        const quoted = maximumOf(await quoteFor(url, drafted, { token: token.address }));
        const client = create({ mode: 'ERC20', tokenInfo: { feeTokenAddress: token.address } });
        const calls = callsWith(quoted);
        return { hash: await client.sendUserOperation({ calls, maxFeePerGas, maxPriorityFeePerGas }), quoted };
      },
    };
  },
};

/** The paymaster of this repository's SDK in viem's client. */
export const sdkPaymasterClient: SendingClient = {
  name: 'clients/sdk',
  async open({ devnet, bundler }, { version, url, context }) {
    const account = await simpleAccount(devnet, version);
    const sponsor = createSponsorClient({ url });
    const bundlerClient = createBundlerClient({
      account,
      client: chainClient(devnet),
      transport: http(bundler.url, { retryCount: 0 }),
      paymaster: createPaymaster(sponsor),
      ...(context === undefined ? {} : { paymasterContext: context }),
      pollingInterval,
    });
    const calls = [targetCall(devnet, 'increment')];
    return {
      sender: account.address,
      initCode: await initCodeOf(account),
      sponsored: () => bundlerClient.sendUserOperation({ calls }),
      async paid(token) {
        const payment = await prepareTokenPayment(sponsor, { bundlerClient, token: token.address, calls });
        const { calls: approving, paymasterContext, operation, maximum } = payment;
        const hash = await bundlerClient.sendUserOperation({
          calls: approving,
          paymasterContext,
          ...operation,
        });
        return { hash, quoted: maximum };
      },
    };
  },
};

export const permissionlessClient: AppClient = {
  name: 'permissionless',
  async open({ devnet, bundler }, { version, url, context = {}, headers = {} }) {
    const account = await simpleAccount(devnet, version);
    const pimlicoAt = (address: string) =>
      createPimlicoClient({
        chain: devnet.client.chain,
        transport: http(address, { retryCount: 0, fetchOptions: { headers } }),
        entryPoint: { address: devnet.entryPoints[version], version },
      });
    const paymaster = pimlicoAt(url);
    const create = (paymasterContext: object) =>
      createSmartAccountClient({
        account,
        chain: devnet.client.chain,
        bundlerTransport: http(bundler.url, { retryCount: 0 }),
        paymaster,
        paymasterContext,
        userOperation: {
          estimateFeesPerGas: async () => (await pimlicoAt(bundler.url).getUserOperationGasPrice()).fast,
          prepareUserOperation: prepareUserOperationForErc20Paymaster(paymaster),
        },
        pollingInterval,
      });
    const increment = targetCall(devnet, 'increment');
    return {
      sender: account.address,
      initCode: await initCodeOf(account),
      sponsored: () => create(context).sendUserOperation({ calls: [increment] }),
      async paid(token) {
        const [quote] = await paymaster.getTokenQuotes({ tokens: [token.address], chain: devnet.client.chain });
        if (quote === undefined) throw new Error('The token was not quoted.');
        const client = create({ token: token.address });
        const hash = await client.sendUserOperation({ calls: [increment] });
        await client.waitForUserOperationReceipt({ hash });
        const { userOperation } = await client.getUserOperation({ hash });
        const calls = await account.decodeCalls?.(userOperation.callData);
        const approval = calls?.find(({ to }) => isAddressEqual(to, token.address));
        if (approval?.data !== undefined) return { hash, quoted: approvedAmount(approval.data) };
        // What the client itself takes from a quote, and finds approved already.
        return { hash, quoted: await tokenBound(devnet, { bundlerUrl: bundler.url, hash }, quote) };
      },
    };
  },
};

export const biconomyAccountClient: SendingClient = {
  name: '@biconomy/account 4.6.3',
  async open({ devnet, biconomyBundler, biconomyContracts, firstQuotes }, { url }) {
    const { client, address } = await newBiconomyAccount({ devnet, bundler: biconomyBundler }, biconomyContracts, url);
    const send = async (paymasterServiceData: { mode: 'ERC20' | 'SPONSORED'; preferredToken?: Address }) => {
      const response = await client.sendTransaction([targetCall(devnet, 'increment')], { paymasterServiceData });
      await response.waitForTxHash();
      return response.userOpHash;
    };
    return {
      sender: address,
      // No paymaster of its EntryPoint wants tokens before the calls.
      initCode: '0x',
      sponsored: () => send({ mode: PaymasterMode.SPONSORED }),
      async paid(token) {
        const hash = await send({ mode: PaymasterMode.ERC20, preferredToken: token.address });
        const quote = firstQuotes.at(-1);
        if (quote === undefined) throw new Error('The client was not given a quote.');
        return { hash, quoted: quotedMaximum(quote) };
      },
    };
  },
};

export const abstractjsClient: SendingClient = {
  name: '@biconomy/abstractjs 1.2.3',
  async open({ devnet, biconomyBundler, modularFactory }, { url, address }) {
    const account = await newModularAccount(devnet, modularFactory);
    // The path that the package itself makes of a chain id and an apiKey.
    const paymaster = createBicoPaymasterClient({ paymasterUrl: url.replace('/api/v1/', '/api/v2/') });
    const create = (token?: DevnetToken) =>
      createBicoBundlerClient({
        account,
        chain: devnet.client.chain,
        client: devnet.client,
        bundlerUrl: biconomyBundler.url,
        paymaster,
        pollingInterval,
        ...(token === undefined
          ? {}
          : { paymasterContext: toBiconomyTokenPaymasterContext({ feeTokenAddress: token.address }) }),
      });
    const increment = targetCall(devnet, 'increment');
    return {
      sender: account.address,
      initCode: await initCodeOf(account),
      sponsored: () => create().sendUserOperation({ calls: [increment] }),
      async paid(token) {
        const client = create(token);
        const approval = approveCall(token, address, maxUint256);
        const userOp = await client.prepareUserOperation({ calls: [approval, increment] });
        const { feeQuotes } = await paymaster.getTokenPaymasterQuotes({ userOp, tokenList: [token.address] });
        const [quote] = feeQuotes;
        if (quote === undefined) throw new Error('The token was not quoted.');
        const amount = parseUnits(quote.maxGasFee.toString(), quote.decimal);
        const hash = await client.sendUserOperation({ calls: [approveCall(token, address, amount), increment] });
        return { hash, quoted: quotedMaximum(quote) };
      },
    };
  },
};

function approvedAmount(data: Hex): bigint {
  const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data });
  if (functionName !== 'approve') throw new Error('The call approves nothing.');
  return args[1];
}
