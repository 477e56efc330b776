import { type BuildUserOpOptions, PaymasterMode, type Transaction } from '@biconomy/account';
import type { Address } from 'viem';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { devTokenAbi } from '../../server/dev/devnet/contracts.generated.ts';
import type { DevnetToken } from '../../server/dev/devnet/devnet.ts';
import { approveCall, mint, targetCall, tokenBalance, tokenWith } from '../support/chain/chain-lab.ts';
import { type BiconomyAccount, newBiconomyAccount } from '../support/published-clients/biconomy-account-client.ts';
import { type ClientLab, expectLanded, quotedMaximum, rejectionOf } from '../support/published-clients/client-lab.ts';
import { type BiconomyContracts, deployBiconomyAccount } from '../support/published-clients/deploy-biconomy-account.ts';
import { type SeenQuote, watchFetch } from '../support/published-clients/watched-fetch.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';

const name = '@biconomy/account 4.6.3';
const version = '0.6';

const sponsoredWays: readonly { way: string; options: BuildUserOpOptions; calls: number }[] = [
  { way: 'sendTransaction', options: { paymasterServiceData: { mode: PaymasterMode.SPONSORED } }, calls: 1 },
  { way: 'sendTransaction, a batch', options: { paymasterServiceData: { mode: PaymasterMode.SPONSORED } }, calls: 3 },
  {
    way: 'sendTransaction, calculateGasLimits false',
    options: { paymasterServiceData: { mode: PaymasterMode.SPONSORED, calculateGasLimits: false } },
    calls: 1,
  },
  {
    way: 'sendTransaction, gasOffset',
    options: {
      paymasterServiceData: { mode: PaymasterMode.SPONSORED },
      gasOffset: { callGasLimitOffsetPct: 25, verificationGasLimitOffsetPct: 25, preVerificationGasOffsetPct: 9 },
    },
    calls: 1,
  },
];

/** The account client with real accounts, with nothing changed but addresses. */
export function describeBiconomyAccount(lab: () => ClientLab): void {
  describe(name, () => {
    let contracts: BiconomyContracts;
    let watched: ReturnType<typeof watchFetch>;
    beforeAll(async () => {
      contracts = await deployBiconomyAccount(lab().devnet);
      watched = watchFetch();
    });
    afterAll(() => {
      vi.unstubAllGlobals();
    });

    const increment = () => targetCall(lab().devnet, 'increment');

    /** Sends with the client, waits as it does, and returns what the bundler saw. */
    async function send({ client }: BiconomyAccount, calls: readonly Transaction[], options: BuildUserOpOptions) {
      const response = await client.sendTransaction([...calls], options);
      const { transactionHash } = await response.waitForTxHash();
      const landed = await lab().bundler.landed(response.userOpHash);
      expect(transactionHash).toBe(landed.transactionHash);
      return landed;
    }

    function allowanceOf(owner: Address, { address }: DevnetToken): Promise<bigint> {
      const args = [owner, lab().paymaster(version).address] as const;
      return lab().devnet.client.readContract({ address, abi: devTokenAbi, functionName: 'allowance', args });
    }

    test.each(rowsOfRun(sponsoredWays, 1))(
      '$way: sponsored operations land, also the one that deploys',
      async (entry) => {
        const account = await newBiconomyAccount(lab(), contracts, lab().paymaster(version).rpcUrl);
        const calls = Array.from({ length: entry.calls }, increment);
        // The first one deploys the account.
        for (let nth = 0; nth < 2; nth += 1) {
          const attempt = { client: name, version, sender: account.address, increments: entry.calls } as const;
          await expectLanded(lab(), { ...attempt, payment: 'SPONSORED' }, () => send(account, calls, entry.options));
        }
      },
    );

    test('sponsored operations land, each with a new nonce key', async () => {
      const account = await newBiconomyAccount(lab(), contracts, lab().paymaster(version).rpcUrl);
      const paymasterServiceData = { mode: PaymasterMode.SPONSORED };
      for (const nonceKey of [1, 2, 3]) {
        const attempt = { client: name, version, sender: account.address } as const;
        await expectLanded(lab(), { ...attempt, payment: 'SPONSORED' }, () =>
          send(account, [increment()], { paymasterServiceData, nonceOptions: { nonceKey } }),
        );
      }
    });

    test.each(rowsOfRun([6, 18], 1))(
      'preferredToken with %i decimals: operations paid in tokens land within the quote',
      async (decimals) => {
        const { devnet } = lab();
        const token = tokenWith(devnet, decimals);
        const account = await newBiconomyAccount(lab(), contracts, lab().paymaster(version).rpcUrl);
        await mint(devnet, token, account.address, 1_000n * 10n ** BigInt(decimals));
        // The first one deploys the account.
        for (let nth = 0; nth < 2; nth += 1) {
          const paymasterServiceData = { mode: PaymasterMode.ERC20, preferredToken: token.address };
          const attempt = { client: name, version, sender: account.address } as const;
          const quoted = () => lastQuoted(watched.firstQuotes);
          const before = await tokenBalance(devnet, token, account.address);
          await expectLanded(lab(), { ...attempt, payment: { token, quoted } }, () =>
            send(account, [increment()], { paymasterServiceData }),
          );
          const paid = before - (await tokenBalance(devnet, token, account.address));
          // The client approved the quote and nothing more.
          expect(await allowanceOf(account.address, token)).toBe(quoted() - paid);
        }
      },
    );

    test('a picked quote and an unlimited approval: this and the next operation land within their quotes', async () => {
      const { devnet } = lab();
      const token = tokenWith(devnet, 18);
      const account = await newBiconomyAccount(lab(), contracts, lab().paymaster(version).rpcUrl);
      await mint(devnet, token, account.address, 1_000n * 10n ** 18n);
      const mode = PaymasterMode.ERC20;
      for (const options of [{ maxApproval: true }, { skipPatchCallData: true }]) {
        const fees = await account.client.getTokenFees(increment(), { paymasterServiceData: { mode } });
        expect(fees.feeQuotes).toHaveLength(devnet.tokens.length);
        const feeQuote = fees.feeQuotes?.find(({ tokenAddress }) => tokenAddress === token.address);
        const spender = fees.tokenPaymasterAddress;
        if (feeQuote === undefined || spender === undefined) throw new Error('The token was not quoted.');
        const attempt = { client: name, version, sender: account.address } as const;
        const payment = { token, quoted: () => quotedMaximum(feeQuote) };
        await expectLanded(lab(), { ...attempt, payment }, () =>
          send(account, [increment()], { paymasterServiceData: { mode, feeQuote, spender, ...options } }),
        );
      }
    });

    test('getSupportedTokens lists the tokens of the chain', async () => {
      const { devnet } = lab();
      const account = await newBiconomyAccount(lab(), contracts, lab().paymaster(version).rpcUrl);
      const supported = await account.client.getSupportedTokens();
      const expected = devnet.tokens.map(({ symbol, address, decimals }) => ({
        symbol,
        tokenAddress: address,
        decimal: decimals,
      }));
      expect(supported).toHaveLength(expected.length);
      expect(supported).toEqual(expect.arrayContaining(expected.map((token) => expect.objectContaining(token))));
    });

    test('a refusal comes through with the words of the service', async () => {
      const { devnet, paymaster } = lab();
      const [token] = devnet.tokens;
      if (token === undefined) throw new Error('The chain has no tokens.');
      const account = await newBiconomyAccount(lab(), contracts, lab().paymaster(version).rpcUrl);
      const call = approveCall(token, paymaster(version).address, 1n);
      const mode = PaymasterMode.SPONSORED;
      const reason = await rejectionOf(account.client.sendTransaction(call, { paymasterServiceData: { mode } }));
      expect(String(reason)).toContain('Error coming from Paymaster');
      expect(String(reason)).toContain('Smart contract data not found');
      expect(await tokenBalance(devnet, token, account.address)).toBe(0n);
    });
  });
}

/** What the client was told last: it takes the first quote of the answer. */
function lastQuoted(quotes: readonly SeenQuote[]): bigint {
  const quote = quotes.at(-1);
  if (quote === undefined) throw new Error('The client was not given a quote.');
  return quotedMaximum(quote);
}
