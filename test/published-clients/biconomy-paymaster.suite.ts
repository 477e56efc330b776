import { describe, expect, test } from 'vitest';
import type { DevnetToken } from '../../server/dev/devnet/devnet.ts';
import {
  approveCall,
  mint,
  newSmartAccount,
  nextOperation,
  targetCall,
  tokenWith,
} from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import {
  biconomyPaymasterClients,
  clientApproval,
  clientQuotes,
  clientSponsorship,
  estimateLimits,
  toBiconomyOperation,
} from '../support/published-clients/biconomy-paymaster-client.ts';
import { type ClientLab, expectLanded, quotedMaximum } from '../support/published-clients/client-lab.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';

const version = '0.6';

const sponsoredWays = [
  { method: 'getPaymasterFeeQuotesOrData', way: 'mode SPONSORED', request: { mode: 'SPONSORED' }, hasLimits: false },
  { method: 'getPaymasterFeeQuotesOrData', way: 'no mode', request: {}, hasLimits: false },
  {
    method: 'getPaymasterFeeQuotesOrData',
    way: 'own limits',
    request: { mode: 'SPONSORED', calculateGasLimits: false },
    hasLimits: true,
  },
  { method: 'getPaymasterAndData', way: 'mode SPONSORED', request: { mode: 'SPONSORED' }, hasLimits: false },
  {
    method: 'getPaymasterAndData',
    way: 'own limits',
    request: { mode: 'SPONSORED', calculateGasLimits: false, expiryDuration: 600, webhookData: { order: 7 } },
    hasLimits: true,
  },
] as const;

/** How an application asks for quotes, how many it gets, and whether it has its own limits quoted and signed. */
const tokenWays: readonly {
  way: string;
  decimals: number;
  request: (token: DevnetToken, all: readonly DevnetToken[]) => Readonly<Record<string, unknown>>;
  quotes: 'one' | 'all';
  calls?: 'not sponsored';
  hasLimits?: true;
}[] = [
  {
    way: 'preferredToken',
    decimals: 6,
    request: ({ address }) => ({ mode: 'ERC20', preferredToken: address }),
    quotes: 'one',
  },
  {
    way: 'tokenList',
    decimals: 18,
    request: ({ address }) => ({ mode: 'ERC20', tokenList: [address] }),
    quotes: 'one',
  },
  {
    way: 'preferredToken and tokenList',
    decimals: 18,
    request: ({ address }, all) => ({
      mode: 'ERC20',
      preferredToken: address,
      tokenList: all.map((each) => each.address),
    }),
    quotes: 'all',
  },
  {
    way: 'an empty tokenList',
    decimals: 6,
    request: () => ({ mode: 'ERC20', tokenList: [] }),
    quotes: 'all',
  },
  {
    way: 'an empty tokenList, own limits',
    decimals: 18,
    request: () => ({ mode: 'ERC20', tokenList: [], calculateGasLimits: false }),
    quotes: 'all',
    hasLimits: true,
  },
  {
    way: 'no mode, calls not sponsored',
    decimals: 6,
    request: () => ({}),
    quotes: 'all',
    calls: 'not sponsored',
  },
];

/** The published `BiconomyPaymaster` packages, with nothing changed but the address. */
export function describeBiconomyPaymasters(lab: () => ClientLab): void {
  describe.each(biconomyPaymasterClients)('$name', ({ name, create }) => {
    const url = () => lab().paymaster(version).rpcUrl;
    const client = () => create({ paymasterUrl: url() });
    const increment = () => targetCall(lab().devnet, 'increment');

    test.each(rowsOfRun(sponsoredWays, 2))('$method, $way: a sponsored operation lands', async (entry) => {
      const account = newSmartAccount(version);
      const built = await nextOperation(lab().devnet, account, [increment()]);
      const limits = entry.hasLimits ? await estimateLimits(lab(), built) : {};
      const operation = { ...built, ...limits };
      const answer = await client()[entry.method](toBiconomyOperation(operation), entry.request);
      const signed = { ...operation, ...clientSponsorship.parse(answer) };
      expect(signed).toMatchObject(limits);
      const attempt = { client: name, version, sender: operation.sender } as const;
      await expectLanded(lab(), { ...attempt, payment: 'SPONSORED' }, () => land(lab().devnet, account, signed));
    });

    test.each(rowsOfRun(tokenWays, 2))(
      'quotes by $way: an operation paid in tokens lands within the quote',
      async (entry) => {
        const { devnet } = lab();
        const token = tokenWith(devnet, entry.decimals);
        const account = newSmartAccount(version);
        const calls = [entry.calls === 'not sponsored' ? approveCall(token, devnet.tokenRecipient, 1n) : increment()];
        const plain = await nextOperation(devnet, account, calls);
        await mint(devnet, token, plain.sender, 1_000n * 10n ** BigInt(token.decimals));
        // Anyone who brings limits along has them estimated for the operation as it will be, approval included.
        const approving = [approveCall(token, lab().paymaster(version).address, 1n), ...calls];
        const limits = entry.hasLimits
          ? await estimateLimits(lab(), await nextOperation(devnet, account, approving))
          : {};
        const quotes = clientQuotes.parse(
          await client().getPaymasterFeeQuotesOrData(
            toBiconomyOperation({ ...plain, ...limits }),
            entry.request(token, devnet.tokens),
          ),
        );
        expect(quotes.tokenPaymasterAddress).toBe(lab().paymaster(version).address);
        expect(quotes.feeQuotes).toHaveLength(entry.quotes === 'one' ? 1 : devnet.tokens.length);
        const quote = quotes.feeQuotes.find(({ tokenAddress }) => tokenAddress === token.address);
        if (quote === undefined) throw new Error('The token was not quoted.');
        if (entry.way.startsWith('preferredToken')) expect(quotes.feeQuotes[0]).toEqual(quote);

        const spender = quotes.tokenPaymasterAddress;
        const approval = clientApproval.parse(
          await client().buildTokenApprovalTransaction({ feeQuote: quote, spender }),
        );
        const operation = { ...(await nextOperation(devnet, account, [approval, ...calls])), ...limits };
        const request = { mode: 'ERC20', feeTokenAddress: quote.tokenAddress, calculateGasLimits: !entry.hasLimits };
        const answer = await client().getPaymasterAndData(toBiconomyOperation(operation), request);
        const signed = { ...operation, ...clientSponsorship.parse(answer) };
        expect(signed).toMatchObject(limits);
        const attempt = {
          client: name,
          version,
          sender: plain.sender,
          increments: entry.calls === 'not sponsored' ? 0 : 1,
        } as const;
        const payment = { token, quoted: () => quotedMaximum(quote) };
        await expectLanded(lab(), { ...attempt, payment }, () => land(devnet, account, signed));
      },
    );
  });
}
