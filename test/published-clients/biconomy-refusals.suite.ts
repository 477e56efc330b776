import { parseEther } from 'viem';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { devPaymasterVersions } from '../../server/dev/dev-core-config.ts';
import { approveCall, newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import {
  biconomyPaymasterClients,
  clientSponsorship,
  estimateLimits,
  toBiconomyOperation,
} from '../support/published-clients/biconomy-paymaster-client.ts';
import { type ClientLab, expectLanded, rejectionOf } from '../support/published-clients/client-lab.ts';
import { askRpc } from '../support/service/chain-rpc.ts';

const version = '0.6';
/** What these clients send when the application says nothing about the account. */
const defaultSponsorshipInfo = { smartAccountInfo: { name: 'BICONOMY', version: '2.0.0' } };

/** What an application sees through the published `BiconomyPaymaster` packages when the service says no. */
export function describeBiconomyRefusals(lab: () => ClientLab): void {
  describe.each(biconomyPaymasterClients)('$name, refusals', ({ name, create, fallsBackWhenSigning }) => {
    const url = () => lab().paymaster(version).rpcUrl;
    const client = () => create({ paymasterUrl: url() });
    const increment = () => targetCall(lab().devnet, 'increment');

    test('a refusal comes through with the words of the service', async () => {
      const { devnet } = lab();
      const operation = await nextOperation(devnet, newSmartAccount(version), [targetCall(devnet, 'fail')]);
      const sent = toBiconomyOperation(operation);
      const refusal = await askRpc(url(), 'pm_getFeeQuoteOrData', [
        sent,
        { mode: 'SPONSORED', sponsorshipInfo: defaultSponsorshipInfo },
      ]);
      expect(refusal.reason).toBe('METHOD_NOT_WHITELISTED');
      for (const method of ['getPaymasterFeeQuotesOrData', 'getPaymasterAndData'] as const) {
        const reason = await rejectionOf(client()[method](sent, { mode: 'SPONSORED' }));
        expect(messageOf(reason)).toContain(refusal.message);
      }
    });

    test('tokens that are not taken and unknown keys are refused in words too', async () => {
      const { devnet } = lab();
      const operation = toBiconomyOperation(await nextOperation(devnet, newSmartAccount(version), [increment()]));
      const foreignToken = { mode: 'ERC20', feeTokenAddress: devnet.target.address };
      const tokenRefusal = await rejectionOf(client().getPaymasterAndData(operation, foreignToken));
      expect(messageOf(tokenRefusal)).toMatch(/token/i);
      const keyless = create({ paymasterUrl: lab().service.rpcUrl(`AAAAAAAAA.${crypto.randomUUID()}`) });
      const keyRefusal = await rejectionOf(keyless.getPaymasterAndData(operation, { mode: 'SPONSORED' }));
      expect(messageOf(keyRefusal)).toMatch(/apiKey/i);
    });

    test('unregistered contracts and missing policies make the account pay itself, unless strict', async () => {
      const { devnet } = lab();
      const bare = await paymasterWithoutPolicies(lab());
      const [token] = devnet.tokens;
      if (token === undefined) throw new Error('The chain has no tokens.');
      const foreign = approveCall(token, lab().paymaster(version).address, 1n);
      for (const [text, paymasterUrl, call] of [
        ['Smart contract data not found', url(), foreign],
        ['No policies were set', bare, increment()],
      ] as const) {
        const account = newSmartAccount(version);
        const built = await nextOperation(devnet, account, [call]);
        const limits = await estimateLimits(lab(), built);
        const operation = { ...built, ...limits };
        const sent = toBiconomyOperation(operation);
        const answer = await create({ paymasterUrl }).getPaymasterFeeQuotesOrData(sent, { mode: 'SPONSORED' });
        const unpaid = clientSponsorship.parse(answer);
        expect(unpaid).toEqual({ paymasterAndData: '0x', ...limits });
        await devnet.client.setBalance({ address: operation.sender, value: parseEther('1') });
        const increments = call === foreign ? 0 : 1;
        const attempt = {
          client: name,
          version,
          sender: operation.sender,
          increments,
        } as const;
        await expectLanded(lab(), { ...attempt, payment: 'self-pay' }, () =>
          land(devnet, account, { ...operation, ...unpaid }),
        );
        const signing = create({ paymasterUrl });
        const signed = signing.getPaymasterAndData(sent, { mode: 'SPONSORED' });
        if (fallsBackWhenSigning) expect(await signed).toMatchObject({ paymasterAndData: '0x' });
        else expect(messageOf(await rejectionOf(signed))).toContain(text);
        const strict = create({ paymasterUrl, strictMode: true });
        const reason = await rejectionOf(strict.getPaymasterFeeQuotesOrData(sent, { mode: 'SPONSORED' }));
        expect(messageOf(reason)).toContain(text);
      }
    });
  });
}

/** The address of a paymaster for which its owner has not registered any contract. */
async function paymasterWithoutPolicies({ service, devnet }: ClientLab): Promise<string> {
  const { authToken } = await service.issueAccount();
  const { apiKey } = await service.managementOf(authToken).createPaymaster({
    name: 'bare',
    chainId: devnet.chainId,
    version: devPaymasterVersions[version],
  });
  return service.rpcUrl(apiKey);
}

/** 3.1.4 rejects with a plain object, 4.1.1 with an error. */
function messageOf(reason: unknown): string {
  return z.object({ message: z.string() }).parse(reason).message;
}
