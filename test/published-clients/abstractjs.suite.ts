import {
  type BiconomyPaymasterContext,
  createBicoBundlerClient,
  createBicoPaymasterClient,
  toBiconomyTokenPaymasterContext,
} from '@biconomy/abstractjs';
import { type Address, maxUint256, parseUnits } from 'viem';
import type { SmartAccount } from 'viem/account-abstraction';
import { beforeAll, describe, expect, test } from 'vitest';
import { approveCall, fundWithTokens, mint, targetCall, tokenWith } from '../support/chain/chain-lab.ts';
import { type ClientLab, expectLanded, quotedMaximum, rejectionOf } from '../support/published-clients/client-lab.ts';
import { deployModularFactory, newModularAccount } from '../support/published-clients/to-modular-account.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';

const name = '@biconomy/abstractjs 1.2.3';
const version = '0.7';

/** The clients of `@biconomy/abstractjs` that do not need its hosted network, with nothing changed but addresses. */
export function describeAbstractjs(lab: () => ClientLab): void {
  describe(name, () => {
    let factory: Address;
    beforeAll(async () => {
      factory = await deployModularFactory(lab().devnet);
    });
    const increment = () => targetCall(lab().devnet, 'increment');

    /** Both clients of an account; without a context, the one that the package has for sponsorship. */
    function clientsOf(account: SmartAccount, paymasterContext?: BiconomyPaymasterContext) {
      const { devnet, bundler, paymaster } = lab();
      // The path that the package itself makes of a chain id and an apiKey.
      const paymasterUrl = paymaster(version).rpcUrl.replace('/api/v1/', '/api/v2/');
      const paymasterClient = createBicoPaymasterClient({ paymasterUrl });
      const bundlerClient = createBicoBundlerClient({
        account,
        chain: devnet.client.chain,
        client: devnet.client,
        bundlerUrl: bundler.url,
        paymaster: paymasterClient,
        pollingInterval: 20,
        ...(paymasterContext === undefined ? {} : { paymasterContext }),
      });
      return { bundlerClient, paymasterClient };
    }

    /** Sends with the client, waits as it does, and returns what the bundler saw. */
    async function send(
      { bundlerClient }: ReturnType<typeof clientsOf>,
      calls: readonly { to: Address; data: `0x${string}` }[],
    ) {
      const hash = await bundlerClient.sendUserOperation({ calls: [...calls] });
      const receipt = await bundlerClient.waitForUserOperationReceipt({ hash });
      expect(receipt.success).toBe(true);
      return lab().bundler.landed(hash);
    }

    test.each(rowsOfRun([3, 1], 1))(
      'its own sponsorship context: operations with %i calls land',
      async (increments) => {
        const account = await newModularAccount(lab().devnet, factory);
        const clients = clientsOf(account);
        // The first one deploys the account.
        for (let nth = 0; nth < 2; nth += 1) {
          const attempt = { client: name, version, sender: account.address, increments } as const;
          await expectLanded(lab(), { ...attempt, payment: 'SPONSORED' }, () =>
            send(clients, Array.from({ length: increments }, increment)),
          );
        }
      },
    );

    test.each(rowsOfRun([6, 18], 1))(
      'quotes and token context with %i decimals: operations land within the quote',
      async (decimals) => {
        const { devnet, paymaster } = lab();
        const token = tokenWith(devnet, decimals);
        const account = await newModularAccount(devnet, factory);
        await mint(devnet, token, account.address, 1_000n * 10n ** BigInt(decimals));
        const clients = clientsOf(account, toBiconomyTokenPaymasterContext({ feeTokenAddress: token.address }));
        // The first one deploys the account.
        for (let nth = 0; nth < 2; nth += 1) {
          // As its own `prepareTokenPaymasterUserOp` has it: to prepare is to ask for a signature.
          const approval = approveCall(token, paymaster(version).address, maxUint256);
          const userOp = await clients.bundlerClient.prepareUserOperation({ calls: [approval, increment()] });
          const quotes = await clients.paymasterClient.getTokenPaymasterQuotes({ userOp, tokenList: [token.address] });
          expect(quotes.unsupportedTokens).toEqual([]);
          const [quote] = quotes.feeQuotes;
          if (quote === undefined) throw new Error('The token was not quoted.');
          expect(quote.tokenAddress).toBe(token.address);
          expect(quotes.paymasterAddress).toBe(paymaster(version).address);
          const amount = parseUnits(quote.maxGasFee.toString(), quote.decimal);
          const calls = [approveCall(token, paymaster(version).address, amount), increment()];
          const attempt = { client: name, version, sender: account.address } as const;
          const payment = { token, quoted: () => quotedMaximum(quote) };
          await expectLanded(lab(), { ...attempt, payment }, () => send(clients, calls));
        }
      },
    );

    test('getSupportedTokens and an empty list quote the tokens of the chain, foreign ones come back', async () => {
      const { devnet } = lab();
      const token = tokenWith(devnet, 6);
      const account = await newModularAccount(devnet, factory);
      // The client asks for a signature before it lists anything.
      const spender = lab().paymaster(version).address;
      await fundWithTokens(devnet, token, { owner: account.address, spender });
      const context = toBiconomyTokenPaymasterContext({ feeTokenAddress: token.address });
      const { bundlerClient, paymasterClient } = clientsOf(account, context);
      const supported = await paymasterClient.getSupportedTokens(bundlerClient);
      const expected = devnet.tokens.map(({ symbol, address, decimals }) =>
        expect.objectContaining({ symbol, tokenAddress: address, decimal: decimals, premiumPercentage: '10' }),
      );
      expect(supported).toHaveLength(expected.length);
      expect(supported).toEqual(expect.arrayContaining(expected));
      const userOp = await bundlerClient.prepareUserOperation({ calls: [increment()] });
      const foreign = devnet.target.address;
      const quotes = await paymasterClient.getTokenPaymasterQuotes({ userOp, tokenList: [foreign] });
      expect(quotes).toMatchObject({ mode: 'ERC20', feeQuotes: [], unsupportedTokens: [foreign] });
    });

    test('a refusal comes through with the words of the service', async () => {
      const account = await newModularAccount(lab().devnet, factory);
      const { bundlerClient } = clientsOf(account);
      const reason = await rejectionOf(bundlerClient.sendUserOperation({ calls: [targetCall(lab().devnet, 'fail')] }));
      expect(String(reason)).toMatch(/whitelist/i);
    });
  });
}
