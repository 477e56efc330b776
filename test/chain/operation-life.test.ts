import { EventEmitter, once } from 'node:events';
import { type Hex, parseEther } from 'viem';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { OperationLifeItem } from '../../contract/user-operation.ts';
import type { Devnet } from '../../server/dev/devnet/devnet.ts';
import type { DevUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { readUserOperationHash } from '../../server/dev/user-operation/entry-point.ts';
import {
  fillTank,
  mineAt,
  newSmartAccount,
  nextOperation,
  plainLimits,
  targetCall,
  walletWith,
} from '../support/chain/chain-lab.ts';
import { land } from '../support/chain/chain-landing.ts';
import { tabledEntryPoints } from '../support/chain/tabled-entry-points.ts';
import { startWebhookServer } from '../support/servers/webhook-server.ts';
import { anyGasPrice, looseGivenLimitsCheck } from '../support/service/any-clock.ts';
import { chooseWallet, type LabPaymaster, openPaymaster } from '../support/service/chain-paymaster.ts';
import { signedAnswer } from '../support/service/chain-rpc.ts';
import { askSponsorship, withAnswer } from '../support/service/chain-sponsorship.ts';
import { type RunningService, startService } from '../support/service/running-service.ts';

/** How long the ledger may need to follow the chain on a busy machine. */
const patience = { timeout: 20_000 };

let service: RunningService;
let devnet: Devnet;
beforeAll(async () => {
  service = await startService({ configure: (config) => anyGasPrice(looseGivenLimitsCheck(config)) });
  devnet = service.devnet;
});
afterAll(() => service.close());

describe.each(tabledEntryPoints)('an operation of EntryPoint %s, from its hash alone,', (version) => {
  let paymaster: LabPaymaster;
  beforeAll(async () => {
    paymaster = await openPaymaster(service, version);
    const wallet = await walletWith(devnet, 0n);
    await chooseWallet(paymaster, wallet);
    await fillTank(devnet, version, wallet, parseEther('5'));
    const { management, apiKey } = paymaster;
    await vi.waitFor(
      async () => expect(BigInt((await management.readGasTank({ apiKey })).available)).toBeGreaterThan(0n),
      patience,
    );
  });

  const account = () => newSmartAccount(version);
  const read = (hash: Hex) => paymaster.management.getOperation({ apiKey: paymaster.apiKey, userOperationHash: hash });
  const untilIs = (hash: Hex, status: OperationLifeItem['status']) =>
    vi.waitFor(async () => {
      const life = await read(hash);
      expect(life.status).toBe(status);
      return life;
    }, patience);

  /** Signed by the service, with the hash that the EntryPoint has for it. */
  async function sign(operation: DevUserOperation) {
    const answer = signedAnswer(
      await askSponsorship(paymaster.rpcUrl, operation, { calculateGasLimits: false, expiryDuration: 60 }),
    );
    const signed = withAnswer(operation, answer);
    return { signed, hash: await readUserOperationHash(devnet, signed) };
  }

  async function operationOf(smart: ReturnType<typeof account>, call = targetCall(devnet, 'increment')) {
    return { ...(await nextOperation(devnet, smart, [call])), ...plainLimits('undeployed') };
  }

  test('is signed, then included, with the transaction, block and cost of the chain; listeners hear of it once', async () => {
    const reported = new EventEmitter();
    const receiver = await startWebhookServer((response, { body }) => {
      response.end();
      reported.emit('message', JSON.parse(body));
    });
    const { management, apiKey } = paymaster;
    await management.createNotification({ apiKey, url: receiver.url, events: ['operation.included'] });
    const smart = account();
    const { signed, hash } = await sign(await operationOf(smart));
    expect(await read(hash)).toMatchObject({ status: 'signed', userOperationHash: hash, sender: signed.sender });
    const message = once(reported, 'message');
    const outcome = await land(devnet, smart, signed);
    const life = await untilIs(hash, 'included');
    expect(life).toMatchObject({
      charge: outcome.actualGasCost.toString(),
      success: true,
      txHash: outcome.transactionHash,
    });
    const { blockNumber } = await devnet.client.getTransactionReceipt({ hash: outcome.transactionHash });
    expect(life.blockNumber).toBe(blockNumber.toString());
    expect(life.steps.map(({ status }) => status)).toEqual(['signed', 'included']);
    const [included] = await message;
    expect(included).toMatchObject({ type: 'operation.included', data: { userOperationHash: hash, success: true } });
  });

  test('has failed when its call reverted on chain, and says why', async () => {
    const smart = account();
    const operation = await operationOf(smart, { ...targetCall(devnet, 'pay'), value: 1n });
    await devnet.client.setBalance({ address: operation.sender, value: 1n });
    const { signed, hash } = await sign(operation);
    await devnet.client.setBalance({ address: operation.sender, value: 0n });
    await land(devnet, smart, signed);
    const life = await untilIs(hash, 'failed');
    expect(life).toMatchObject({ success: false, revertReason: 'The call reverted without a reason.' });
  });

  test('is replaced when another signature for its nonce lands', async () => {
    const smart = account();
    const operation = await operationOf(smart);
    const first = await sign(operation);
    const second = await sign({ ...operation, maxFeePerGas: operation.maxFeePerGas * 2n });
    expect(second.hash).not.toBe(first.hash);
    await land(devnet, smart, second.signed);
    await untilIs(second.hash, 'included');
    expect(await read(first.hash)).toMatchObject({ status: 'replaced', replacedBy: second.hash });
    const { decisions } = await paymaster.management.listDecisions({ apiKey: paymaster.apiKey, status: 'replaced' });
    expect(decisions.map(({ userOperationHash: each }) => each)).toContain(first.hash);
  });

  test('has expired once the confirmed chain is past the end of its signature', async () => {
    const { hash } = await sign(await operationOf(account()));
    const { validUntil = 0 } = await read(hash);
    await mineAt(devnet, validUntil + 1);
    await devnet.client.mine({ blocks: 3 });
    const life = await untilIs(hash, 'expired');
    expect(life).not.toHaveProperty('charge');
  });
});
