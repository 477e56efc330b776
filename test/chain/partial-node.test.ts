import { expect, onTestFinished, test, vi } from 'vitest';
import { type DevUserOperation, toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { newSmartAccount, nextOperation, targetCall } from '../support/chain/chain-lab.ts';
import { leaseDevnet } from '../support/chain/lease-devnet.ts';
import { forward, respond, respondError, startRpcServer } from '../support/servers/json-rpc-server.ts';
import { openPaymaster } from '../support/service/chain-paymaster.ts';
import { askRpc } from '../support/service/chain-rpc.ts';
import { startService } from '../support/service/running-service.ts';

// A node that answers only some methods looks healthy to whoever asks it for blocks.

const withOverrides = 'eth_call with state overrides';

test.each([1, 2])(
  'a node that no longer simulates shows in /readyz until it does again, as the first of %i',
  async (count) => {
    const devnet = await leaseDevnet();
    onTestFinished(() => devnet.close());
    let simulates = true;
    const partial = await startRpcServer(async (request, response) => {
      const isSimulation = request.method === 'eth_call' && request.params.length > 2;
      if (isSimulation && !simulates) respondError(response, request, -32_601, 'the method is not available');
      else respond(response, await forward(devnet.rpcUrl, request));
    });
    onTestFinished(() => partial.close());
    const nodeUrls = [partial.url, devnet.rpcUrl].slice(0, count);
    const service = await startService({
      devnet,
      configure: (config) => ({ ...config, chains: config.chains.map((chain) => ({ ...chain, nodeUrls })) }),
    });
    onTestFinished(() => service.close());
    const { rpcUrl } = await openPaymaster(service, '0.7');
    const readReadiness = async () => {
      const response = await fetch(`${service.adminUrl}/readyz`);
      return { status: response.status, text: await response.text() };
    };
    const ask = async () => {
      const operation: DevUserOperation = await nextOperation(devnet, newSmartAccount('0.7'), [
        targetCall(devnet, 'increment'),
      ]);
      const tokenInfo = { preferredToken: '', tokenList: [] };
      const params = [toRpcUserOperation(operation), { mode: 'ERC20', calculateGasLimits: true, tokenInfo }];
      return (await askRpc(rpcUrl, 'pm_getFeeQuoteOrData', params)).reason;
    };

    expect(await ask()).toBeUndefined();
    const whole = { status: 200, text: expect.not.stringContaining('does not answer') };
    await vi.waitFor(async () => expect(await readReadiness()).toMatchObject(whole), { timeout: 20_000 });
    simulates = false;
    expect(await ask()).toBe(count === 1 ? 'CHAIN_UNAVAILABLE' : undefined);
    const { status, text } = await readReadiness();
    expect(status).toBe(count === 1 ? 503 : 200);
    expect(text).toContain(`it does not answer ${withOverrides}`);
    expect(text.includes(`no node answers ${withOverrides}`)).toBe(count === 1);
    simulates = true;
    expect(await ask()).toBeUndefined();
    expect(await readReadiness()).toMatchObject(whole);
  },
);
