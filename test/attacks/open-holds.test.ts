import { parseEther } from 'viem';
import { beforeAll, describe, expect, test } from 'vitest';
import { toRpcUserOperation } from '../../clients/cli/dev/user-operation/dev-user-operation.ts';
import { defaultHoldCaps } from '../../core/domain/hold-caps.ts';
import { fillTank, newSmartAccount, nextOperation, targetCall, walletWith } from '../support/chain/chain-lab.ts';
import { useService } from '../support/interface/use-service.ts';
import { chooseWallet, type LabPaymaster, openPaymaster } from '../support/service/chain-paymaster.ts';
import { askSponsorship, prefundOf, sponsor } from '../support/service/chain-sponsorship.ts';
import type { RunningService } from '../support/service/running-service.ts';

async function tankOf(service: RunningService, amount: bigint): Promise<LabPaymaster> {
  const paymaster = await openPaymaster(service, '0.7');
  const wallet = await walletWith(service.devnet, parseEther('1'));
  await chooseWallet(paymaster, wallet);
  await fillTank(service.devnet, '0.7', wallet, amount);
  return paymaster;
}

/** One sender's operation, which it can sign for any number of nonces. */
async function operationOf({ devnet }: RunningService) {
  return nextOperation(devnet, newSmartAccount('0.7'), [targetCall(devnet, 'increment')]);
}

/** How many of a sender's operations are signed, each with a nonce key of its own, and what the last one is answered. */
async function signMany(rpcUrl: string, operation: Awaited<ReturnType<typeof operationOf>>, count: number) {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, key) =>
      askSponsorship(rpcUrl, { ...operation, nonce: operation.nonce + (BigInt(key) << 64n) }),
    ),
  );
  return { signed: answers.filter(({ httpStatus }) => httpStatus === 200).length, answers };
}

describe('a service without caps', () => {
  const service = useService();
  test('signs until the tank is locked', async () => {
    const { rpcUrl } = await tankOf(service(), parseEther('10'));
    expect((await signMany(rpcUrl, await operationOf(service()), 25)).signed).toBe(25);
  });
});

describe('a service with the usual caps', () => {
  const service = useService({ configure: (config) => ({ ...config, holds: defaultHoldCaps }) });
  let worstCase: bigint;
  beforeAll(async () => {
    const { rpcUrl } = await tankOf(service(), parseEther('10'));
    const operation = await operationOf(service());
    worstCase = prefundOf(operation, await sponsor(rpcUrl, operation));
  });

  test('signs ten open operations of a sender; a repeat joins its hold, and another sender goes on', async () => {
    const { rpcUrl } = await tankOf(service(), parseEther('10'));
    const operation = await operationOf(service());
    const { signed, answers } = await signMany(rpcUrl, operation, 25);
    expect(signed).toBe(10);
    const refused = answers.filter(({ httpStatus }) => httpStatus !== 200);
    for (const answer of refused) expect(answer).toMatchObject({ httpStatus: 422, reason: 'LIMIT_EXCEEDED' });
    const again = await Promise.all(
      answers.map(({ httpStatus }, key) =>
        httpStatus === 200
          ? askSponsorship(rpcUrl, { ...operation, nonce: operation.nonce + (BigInt(key) << 64n) })
          : undefined,
      ),
    );
    expect(again.filter((answer) => answer?.httpStatus === 200)).toHaveLength(10);
    expect(await sponsor(rpcUrl, await operationOf(service()))).toMatchObject({ MODE: 'SPONSORED' });
  });

  test('lets a sender hold a tenth of the tank, or one operation if that is more', async () => {
    const roomy = await tankOf(service(), worstCase * 45n);
    expect((await signMany(roomy.rpcUrl, await operationOf(service()), 8)).signed).toBe(4);
    const tight = await tankOf(service(), worstCase * 3n);
    const { signed, answers } = await signMany(tight.rpcUrl, await operationOf(service()), 2);
    expect(signed).toBe(1);
    const refused = answers.find(({ httpStatus }) => httpStatus !== 200);
    expect(refused?.reason).toBe('LIMIT_EXCEEDED');
    expect(refused?.message).not.toMatch(/\d{6}/);
  });
});

describe('a service with the usual caps but few open operations for an address', () => {
  const service = useService({
    handle: 'grpc',
    configure: (config) => ({ ...config, holds: { ...defaultHoldCaps, maxOpenHoldsPerClient: 5 } }),
  });

  test('signs no more for one address, whichever senders it makes up; internal callers are not counted', async () => {
    const { rpcUrl, apiKey } = await tankOf(service(), parseEther('10'));
    const operations = await Promise.all(Array.from({ length: 8 }, () => operationOf(service())));
    const answers = await Promise.all(operations.map((operation) => askSponsorship(rpcUrl, operation)));
    expect(answers.filter(({ httpStatus }) => httpStatus === 200)).toHaveLength(5);
    const refused = answers.find(({ httpStatus }) => httpStatus !== 200);
    expect(refused).toMatchObject({ httpStatus: 422, reason: 'LIMIT_EXCEEDED' });
    expect(refused?.message).toMatch(/^The address that this request came from/);
    const { core, config } = service();
    const own = await core.getFeeQuoteOrData({
      apiKey,
      chainId: config.chains[0]?.chainId ?? 0,
      userOperation: toRpcUserOperation(await operationOf(service())),
      context: {
        mode: 'SPONSORED',
        sponsorshipInfoGiven: true,
        smartAccountInfo: { name: 'INFINITISM', version: '1.0.0' },
      },
    });
    expect(own).toMatchObject({ ok: true });
  });
});
